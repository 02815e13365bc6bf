"""What a data table needs on a phone: names of columns, widths that cannot be broken, decimals in line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter.model.walk import plain
from exporter.typography.spacing import HAN
from exporter.writers.email_page import visible

if TYPE_CHECKING:
    from exporter.model import blocks

PHONE: Final = 328
"""Pixels that a screen of 360 leaves for a table."""

_COLUMN: Final = 7.6
"""Pixels of a half-width character in a table."""
_CELL: Final = 16
_SHORT: Final = 12
_LONG: Final = 24
_NUMBER: Final = re.compile(r"[+\-−±~≈<>≤≥]?[\d.,\s]*\d[\d.,]*\s*(%|[‰×x]|[A-Za-zµ°]{1,3})?")
_BREAKABLE: Final = re.compile(f"[\\s/{HAN}-]")


def display_width(shown: str) -> int:
    """Return the width of a text in half-width characters."""
    from wcwidth import wcswidth

    return max(int(wcswidth(shown)), 0)


def column_names(node: blocks.Table) -> tuple[str, ...]:
    """Return each column's head in one line, the rows of a stacked head joined."""
    names = []
    for index in range(len(node.columns)):
        parts = [visible(plain(row[index].children)).strip() for row in node.head]
        names.append(" · ".join(dict.fromkeys(part for part in parts if part)))
    return tuple(names)


def least_width(node: blocks.Table) -> float:
    """Return the pixels under which the columns side by side look broken."""
    columns = range(len(node.columns))
    widths = [max((_least(row[index]) for row in (*node.head, *node.rows)), default=0) for index in columns]
    return sum(_COLUMN * width + _CELL for width in widths)


def needs_cards(node: blocks.Table) -> bool:
    """Tell whether a phone is too narrow for the table, so that each row becomes a card."""
    return least_width(node) > PHONE


def is_prose(cell: blocks.Cell) -> bool:
    """Tell whether a cell holds words that need room to be read in."""
    return display_width(plain(cell.children)) > 2 * _SHORT and not stays_whole(cell)


def stays_whole(cell: blocks.Cell) -> bool:
    """Tell whether a cell could be broken but must not be: short entries and numbers with their units."""
    shown = plain(cell.children).strip()
    return bool(_BREAKABLE.search(shown)) and (display_width(shown) <= _SHORT or bool(_NUMBER.fullmatch(shown)))


def may_break_anywhere(cell: blocks.Cell) -> bool:
    """Tell whether a cell has a word, such as an identifier, that no column would hold."""
    return any(display_width(word) > _LONG for word in _words(cell))


def decimal_padding(node: blocks.Table) -> tuple[tuple[str, ...], ...]:
    """Return for each cell the blanks after it that bring the decimal points of its column in line.

    A column that is aligned by its decimals is set flush right; shorter fractions are filled up.
    """
    fractions = [
        max((_fraction(row[index]) for row in node.rows), default=0) if column.align == "decimal" else 0
        for index, column in enumerate(node.columns)
    ]
    return tuple(
        tuple(_padding(cell, fraction) for cell, fraction in zip(row, fractions, strict=True)) for row in node.rows
    )


def _least(cell: blocks.Cell) -> int:
    """Return the width in half-width characters under which a cell looks broken."""
    if stays_whole(cell):
        return display_width(plain(cell.children).strip())
    return max((min(display_width(word), _LONG) for word in _words(cell)), default=0)


def _words(cell: blocks.Cell) -> list[str]:
    """Return what a line break cannot part; of Han text four characters, which read as a column."""
    return re.findall(f"[!-~]+|[{HAN}]{{1,4}}|[^\\s!-~{HAN}]", plain(cell.children))


def _fraction(cell: blocks.Cell) -> int:
    found = re.search(r"\d\.(\d+)\D*$", plain(cell.children).strip())
    return len(found[1]) if found else 0


def _padding(cell: blocks.Cell, fraction: int) -> str:
    if not fraction or not re.search(r"\d", plain(cell.children)):
        return ""
    own = _fraction(cell)
    # A figure space is as wide as a digit, a punctuation space as a point.
    return "\u2007" * (fraction - own) + ("" if own else "\u2008")
