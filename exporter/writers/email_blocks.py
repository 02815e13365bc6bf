"""Blocks as the HTML that mail programs keep: headings, paragraphs, lists, tables; looks come from the theme."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, assert_never

from exporter.charts import draw, figure_of
from exporter.model import blocks
from exporter.templating import escape, markup
from exporter.writers.email_captions import caption
from exporter.writers.email_lines import formula, line, target, text
from exporter.writers.email_page import visible
from exporter.writers.email_tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from exporter.model.blocks import Block
    from exporter.pictures import Picture
    from exporter.writers.email_page import Page


def blocks_html(page: Page, content: Sequence[Block]) -> Markup:
    """Return blocks as HTML.

    Raises:
        WriterError: A block cannot be carried by mail; the message has its place.
    """
    return markup("").join(_block(page, node) for node in content)


def _block(page: Page, node: Block) -> Markup:
    match node:
        case blocks.Paragraph():
            return markup("<p>{}</p>").format(line(page, node.children))
        case blocks.Heading():
            level = min(node.level + 1, 6)
            return markup("<h{0}>{1}{2}</h{0}>").format(level, target(page, node.id), line(page, node.children))
        case blocks.List():
            return _list(page, node)
        case blocks.DefinitionList():
            return _definitions(page, node)
        case blocks.Figure():
            return _figure(page, node)
        case blocks.Table():
            return table(page, node)
        case blocks.Chart():
            return _chart(page, node)
        case blocks.Admonition():
            return _admonition(page, node)
        case blocks.Quote():
            return _quote(page, node)
        case blocks.CodeBlock():
            return _code(page, node)
        case blocks.MathBlock():
            return _math(page, node)
        case blocks.Only():
            return blocks_html(page, node.children) if "email" in node.formats else escape("")
        case blocks.PageBreak():
            return escape("")
        case blocks.ThematicBreak():
            return markup("<hr>")
        case _:
            assert_never(node)


def _list(page: Page, node: blocks.List) -> Markup:
    items = markup("").join(_item(page, item, tight=node.tight) for item in node.items)
    if not node.ordered:
        tasks = markup(' class="tasks"') if all(item.checked is not None for item in node.items) else escape("")
        return markup("<ul{}>{}</ul>").format(tasks, items)
    start = markup(' start="{}"').format(node.start) if node.start != 1 else escape("")
    return markup("<ol{}>{}</ol>").format(start, items)


def _item(page: Page, item: blocks.ListItem, *, tight: bool) -> Markup:
    first, rest = item.children[:1], item.children[1:]
    mark = _task_mark(page, item)
    if first and isinstance(first[0], blocks.Paragraph):
        lead = mark + line(page, first[0].children)
        head = lead if tight else markup("<p>{}</p>").format(lead)
        return markup("<li>{}{}</li>").format(head, blocks_html(page, rest))
    return markup("<li>{}{}</li>").format(mark, blocks_html(page, item.children))


def _task_mark(page: Page, item: blocks.ListItem) -> Markup:
    if item.checked is None:
        return escape("")
    # Neither sign has an emoji form.
    sign, key = ("✓", "task-done") if item.checked else ("○", "task-open")
    label = page.edition.labels(key)
    return markup('<span class="task" role="img" aria-label="{0}" title="{0}">{1}</span> ').format(label, sign)


def _definitions(page: Page, node: blocks.DefinitionList) -> Markup:
    rows = (
        markup("<dt>{}</dt>{}").format(
            line(page, item.term),
            markup("").join(markup("<dd>{}</dd>").format(_compact(page, blocks)) for blocks in item.definitions),
        )
        for item in node.items
    )
    return markup("<dl>{}</dl>").format(markup("").join(rows))


def _compact(page: Page, content: Sequence[Block]) -> Markup:
    """Return blocks without a paragraph around a single one."""
    if len(content) == 1 and isinstance(content[0], blocks.Paragraph):
        return line(page, content[0].children)
    return blocks_html(page, content)


def _chart(page: Page, node: blocks.Chart) -> Markup:
    asset = draw(node, page.edition.theme)
    return _picture(page, figure_of(node, asset), page.asset(asset, asset.width))


def _figure(page: Page, node: blocks.Figure) -> Markup:
    return _picture(page, node, page.picture(node, _shown_width(page, node.width)))


def _picture(page: Page, node: blocks.Figure, shown: tuple[str, Picture]) -> Markup:
    source, picture = shown
    alt = " ".join(visible(node.alt).split())
    align = markup(' align="{}"').format(node.align) if node.align in {"center", "right"} else escape("")
    image = markup('<p class="figure"{}>{}<img src="{}" alt="{}" width="{}" height="{}"></p>').format(
        align, target(page, node.id), source, alt, picture.width, picture.height
    )
    return image + caption(page, node.id, node.caption, source=node.source, credit=node.credit, align=align)


def _shown_width(page: Page, width: str | None) -> int | None:
    """Return a width in pixels: a share of the measure or a length; unknown units leave the picture's own."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(%|px|pt|mm|cm|in|em|rem)?", width or "")
    if found is None:
        return None
    units = {
        "%": page.measure / 100,
        "pt": 96 / 72,
        "mm": 96 / 25.4,
        "cm": 96 / 2.54,
        "in": 96,
        "em": 16,
        "rem": 16,
    }
    return max(1, round(float(found[1]) * units.get(found[2] or "px", 1)))


def _admonition(page: Page, node: blocks.Admonition) -> Markup:
    title = line(page, node.title) if node.title else text(page, page.edition.labels(node.variant))
    return markup(
        '<table class="box {}" role="presentation" width="100%" cellpadding="0"><tr><td>'
        "<p><strong>{}</strong></p>{}</td></tr></table>"
    ).format(node.variant, title, blocks_html(page, node.children))


def _quote(page: Page, node: blocks.Quote) -> Markup:
    labels = page.edition.labels
    signed = escape("")
    if node.attribution and node.source:
        before, between, after = labels("quote-attribution-source", name="\0", source="\0").split("\0")
        signed = escape(before) + line(page, node.attribution) + between + line(page, node.source) + after
    elif node.attribution or node.source:
        before, after = labels("quote-attribution", name="\0").split("\0")
        signed = escape(before) + line(page, node.attribution or node.source) + after
    foot = markup('<p class="signed">{}</p>').format(signed) if signed else escape("")
    return markup("<blockquote>{}{}</blockquote>").format(blocks_html(page, node.children), foot)


def _code(page: Page, node: blocks.CodeBlock) -> Markup:
    code = visible(node.text)
    shown: Markup = escape(code)
    if node.lines:
        rows = code.split("\n")
        wide = len(str(len(rows)))
        shown = markup("\n").join(
            markup('<span class="number">{}</span>  {}').format(f"{number:>{wide}}", row)
            for number, row in enumerate(rows, 1)
        )
    title = caption(page, node.id, node.caption, above=True)
    return markup("{}{}<pre>{}</pre>").format(target(page, node.id), title, shown)


def _math(page: Page, node: blocks.MathBlock) -> Markup:
    number = page.edition.numbers.get(node.id) if node.id else None
    shown = formula(page, node.tex)
    beside = markup('&emsp;<span class="muted">({})</span>').format(number.value) if number else escape("")
    return markup('<p class="math">{}{}{}</p>').format(target(page, node.id), shown, beside)
