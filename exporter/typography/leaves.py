"""A line of prose as one string, and its text rewritten by places in that string: rules that see across nodes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter.model import inlines

if TYPE_CHECKING:
    from collections.abc import Callable

    from exporter.model.inlines import Inline, Inlines

OPAQUE: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for what no rule of text touches: code, formulas, pictures, bare addresses, footnote marks."""


def flat(line: Inlines) -> str:
    """Return what the rules see of a line."""
    return "".join(_flat(node) for node in line)


def rewrite_leaves(line: Inlines, rewrite: Callable[[inlines.Text, int], Inlines]) -> Inlines:
    """Return the line with each text replaced.

    Args:
        line: The inlines.
        rewrite: Gets a text and where it begins in ``flat(line)``; returns what stands for it.
    """
    new, _ = _rewritten(line, rewrite, 0)
    return new


def _flat(node: Inline) -> str:
    if isinstance(node, inlines.Text):
        return node.text
    return flat(_inside(node)) if _inside(node) else OPAQUE


def _rewritten(
    line: Inlines, rewrite: Callable[[inlines.Text, int], Inlines], position: int
) -> tuple[Inlines, int]:
    result: list[Inline] = []
    for node in line:
        if isinstance(node, inlines.Text):
            result.extend(rewrite(node, position))
            position += len(node.text)
        elif children := _inside(node):
            new, position = _rewritten(children, rewrite, position)
            result.append(node if new == children else node.model_copy(update={"children": new}))
        else:
            result.append(node)
            position += len(OPAQUE)
    return tuple(result), position


def _inside(node: Inline) -> Inlines:
    """Return the children that rules may touch; none for what is opaque."""
    match node:
        case inlines.Link() if _is_address(node):
            return ()
        case (
            inlines.Emphasis()
            | inlines.Strong()
            | inlines.Strikethrough()
            | inlines.Link()
            | inlines.Reference()
            | inlines.Span()
        ):
            return node.children
        case _:
            return ()


def _is_address(link: inlines.Link) -> bool:
    shown = "".join(child.text for child in link.children if isinstance(child, inlines.Text))
    return re.match(r"(https?://|mailto:|www\.)\S+$", shown) is not None
