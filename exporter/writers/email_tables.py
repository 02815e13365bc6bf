"""Data tables for mail: head cells with scope, numbers that never break, labeled cards on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.templating import escape, markup
from exporter.writers.email_captions import caption, labeled
from exporter.writers.email_columns import (
    column_names,
    decimal_padding,
    is_prose,
    least_width,
    may_break_anywhere,
    needs_cards,
    stays_whole,
)
from exporter.writers.email_lines import line, target

if TYPE_CHECKING:
    from markupsafe import Markup

    from exporter.model import blocks
    from exporter.writers.email_page import Page


def table(page: Page, node: blocks.Table) -> Markup:
    """Return a table with its caption above and its notes below.

    On a phone a wide one becomes cards where ``<style>`` is kept, and scrolls by itself elsewhere.
    """
    cards = needs_cards(node)
    scrolls = least_width(node) > page.measure
    names = column_names(node) if cards else ("",) * len(node.columns)
    head = markup("").join(_row(page, node, row) for row in node.head)
    rows = markup("").join(
        _row(page, node, row, names=names, padding=padding, scrolls=scrolls)
        for row, padding in zip(node.rows, decimal_padding(node), strict=True)
    )
    below = markup("<br>").join(labeled(page, {"table-notes": node.notes, "source": node.source}))
    return markup(
        '{}{}<div class="scroll"><table class="{}" width="100%" cellpadding="6" cellspacing="0">'
        "{}<tbody>{}</tbody></table></div>{}"
    ).format(
        target(page, node.id),
        caption(page, node.id, node.caption, above=True),
        "rows cards" if cards else "rows",
        markup("<thead>{}</thead>").format(head) if head else "",
        rows,
        markup('<p class="caption">{}</p>').format(below) if below else "",
    )


def _row(
    page: Page,
    node: blocks.Table,
    row: blocks.Row,
    *,
    names: tuple[str, ...] | None = None,
    padding: tuple[str, ...] = (),
    scrolls: bool = False,
) -> Markup:
    """Return a row; one of the head has no names, one of a table that scrolls gives its prose room."""
    cells = []
    for index, (cell, column) in enumerate(zip(row, node.columns, strict=True)):
        scope = "col" if names is None else "row" if index < node.stub_columns else None
        # The head of a row is its card's title: it needs no label.
        name = names[index] if names and (scope is None or index > 0) else ""
        key = markup('<span class="key">{}</span> ').format(name) if name else escape("")
        content = key + line(page, cell.children) + (padding[index] if padding else "")
        element = "th" if scope else "td"
        attributes = _attributes(cell, column.align, scope)
        if scrolls and is_prose(cell):
            attributes += markup(' style="min-width:150px"')
        cells.append(markup("<{0}{1}>{2}</{0}>").format(markup(element), attributes, content))
    return markup("<tr>{}</tr>").format(markup("").join(cells))


def _attributes(cell: blocks.Cell, align: blocks.Alignment | None, scope: str | None) -> Markup:
    side = "right" if align == "decimal" else align or "left"
    attributes = markup(' scope="{}"').format(scope) if scope else escape("")
    # Head cells are centered by default, body cells are not.
    if scope or side != "left":
        attributes += markup(' align="{}"').format(side)
    if stays_whole(cell):
        attributes += markup(' nowrap="nowrap"')
    elif may_break_anywhere(cell):
        attributes += markup(' class="long"')
    return attributes
