"""Tables for print: three rules, aligned decimals, and a width that the page can hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from exporter.model.walk import plain
from exporter.notices import Notice
from exporter.templating import markup
from exporter.typography.breaks import without_marks
from exporter.typography.spacing import HAN
from exporter.writers.html import attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from exporter.model.blocks import Cell, Row, Table
    from exporter.writers.pdf_blocks import BlockWriter

Layout = Literal["measure", "full", "landscape"]

NUMBER: Final = re.compile(r"\s*([<>≤≥≈~]?\s*[+\-−±]?[$¥€£]?\d[\d,\u00a0 ]*)(\.\d+)?(\D*)")
_PADDING: Final = 1.2
"""Air between columns, in em of the table's type."""
_ONE_LINE: Final = 12.0
"""Width up to which a cell stays on one line, in em."""
_SHORT: Final = 14
"""Rows that a table keeps on one page; a longer one breaks between rows."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How a table is set so that its page holds it.

    Attributes:
        layout: In the measure, over the side column too, or on a landscape page.
        size: Type size in points.
        fits: Its longest words fit; if not, they break anywhere.
        kept: Columns whose cells stay on one line.
    """

    layout: Layout
    size: float
    fits: bool
    kept: frozenset[int] = frozenset()


def table_html(table: Table, writer: BlockWriter) -> Markup:
    """Return a table with its caption, notes and source."""
    fit = fitted(table, writer)
    if not fit.fits:
        named = plain(table.caption) or f"of {len(table.columns)} columns"
        writer.notices.append(
            Notice(
                "wide-table",
                f"the table {named!r} is too wide for a landscape page: its words are broken",
                table.place,
                hint="split it, shorten its cells or give widths",
            )
        )
    aligns = tuple(
        _alignment(table, index) + (" kept" if index in fit.kept else "") for index in range(len(table.columns))
    )
    head, body = _head(table, aligns, writer), _body(table, aligns, writer)
    caption = writer.caption(table.caption, table.id, "caption")
    remarks = _remarks(table, writer)
    size = writer.type_size("table")
    line = round(fit.size * size[1] / size[0] * 4) / 4
    width = writer.length(table.width, table) if table.width and fit.layout == "measure" else ""
    style = f"font-size:{fit.size:g}pt;line-height:{line:g}pt;{width}"
    classes = [fit.layout, "short" if len(table.rows) <= _SHORT else "tall", "" if fit.fits else "broken"]
    return markup('<div class="table {}"{}><table style="{}">{}{}{}<tbody>{}</tbody></table>{}{}</div>').format(
        " ".join(filter(None, classes)),
        attribute("id", table.id),
        style,
        caption,
        _columns(table),
        head,
        body,
        remarks,
        writer.prose.late_notes(),
    )


def fitted(table: Table, writer: BlockWriter) -> Fit:
    """Choose the widest type of the narrowest place that holds the table's longest words."""
    measures, (size, _) = writer.measures, writer.type_size("table")
    floor = float(writer.edition.theme.token("print.table.floor"))
    widths = tuple(_widths(table))
    need = sum(max(longest, min(whole, 5.0)) + _PADDING for longest, whole in widths)
    places: tuple[tuple[Layout, float, float], ...] = (
        ("measure", measures.measure, size),
        ("full", measures.full, size - 1),
        ("landscape", measures.landscape, floor),
    )
    for layout, room, smallest in places:
        if need * smallest <= room:
            chosen = min(size, int(room / need * 4) / 4)
            return Fit(layout, chosen, fits=True, kept=_kept(widths, room / chosen))
    return Fit("landscape", floor, fits=False)


def _kept(widths: tuple[tuple[float, float], ...], room: float) -> frozenset[int]:
    """Return the columns that are kept on one line: as many short ones, shortest first, as the room takes."""
    kept: set[int] = set()
    need = sum(max(longest, min(whole, 5.0)) + _PADDING for longest, whole in widths)
    for index in sorted(range(len(widths)), key=lambda at: widths[at][1]):
        longest, whole = widths[index]
        more = whole - max(longest, min(whole, 5.0))
        if whole <= _ONE_LINE and need + more <= room:
            kept.add(index)
            need += more
    return frozenset(kept)


def text_width(text: str) -> float:
    """Return about how wide text is, in em: Han 1, digits 0.55, other letters 0.52, capitals 0.66."""
    return sum(
        1.0
        if re.match(f"[{HAN}\u2014\u2018-\u201d\u2026\u3000-\u30ff\uff00-\uffef]", char)
        else 0.66
        if char.isupper() or char in "%@mwMW"
        else 0.3
        if char in " .,:;'|!ilj-"
        else 0.55
        for char in without_marks(text)
    )


