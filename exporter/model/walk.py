"""Walking and rewriting the tree without naming every kind of node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from exporter.model import inlines
from exporter.model.base import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from exporter.model.inlines import Inlines

Tree = TypeVar("Tree", bound=Node)

_INLINE_KINDS = (
    inlines.Text,
    inlines.Emphasis,
    inlines.Strong,
    inlines.Strikethrough,
    inlines.Code,
    inlines.Link,
    inlines.Reference,
    inlines.NoteReference,
    inlines.Math,
    inlines.Image,
    inlines.LineBreak,
    inlines.Span,
)


def walk(node: Any) -> Iterator[Node]:
    """Yield the node and every node below it, parents first, in reading order."""
    if isinstance(node, Node):
        yield node
        for value in node.__dict__.values():
            if isinstance(value, Node | tuple):
                yield from walk(value)
    elif isinstance(node, tuple):
        for item in node:
            yield from walk(item)


def rewrite_lines(node: Tree, rewrite: Callable[[Inlines], Inlines]) -> Tree:
    """Return the tree with every line of prose replaced by ``rewrite(line)``; places are kept.

    A line is the whole tuple of inlines of a paragraph, heading, cell or caption, so that the function sees
    across its inline nodes.
    """
    changed = {
        name: new for name, value in node.__dict__.items() if (new := _rewritten(value, rewrite)) is not value
    }
    return node.model_copy(update=changed) if changed else node


def plain(line: Inlines) -> str:
    """Return the characters of a line of prose without any markup."""
    return "".join(_plain(node) for node in line)


def _rewritten(value: Any, rewrite: Callable[[Inlines], Inlines]) -> Any:
    if isinstance(value, Node):
        return rewrite_lines(value, rewrite)
    if not isinstance(value, tuple) or not value:
        return value
    if isinstance(value[0], _INLINE_KINDS):
        return rewrite(cast("Inlines", value))
    new = tuple(_rewritten(item, rewrite) for item in value)
    return value if all(a is b for a, b in zip(new, value, strict=True)) else new


def _plain(node: Node) -> str:
    match node:
        case inlines.Text() | inlines.Code():
            return node.text
        case inlines.Math():
            return node.tex
        case inlines.Image():
            return node.alt
        case inlines.LineBreak():
            return " "
        case inlines.NoteReference():
            return ""
        case _:
            return plain(getattr(node, "children", ()))
