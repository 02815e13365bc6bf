"""Tables in plain text: three rules and columns aligned by display width, or one labeled block for each row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from exporter.typography.width import GLUE_SPACE, padded, widest, width, written
from exporter.typography.wrap import narrowest, wrap
from exporter.writers.text_lines import line_text
from exporter.writers.text_pieces import BLANK, Piece, inside, labeled, line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exporter.model.blocks import Column, Table
    from exporter.model.blocks import Row as ModelRow
    from exporter.writers.text_lines import Setting
    from exporter.writers.text_pieces import Pieces

GAP = "  "
_LEAST = 8
"""Columns under which prose in a cell is not squeezed."""
_TALLEST = 9
"""Lines of a cell over which a table reads better as records."""

_NUMBER = re.compile(
    r"(?P<whole>[+\-−±~≈<>≤≥$€£¥￥]{0,3}\d[\d,\u00a0]*)(?P<rest>(\.\d+)?([eE][+\-−]?\d+|×10\S+)?\s?[^\d\s]{0,3}(\s?\[\d+\])*)"
)
_NOTHING = re.compile("[-–—−…·/]*")

Texts = tuple[str, ...]
Align = Literal["left", "right", "center"]


@dataclass(frozen=True, slots=True)
class _Grid:
    """A table's texts, before its measure is known.

    Attributes:
        head: Head rows.
        rows: Body rows, decimals already aligned.
        aligns: Alignment of each column.
        rigid: Whether a column holds figures, which are never wrapped.
        weights: Relative width that the author asks for.
    """

    head: tuple[Texts, ...]
    rows: tuple[Texts, ...]
    aligns: tuple[Align, ...]
    rigid: tuple[bool, ...]
    weights: tuple[float | None, ...]


def table_pieces(table: Table, setting: Setting) -> Pieces:
    """Return the head and rows of a table: aligned where they fit, one labeled block a row where they do not."""
    head, rows = (_texts(part, setting) for part in (table.head, table.rows))
    grid = _grid(table.columns, head, rows, setting.ambiguous)
    columns = _column_widths(grid, setting.room, setting.ambiguous)
    if columns is None:
        return _records(table, head, rows, setting)
    return tuple(line(text) for text in _ruled(grid, columns, setting))


def _texts(rows: Iterable[ModelRow], setting: Setting) -> tuple[Texts, ...]:
    return tuple(tuple(line_text(cell.children, setting) for cell in row) for row in rows)


# Columns


def _grid(columns: Sequence[Column], head: tuple[Texts, ...], rows: tuple[Texts, ...], ambiguous: int) -> _Grid:
    cells = [[row[index] for row in rows] for index in range(len(columns))]
    aligns: list[Align] = []
    rigid: list[bool] = []
    for index, column in enumerate(columns):
        figures = _are_figures(cells[index])
        align = column.align or ("decimal" if figures else "left")
        rigid.append(figures)
        aligns.append("right" if align == "decimal" else align)
        if align == "decimal":
            cells[index] = _decimals(cells[index], ambiguous)
    body = tuple(zip(*cells, strict=True)) if rows else ()
    return _Grid(head, body, tuple(aligns), tuple(rigid), tuple(column.width for column in columns))


def _are_figures(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if not _NOTHING.fullmatch(cell)]
    return bool(filled) and all(_NUMBER.fullmatch(_seen(cell)) for cell in filled)


def _seen(cell: str) -> str:
    return written(cell).strip()


def _decimals(cells: Sequence[str], ambiguous: int) -> list[str]:
    """Return figures with spaces after them so that their decimal points meet when set right."""
    rests = [match["rest"] if (match := _NUMBER.fullmatch(_seen(cell))) else None for cell in cells]
    most = widest((rest for rest in rests if rest is not None), ambiguous=ambiguous)
    dots = any(rest and rest.startswith(".") for rest in rests)
    result = []
    for cell, rest in zip(cells, rests, strict=True):
        if rest is None and not (dots and _NOTHING.fullmatch(cell)):
            result.append(cell)
        else:
            result.append(_seen(cell) + GLUE_SPACE * (most - width(rest or "", ambiguous=ambiguous)))
    return result


def _column_widths(grid: _Grid, room: int, ambiguous: int) -> tuple[int, ...] | None:
    """Return the columns' widths, or None when the table is wider than the page or its cells would be towers."""
    columns = list(zip(*grid.head, *grid.rows, strict=True)) or [()] * len(grid.aligns)
    natural = [max(1, widest("\n".join(column).split("\n"), ambiguous=ambiguous)) for column in columns]
    room -= len(GAP) * (len(columns) - 1)
    if sum(natural) <= room:
        return tuple(natural)
    least = [_least(column, wide, ambiguous) for column, wide in zip(columns, natural, strict=True)]
    for index, rigid in enumerate(grid.rigid):
        if rigid:
            figures = widest((row[index] for row in grid.rows), ambiguous=ambiguous)
            least[index] = max(least[index], figures)
    if sum(least) > room:
        return None
    # What the rows hold comes first: a long head over short figures can be broken.
    wanted = [widest("\n".join(column).split("\n"), ambiguous=ambiguous) for column in zip(*grid.rows, strict=True)]
    widths = _shared(least, wanted or natural, grid.weights, room)
    widths = _shared(widths, natural, grid.weights, room)
    towers = any(wide > given * _TALLEST for wide, given in zip(natural, widths, strict=True))
    return None if towers else tuple(widths)


