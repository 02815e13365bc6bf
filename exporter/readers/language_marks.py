"""Marks on text that stands in for a missing translation, so that it is set and spoken in its own language."""

from __future__ import annotations

from typing import Any

from exporter.model import Entry, Node, rewrite_lines
from exporter.model.inlines import Span


def marked(nodes: Any, language: str) -> Any:
    """Return inlines, blocks or a body with each line of prose in its own language."""
    if not nodes:
        return nodes
    first = nodes[0]
    if "children" in type(first).model_fields or isinstance(first, Node):
        return tuple(_marked(node, language) for node in nodes) if _is_block(first) else _span(nodes, language)
    return nodes


def _marked(node: Any, language: str) -> Any:
    if isinstance(node, Entry):
        return node if node.language else node.model_copy(update={"language": language})
    return rewrite_lines(node, lambda line: _span(line, language))


def _span(line: Any, language: str) -> Any:
    if not line or (len(line) == 1 and isinstance(line[0], Span) and line[0].language):
        return line
    return (Span(children=line, language=language).at(line[0].place),)


def _is_block(node: Any) -> bool:
    return type(node).__module__ != Span.__module__
