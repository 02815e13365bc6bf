"""Markdown to blocks, entries and sections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from exporter.model import Entry, Node, Note, Section, blocks, plain
from exporter.model import inlines as inline_nodes
from exporter.model.issue import EntryField
from exporter.readers.entry_fields import linked
from exporter.readers.findings import nearest
from exporter.readers.markdown_attributes import Attributes, trailing
from exporter.readers.markdown_directives import is_directive, read_directive
from exporter.readers.markdown_inlines import LineReader, check_math, span
from exporter.readers.markdown_rules import parser
from exporter.readers.markdown_tree import Item, nest
from exporter.readers.validation import reasons
from exporter.readers.written import Written, indentation, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markdown_it.token import Token

    from exporter.model import Block, Blocks, Body, Inlines
    from exporter.notices import Place
    from exporter.readers.files import Files
    from exporter.readers.findings import Findings
    from exporter.readers.limits import Limits

Made = TypeVar("Made", bound=Node)


class Markdown:
    """Reads Markdown; collects the footnotes and everything that is wrong on the way.

    Attributes:
        notes: The footnotes defined so far, in order.
    """

    def __init__(self, findings: Findings, files: Files, limits: Limits) -> None:
        self.findings = findings
        self.files = files
        self.limits = limits
        self.notes: list[Note] = []
        self._depth = 0

    def inlines(self, text: str) -> Inlines:
        """Read a line of prose."""
        source = written(text)
        token = parser(self.limits.nesting).parseInline(source.strip(), {})[0]
        lead = len(source) - len(source.lstrip())
        first = source.place_of(lead)
        rows = ((first.line, first.column), *source.rows[source[:lead].count("\n") + 1 :])
        line = self.line(Written(source.strip(), source.file, rows), token.children or [])
        return _in_language(line, source.language)

    def blocks(self, text: str) -> Blocks:
        """Read blocks; a heading keeps its level."""
        source = written(text)
        return _in_language(_Reader(self, source).blocks(), source.language)

    def body(self, text: str) -> Body:
        """Read the blocks and entries of a section."""
        source = written(text)
        lead, sections = _Reader(self, source).document()
        for section in sections:
            self.findings.problem(
                f"a heading of level 1 ({plain(section.title)}) begins a section and cannot stand inside one",
                section.place,
                "write it as a section of its own, or with ##",
            )
        return _in_language(lead, source.language)

    def document(self, text: Written) -> tuple[Body, tuple[Section, ...]]:
        """Read a whole issue: what stands before the first section, and the sections."""
        return _Reader(self, text).document()

    def line(self, source: Written, tokens: Sequence[Token]) -> Inlines:
        """Read the tokens of a line."""
        return LineReader(source, self.findings, nesting=self.limits.nesting).read(tokens)

    def make(self, kind: type[Made], place: Place, **fields: Any) -> Made | None:
        """Make a node, or report why it cannot be made."""
        try:
            return kind(**fields).at(place)
        except ValidationError as error:
            for reason in reasons(error):
                self.findings.problem(reason, place)
            return None

    def nested(self, source: Written) -> Blocks:
        """Read blocks inside a block."""
        self._depth += 1
        try:
            if self._depth > self.limits.nesting:
                self.too_deep(source.place())
                return ()
            return _Reader(self, source).blocks()
        finally:
            self._depth -= 1

    def too_deep(self, place: Place) -> None:
        """Report blocks that are nested too deep."""
        self.findings.problem(f"blocks are nested deeper than the limit of {self.limits.nesting}", place)

    @property
    def depth(self) -> int:
        """Return how many directives enclose what is being read."""
        return self._depth


class _Reader:
    """Reads one piece of Markdown."""

    def __init__(self, markdown: Markdown, source: Written) -> None:
        self._markdown = markdown
        self._findings = markdown.findings
        self._source = source
        self._lines = source.split("\n")
        self._items = nest(parser(markdown.limits.nesting).parse(str(source), {}))
        self._depth = markdown.depth

    def blocks(self) -> Blocks:
        """Return the piece as blocks."""
        return self._blocks(self._items)

    def document(self) -> tuple[Body, tuple[Section, ...]]:
        """Return what stands before the first heading of level 1, and a section for each of them."""
        self._report_jumps()
        sections: list[tuple[Item | None, Attributes, list[Item]]] = [(None, Attributes(), [])]
        pending = Attributes()
        for item in self._items:
            if item.kind == "heading" and item.level == 1:
                sections.append((item, self._take_attributes(sections[-1][2]), []))
            else:
                sections[-1][2].append(item)
        (_, _, lead), *rest = sections
        del pending
        return self._body(lead), tuple(
            section
            for heading, attributes, items in rest
            if heading and (section := self._section(heading, attributes, items))
        )

    # Sections and entries

    def _section(self, heading: Item, above: Attributes, items: list[Item]) -> Section | None:
        title, attributes, place = self._heading_line(heading, above)
        self._check_attributes(attributes, ("lang",), place)
        return self._markdown.make(
            Section,
            place,
            id=attributes.id,
            title=title,
            language=attributes.values.get("lang"),
            body=self._body(items),
        )

    def _body(self, items: list[Item]) -> Body:
        parts: list[tuple[Item | None, Attributes, list[Item], list[Item]]] = [(None, Attributes(), [], [])]
        for index, item in enumerate(items):
            below = items[index + 1] if index + 1 < len(items) else None
            if item.kind == "heading" and item.level == 2:
                above = self._take_attributes(parts[-1][3], peek=True)
                if self._is_entry(item, below, above):
                    parts.append((item, self._take_attributes(parts[-1][3]), [], []))
                    continue
                if parts[-1][0] is not None:
                    moved = [parts[-1][3].pop()] if above else []
                    parts.append((None, Attributes(), [], moved))
            parts[-1][2 if item.kind == "field" else 3].append(item)
        body: list[Block | Entry] = []
        for heading, attributes, fields, rest in parts:
            if heading is None:
                body += self._blocks(rest)
            elif entry := self._entry(heading, attributes, fields, rest):
                body.append(entry)
        return tuple(body)

    def _is_entry(self, heading: Item, below: Item | None, above: Attributes) -> bool:
        if below is not None and below.kind == "field":
            return True
        inline = heading.inline()
        _, attributes = trailing(inline.content if inline else "")
        attributes = above.merged(attributes)
        return "number" in attributes.values or "entry" in attributes.classes

    def _entry(
        self, heading: Item, above: Attributes, fields: list[Item], rest: list[Item]
    ) -> Entry | None:
        title, attributes, place = self._heading_line(heading, above)
        self._check_attributes(attributes, ("number", "lang"), place, classes=("entry",))
        number = attributes.values.get("number")
        if number is not None and not re.fullmatch(r"[0-9]{1,9}", number):
            self._findings.problem(f"the number {number} is no whole number", place)
            number = None
        return self._markdown.make(
            Entry,
            place,
            id=attributes.id,
            title=title,
            number=number,
            language=attributes.values.get("lang"),
            fields=tuple(field for item in fields if (field := self._field(item))),
            body=self._blocks(rest),
        )

    def _field(self, item: Item) -> EntryField | None:
        name = item.token.meta["name"]
        value = linked(name, self._prose(item))
        if not value:
            self._findings.notice("empty-field", f"the field {name} is empty and left out", self._place(item))
            return None
        return self._markdown.make(EntryField, self._place(item), name=name, value=value)

    def _report_jumps(self) -> None:
        level = 1
        for item in self._items:
            if item.kind == "heading":
                if item.level > level + 1:
                    self._findings.notice(
                        "heading-jump",
                        f"a heading of level {item.level} follows one of level {level}",
                        self._place(item),
                        f"write it with {'#' * (level + 1)}",
                    )
                level = item.level

    # Blocks

    def _blocks(self, items: Sequence[Item]) -> Blocks:
        result: list[Block] = []
        above = Attributes()
        above_item: Item | None = None
        for item in items:
            if item.kind == "block_attributes":
                above, above_item = above.merged(item.token.meta["attributes"]), item
                continue
            result += self._block(item, above)
            above, above_item = Attributes(), None
        if above_item is not None:
            self._ignored(above_item)
        return tuple(result)

    def _inside(self, item: Item, items: Sequence[Item]) -> Blocks:
        self._depth += 1
        try:
            if self._depth > self._markdown.limits.nesting:
                self._markdown.too_deep(self._place(item))
                return ()
            return self._blocks(items)
        finally:
            self._depth -= 1

    def _block(self, item: Item, above: Attributes) -> Iterable[Block]:
        place = self._place(item)
        made: Block | None
        match item.kind:
            case "paragraph":
                return self._paragraph(item, above)
            case "heading":
                made = self._heading(item, above)
            case "fence" | "code_block":
                if item.kind == "fence" and is_directive(item.token.info):
                    return self._directive(item, above)
                made = self._code(item, above)
            case "colon_fence":
                return self._directive(item, above)
            case "table":
                made = self._table(item, above)
            case "math_block" | "math_block_label":
                made = self._math(item.token.content.strip(), above.id or item.token.info or None, place)
                above = Attributes(classes=above.classes, values=above.values)
                self._unused(above, place)
            case "bullet_list" | "ordered_list":
                self._unused(above, place)
                made = self._list(item)
            case "blockquote":
                self._unused(above, place)
                made = self._markdown.make(blocks.Quote, place, children=self._inside(item, item.items))
            case "dl":
                self._unused(above, place)
                made = self._definitions(item)
            case "hr":
                made = blocks.ThematicBreak().at(place)
            case "footnote_reference":
                self._note(item)
                return ()
            case kind:
                raise AssertionError(f"the parser has no rule that makes {kind}")
        return (made,) if made else ()

    def _paragraph(self, item: Item, above: Attributes) -> Iterable[Block]:
        place, inline = self._place(item), item.inline()
        source = self._inline_source(inline) if inline else None
        if inline is None or source is None:
            return ()
        reader = LineReader(source, self._findings, nesting=self._markdown.limits.nesting)
        if picture := reader.alone(inline.children or []):
            return self._picture(picture, reader, above, place)
        line = reader.read(inline.children or [])
        if above:
            line = span(line, above, place, self._findings)
        return (blocks.Paragraph(children=line).at(place),) if line else ()

    def _picture(
        self, token: Token, reader: LineReader, above: Attributes, place: Place
    ) -> Iterable[Block]:
        attributes = above.merged(token.meta.get("attributes") or Attributes())
        self._check_attributes(attributes, ("width", "align"), place)
        alt, line = reader.alt(token)
        title = str(token.attrs.get("title") or "")
        figure = self._markdown.make(
            blocks.Figure,
            place,
            path=reader.path(token) or "?",
            alt=alt,
            caption=(inline_nodes.Text(text=title).at(place),) if title else line,
            id=attributes.id,
            width=self._width(attributes.values.get("width"), place),
            align=attributes.values.get("align"),
        )
        return (figure,) if figure else ()

    def _heading(self, item: Item, above: Attributes) -> Block | None:
        title, attributes, place = self._heading_line(item, above)
        self._check_attributes(attributes, ("label",), place)
        level = item.level
        if level == 1:
            level = 2
            self._findings.notice(
                "heading-level",
                "a heading of level 1 begins a section; inside another block it counts as level 2",
                place,
            )
        return self._markdown.make(
            blocks.Heading,
            place,
            level=level,
            children=title,
            id=attributes.id,
            label=attributes.values.get("label"),
        )

    def _heading_line(self, item: Item, above: Attributes) -> tuple[Inlines, Attributes, Place]:
        inline = item.inline()
        if inline is None:
            return (), above, self._place(item)
        text, attributes = trailing(inline.content)
        source = self._inline_source(inline)
        tokens = inline.children or []
        if attributes or text != inline.content:
            tokens = parser(self._markdown.limits.nesting).parseInline(text, {})[0].children or []
        return self._markdown.line(source, tokens), above.merged(attributes), self._place(item)

    def _code(self, item: Item, above: Attributes) -> Block | None:
        place, token = self._place(item), item.token
        info, attributes = trailing(" " + token.info.strip())
        language, _, more = info.strip().partition(" ")
        attributes = above.merged(attributes)
        self._check_attributes(attributes, ("caption", "lines"), place)
        if more:
            self._findings.notice(
                "code-info",
                f"what follows the language of the code block is left out: {more.strip()}",
                place,
                'known are {#id caption="…" lines=true}',
            )
        if token.type == "fence" and not self._closed(item):
            self._findings.notice(
                "unclosed-fence", f"the code block is never closed with {token.markup}", place
            )
        return self._markdown.make(
            blocks.CodeBlock,
            place,
            text=token.content.removesuffix("\n"),
            language=language or None,
            id=attributes.id,
            caption=self._attribute_line(attributes, "caption", place),
            lines=attributes.values.get("lines", "false"),
        )

    def _math(self, tex: str, name: str | None, place: Place) -> Block | None:
        check_math(tex, place, self._findings)
        return self._markdown.make(blocks.MathBlock, place, tex=tex, id=name) if tex else None

    def _list(self, item: Item) -> Block | None:
        loose = any(
            not each.token.hidden
            for part in item.items
            for each in part.items
            if each.kind == "paragraph"
        )
        return self._markdown.make(
            blocks.List,
            self._place(item),
            items=tuple(self._list_item(part) for part in item.items),
            ordered=item.kind == "ordered_list",
            start=int(item.token.attrs.get("start", 1)),
            tight=not loose,
        )

    def _list_item(self, item: Item) -> blocks.ListItem:
        checked = None
        inline = item.items[0].inline() if item.items and item.items[0].kind == "paragraph" else None
        if inline and (match := re.match(r"\[([ xX])\][ \t]+(?=\S)", inline.content)) and inline.children:
            checked = match.group(1) != " "
            first = inline.children[0]
            first.content = first.content[match.end() :]
            first.meta["at"] = match.end()
        return blocks.ListItem(children=self._inside(item, item.items), checked=checked).at(self._place(item))

    def _definitions(self, item: Item) -> Block | None:
        terms: list[tuple[Item, list[Blocks]]] = []
        for part in item.items:
            if part.kind == "dt":
                terms.append((part, []))
            else:
                terms[-1][1].append(self._inside(part, part.items))
        definitions = (
            self._markdown.make(
                blocks.Definition, self._place(term), term=self._prose(term), definitions=tuple(meanings)
            )
            for term, meanings in terms
        )
        return self._markdown.make(
            blocks.DefinitionList, self._place(item), items=tuple(each for each in definitions if each)
        )

    def _note(self, item: Item) -> None:
        label, place = item.token.meta["label"], self._place(item)
        for note in self._markdown.notes:
            if note.id == label:
                line = note.place.line if note.place else 0
                self._findings.problem(f"the footnote [^{label}] is defined twice, first in line {line}", place)
                return
        # Its number in the list is that of its definition, not of a note defined inside it.
        index = len(self._markdown.notes)
        note = Note(id=label, children=self._inside(item, item.items)).at(place)
        self._markdown.notes.insert(index, note)

    # Tables and directives

    def _table(self, item: Item, above: Attributes) -> Block | None:
        place = self._place(item)
        self._check_attributes(above, ("caption", "width"), place)
        return self.pipe_table(
            item,
            id=above.id,
            caption=self._attribute_line(above, "caption", place),
            width=self._width(above.values.get("width"), place),
        )

    def pipe_table(self, item: Item, **fields: Any) -> blocks.Table | None:
        """Return a pipe table with fields from elsewhere."""
        head = [row for part in item.items if part.kind == "thead" for row in part.items]
        body = [row for part in item.items if part.kind == "tbody" for row in part.items]
        columns = tuple(blocks.Column(align=_alignment(cell.token)) for cell in head[0].items)
        for row in body:
            self._check_row(row, len(columns))
        heads = tuple(self._row(row) for row in head)
        if all(not cell.children for row in heads for cell in row):
            heads = ()
        return self._markdown.make(
            blocks.Table,
            self._place(item),
            columns=columns,
            head=heads,
            rows=tuple(self._row(row) for row in body),
            **fields,
        )

    def _row(self, row: Item) -> blocks.Row:
        return tuple(
            blocks.Cell(children=self._prose(cell)).at(self._place(row)) for cell in row.items
        )

    def _check_row(self, row: Item, wide: int) -> None:
        cells = row.token.meta["cells"]
        if len(cells) > wide:
            self._findings.problem(
                f"the row has {len(cells)} cells where the table has {wide} columns",
                self._place(row),
                r"write a pipe inside a cell as \|, also in code and math",
            )
        elif len(cells) < wide:
            self._findings.notice(
                "short-row",
                f"the row has {len(cells)} of {wide} cells; the others are left empty",
                self._place(row),
            )

    def _directive(self, item: Item, above: Attributes) -> Iterable[Block]:
        from exporter.readers.markdown_blocks import directive_blocks

        self._unused(above, self._place(item))
        line = self._lines[item.row] if item.row < len(self._lines) else ""
        info_text = item.token.info.strip()
        place = self._source.place(item.row, indentation(line, info_text) if info_text else 0)
        info = Written(info_text, place.file, ((place.line, place.column),))
        if not self._closed(item):
            self._findings.problem(
                f"the directive is never closed with {item.token.markup}",
                self._place(item),
                "close it on a line of its own; around other directives it needs more colons than they have",
            )
        directive = read_directive(info, self._part(item.token.content.removesuffix("\n"), item.row + 1), self._findings)
        return directive_blocks(directive, self._markdown) if directive else ()

    def table_alone(self) -> Item | None:
        """Return the one table that the piece consists of."""
        return self._items[0] if len(self._items) == 1 and self._items[0].kind == "table" else None

    # Small parts

    def _prose(self, item: Item) -> Inlines:
        inline = item.inline()
        if inline is None:
            return ()
        return self._markdown.line(self._inline_source(inline), inline.children or [])

    def _inline_source(self, token: Token) -> Written:
        row = token.map[0] if token.map else 0
        if "column" in token.meta:
            place = self._source.place(row, token.meta["column"])
            return Written(token.content, place.file, ((place.line, place.column),))
        return self._part(token.content, row)

    def _part(self, text: str, first: int) -> Written:
        rows = []
        for number, line in enumerate(text.split("\n"), first):
            source = self._lines[number] if number < len(self._lines) else ""
            place = self._source.place(number, indentation(source, line))
            rows.append((place.line, place.column))
        return Written(text, self._source.file, tuple(rows))

    def _place(self, item: Item) -> Place:
        line = self._lines[item.row] if item.row < len(self._lines) else ""
        return self._source.place(item.row, len(line) - len(line.lstrip()))

    def _closed(self, item: Item) -> bool:
        first, end = item.token.map or (0, 0)
        last = self._lines[end - 1] if end <= len(self._lines) else ""
        marks = re.search(r"([`~:]+)[ \t]*$", last)
        return end - 1 > first and bool(marks and marks.group(1).startswith(item.token.markup))

    def _width(self, width: str | None, place: Place) -> str | None:
        return checked_width(width, place, self._findings)

    def _attribute_line(self, attributes: Attributes, name: str, place: Place) -> Inlines:
        text = attributes.values.get(name, "")
        return self._markdown.inlines(Written(text, place.file, ((place.line, place.column),))) if text else ()

    def _take_attributes(self, items: list[Item], *, peek: bool = False) -> Attributes:
        """Return the attributes on the lines right above a heading, and take them from the list."""
        attributes = Attributes()
        found = [item for item in items[-1:] if item.kind == "block_attributes"]
        for item in found:
            attributes = item.token.meta["attributes"].merged(attributes)
            if not peek:
                items.remove(item)
        return attributes

    def _check_attributes(
        self, attributes: Attributes, known: tuple[str, ...], place: Place, classes: tuple[str, ...] = ()
    ) -> None:
        for key in attributes.values:
            if key not in known:
                self._findings.problem(f"unknown attribute {key}", place, nearest(key, known))
        for name in attributes.classes:
            if name not in classes:
                self._findings.notice("unused-class", f"the class .{name} has no use here", place)

    def _unused(self, attributes: Attributes, place: Place) -> None:
        if attributes.id:
            self._findings.problem(
                f"this block cannot have the id {attributes.id}",
                place,
                "ids belong to headings, figures, tables, code, formulas and runs of text",
            )
        if attributes.classes or attributes.values:
            self._findings.notice("unused-attributes", "the attributes have no use here", place)

    def _ignored(self, item: Item) -> None:
        self._findings.notice("unused-attributes", "the attributes have no block below", self._place(item))


def table_in(markdown: Markdown, text: Written, /, **fields: Any) -> blocks.Table | None:
    """Return the pipe table that a text consists of, or None."""
    reader = _Reader(markdown, text)
    item = reader.table_alone()
    return reader.pipe_table(item, **fields) if item else None


def checked_width(width: str | None, place: Place, findings: Findings) -> str | None:
    """Return a width that is a share or a length, or report that it is none."""
    if width is not None and not re.fullmatch(r"\d+(\.\d+)?(%|mm|cm|in|pt|px|em|rem)", width):
        findings.problem(
            f"the width {width} is neither a share nor a length", place, "write 60% or 80mm, for example"
        )
        return None
    return width


def _alignment(token: Token) -> str | None:
    style = str(token.attrs.get("style", ""))
    return style.removeprefix("text-align:") or None


def _in_language(nodes: Any, language: str | None) -> Any:
    """Mark what stands in for a missing translation with its own language."""
    from exporter.readers.language_marks import marked

    return marked(nodes, language) if language else nodes
