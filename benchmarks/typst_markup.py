"""An edition as Typst markup: the same text in the same faces, for the comparison in print.py alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, assert_never

from exporter.math import draw
from exporter.model import Entry, blocks, inlines
from exporter.writers.pdf_measures import measures_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from exporter.edition import Edition
    from exporter.fonts import FontPlan
    from exporter.writers.pdf_profiles import Profile


class Markup:
    """Writes one edition; text stands as string literals, so that no character of it is markup.

    Attributes:
        pictures: Name of the file that holds a picture, by its path in the issue.
        drawings: Formulas as SVG, by the name of the file that must hold them.
    """

    def __init__(self, edition: Edition, plan: FontPlan, profile: Profile, pictures: Mapping[str, str]) -> None:
        self.edition, self.plan, self.profile, self.pictures = edition, plan, profile, pictures
        self.drawings: dict[str, str] = {}
        self.measures = measures_of(edition.theme, edition.version.paper)
        self.notes = {item.note.id: item.note for item in edition.notes}
        self.placed: set[str] = set()
        self.cited: set[str] = set()

    def document(self) -> str:
        """Return the whole file."""
        version, masthead = self.edition.version, self.edition.masthead
        body = [
            *self.body(version.lead, 2),
            *(part for section in version.sections for part in self.section(section)),
        ]
        front = [
            paragraph(masthead.publication or masthead.kind, size=28),
            paragraph(masthead.date),
            f"#title[{string(self.edition.title)}]",
            f"#par[{self.line(version.subtitle)}]" if version.subtitle else "",
            *self.flow(version.summary),
            "#outline(title: none, indent: 1em)",
        ]
        back = [
            f"#par[{self.line(masthead.coverage)}]" if masthead.coverage else "",
            *self.flow(version.method),
            paragraph(f"{masthead.kind} {self.edition.labels.listing(masthead.authors)} {masthead.license}"),
        ]
        return "\n\n".join(filter(None, [self.preamble(), *self.attached(), *front, *body, *back])) + "\n"

    def preamble(self) -> str:
        """Return page, faces and paragraphs of the theme."""
        page, size = self.measures, self.measures.size
        chinese = self.edition.tag.startswith("zh")
        date = self.edition.date
        faces = {role: self.faces(role) for role in ("text", "heading", "code")}
        language = 'lang: "zh", region: "cn"' if chinese else 'lang: "en"'
        gap = page.line - size
        head = (
            f"{self.edition.masthead.publication or self.edition.masthead.kind} {self.edition.masthead.short_date}"
        )
        return f"""\
#set document(title: {quoted(self.edition.title)},
  date: datetime(year: {date.year}, month: {date.month}, day: {date.day}))
#set page(width: {page.width}pt, height: {page.height}pt, numbering: "1", header: context {{
  set text(size: 8pt)
  let above = query(selector(heading.where(level: 1)).before(here()))
  align(right)[{string(head)} #if above.len() > 0 {{ above.last().body }}]
}}, margin: (x: {(page.width - page.measure) / 2:.2f}pt, y: 78pt))
#set text(font: {faces["text"]}, size: {size}pt, {language})
#set par(justify: true, leading: {gap}pt, spacing: {gap}pt,
  first-line-indent: (amount: {"2em" if chinese else "0em"}, all: false))
#show heading: set text(font: {faces["heading"]})
#show raw: set text(font: {faces["code"]})
#set table(stroke: (x: none, y: 0.5pt), inset: 3pt)
#show table: set text(size: 9pt)
#show figure: set block(breakable: true)
""" + (self.stressed(faces["heading"]) if chinese else "")

    def stressed(self, faces: str) -> str:
        """Return how Chinese is stressed: in the face of the headings."""
        return f"""\
