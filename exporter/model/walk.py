"""Walking and rewriting the tree without naming every kind of node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from exporter.model import inlines
from exporter.model.base import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from exporter.model.inlines import Inlines

Tree = TypeVar("Tree", bound=Node)
Kind = TypeVar("Kind", bound=Node)

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
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif isinstance(item, Node):
            yield item
            stack.extend(reversed([each for each in item.__dict__.values() if isinstance(each, Node | tuple)]))


def rewrite_lines(tree: Tree, rewrite: Callable[[Inlines], Inlines]) -> Tree:
    """Return the tree with every line of prose replaced by ``rewrite(line)``; places are kept.

    A line is the whole tuple of inlines of a paragraph, heading, cell or caption, so that the function sees
    across its inline nodes.
    """

    def visit(value: Any) -> Any:
        is_line = isinstance(value, tuple) and bool(value) and isinstance(value[0], _INLINE_KINDS)
        return rewrite(value) if is_line else None

    return cast("Tree", _rewritten(tree, visit))


def rewrite_nodes(tree: Tree, kind: type[Kind], rewrite: Callable[[Kind], Kind]) -> Tree:
    """Return the tree with every node of a kind replaced by ``rewrite(node)``, which sees it as it was."""

    def visit(value: Any) -> Any:
        return rewrite(value) if isinstance(value, kind) else None

    return cast("Tree", _rewritten(tree, visit))


def plain(line: Inlines) -> str:
    """Return the characters of a line of prose without any markup."""
    return "".join(_plain(node) for node in line)


def _rewritten(value: Any, visit: Callable[[Any], Any]) -> Any:
    """Rebuild what changed below a value; ``visit`` returns the replacement, or None to look inside."""
    new = visit(value)
    if new is not None:
        return new
    if isinstance(value, Node):
        changed = {name: new for name, old in value.__dict__.items() if (new := _rewritten(old, visit)) is not old}
        return value.model_copy(update=changed) if changed else value
    if isinstance(value, tuple):
        items = tuple(_rewritten(item, visit) for item in value)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    return value


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
