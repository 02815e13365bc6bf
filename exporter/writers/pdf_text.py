"""Lines of prose for print: Latin and Han runs in their faces, formulas drawn, footnotes placed."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from exporter.labels import language_tag
from exporter.model import blocks, inlines
from exporter.model.walk import plain
from exporter.templating import escape, markup
from exporter.typography.breaks import JOIN, mark_line, without_marks
from exporter.typography.punctuation import squeeze_line
from exporter.typography.spacing import HAN
from exporter.writers.html import Dialect, draw_formula, line_html

if TYPE_CHECKING:
    from collections.abc import Callable

    from markupsafe import Markup

    from exporter.assets import Asset
    from exporter.edition import Edition
    from exporter.math import Drawing
    from exporter.model.inlines import Inlines

_LETTER: Final = "A-Za-z0-9\u00b2\u00b3\u00b9\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff\u2070-\u209f"
LATIN_RUN: Final = re.compile(
    f"(?:[-+−±$@#](?=[{_LETTER}]))?[{_LETTER}](?:[{_LETTER}{JOIN}'’.,:;/&+−–_@#%°*=~ -]*[{_LETTER}%°+#])?"
)
"""What is set in the Latin face inside Chinese: letters and digits with the signs and blanks between them."""
HAN_RUN: Final = re.compile(
    f"[（《「『【]*[{HAN}](?:[{HAN}，。、；：！？（）《》〈〉「」『』【】—…·～{JOIN}]*[{HAN}，。、；：！？）》〉」』】])?"
)
"""What is Chinese inside another language: Han with the full-width marks around and between them."""
_WORDS: Final = re.compile(r"[A-Za-z]{2}")


@dataclass(slots=True)
class Prose:
    """Writes lines of one edition as HTML and keeps what they need: pictures by address, notes still to print.

    Attributes:
        edition: The edition.
        picture: Address of a picture of the issue → address that the fetcher serves.
        size: Type size of the text, in points.
        long: Characters without a blank from which on a word may break anywhere, so that it keeps to the measure.
        drawings: Formulas drawn, by address.
        charts: Charts drawn, by address.
        printed: Footnotes that have been placed.
        waiting: Footnotes whose mark stands where none can be placed; they follow at the next chance.
    """

    edition: Edition
    picture: Callable[[str], str]
    size: float
    long: int
    drawings: dict[str, Drawing] = field(default_factory=dict)
    charts: dict[str, Asset] = field(default_factory=dict)
    printed: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    held: bool = False
    body: Callable[[str], Markup] | None = None
    dialects: dict[str, Dialect] = field(default_factory=dict)

    def line(self, line: Inlines, *, tag: str | None = None, paragraph: bool = False) -> Markup:
        """Return a line of prose.

        Args:
            line: The inlines.
            tag: Its language where it is not the edition's.
            paragraph: It ends a paragraph.
        """
        tag = tag or self.edition.tag
        marked = mark_line(line, paragraph=paragraph)
        return line_html(squeeze_line(marked) if tag.startswith("zh") else marked, self._dialect(tag))

    def held_line(self, line: Inlines, *, tag: str | None = None) -> Markup:
        """Return a line whose footnotes wait: heads repeat, and the contents quote."""
        before, self.held = self.held, True
        try:
            return self.line(line, tag=tag)
        finally:
            self.held = before

    def text(self, text: str, *, tag: str | None = None) -> Markup:
        """Return plain text of the edition, such as a label or a name."""
        return self.line((inlines.Text(text=text),), tag=tag)

    def late_notes(self) -> Markup:
        """Return the waiting notes, placed where no mark of their own is printed."""
        result = markup("")
        while self.waiting:
            result += self._note(self.waiting.pop(0), late=True)
        return result

    def has_blocks(self, line: Inlines) -> bool:
        """Tell whether a footnote that the line would print holds more than paragraphs of prose."""
        names = (node.note for node in _note_references(line) if node.note not in self.printed)
        notes = {item.note.id: item.note for item in self.edition.notes}
        return any(
            len(notes[name].children) != 1 or not isinstance(notes[name].children[0], blocks.Paragraph)
            for name in names
        )

    def formula(self, tex: str, *, display: bool = False, widest: float = 0) -> Markup:
        """Return a formula as a picture on the baseline, with a readable alternative.

        Args:
            tex: The formula.
            display: It stands on a line of its own.
            widest: Width in points that it is scaled down to, if it is wider.
        """
        from exporter import math

        size = self.size * (1.08 if display else 1.0)
        drawing = draw_formula(tex, self.edition.theme, size=size, display=display)
        name = hashlib.sha256(f"{tex}\0{size}\0{display}".encode()).hexdigest()[:16]
        address = f"https://edition.invalid/formula/{name}.svg"
        self.drawings[address] = drawing
        alt = self.edition.labels("formula-alt", formula=math.linear(tex))
        scale = min(1.0, widest / drawing.width) if widest else 1.0
        width, height, depth = (scale * value for value in (drawing.width, drawing.height, drawing.depth))
        style = f"width:{width:.3f}pt;height:{height:.3f}pt;vertical-align:{-depth:.3f}pt"
        return markup('<img class="formula" src="{}" alt="{}" style="{}">').format(address, alt, style)

    def chart(self, asset: Asset) -> str:
        """Return the address of a drawn chart, which the fetcher serves."""
        address = f"https://edition.invalid/chart/{asset.sha256[:16]}.svg"
        self.charts[address] = asset
        return address

    def _dialect(self, tag: str) -> Dialect:
        if tag not in self.dialects:
            self.dialects[tag] = Dialect(
                text=lambda text: run_html(text, tag, long=self.long),
                code=_code,
                note_mark=lambda node: self._mark(node.note),
                reference=self._reference,
                math=lambda node: self.formula(node.tex),
                image=self._image,
            )
        return self.dialects[tag]

    def _image(self, node: inlines.Image) -> Markup:
        if not node.alt:
            asset = self.edition.assets[node.path]
            width = 0.95 * asset.width / asset.height if asset.height else 0.95
            style = f"background-image:url({self.picture(node.path)});width:{width:.3f}em"
            return markup('<span class="inline decoration" style="{}"></span>').format(style)
        return markup('<img class="inline" src="{}" alt="{}">').format(self.picture(node.path), node.alt)

    def _reference(self, node: inlines.Reference, text: Markup) -> Markup:
        target = self.edition.targets.get(node.target)
        told = (
            target is not None
            and target.kind in {"section", "entry"}
            and without_marks(plain(node.children)) == plain(target.title)
        )
        if not told or not self.edition.theme.token("print.reference-pages"):
            return markup('<a class="ref" href="#{}">{}</a>').format(node.target, text)
        before, after = (
            part.split("\1")
            for part in self.edition.labels("reference-on-page", reference="\0", page="\1").split("\0")
        )
        lead, trail = after[0], after[1] if len(after) > 1 else ""
        return markup('{}<a class="ref paged" href="#{}" data-lead="{}" data-trail="{}">{}</a>').format(
            before[0], node.target, lead, trail, text
        )

    def _mark(self, name: str) -> Markup:
        number = self.edition.note_numbers[name]
        if name in self.printed:
            return markup('<sup class="mark"><a href="#note-{}">{}</a></sup>').format(number, number)
        self.printed.add(name)
        if self.held:
            self.waiting.append(name)
            return markup('<sup class="mark"><a href="#note-{}">{}</a></sup>').format(number, number)
        return self._note(name, late=False)

    def _note(self, name: str, *, late: bool) -> Markup:
        number = self.edition.note_numbers[name]
        before, self.held = self.held, True
        waiting, self.waiting = self.waiting, []
        try:
            content = self.body(name) if self.body else markup("")
        finally:
            self.held = before
        inner, self.waiting = self.waiting, waiting
        self.waiting[:0] = inner if late else []
        note = markup('<span class="footnote{}" id="note-{}" data-number="{}">{}</span>').format(
            " late" if late else "", number, number, content
        )
        return note if late else note + markup("").join(self._note(other, late=True) for other in inner)


def run_html(text: str, tag: str, *, long: int) -> Markup:
    """Return text with each run in its script's face, escaped.

    In Chinese, Latin words are marked as English, so that they hyphenate and their apostrophe is not full-width;
    elsewhere, Han is marked as Chinese.
    """
    chinese = tag.startswith("zh")
    result, last = markup(""), 0
    for match in (LATIN_RUN if chinese else HAN_RUN).finditer(text):
        before = text[last : match.start()]
        result += escape(before) if chinese else _breakable(escape(before), long)
        result += _latin(match[0], long) if chinese else markup('<span lang="zh-Hans">{}</span>').format(match[0])
        last = match.end()
    rest = text[last:]
    return result + (escape(rest) if chinese else _breakable(escape(rest), long))


def language_attribute(language: str | None, edition: Edition) -> Markup:
    """Return the lang attribute of a part in another language than the edition's, or nothing."""
    if language is None or language_tag(language) == edition.tag:
        return markup("")
    return markup(' lang="{}"').format(language_tag(language))