#show strong: set text(font: {faces})
#show emph: set text(font: {faces}, style: "normal")
"""

    def faces(self, role: str) -> str:
        """Return the families of a role, each for its own letters, with the symbols' last."""
        latin, han = (self.plan.family(role, script) for script in ("latin", "han"))
        first = f'(name: {quoted(latin)}, covers: "latin-in-cjk")'
        return f"({first}, {quoted(han)}, {quoted(self.plan.family('symbol', 'any'))})"

    def attached(self) -> Iterable[str]:
        """Return what the archive profile carries inside."""
        for file in self.profile.files:
            yield (
                f"#pdf.attach({quoted(file.name)}, relationship: {quoted(file.relationship.lower())},"
                f" mime-type: {quoted(file.media_type)}, description: {quoted(file.description)})"
            )

    def section(self, section: Any) -> Iterable[str]:
        """Yield a section's parts."""
        yield self.heading(section.title, 1, section.id, outlined=True)
        yield from self.body(section.body, 2)

    def body(self, body: Iterable[Any], level: int) -> Iterable[str]:
        """Yield blocks and entries."""
        for node in body:
            if isinstance(node, Entry):
                number = self.edition.entry_numbers.get(node.id or "")
                yield self.heading(node.title, level, node.id, outlined=True, number=number)
                for field in node.fields:
                    labels, key = self.edition.labels, f"field-{field.name}"
                    name = labels(key) if labels.has(key) else field.name
                    yield f"#par(hanging-indent: 2em)[#strong[{string(name)}]#h(1em){self.line(field.value)}]"
                yield from self.flow(node.body)
            else:
                yield self.block(node)

    def heading(
        self, line: Any, level: int, name: str | None, *, outlined: bool = False, number: int | None = None
    ) -> str:
        """Return a heading with its label."""
        start = f"{string(str(number))}#h(1em)" if number is not None else ""
        shown = str(outlined).lower()
        return f"#heading(level: {level}, outlined: {shown})[{start}{self.line(line)}]{self.label(name)}"

    def label(self, name: str | None) -> str:
        """Return the label of what stands before it."""
        if name is None or name in self.placed or name not in self.edition.targets:
            return ""
        self.placed.add(name)
        return f" #label({quoted(name)})"

    def flow(self, nodes: Iterable[Any]) -> Iterable[str]:
        """Yield blocks in order."""
        return (self.block(node) for node in nodes)

    def inside(self, nodes: Iterable[Any]) -> str:
        """Return blocks inside brackets."""
        return "\n\n".join(self.flow(nodes))

    def block(self, node: blocks.Block) -> str:
        """Return one block."""
        match node:
            case blocks.Paragraph():
                return f"#par[{self.line(node.children)}]"
            case blocks.Heading():
                return self.heading(node.children, node.level, node.id)
            case blocks.List():
                items = "".join(f"[{self.inside(item.children)}]" for item in node.items)
                return f"#enum(start: {node.start}){items}" if node.ordered else f"#list{items}"
            case blocks.DefinitionList():
                pairs = (
                    f"terms.item([{self.line(item.term)}],[{self.inside(each)}])"
                    for item in node.items
                    for each in item.definitions
                )
                return f"#terms({', '.join(pairs)})"
            case blocks.Figure():
                picture = f"image({quoted(self.pictures[node.path])}, width: 100%, alt: {quoted(node.alt)})"
                return self.figure(picture, node, "image")
            case blocks.Table():
                return self.figure(self.table(node), node, "table") + self.remarks(node.notes, node.source)
            case blocks.Admonition():
                title = self.line(node.title) or string(self.edition.labels(node.variant))
                return f"#block(inset: 8pt, stroke: 0.5pt)[#strong[{title}]\n\n{self.inside(node.children)}]"
            case blocks.Quote():
                return f"#quote(block: true)[{self.inside(node.children)}]" + self.remarks(
                    node.attribution, node.source
                )
            case blocks.CodeBlock():
                raw = f"raw({quoted(node.text)}, block: true)"
                return self.figure(raw, node, "raw") if node.caption else f"#{raw}"
            case blocks.MathBlock():
                return f"#align(center)[{self.formula(node.tex)}]{self.label(node.id)}"
            case blocks.Only():
                return self.inside(node.children) if "pdf" in node.formats else ""
            case blocks.PageBreak():
                return "#pagebreak(weak: true)"
            case blocks.ThematicBreak():
                return "#line(length: 30%, stroke: 0.5pt)"
            case blocks.Chart():
                raise SystemExit("charts are not compared")
            case _:
                assert_never(node)

    def figure(self, content: str, node: Any, kind: str) -> str:
        """Return a figure with its number, as the edition gives it."""
        number = self.edition.numbers.get(node.id or "")
        start = f"{string(number.label)}#h(1em)" if number else ""
        caption = f", caption: [{start}{self.line(node.caption)}]" if node.caption or number else ""
        figure = f"#figure({content}, kind: {kind}, supplement: none, numbering: none{caption}"
        return f"{figure}){self.label(node.id)}"

    def table(self, node: blocks.Table) -> str:
        """Return a table."""

        def cells(rows: Iterable[Iterable[blocks.Cell]]) -> str:
            return ", ".join(f"[{self.line(cell.children)}]" for row in rows for cell in row)

        head = f"table.header({cells(node.head)}), " if node.head else ""
        return f"table(columns: {len(node.columns)}, {head}{cells(node.rows)})"

    def remarks(self, *lines: Any) -> str:
        """Return what stands small below a block."""
        return "".join(f"\n\n#text(size: 8.5pt)[{self.line(line)}]" for line in lines if line)

    def line(self, line: Iterable[inlines.Inline]) -> str:
        """Return a line of prose."""
        return "".join(self.inline(node) for node in line)

    def inline(self, node: inlines.Inline) -> str:
        """Return one inline node."""
        match node:
            case inlines.Text():
                return string(node.text)
            case inlines.Emphasis():
                return f"#emph[{self.line(node.children)}]"
            case inlines.Strong():
                return f"#strong[{self.line(node.children)}]"
            case inlines.Strikethrough():
                return f"#strike[{self.line(node.children)}]"
            case inlines.Code():
                return f"#raw({quoted(node.text)});"
            case inlines.Link():
                return f"#link({quoted(node.target)})[{self.line(node.children)}]"
            case inlines.Reference():
                return self.line(node.children)
            case inlines.NoteReference():
                if node.note in self.cited:
                    return ""
                self.cited.add(node.note)
                return f"#footnote[{self.inside(self.notes[node.note].children)}]"
            case inlines.Math():
                return f"#box({self.formula(node.tex)[1:]})"
            case inlines.Image():
                return f"#box(image({quoted(self.pictures[node.path])}, height: 1em, alt: {quoted(node.alt)}))"
            case inlines.LineBreak():
                return "#linebreak()"
            case inlines.Span():
                return self.line(node.children)
            case _:
                assert_never(node)

    def formula(self, tex: str) -> str:
        """Return a formula as the picture that print shows too."""
        name = f"formula-{len(self.drawings)}.svg"
        drawing = draw(tex, size=self.measures.size, han=self.plan.face("text", "han"))
        self.drawings[name] = drawing.svg
        return f"#image({quoted(name)}, height: {drawing.height:.3f}pt, alt: {quoted(tex)})"


def paragraph(text: str, *, size: float | None = None) -> str:
    """Return a paragraph of plain text."""
    inner = f"#text(size: {size}pt)[{string(text)}]" if size else string(text)
    return f"#par[{inner}]"


def string(text: str) -> str:
    """Return text as an expression inside markup."""
    return f"#{quoted(text)};" if text else ""


def quoted(text: str) -> str:
    """Return a Typst string literal."""
    escaped = json.dumps(text, ensure_ascii=False)[1:-1]
    # Of JSON's escapes \\b, \\f and \\uXXXX are not Typst's; an issue has no control characters.
    return f'"{escaped}"'
