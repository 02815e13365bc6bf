"""From block tokens to block nodes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exporter.model import Note, blocks
from exporter.model import inlines as inline_nodes
from exporter.model.blocks import ListItem
from exporter.readers.markdown.attributes import Attributes, check, refuse, trailing
from exporter.readers.markdown.directive_blocks import directive_blocks
from exporter.readers.markdown.directives import is_directive, read_directive
from exporter.readers.markdown.inlines import LineReader, check_math, span
from exporter.readers.markdown.options import checked_width
from exporter.readers.markdown.pipe_tables import pipe_table
from exporter.readers.written import Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markdown_it.token import Token

    from exporter.model import Block, Blocks, Inlines
    from exporter.notices import Place
    from exporter.readers.markdown import Markdown
    from exporter.readers.markdown.piece import Piece
    from exporter.readers.markdown.tree import Item


_GIVEN_ID = re.compile(r"(?:^:name:[ \t]*|\{#)([^\s{}]+)", re.MULTILINE)


class BlockReader:
    """Reads the blocks of one piece.

    Attributes:
        markdown: The reader that the piece belongs to.
        findings: Where findings go.
        piece: The piece.
    """

    def __init__(self, markdown: Markdown, piece: Piece) -> None:
        self.markdown = markdown
        self.findings = markdown.findings
        self.piece = piece

    def blocks(self, items: Sequence[Item]) -> Blocks:
        """Return items as blocks; attributes on a line of their own belong to the next one."""
        result: list[Block] = []
        above, line = Attributes(), None
        for item in items:
            if item.kind == "block_attributes":
                above, line = above.merged(item.token.meta["attributes"]), item
                continue
            result += self._block(item, above)
            above, line = Attributes(), None
        if line is not None:
            self.findings.notice("unused-attributes", "the attributes have no block below", self.piece.place(line))
        return tuple(result)

    def prose(self, item: Item) -> Inlines:
        """Return the line of prose that an item holds."""
        inline = item.inline()
        return self.markdown.line(self.piece.prose(inline), inline.children or []) if inline else ()

    def heading_line(self, item: Item, above: Attributes) -> tuple[Inlines, Attributes, Place]:
        """Return the text of a heading, its attributes and its place."""
        place, inline = self.piece.place(item), item.inline()
        if inline is None:
            return (), above, place
        text, attributes = trailing(inline.content)
        source, tokens = self.piece.prose(inline), inline.children or []
        if attributes:
            tokens = self.markdown.tokens(text)
        return self.markdown.line(source, tokens), above.merged(attributes), place

    def _block(self, item: Item, above: Attributes) -> Iterable[Block]:
        made: Block | None
        match item.kind:
            case "paragraph":
                made = self._paragraph(item, above)
            case "heading":
                made = self._heading(item, above)
            case "fence" if is_directive(item.token.info):
                return self._directive(item, above)
            case "colon_fence":
                return self._directive(item, above)
            case "fence" | "code_block":
                made = self._code(item, above)
            case "table":
                made = self._table(item, above)
            case "math_block" | "math_block_label":
                made = self._math(item, above)
            case "footnote_reference":
                self._note(item)
                return ()
            case _:
                refuse(above, self.piece.place(item), self.findings)
                made = self._container(item)
        return (made,) if made else ()

    def _container(self, item: Item) -> Block | None:
        place = self.piece.place(item)
        match item.kind:
            case "bullet_list" | "ordered_list":
                return self._list(item)
            case "blockquote":
                return self.markdown.make(blocks.Quote, place, children=self._inside(item))
            case "dl":
                return self._definitions(item)
            case "hr":
                return blocks.ThematicBreak().at(place)
        raise AssertionError(f"the parser has no rule that makes {item.kind}")

    def _inside(self, item: Item) -> Blocks:
        with self.markdown.deeper(self.piece.place(item)) as allowed:
            return self.blocks(item.items) if allowed else ()

    def _paragraph(self, item: Item, above: Attributes) -> Block | None:
        place, inline = self.piece.place(item), item.inline()
        if inline is None:
            return None
        reader = LineReader(self.piece.prose(inline), self.findings, nesting=self.markdown.limits.nesting)
        if picture := reader.alone(inline.children or []):
            return self._picture(picture, reader, above, place)
        line = reader.read(inline.children or [])
        if above:
            line = span(line, above, place, self.findings)
        return blocks.Paragraph(children=line).at(place) if line else None

    def _picture(self, token: Token, reader: LineReader, above: Attributes, place: Place) -> Block | None:
        attributes = above.merged(token.meta.get("attributes") or Attributes())
        check(attributes, ("width", "align"), place, self.findings)
        alt, line = reader.alt(token)
        title = str(token.attrs.get("title") or "")
        return self.markdown.make(
            blocks.Figure,
            place,
            path=reader.path(token) or "?",
            alt=alt,
            caption=(inline_nodes.Text(text=title).at(place),) if title else line,
            id=attributes.id,
            width=checked_width(attributes.values.get("width"), place, self.findings),
            align=attributes.values.get("align"),
        )

    def _heading(self, item: Item, above: Attributes) -> Block | None:
        title, attributes, place = self.heading_line(item, above)
        check(attributes, ("label",), place, self.findings)
        if item.level == 1:
            self.findings.notice(
                "heading-level",
                "a heading of level 1 begins a section; inside another block it counts as level 2",
                place,
            )
        return self.markdown.make(
            blocks.Heading,
            place,
            level=max(item.level, 2),
            children=title,
            id=attributes.id,
            label=attributes.values.get("label"),
        )

    def _code(self, item: Item, above: Attributes) -> Block | None:
        place, token = self.piece.place(item), item.token
        info, attributes = trailing(token.info.strip())
        language, _, more = info.partition(" ")
        attributes = above.merged(attributes)
        check(attributes, ("caption", "lines"), place, self.findings)
        if more:
            self.findings.notice(
                "code-info",
                f"what follows the language of the code block is left out: {more.strip()}",
                place,
                'known are {#id caption="…" lines=true}',
            )
        if token.type == "fence" and not self.piece.closed(item):
            self.findings.notice("unclosed-fence", f"the code block is never closed with {token.markup}", place)
        return self.markdown.make(
            blocks.CodeBlock,
            place,
            text=token.content.removesuffix("\n"),
            language=language or None,
            id=attributes.id,
            caption=self._attribute_line(attributes, "caption", place),
            lines=attributes.values.get("lines", "false"),
        )

    def _math(self, item: Item, above: Attributes) -> Block | None:
        place, tex = self.piece.place(item), item.token.content.strip()
        check(above, (), place, self.findings)
        check_math(tex, place, self.findings)
        name = above.id or item.token.info or None
        return self.markdown.make(blocks.MathBlock, place, tex=tex, id=name) if tex else None

    def _list(self, item: Item) -> Block | None:
        paragraphs = (each for part in item.items for each in part.items if each.kind == "paragraph")
        return self.markdown.make(
            blocks.List,
            self.piece.place(item),
            items=tuple(self._list_item(part) for part in item.items),
            ordered=item.kind == "ordered_list",
            start=int(item.token.attrs.get("start", 1)),
            tight=all(each.token.hidden for each in paragraphs),
        )

    def _list_item(self, item: Item) -> ListItem:
        checked = None
        inline = item.items[0].inline() if item.items and item.items[0].kind == "paragraph" else None
        if inline and inline.children and (match := re.match(r"\[([ xX])\][ \t]+(?=\S)", inline.content)):
            checked = match.group(1) != " "
            first = inline.children[0]
            first.content, first.meta["at"] = first.content[match.end() :], match.end()
        return ListItem(children=self._inside(item), checked=checked).at(self.piece.place(item))

    def _definitions(self, item: Item) -> Block | None:
        terms: list[tuple[Item, list[Blocks]]] = []
        for part in item.items:
            if part.kind == "dt":
                terms.append((part, []))
            else:
                terms[-1][1].append(self._inside(part))
        definitions = (
            self.markdown.make(
                blocks.Definition,
                self.piece.place(term),
                term=self.prose(term),
                definitions=tuple(meanings),
            )
            for term, meanings in terms
        )
        items = tuple(each for each in definitions if each)
        return self.markdown.make(blocks.DefinitionList, self.piece.place(item), items=items)

    def _note(self, item: Item) -> None:
        label, place = item.token.meta["label"], self.piece.place(item)
        notes = self.markdown.notes
        if known := next((note for note in notes if note.id == label), None):
            line = known.place.line if known.place else 0
            message = f"the footnote [^{label}] is defined twice, first in line {line}"
            self.findings.problem(message, place)
            return
        # Footnotes stand in the order of their definitions: one inside another comes after it.
        index = len(notes)
        notes.insert(index, Note(id=label, children=self._inside(item)).at(place))

    def _table(self, item: Item, above: Attributes) -> Block | None:
        place = self.piece.place(item)
        check(above, ("caption", "width"), place, self.findings)
        return pipe_table(
            item,
            self,
            id=above.id,
            caption=self._attribute_line(above, "caption", place),
            width=checked_width(above.values.get("width"), place, self.findings),
        )

    def _directive(self, item: Item, above: Attributes) -> Iterable[Block]:
        place = self.piece.place(item)
        refuse(above, place, self.findings)
        if not self.piece.closed(item):
            self.findings.problem(
                f"the directive is never closed with {item.token.markup}",
                place,
                "close it on a line of its own; around other directives it needs more colons than they have",
            )
        directive = read_directive(self.piece.info(item), self.piece.inside(item), self.findings)
        made = directive_blocks(directive, self.markdown) if directive else ()
        if not made:
            self.markdown.lost.update(_GIVEN_ID.findall(item.token.content))
        return made

    def _attribute_line(self, attributes: Attributes, name: str, place: Place) -> Inlines:
        text = attributes.values.get(name, "")
        return self.markdown.inlines(Written(text, place.file, ((place.line, place.column),))) if text else ()