def label_of(line: Inlines) -> str:
    """Return a line as bookmarks and running heads quote it."""
    return " ".join(plain(line).split())


def _latin(run: str, long: int) -> Markup:
    words = _WORDS.search(run) is not None
    classes = "l" if words else "n"
    if any(len(word) > long for word in run.split()):
        classes += " long"
    elif words and all(re.fullmatch(r"[A-Z]?[a-z’–-]+[,.:;]?", word) for word in run.split() if len(word) > 5):
        classes += " h"
    language = markup(' lang="en"') if words else markup("")
    return markup('<span class="{}"{}>{}</span>').format(classes, language, run)


def _breakable(text: Markup, long: int) -> Markup:
    """Let tokens of any other language's text break that are longer than a narrow measure takes."""
    if not any(len(word) > long for word in str(text).split()):
        return text
    parts = re.split(r"(\s+)", str(text))
    return markup("").join(
        markup(f'<span class="long">{part}</span>') if len(part) > long and "<" not in part else markup(part)
        for part in parts
    )


def _code(node: inlines.Code) -> Markup:
    classes = "long" if any(len(word) > 14 for word in node.text.split()) else ""
    return markup('<code class="{}">{}</code>').format(classes, node.text)


def _note_references(line: Inlines) -> list[inlines.NoteReference]:
    found: list[inlines.NoteReference] = []
    for node in line:
        if isinstance(node, inlines.NoteReference):
            found.append(node)
        found.extend(_note_references(getattr(node, "children", ())))
    return found
