"""Data tables for mail: header cells with scope, numbers that never break, labeled cards on a phone where they are wide."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter.model.walk import plain
from exporter.templating import escape, markup
from exporter.writers.email_lines import line, target, text
from exporter.writers.email_page import visible

if TYPE_CHECKING:
    from markupsafe import Markup

    from exporter.model import blocks
    from exporter.writers.email_page import Page

_PHONE: Final = 328
"""Pixels that a 360 pixel screen leaves for a table."""
_NUMBER: Final = re.compile(r"[+\-−±~≈<>≤≥]?[\d.,\s]*\d[\d.,]*\s*(%|[‰×x]|[A-Za-zµ°]{1,3})?")


def table(page: Page, node: blocks.Table) -> Markup:
    """Return a table with its caption above and its notes below, scrolling by itself where a card cannot help."""
    from exporter.writers.email_blocks import caption

    stacked = _is_wide(node)
    names = _names(node)
    head = markup("").join(_head_row(page, node, row) for row in node.head)
    rows = [_row(page, node, row, names if stacked else ()) for row in _aligned(node)]
    body = markup("").join(rows)
    title = caption(page, node.id, node.caption, above=True)
    kind = "cards" if stacked else ""
    return markup(
        '{}{}<div class="scroll"><table class="{}" width="100%" cellpadding="6" cellspacing="0">{}<tbody>{}</tbody></table></div>{}'
    ).format(
        target(page, node.id),
        title,
        f"rows {kind}".strip(),
        markup("<thead>{}</thead>").format(head) if head else "",
        body,
        _notes(page, node),
    )


def _head_row(page: Page, node: blocks.Table, row: blocks.Row) -> Markup:
    cells = (
        markup('<th scope="col"{}>{}</th>').format(_align(column), line(page, cell.children))
        for cell, column in zip(row, node.columns, strict=True)
    )
    return markup("<tr>{}</tr>").format(markup("").join(cells))


def _row(
    page: Page, node: blocks.Table, row: tuple[tuple[blocks.Cell, str], ...], names: tuple[str, ...]
) -> Markup:
    cells = []
    for index, ((cell, padding), column) in enumerate(zip(row, node.columns, strict=True)):
        is_head = index < node.stub_columns
        name = markup('<span class="key">{}</span> ').format(names[index]) if names and names[index] else ""
        if is_head and index == 0:
            name = ""
        fixed = markup(' nowrap="nowrap"') if _NUMBER.fullmatch(plain(cell.children).strip()) else escape("")
        element, scope = ("th", markup(' scope="row"')) if is_head else ("td", escape(""))
        aligned = _align(column) if is_head or column.align not in {None, "left"} else escape("")
        cells.append(
            markup("<{0}{1}{2}{3}>{4}{5}{6}</{0}>").format(
                markup(element), scope, aligned, fixed, name, line(page, cell.children), padding
            )
        )
    return markup("<tr>{}</tr>").format(markup("").join(cells))


def _align(column: blocks.Column) -> Markup:
    # Decimal points meet because shorter fractions are filled up and the column is set right.
    align = {"decimal": "right", None: "left"}.get(column.align, column.align)
    return markup(' align="{}"').format(align)


def _aligned(node: blocks.Table) -> list[tuple[tuple[blocks.Cell, str], ...]]:
    """Return the rows, each cell with the blanks that fill its fraction up to its column's longest."""
    fractions = [
        max((_fraction(row[index]) for row in node.rows), default=0) if column.align == "decimal" else 0
        for index, column in enumerate(node.columns)
    ]
    return [
        tuple((cell, _padding(cell, fraction)) for cell, fraction in zip(row, fractions, strict=True))
        for row in node.rows
    ]


def _fraction(cell: blocks.Cell) -> int:
    found = re.search(r"\d\.(\d+)\D*$", plain(cell.children).strip())
    return len(found[1]) if found else 0


def _padding(cell: blocks.Cell, fraction: int) -> str:
    shown = plain(cell.children).strip()
    if not fraction or not re.search(r"\d", shown):
        return ""
    own = _fraction(cell)
    # A figure space is as wide as a digit, a punctuation space as a point.
    return "\u2007" * (fraction - own) + ("" if own else "\u2008")


def _names(node: blocks.Table) -> tuple[str, ...]:
    """Return each column's head in one line, the rows of a stacked head joined."""
    names = []
    for index in range(len(node.columns)):
        parts = [visible(plain(row[index].children)).strip() for row in node.head]
        names.append(" · ".join(dict.fromkeys(part for part in parts if part)))
    return tuple(names)


def _is_wide(node: blocks.Table) -> bool:
    """Tell whether the table needs more than a phone's width, its longest unbreakable pieces side by side."""
    from wcwidth import wcswidth

    total = 0.0
    for index in range(len(node.columns)):
        cells = [plain(row[index].children) for row in (*node.head, *node.rows)]
        longest = max((max(wcswidth(text), 0) for text in cells), default=0)
        words = max((max(wcswidth(word), 0) for text in cells for word in _pieces(text)), default=0)
        total += 7.6 * max(words, min(longest, 8)) + 16
    return total > _PHONE


def _pieces(text: str) -> list[str]:
    """Return what a line break cannot part: words, and whole numbers."""
    return [text] if _NUMBER.fullmatch(text.strip()) else re.findall(r"[!-~]+|[^\s!-~]", text)


def _notes(page: Page, node: blocks.Table) -> Markup:
    labels = page.edition.labels
    parts = [
        text(page, labels("label-value", label=labels(key), value="")) + line(page, value)
        for key, value in (("table-notes", node.notes), ("source", node.source))
        if value
    ]
    return markup('<p class="caption">{}</p>').format(markup("<br>").join(parts)) if parts else escape("")
