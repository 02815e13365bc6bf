"""Blocks of an edition as HTML for print."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, assert_never

from exporter.charts import draw, figure_of
from exporter.model import blocks
from exporter.notices import Notice
from exporter.templating import markup
from exporter.writers.html import attribute
from exporter.writers.pdf_tables import table_html
from exporter.writers.pdf_text import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

    from exporter.assets import Asset
    from exporter.edition import Edition
    from exporter.model.blocks import Block, Blocks
    from exporter.model.inlines import Inlines
    from exporter.writers.pdf_measures import Measures
    from exporter.writers.pdf_text import Prose

_POINTS = {"px": 0.75, "pt": 1.0, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0}
_CAPTION_LINES = 5
_LONG_LISTING = 24
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*(%|px|pt|mm|cm|in|em)?")


@dataclass(slots=True)
class BlockWriter:
    """Writes blocks in reading order; it remembers the level of the last heading and what it found.

    Attributes:
        edition: The edition.
        prose: Writes lines.
        measures: The page's.
        tag: Language of the part being written.
        digit: Width of a figure in the text's Latin face, in em.
        point: Width of a decimal point in it, in em.
        level: HTML level of the last heading: a jump would break the outline (PDF/UA-1, 7.4.2).
    """

    edition: Edition
    prose: Prose
    measures: Measures
    tag: str
    digit: float
    point: float
    level: int = 1
    notices: list[Notice] = field(default_factory=list)

    def body(self, nodes: Iterable[Block]) -> Markup:
        """Return blocks in order."""
        return markup("\n").join(self.block(node) for node in nodes)

    def block(self, node: Block) -> Markup:
        """Return one block."""
        match node:
            case blocks.Paragraph():
                return self.paragraph(node.children)
            case blocks.Heading():
                return self._heading(node)
            case blocks.List():
                return self._list(node)
            case blocks.DefinitionList():
                return self._definitions(node)
            case blocks.Figure():
                return self._figure(node)
            case blocks.Table():
                return table_html(node, self)
            case blocks.Chart():
                return self._chart(node)
            case blocks.Admonition():
                return self._admonition(node)
            case blocks.Quote():
                return self._quote(node)
            case blocks.CodeBlock():
                return self._code(node)
            case blocks.MathBlock():
                return self._equation(node)
            case blocks.Only():
                return self.body(node.children) if "pdf" in node.formats else markup("")
            case blocks.PageBreak():
                return markup('<div class="page-break"></div>')
            case blocks.ThematicBreak():
                return markup('<hr class="pause">')
            case _:
                assert_never(node)

    def paragraph(self, line: Inlines, classes: str = "") -> Markup:
        """Return a paragraph; a div where a footnote in it holds blocks, which would end a p element."""
        tag = markup("div") if self.prose.has_blocks(line) else markup("p")
        names = " ".join(filter(None, ["paragraph" if tag == "div" else "", classes]))
        text = self.prose.line(line, tag=self.tag, paragraph=True)
        return markup("<{}{}>{}</{}>").format(tag, attribute("class", names or None), text, tag)

    def heading_tag(self, level: int) -> Markup:
        """Return the element of a heading: its level, or one below the last where it would skip one."""
        self.level = min(level, self.level + 1, 6)
        return markup(f"h{self.level}")

    def type_size(self, name: str) -> tuple[float, float]:
        """Return size and line of a kind of text, in points."""
        size, line = self.edition.theme.token(f"print.type.{name}")
        return float(size), float(line)

    def note(self, name: str) -> Markup:
        """Return the body of a footnote as it stands inside a line."""
        note = next(item.note for item in self.edition.notes if item.note.id == name)
        parts = []
        for index, child in enumerate(note.children):
            if not isinstance(child, blocks.Paragraph):
                parts.append(self.block(child))
            elif len(note.children) == 1:
                parts.append(self.prose.line(child.children, tag=self.tag, paragraph=True))
            else:
                kind = "first" if index == 0 else "next"
                text = self.prose.line(child.children, tag=self.tag, paragraph=True)
                parts.append(markup('<span class="note-{}">{}</span>').format(kind, text))
        return markup("").join(parts)

    def _heading(self, node: blocks.Heading) -> Markup:
        tag = self.heading_tag(node.level + 1)
        mark = attribute("data-label", label_of(node.children)) if node.level == 2 else markup("")
        return markup('<{} class="heading level-{}"{}{}>{}</{}>').format(
            tag, node.level, attribute("id", node.id), mark, self.prose.line(node.children, tag=self.tag), tag
        )

    def _list(self, node: blocks.List) -> Markup:
        tag = markup("ol") if node.ordered else markup("ul")
        start = attribute("start", str(node.start)) if node.ordered and node.start != 1 else markup("")
        items = markup("\n").join(self._item(item, tight=node.tight) for item in node.items)
        return markup('<{} class="{}"{}>{}</{}>').format(tag, "tight" if node.tight else "loose", start, items, tag)

    def _item(self, item: blocks.ListItem, *, tight: bool) -> Markup:
        state = {None: "", True: "done", False: "open"}[item.checked]
        name = attribute("class", f"task {state}") if state else markup("")
        first = item.children[0] if item.children else None
        if tight and isinstance(first, blocks.Paragraph) and not self.prose.has_blocks(first.children):
            body = self.prose.line(first.children, tag=self.tag, paragraph=True) + self.body(item.children[1:])
        else:
            body = self.body(item.children)
        return markup("<li{}>{}</li>").format(name, body)

    def _definitions(self, node: blocks.DefinitionList) -> Markup:
        parts = []
        for item in node.items:
            parts.append(markup("<dt>{}</dt>").format(self.prose.line(item.term, tag=self.tag)))
            parts.extend(markup("<dd>{}</dd>").format(self._tight(body)) for body in item.definitions)
        return markup("<dl>{}</dl>").format(markup("\n").join(parts))

    def _tight(self, nodes: Blocks) -> Markup:
        only = nodes[0] if len(nodes) == 1 else None
        if isinstance(only, blocks.Paragraph) and not self.prose.has_blocks(only.children):
            return self.prose.line(only.children, tag=self.tag, paragraph=True)
        return self.body(nodes)

    def _figure(self, node: blocks.Figure) -> Markup:
        return self._picture(node, self.edition.assets[node.path], self.prose.picture(node.path))

    def _chart(self, node: blocks.Chart) -> Markup:
        asset = draw(node, self.edition.theme)
        return self._picture(figure_of(node, asset), asset, self.prose.chart(asset))

    def _picture(self, node: blocks.Figure, asset: Asset, address: str) -> Markup:
        style = self._picture_width(node, asset)
        if node.alt:
            picture = markup('<img src="{}" alt="{}" style="{}">').format(address, node.alt, style)
        else:
            # A picture without a text alternative is a decoration: drawn as a background it is an artifact.
            ratio = 100 * asset.height / asset.width if asset.width else 100
            shape = f"background-image:url({address});padding-top:{ratio:.2f}%"
            picture = markup('<div class="decoration" style="{}"><div style="{}"></div></div>').format(style, shape)
        caption = self._caption(
            node.caption, node.id, "figcaption", (node.source, "source"), (node.credit, "credit")
        )
        return markup('<figure class="picture {}"{}>{}{}</figure>').format(
            node.align or "center", attribute("id", node.id), picture, caption
        )

    def _picture_width(self, node: blocks.Figure, asset: Asset) -> str:
        """Return the width of a picture: as asked for or its own, and no taller than a page with its caption."""
        asked = _LENGTH.fullmatch(node.width.strip()) if node.width else None
        if node.width and not asked:
            self.length(node.width, node)
        if not asset.width or not asset.height:
            return f"width:{asked[0]}" if asked else "width:100%"
        width = asset.width * 0.75
        if asked:
            unit = (
                self.measures.measure / 100
                if asked[2] == "%"
                else _POINTS.get(asked[2] or "px", self.measures.size)
            )
            width = float(asked[1]) * unit
        tallest = self.measures.text_height - _CAPTION_LINES * self.measures.line
        return f"width:{min(width, self.measures.measure, tallest * asset.width / asset.height):.2f}pt"

    def _caption(self, line: Inlines, name: str | None, tag: str, *more: tuple[Inlines, str]) -> Markup:
        number = self.edition.numbers.get(name or "")
        parts = []
        if number:
            parts.append(markup('<span class="number">{}</span>').format(self.prose.text(number.label)))
        if line:
            parts.append(markup('<span class="title">{}</span>').format(self.prose.line(line, tag=self.tag)))
        parts.extend(self.remark(text, label) for text, label in more if text)
        if not parts:
            return markup("")
        return markup("<{}>{}</{}>").format(markup(tag), markup(" ").join(parts), markup(tag))

    def caption(self, line: Inlines, name: str | None, tag: str) -> Markup:
        """Return a caption with its number, or nothing where there is neither."""
        return self._caption(line, name, tag)

    def remark(self, line: Inlines, label: str) -> Markup:
        """Return a labeled remark under a figure or table, such as its source."""
        before, after = self.edition.labels("label-value", label=self.edition.labels(label), value="\0").split("\0")
        return markup('<span class="remark"><span class="label">{}</span>{}{}</span>').format(
            self.prose.text(before), self.prose.line(line, tag=self.tag), self.prose.text(after)
        )

    def length(self, value: str, node: Block) -> str:
        """Return a width as a CSS declaration, or nothing and a notice where it is no length."""
        match = _LENGTH.fullmatch(value.strip())
        if match:
            return f"width:{match[1]}{match[2] or 'px'}"
        self.notices.append(Notice("bad-width", f"{value!r} is no width", node.place, hint="write 60% or 8cm"))
        return ""

    def _admonition(self, node: blocks.Admonition) -> Markup:
        title = (
            self.prose.line(node.title, tag=self.tag)
            if node.title
            else self.prose.text(self.edition.labels(node.variant))
        )
        return markup('<aside class="admonition {}"><p class="title">{}</p>{}</aside>').format(
            node.variant, title, self.body(node.children)
        )

    def _quote(self, node: blocks.Quote) -> Markup:
        body = self.body(node.children)
        return markup("<blockquote>{}{}</blockquote>").format(body, self._attribution(node))

    def _attribution(self, node: blocks.Quote) -> Markup:
        labels = self.edition.labels
        lines = [self.prose.line(line, tag=self.tag) for line in (node.attribution, node.source) if line]
        if not lines:
            return markup("")
        pattern = (
            labels("quote-attribution-source", name="\0", source="\0")
            if len(lines) == 2
            else labels("quote-attribution", name="\0")
        )
        pieces = [self.prose.text(piece) for piece in pattern.split("\0")]
        text = markup("").join(part for pair in zip(pieces, [*lines, markup("")], strict=True) for part in pair)
        return markup('<p class="attribution">{}</p>').format(text)

    def _code(self, node: blocks.CodeBlock) -> Markup:
        lines = node.text.split("\n")
        shown = markup("").join(
            markup('<span class="line"{}>{}</span>').format(
                attribute("data-number", str(number)) if node.lines else markup(""), line
            )
            for number, line in enumerate(lines, 1)
        )
        name = "numbered" if node.lines else "plain"
        kinds = ("listing", "long" if len(lines) > _LONG_LISTING else "", "wide" if self._is_wide(node) else "")
        caption = self._caption(node.caption, node.id, "figcaption")
        return markup('<figure class="{}"{}>{}<pre class="{}">{}</pre></figure>').format(
            " ".join(filter(None, kinds)), attribute("id", node.id), caption, name, shown
        )

    def _is_wide(self, node: blocks.CodeBlock) -> bool:
        """Tell whether a line of code needs the side column too: code faces are 0.6 em wide, Han 1 em."""
        size, _ = self.type_size("small")
        widest = max(sum(1.0 if ord(char) > 0x2E7F else 0.6 for char in line) for line in node.text.split("\n"))
        room = self.measures.measure - 1.2 * self.measures.line - (3.6 * size if node.lines else 0)
        return widest * size > room

    def _equation(self, node: blocks.MathBlock) -> Markup:
        number = self.edition.numbers.get(node.id or "")
        label = self.edition.labels("parenthesis", text=str(number.value)) if number else ""
        room = self.measures.measure - (4 * self.measures.size if number else 0)
        formula = self.prose.formula(node.tex, display=True, widest=room)
        shown = markup('<span class="number">{}</span>').format(self.prose.text(label)) if label else markup("")
        return markup('<div class="equation"{}>{}{}</div>').format(attribute("id", node.id), formula, shown)
