"""One piece of Markdown, parsed: its items, and the place of each of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from exporter.readers.markdown.rules import parser
from exporter.readers.markdown.tree import Item, nest
from exporter.readers.written import Written, indentation

if TYPE_CHECKING:
    from markdown_it.token import Token

    from exporter.notices import Place

_FENCE = re.compile(r"([`~:]+)[ \t]*$")


class Piece:
    """A text with its block tokens as a tree.

    Attributes:
        items: The outermost items.
    """

    def __init__(self, source: Written, nesting: int, definitions: dict[str, Any]) -> None:
        self.items = nest(parser(nesting).parse(str(source), definitions))
        self._source = source
        self._lines = source.split("\n")

    def place(self, item: Item) -> Place:
        """Return where an item begins."""
        line = self._line(item.row)
        return self._source.place(item.row, len(line) - len(line.lstrip()))

    def prose(self, token: Token) -> Written:
        """Return the text of an inline token with its places."""
        row = token.map[0] if token.map else 0
        if "column" in token.meta:
            return self._at(token.content, row, token.meta["column"])
        return self._part(token.content, row)

    def info(self, item: Item) -> Written:
        """Return what stands behind the fence of an item."""
        info = item.token.info.strip()
        return self._at(info, item.row, indentation(self._line(item.row), info))

    def inside(self, item: Item) -> Written:
        """Return the text between the fences of an item."""
        return self._part(item.token.content.removesuffix("\n"), item.row + 1)

    def closed(self, item: Item) -> bool:
        """Tell whether a fence has its other half; without one it reaches to the end."""
        first, end = item.token.map or (0, 0)
        marks = _FENCE.search(self._line(end - 1))
        return end - 1 > first and bool(marks and marks.group(1).startswith(item.token.markup))

    def _at(self, text: str, row: int, column: int) -> Written:
        place = self._source.place(row, column)
        return Written(text, place.file, ((place.line, place.column),))

    def _part(self, text: str, first: int) -> Written:
        rows = []
        for number, line in enumerate(text.split("\n"), first):
            place = self._source.place(number, indentation(self._line(number), line))
            rows.append((place.line, place.column))
        return Written(text, self._source.file, tuple(rows))

    def _line(self, row: int) -> str:
        return self._lines[row] if row < len(self._lines) else ""
