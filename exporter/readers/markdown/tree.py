"""Block tokens as a tree, each with what it encloses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token


@dataclass(slots=True)
class Item:
    """A block token and the items between it and its closing token."""

    token: Token
    items: list[Item] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Return the token's type without ``_open``."""
        return self.token.type.removesuffix("_open")

    @property
    def row(self) -> int:
        """Return the 0-based line where the item begins."""
        return self.token.map[0] if self.token.map else (self.items[0].row if self.items else 0)

    @property
    def level(self) -> int:
        """Return the level of a heading."""
        return int(self.token.tag[1])

    def inline(self) -> Token | None:
        """Return the line of prose that the item holds."""
        return next((item.token for item in self.items if item.token.type == "inline"), None)


def nest(tokens: Iterable[Token]) -> list[Item]:
    """Return the tokens as a tree."""
    stack: list[list[Item]] = [[]]
    for token in tokens:
        if token.nesting < 0:
            stack.pop()
            continue
        item = Item(token)
        stack[-1].append(item)
        if token.nesting > 0:
            stack.append(item.items)
    return stack[0]
