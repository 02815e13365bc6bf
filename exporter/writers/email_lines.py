"""Lines of prose for mail: foreign runs with their language, formulas as Unicode or pictures, note marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter import math
from exporter.labels import language_tag
from exporter.pictures import formula_picture
from exporter.templating import escape, markup
from exporter.typography.foreign import foreign_runs
from exporter.writers.email_page import anchor, visible
from exporter.writers.html import Dialect, draw_formula, line_html

if TYPE_CHECKING:
    from markupsafe import Markup

    from exporter.model import inlines
    from exporter.model.inlines import Inlines
    from exporter.writers.email_page import Page

_TWO_DIMENSIONAL: Final = re.compile(
    r"\\(begin|[dtc]?frac|binom|overset|underset|overbrace|underbrace|stackrel|sqrt|xrightarrow|substack)\b"
    r"|\\(sum|prod|int|lim|max|min|sup|inf|arg\w*)\s*(_|\\limits)"
)
"""What a formula on its own line stacks, so that one line of characters would say it less clearly."""
_GRID: Final = re.compile(r"\\begin|\\binom|\\substack")
_FORMULA_SIZE: Final = 18.0


def line(page: Page, content: Inlines) -> Markup:
    """Return a line of prose as HTML in the language that is being written."""
    return line_html(content, _dialect(page))


def text(page: Page, value: str) -> Markup:
    """Return plain text, such as a label or a name, escaped and with its foreign runs marked."""
    pieces = foreign_runs(visible(value), page.tag, han=_han_tag(page))
    return markup("").join(
        markup('<span lang="{}">{}</span>').format(tag, piece) if tag else escape(piece) for piece, tag in pieces
    )


def formula(page: Page, tex: str) -> Markup:
    """Return a formula on a line of its own: characters where it is flat, else a picture with its alt text."""
    linear = math.linear(tex)
    if not _TWO_DIMENSIONAL.search(tex) and not _has_marks(linear):
        return markup('<span class="tex">{}</span>').format(visible(linear))
    drawing = draw_formula(tex, page.edition.theme, size=_FORMULA_SIZE, display=True)
    return _picture(page, tex, linear, drawing, display=True)


def target(page: Page, identifier: str | None) -> Markup:
    """Return an anchor where something leads to it: Gmail on the web needs the name, everything else the id."""
    return anchored(anchor(identifier)) if identifier and identifier in page.linked else escape("")


def anchored(name: str) -> Markup:
    """Return an anchor of that name."""
    return markup('<a name="{0}" id="{0}"></a>').format(name)


def _dialect(page: Page) -> Dialect:
    return Dialect(
        text=lambda value: text(page, value),
        code=lambda node: markup("<code>{}</code>").format(visible(node.text)),
        note_mark=lambda node: _note_mark(page, node),
        reference=lambda node, shown: _reference(page, node, shown),
        math=lambda node: _inline_math(page, node),
        image=lambda node: _image(page, node),
    )


def _han_tag(page: Page) -> str:
    tags = (language_tag(language) for language in page.edition.languages)
    return next((tag for tag in tags if tag.startswith("zh")), "zh-Hans")


def _note_mark(page: Page, node: inlines.NoteReference) -> Markup:
    number = page.edition.note_numbers[node.note]
    page.marks[node.note] = count = page.marks.get(node.note, 0) + 1
    name = f"fnref-{number}" if count == 1 else f"fnref-{number}-{count}"
    title = page.edition.labels("footnote", number=number)
    return markup('<sup><a name="{0}" id="{0}" href="#fn-{1}" title="{2}">{1}</a></sup>').format(
        name, number, title
    )


def _reference(page: Page, node: inlines.Reference, shown: Markup) -> Markup:
    address = page.address(node.target)
    return markup('<a href="{}">{}</a>').format(address, shown) if address else shown


def _inline_math(page: Page, node: inlines.Math) -> Markup:
    linear = math.linear(node.tex)
    if not _GRID.search(node.tex) and not _has_marks(linear):
        return markup('<span class="tex">{}</span>').format(visible(linear))
    drawing = draw_formula(node.tex, page.edition.theme, size=16.0)
    return _picture(page, node.tex, linear, drawing, display=False)


def _has_marks(linear: str) -> bool:
    """Tell whether scripts had to be written with ^ and _, which is for programs, not for readers."""
    return bool(re.search(r"[\^_]", linear))


def _picture(page: Page, tex: str, linear: str, drawing: math.Drawing, *, display: bool) -> Markup:
    pad = 6 if display else 1
    width = min(max(1, round(drawing.width)), page.measure - 2 * pad)
    source, picture = page.keep(formula_picture(drawing.svg, width=width, pad=pad, name="formula"))
    style = "" if display else f' style="vertical-align:{-drawing.depth - pad:.1f}px"'
    return markup('<img class="formula" src="{}" alt="{}" title="{}" width="{}" height="{}"{}>').format(
        source, visible(linear), visible(tex), picture.width, picture.height, markup(style)
    )


def _image(page: Page, node: inlines.Image) -> Markup:
    # In a line a picture is a sign: no taller than three lines of text.
    asset = page.edition.assets[node.path]
    wide = asset.width or 16
    tall = asset.height or 16
    width = max(1, round(wide * min(1, 72 / tall)))
    source, picture = page.picture(node, width)
    alt = " ".join(visible(node.alt).split())
    return markup('<img src="{}" alt="{}" width="{}" height="{}">').format(
        source, alt, picture.width, picture.height
    )
