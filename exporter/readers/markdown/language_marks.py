"""Marks on text that stands in for a missing translation, so that it is set and spoken in its own language."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from exporter.model import Entry, rewrite_lines
from exporter.model.inlines import Span

if TYPE_CHECKING:
    from exporter.model import Block, Inlines

Part = TypeVar("Part", bound="Block | Entry")


def marked_line(line: Inlines, language: str) -> Inlines:
    """Return a line of prose as one run in its language."""
    if not line or (len(line) == 1 and isinstance(line[0], Span) and line[0].language):
        return line
    return (Span(children=line, language=language).at(line[0].place),)


def marked_body(body: tuple[Part, ...], language: str) -> tuple[Part, ...]:
    """Return blocks with every line of prose marked, and entries in their language."""
    return tuple(
        part.model_copy(update={"language": part.language or language})
        if isinstance(part, Entry)
        else rewrite_lines(part, lambda line: marked_line(line, language))
        for part in body
    )
