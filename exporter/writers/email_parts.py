"""The parts of a message body: contents, sections, entries, notes, as the template gets them."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from exporter.labels import language_tag
from exporter.model import Entry
from exporter.templating import escape, markup
from exporter.writers.email_blocks import blocks_html
from exporter.writers.email_columns import display_width
from exporter.writers.email_lines import anchored, line, target, text
from exporter.writers.email_page import anchor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from exporter.model import Block, Section
    from exporter.model.issue import EntryField
    from exporter.numbering import ContentsItem
    from exporter.writers.email_page import Page


@dataclass(frozen=True, slots=True)
class Part:
    """One text block of the message.

    Attributes:
        kind: What it is, for the template's spacing and rules.
        html: Its content.
    """

    kind: Literal["lead", "section", "entry", "first-entry", "notes", "method"]
    html: Markup


def body_parts(page: Page) -> tuple[Part, ...]:
    """Return the lead, the sections with their entries, the method and the footnotes."""
    version = page.version
    parts = list(_mixed(page, version.lead))
    for section in version.sections:
        parts.extend(_section(page, section))
    if version.method:
        title = markup("<h2>{}</h2>").format(text(page, page.edition.labels("method")))
        parts.append(Part("method", title + blocks_html(page, version.method)))
    if notes := _notes(page):
        title = markup("<h2>{}</h2>").format(text(page, page.edition.labels("footnotes")))
        parts.append(Part("notes", title + notes))
    return tuple(parts)


def contents(page: Page) -> Markup:
    """Return the contents as nested lists; what the body lacks leads to the issue online."""
    return _contents(page, page.edition.contents)


def _section(page: Page, section: Section) -> Iterator[Part]:
    with _language(page, section.language) as mark:
        head = markup("<h2>{}{}{}</h2>").format(target(page, section.id), line(page, section.title), mark)
        parts = list(_mixed(page, section.body))
        begins_with_entry = bool(parts) and parts[0].kind == "entry"
        if parts and not begins_with_entry:
            head += parts.pop(0).html
        if page.digest and page.online and not any(isinstance(node, Entry) for node in section.body):
            head += _more(page, section.id)
        yield Part("section", _in_language(page, head))
        for index, part in enumerate(parts):
            # Under the hairline of a section's heading an entry needs no rule of its own.
            kind = "first-entry" if index == 0 and begins_with_entry else part.kind
            yield Part(kind, _in_language(page, part.html))


def _mixed(page: Page, body: Sequence[Block | Entry]) -> Iterator[Part]:
    """Yield an entry as a part of its own, and the blocks between entries together."""
    for is_entry, nodes in itertools.groupby(body, lambda node: isinstance(node, Entry)):
        if not is_entry:
            yield Part("lead", blocks_html(page, [node for node in nodes if not isinstance(node, Entry)]))
            continue
        for node in nodes:
            if isinstance(node, Entry):
                yield Part("entry", _entry(page, node))


def _entry(page: Page, entry: Entry) -> Markup:
    with _language(page, entry.language) as mark:
        number = page.edition.entry_numbers.get(entry.id or "")
        counted = markup('<span class="accent">{}</span>&ensp;').format(number) if number is not None else ""
        head = markup("<h3>{}{}{}{}</h3>").format(target(page, entry.id), counted, line(page, entry.title), mark)
        more = _more(page, entry.id) if page.digest and page.online else escape("")
        return _in_language(page, head + _fields(page, entry.fields) + blocks_html(page, entry.body) + more)


def _fields(page: Page, fields: Sequence[EntryField]) -> Markup:
    if not fields:
        return escape("")
    names = [_field_name(page, item.name) for item in fields]
    # Once a table, so that labels do not break where style is stripped; a phone stacks them where it is kept.
    width = markup(' width="{}"').format(min(160, round(8 * max(map(display_width, names))) + 12))
    rows = (
        markup('<tr><th scope="row"{}>{}</th><td>{}</td></tr>').format(
            escape("") if index else width, text(page, name), line(page, item.value)
        )
        for index, (name, item) in enumerate(zip(names, fields, strict=True))
    )
    return markup(
        '<table class="fields" width="100%" cellspacing="0"><tbody align="left" valign="top">{}</tbody></table>'
    ).format(markup("").join(rows))


def _field_name(page: Page, name: str) -> str:
    labels = page.edition.labels
    return labels(f"field-{name}") if labels.has(f"field-{name}") else name


def _more(page: Page, identifier: str | None) -> Markup:
    address = f"{page.online}#{anchor(identifier)}" if identifier else page.online
    return markup('<p><a class="accent" href="{}">{}&nbsp;→</a></p>').format(
        address, page.edition.labels("read-on")
    )


def _notes(page: Page) -> Markup:
    """Return the footnotes that the body marks; a note may mark another one."""
    items: dict[int, Markup] = {}
    while waiting := [
        item for item in page.edition.notes if item.note.id in page.marks and item.number not in items
    ]:
        for item in waiting:
            items[item.number] = blocks_html(page, item.note.children)
    back = page.edition.labels("footnote-back")
    rows = (
        markup('<li value="{0}">{1}{2} <a href="#fnref-{0}" title="{3}" aria-label="{3}">↑</a></li>').format(
            number, anchored(f"fn-{number}"), _unwrapped(items[number]), back
        )
        for number in sorted(items)
    )
    return markup("<ol>{}</ol>").format(markup("").join(rows)) if items else escape("")


def _unwrapped(html: Markup) -> Markup:
    """Return a note of one paragraph without the paragraph, so that its way back stands on its last line."""
    single = html.startswith("<p>") and html.endswith("</p>") and html.count("<p") == 1
    return markup(str(html)[3:-4]) if single else html


def _contents(page: Page, items: Sequence[ContentsItem]) -> Markup:
    rows = []
    for item in items:
        address = page.address(item.id)
        counted = (
            markup('<span class="accent">{}</span>&ensp;').format(item.number) if item.number is not None else ""
        )
        title = line(page, item.title)
        linked = markup('<a href="{}">{}</a>').format(address, title) if address else title
        rows.append(markup("<li>{}{}{}</li>").format(counted, linked, _contents(page, item.children)))
    return markup("<ul>{}</ul>").format(markup("").join(rows)) if rows else escape("")


@contextlib.contextmanager
def _language(page: Page, language: str | None) -> Iterator[Markup]:
    """Write in another language inside; yields the mark that says so beside the heading."""
    before = page.tag
    tag = language_tag(language) if language else before
    mark = escape("")
    if tag != before:
        label = page.edition.labels("not-translated-mark")
        mark = markup(' <small class="muted" lang="{}">{}</small>').format(before, label)
    page.tag = tag
    try:
        yield mark
    finally:
        page.tag = before


def _in_language(page: Page, html: Markup) -> Markup:
    if page.tag == page.edition.tag or html.startswith(f'<div lang="{page.tag}"'):
        return html
    return markup('<div lang="{}">{}</div>').format(page.tag, html)