def _widths(table: Table) -> Iterator[tuple[float, float]]:
    """Yield the width of each column's longest word and of its longest cell, in em."""
    for index, _ in enumerate(table.columns):
        texts = [plain(row[index].children) for row in (*table.head, *table.rows[:500])]
        longest = max((text_width(word) for text in texts for word in _words(text)), default=0.0)
        yield longest, max((text_width(text) for text in texts), default=0.0)


def _words(text: str) -> Iterator[str]:
    """Yield what no line end divides: Latin words; Han break between any two."""
    for word in re.split(rf"[\s{HAN}，。、；：]+|(?<=[-/–])", text):
        yield word if len(word) <= 24 else word[:24]


def _alignment(table: Table, index: int) -> str:
    given = table.columns[index].align
    if given:
        return given
    texts = [plain(row[index].children).strip() for row in table.rows]
    filled = [text for text in texts if text not in {"", "-", "–", "—"}]
    numeric = bool(filled) and all(re.fullmatch(r"[+\-−]?\d[\d,]*(\.\d+)?%?", text) for text in filled)
    return "decimal" if numeric and index >= table.stub_columns else "left"


def _columns(table: Table) -> Markup:
    if all(column.width is None for column in table.columns):
        return markup("")
    total = sum(column.width or 1 for column in table.columns)
    cols = (markup('<col style="width:{:.2f}%">').format(100 * (c.width or 1) / total) for c in table.columns)
    return markup("<colgroup>{}</colgroup>").format(markup("").join(cols))


def _head(table: Table, aligns: tuple[str, ...], writer: BlockWriter) -> Markup:
    if not table.head:
        return markup("")
    rows = markup("").join(
        markup("<tr>{}</tr>").format(
            markup("").join(
                markup('<th scope="col" class="{}">{}</th>').format(
                    align, writer.prose.held_line(cell.children, tag=writer.tag)
                )
                for cell, align in zip(row, aligns, strict=True)
            )
        )
        for row in table.head
    )
    return markup("<thead>{}</thead>").format(rows)


def _body(table: Table, aligns: tuple[str, ...], writer: BlockWriter) -> Markup:
    shapes = [
        _decimals(table, index) if align.startswith("decimal") else None for index, align in enumerate(aligns)
    ]
    return markup("\n").join(_row(row, table, aligns, shapes, writer) for row in table.rows)


def _row(
    row: Row,
    table: Table,
    aligns: tuple[str, ...],
    shapes: list[tuple[int, float] | None],
    writer: BlockWriter,
) -> Markup:
    cells = markup("")
    for index, (cell, align, shape) in enumerate(zip(row, aligns, shapes, strict=True)):
        tag = markup("th") if index < table.stub_columns else markup("td")
        scope = markup(' scope="row"') if index < table.stub_columns else markup("")
        style = attribute("style", _padding(cell, shape, writer) if shape else None)
        text = writer.prose.held_line(cell.children, tag=writer.tag)
        cells += markup('<{}{} class="{}"{}>{}</{}>').format(tag, scope, align, style, text, tag)
    return markup("<tr>{}</tr>").format(cells)


def _decimals(table: Table, index: int) -> tuple[int, float]:
    """Return the most decimals of a column and the widest text behind them, in em."""
    found = [NUMBER.fullmatch(plain(row[index].children)) for row in table.rows]
    return (
        max((len(match[2] or "") for match in found if match), default=0),
        max((text_width(match[3].rstrip()) for match in found if match), default=0.0),
    )


def _padding(cell: Cell, shape: tuple[int, float], writer: BlockWriter) -> str | None:
    """Return the space behind a number that puts its decimal point under the others'."""
    decimals, behind = shape
    match = NUMBER.fullmatch(plain(cell.children))
    if match is None:
        return None
    own = len(match[2] or "")
    digits = (decimals - 1 if decimals else 0) - (own - 1 if own else 0)
    point = 1 if decimals and not own else 0
    rest = behind - text_width(match[3].rstrip())
    room = digits * writer.digit + point * writer.point + rest
    return f"padding-right:{room + _PADDING / 2:.3f}em"


def _remarks(table: Table, writer: BlockWriter) -> Markup:
    parts = [
        writer.remark(line, label)
        for line, label in ((table.notes, "table-notes"), (table.source, "source"))
        if line
    ]
    return markup('<div class="remarks">{}</div>').format(markup(" ").join(parts)) if parts else markup("")
