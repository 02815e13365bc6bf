"""The outline of an issue: headings of level 1 are sections, some of level 2 are entries."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exporter.model import Entry, Section
from exporter.model.issue import EntryField
from exporter.readers.markdown.attributes import Attributes, check, trailing
from exporter.readers.markdown.blocks import BlockReader
from exporter.readers.markdown.entry_fields import linked, misspelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.model import Block, Body
    from exporter.readers.markdown import Markdown
    from exporter.readers.markdown.piece import Piece
    from exporter.readers.markdown.tree import Item


@dataclass(slots=True)
class _Part:
    """Items under a heading, or before the first one.

    Attributes:
        heading: The heading of a section or an entry.
        above: Attributes on the line above it.
        fields: The field list of an entry.
        items: Everything else.
    """

    heading: Item | None = None
    above: Attributes = field(default_factory=Attributes)
    fields: list[Item] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


class OutlineReader:
    """Reads a piece as sections and entries."""

    def __init__(self, markdown: Markdown, piece: Piece) -> None:
        self._markdown = markdown
        self._findings = markdown.findings
        self._piece = piece
        self._blocks = BlockReader(markdown, piece)

    def read(self) -> tuple[Body, tuple[Section, ...]]:
        """Return what stands before the first heading of level 1, and a section for each of them."""
        self._report_jumps()
        parts = [_Part()]
        for item in self._piece.items:
            if item.kind == "heading" and item.level == 1:
                parts.append(_Part(item, _taken(parts[-1].items)))
            else:
                parts[-1].items.append(item)
        lead, *rest = parts
        body = self._body(lead.items)
        return body, tuple(section for part in rest if (section := self._section(part)))

    def _section(self, part: _Part) -> Section | None:
        assert part.heading is not None  # noqa: S101 - only the lead has none
        title, attributes, place = self._blocks.heading_line(part.heading, part.above)
        check(attributes, ("lang",), place, self._findings)
        return self._markdown.make(
            Section,
            place,
            id=attributes.id,
            title=title,
            language=attributes.values.get("lang"),
            body=self._body(part.items),
        )

    def _body(self, items: list[Item]) -> Body:
        body: list[Block | Entry] = []
        for part in self._parts(items):
            if part.heading is None:
                body += self._blocks.blocks(part.items)
            elif entry := self._entry(part):
                body.append(entry)
        return tuple(body)

    def _parts(self, items: list[Item]) -> Iterator[_Part]:
        """Yield blocks and entries in turn: any heading of level 2 ends an entry."""
        part = _Part()
        for index, item in enumerate(items):
            if item.kind == "field":
                part.fields.append(item)
                continue
            if item.kind == "heading" and item.level == 2:
                lines = part.items[-1:] if _is_attributes(part.items[-1:]) else []
                above = _taken(part.items)
                entry = self._is_entry(item, items[index + 1 : index + 2], above)
                yield part
                part = _Part(item, above) if entry else _Part(items=[*lines, item])
                continue
            part.items.append(item)
        yield part

    def _is_entry(self, heading: Item, below: list[Item], above: Attributes) -> bool:
        inline = heading.inline()
        attributes = above.merged(trailing(inline.content if inline else "")[1])
        return (
            any(item.kind == "field" for item in below)
            or "number" in attributes.values
            or "entry" in attributes.classes
        )

    def _entry(self, part: _Part) -> Entry | None:
        assert part.heading is not None  # noqa: S101 - see the caller
        title, attributes, place = self._blocks.heading_line(part.heading, part.above)
        check(attributes, ("number", "lang"), place, self._findings, classes=("entry",))
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
            fields=tuple(each for item in part.fields if (each := self._field(item))),
            body=self._blocks.blocks(part.items),
        )

    def _field(self, item: Item) -> EntryField | None:
        name, place = item.token.meta["name"], self._piece.place(item)
        value = linked(name, self._blocks.prose(item))
        if not value:
            self._findings.notice("empty-field", f"the field {name} is empty and left out", place)
            return None
        if meant := misspelled(name):
            self._findings.notice(
                "unknown-field", f"the field {name} prints under its own name", place, f"did you mean {meant}?"
            )
        return self._markdown.make(EntryField, place, name=name, value=value)

    def _report_jumps(self) -> None:
        level = 1
        for item in self._piece.items:
            if item.kind == "heading":
                if item.level > level + 1:
                    self._findings.notice(
                        "heading-jump",
                        f"a heading of level {item.level} follows one of level {level}",
                        self._piece.place(item),
                        f"write it with {'#' * (level + 1)}",
                    )
                level = item.level


def _is_attributes(items: list[Item]) -> bool:
    return bool(items) and items[-1].kind == "block_attributes"


def _taken(items: list[Item]) -> Attributes:
    """Take attributes on the line right above a heading out of the items before it."""
    if not _is_attributes(items):
        return Attributes()
    found: Attributes = items.pop().token.meta["attributes"]
    return found