def _least(column: Sequence[str], natural: int, ambiguous: int) -> int:
    words = max((narrowest(part, ambiguous=ambiguous) for cell in column for part in cell.split("\n")), default=0)
    return max(words, min(natural, _LEAST))


def _shared(least: list[int], natural: list[int], weights: Sequence[float | None], room: int) -> list[int]:
    """Share the room out column by column: each grows from its least width, the one with most lines first."""
    widths = list(least)
    for _ in range(room - sum(widths)):
        hungry = [index for index, wide in enumerate(widths) if wide < natural[index]]
        if not hungry:
            break
        index = max(hungry, key=lambda each: (weights[each] or natural[each]) / max(1, widths[each]))
        widths[index] += 1
    return widths


# Three rules


def _ruled(grid: _Grid, widths: Sequence[int], setting: Setting) -> Iterable[str]:
    total = sum(widths) + len(GAP) * (len(widths) - 1)
    rows = [_row_lines(row, widths, grid, setting.ambiguous) for row in grid.rows]
    airy = any(len(lines) > 1 for lines in rows)
    yield "-" * total
    for row in grid.head:
        yield from _row_lines(row, widths, grid, setting.ambiguous, bottom=True)
    if grid.head:
        yield GAP.join("-" * each for each in widths)
    for index, lines in enumerate(rows):
        yield from ("", *lines) if airy and index else lines
    if not rows:
        yield setting.edition.labels("table-empty")
    yield "-" * total


def _row_lines(
    row: Texts, widths: Sequence[int], grid: _Grid, ambiguous: int, *, bottom: bool = False
) -> tuple[str, ...]:
    cells = [_cell_lines(cell, wide, ambiguous) for cell, wide in zip(row, widths, strict=True)]
    height = max(map(len, cells))
    lines = []
    for index in range(height):
        parts = []
        for cell, wide, align in zip(cells, widths, grid.aligns, strict=True):
            place = index - (height - len(cell) if bottom else 0)
            text = cell[place] if 0 <= place < len(cell) else ""
            parts.append(padded(text, wide, align, ambiguous=ambiguous))
        lines.append(written(GAP.join(parts)).rstrip(" "))
    return tuple(lines)


def _cell_lines(cell: str, columns: int, ambiguous: int) -> tuple[str, ...]:
    if "\n" not in cell and width(cell, ambiguous=ambiguous) <= columns:
        return (cell,)
    return tuple(text for part in cell.split("\n") for text in wrap(part, columns, ambiguous=ambiguous))


# Records


def _records(table: Table, head: tuple[Texts, ...], rows: tuple[Texts, ...], setting: Setting) -> Pieces:
    names = [" / ".join(dict.fromkeys(filter(None, column))) for column in zip(*head, strict=True)]
    names = names or [""] * len(table.columns)
    stubs = table.stub_columns or _naming_column(rows)
    rule = line("-" * setting.room)
    pieces: list[Piece] = [rule]
    if not rows:
        pieces.append(Piece("; ".join(filter(None, names))))
    for index, row in enumerate(rows):
        pieces += [BLANK] if index else []
        pieces += _record(names, row, index, stubs, setting)
    return (*pieces, rule)


def _naming_column(rows: Sequence[Texts]) -> int:
    """Return 1 when the first column tells the rows apart by name, else 0."""
    first = [row[0] for row in rows]
    alone = all(first) and len(set(first)) == len(first) and not _are_figures(first)
    return int(bool(rows) and alone and len(rows[0]) > 1)


def _record(names: Sequence[str], row: Texts, index: int, stubs: int, setting: Setting) -> Pieces:
    labels = setting.edition.labels
    title = [_named(name, value, setting) for name, value in zip(names[:stubs], row, strict=False) if value]
    head = Piece("; ".join(title) if title else labels("table-row", number=index + 1), "", "    ")
    fields = [(_label(name, setting), (Piece(value),)) for name, value in zip(names, row, strict=True)][stubs:]
    filled = [field for field in fields if field[1][0].text]
    return (head, *inside(labeled(filled, setting.room - 2, ambiguous=setting.ambiguous), "  ", "  "))


def _named(name: str, value: str, setting: Setting) -> str:
    return setting.edition.labels("label-value", label=name, value=value) if name else value


def _label(name: str, setting: Setting) -> str:
    flat = " ".join(written(name).split())
    return setting.edition.labels("label-value", label=flat, value="\0").partition("\0")[0] if flat else "- "
