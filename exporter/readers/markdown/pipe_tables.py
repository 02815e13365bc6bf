"""Pipe tables: every cell of the source is in the table, or a problem says which row has too many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exporter.model import blocks

if TYPE_CHECKING:
    from exporter.readers.markdown.blocks import BlockReader
    from exporter.readers.markdown.tree import Item


def pipe_table(item: Item, reader: BlockReader, **fields: Any) -> blocks.Table | None:
    """Return the table that an item is, with fields from elsewhere such as its caption."""
    head = [row for part in item.items if part.kind == "thead" for row in part.items]
    body = [row for part in item.items if part.kind == "tbody" for row in part.items]
    columns = tuple(blocks.Column(align=_alignment(cell)) for cell in head[0].items)
    for row in body:
        _check(row, len(columns), reader)
    heads = tuple(_row(row, reader) for row in head)
    if all(not cell.children for row in heads for cell in row):
        heads = ()  # GFM has no table without a head; an author who wants none leaves it blank
    return reader.markdown.make(
        blocks.Table,
        reader.piece.place(item),
        columns=columns,
        head=heads,
        rows=tuple(_row(row, reader) for row in body),
        **fields,
    )


def _row(row: Item, reader: BlockReader) -> blocks.Row:
    place = reader.piece.place(row)
    return tuple(blocks.Cell(children=reader.prose(cell)).at(place) for cell in row.items)


def _check(row: Item, wide: int, reader: BlockReader) -> None:
    count, place = row.token.meta["cells"], reader.piece.place(row)
    if count > wide:
        reader.findings.problem(
            f"the row has {count} cells where the table has {wide} columns",
            place,
            r"write a pipe inside a cell as \|, also in code and math",
        )
    elif count < wide:
        reader.findings.notice(
            "short-row", f"the row has {count} of {wide} cells; the others are left empty", place
        )


def _alignment(cell: Item) -> Any:
    return str(cell.token.attrs.get("style", "")).removeprefix("text-align:") or None
