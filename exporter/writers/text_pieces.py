"""Pieces of plain text with their indentation, and setting them as fixed lines or as format=flowed (RFC 3676)."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exporter.typography.width import padded, width, written
from exporter.typography.wrap import fill, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

QUOTE: Final = "\ufdd1"
"""Stands in a prefix for one level of quotation; a noncharacter, so that no source has it."""

NARROWEST: Final = 16
"""Columns that are left to text however deep it is nested; indentation gives way."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph, or a line as it is.

    Attributes:
        text: The text; a line feed is a line break that its author asked for.
        first: What stands before the first line.
        rest: What stands before the others.
        verbatim: Set the text as it is: it is one line, already short enough.
    """

    text: str
    first: str = ""
    rest: str = ""
    verbatim: bool = False


BLANK: Final = Piece("", verbatim=True)
Pieces = tuple[Piece, ...]


def line(text: str) -> Piece:
    """Return a line that is set as it is."""
    return Piece(text, verbatim=True)


def inside(pieces: Iterable[Piece], first: str, rest: str) -> Pieces:
    """Return the pieces with a prefix before the first line and another before all others."""
    return tuple(
        dataclasses.replace(piece, first=(rest if index else first) + piece.first, rest=rest + piece.rest)
        for index, piece in enumerate(pieces)
    )


def apart(groups: Iterable[Sequence[Piece]], *, blanks: int = 1) -> Pieces:
    """Return groups of pieces as one, blank lines between them; empty groups leave no gap."""
    result: list[Piece] = []
    for group in groups:
        if group:
            result += [BLANK] * blanks if result else []
            result += group
    return tuple(result)


def labeled(rows: Iterable[tuple[str, Sequence[Piece]]], room: int, *, ambiguous: int) -> Pieces:
    """Return values in a column beside their labels; a label that is too long stands on a line of its own.

    Args:
        rows: Labels with the colon and space after them, and their values.
        room: Columns there are.
        ambiguous: Columns of a character of ambiguous width.
    """
    rows = tuple(rows)
    most = max(4, room // 3)
    column = max((size for label, _ in rows if (size := width(label, ambiguous=ambiguous)) <= most), default=4)
    result: list[Piece] = []
    for label, each in rows:
        value = each or (Piece(""),)
        head = padded(label, column, ambiguous=ambiguous)
        if width(head, ambiguous=ambiguous) > column:
            result += (Piece(label.rstrip()), *inside(value, " " * 4, " " * 4))
        else:
            result += inside(value, head, " " * column)
    return tuple(result)


def fixed(pieces: Iterable[Piece], columns: int, *, ambiguous: int) -> Iterator[str]:
    """Yield the lines of fixed text, at most so many columns wide."""
    for piece in pieces:
        first, rest = (_shown(_fitted(prefix, columns, ambiguous)) for prefix in (piece.first, piece.rest))
        if piece.verbatim:
            yield written(_blank(first) if not piece.text else first + piece.text).rstrip(" ")
            continue
        for part in piece.text.split("\n"):
            room, room_first = (columns - width(prefix, ambiguous=ambiguous) for prefix in (rest, first))
            for text in wrap(part, room, first=room_first, ambiguous=ambiguous) or ("",):
                yield (written(first) + text).rstrip(" ")
                first = rest


def flowed(pieces: Iterable[Piece], columns: int, *, ambiguous: int) -> Iterator[str]:
    """Yield the lines of format=flowed text with DelSp=yes (RFC 3676).

    A line that ends with a space goes on in the next one when that space is deleted, so that Han characters join
    without one. A paragraph has its indentation before its first line only: its other lines are the reader's.
    Verbatim lines are fixed. A line never is ``-- ``, which would begin a signature (§4.3).
    """
    for piece in pieces:
        first, rest = (_fitted(prefix, columns, ambiguous) for prefix in (piece.first, piece.rest))
        if piece.verbatim:
            text = piece.text and written(first.replace(QUOTE, "") + piece.text)
            yield _stuffed(text.rstrip(" "), first.count(QUOTE))
            continue
        for part in piece.text.split("\n"):
            yield from _flowed_paragraph(part, first, columns, ambiguous)
            first = rest


def _flowed_paragraph(text: str, prefix: str, columns: int, ambiguous: int) -> Iterator[str]:
    depth = prefix.count(QUOTE)
    lead = written(prefix.replace(QUOTE, ""))
    room = columns - depth - 3  # the stuffing, and the two spaces that a line may end with
    lines = list(fill(text, room, first=room - width(lead, ambiguous=ambiguous), ambiguous=ambiguous))
    pending = lead
    for index, current in enumerate(lines):
        pending += current.text
        if index == len(lines) - 1:
            break
        if pending.strip(" ") == "--":
            pending += current.space
            continue
        yield _stuffed(f"{pending}{current.space} ", depth)
        pending = ""
    yield _stuffed(pending.rstrip(" "), depth)


def _stuffed(text: str, depth: int) -> str:
    """Return the line with its quote marks and space-stuffed (RFC 3676 §4.4)."""
    if depth:
        return ">" * depth + (f" {text}" if text else "")
    return f" {text}" if re.match(r"[ >]|From ", text) else text


def _fitted(prefix: str, columns: int, ambiguous: int) -> str:
    """Return the prefix, its indentation cut so that the text keeps a readable measure."""
    surplus = width(_shown(prefix), ambiguous=ambiguous) - (columns - NARROWEST)
    while surplus > 0 and " " in prefix:
        prefix = prefix.replace(" ", "", 1)
        surplus -= 1
    return prefix


def _shown(prefix: str) -> str:
    return re.sub(f"{QUOTE}(?={QUOTE})", "> ", prefix).replace(QUOTE, "> ")


def _blank(prefix: str) -> str:
    """Return what a blank line shows of its prefix: the quote marks."""
    return prefix[: prefix.rfind(">") + 1] if ">" in prefix else ""
