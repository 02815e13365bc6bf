"""The parts of a message body: masthead, contents, sections, entries, notes, footer, as the template gets them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from exporter.labels import language_tag
from exporter.message.addresses import ascii_url
from exporter.model import Entry, plain, walk
from exporter.model.blocks import Paragraph
from exporter.templating import escape, markup
from exporter.writers.email_blocks import blocks_html
from exporter.writers.email_lines import anchored, line, target, text
from exporter.writers.email_page import anchor, visible

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


@dataclass(frozen=True, slots=True)
class Footer:
    """The lines of the footer.

    Attributes:
        reason: Why the reader gets this, or empty.
        links: Address and text of each link.
        imprint: Publisher, postal address, license, ISSN.
    """

    reason: Markup
    links: tuple[tuple[str, str], ...]
    imprint: tuple[Markup, ...]


def body_parts(page: Page) -> tuple[Part, ...]:
    """Return the lead, the sections with their entries, the method and the footnotes."""
    version = page.version
    parts = list(_mixed(page, version.lead, kind="lead"))
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


def preheader(page: Page) -> str:
    """Return what an inbox shows beside the subject: the summary's beginning, at most 110 characters."""
    summary = " ".join(plain(node.children) for node in walk(page.version.summary) if isinstance(node, Paragraph))
    words = " ".join(visible(summary or plain(page.version.subtitle)).split())
    if len(words) <= 110:
        return words
    cut = words[:109]
    head = cut.rpartition(" ")[0] if " " in cut[70:] else cut
    return head.rstrip("，、；：,;: ") + "…"


def logo(page: Page) -> Markup:
    """Return the publication's logo, at most 48 pixels high, or nothing when the edition brings none."""
    publication = page.edition.publication
    asset = page.edition.assets.get(f"publication:{publication.logo}") if publication and publication.logo else None
    if asset is None:
        return escape("")
    wide, tall = asset.width or 48, asset.height or 48
    source, picture = page.asset(asset, max(1, round(wide * min(1, 48 / tall))))
    alt = page.edition.labels("logo-alt", publication=page.edition.masthead.publication)
    return markup('<img src="{}" alt="{}" width="{}" height="{}">').format(
        source, alt, picture.width, picture.height
    )


def stars(rating: float | None) -> str:
    """Return the rating as five stars, halves rounded down: the read-out beside them is exact."""
    return "" if rating is None else "★" * int(rating) + "☆" * (5 - int(rating))


def footer(page: Page) -> Footer:
    """Return the footer: why, how to leave, where else to read, who sends it."""
    edition, settings, labels = page.edition, page.edition.email, page.edition.labels
    masthead = edition.masthead
    reason = edition.localized(settings.reason)
    if not reason and masthead.publication and settings.list_unsubscribe:
        reason = labels("why-you-get-this", publication=masthead.publication)
    links = [
        (settings.list_unsubscribe[0] if settings.list_unsubscribe else None, labels("unsubscribe")),
        (page.online, labels("view-online")),
        (settings.list_archive or settings.base_url, labels("archive")),
        (masthead.url, labels("website")),
    ]
    postal = edition.localized(settings.postal_address)
    license_ = labels("label-value", label=labels("license"), value=masthead.license) if masthead.license else ""
    issn = f"ISSN {masthead.issn}" if masthead.issn else ""
    imprint = (masthead.publisher, postal, " · ".join(filter(None, (license_, issn))))
    return Footer(
        text(page, reason),
        tuple((ascii_url(address), label) for address, label in links if address),
        tuple(text(page, item) for item in dict.fromkeys(imprint) if item),
    )


def _section(page: Page, section: Section) -> Iterator[Part]:
    with _language(page, section.language) as mark:
        title = markup("<h2>{}{}{}</h2>").format(target(page, section.id), line(page, section.title), mark)
        for index, part in enumerate(_mixed(page, section.body, kind="section")):
            if index == 0 and part.kind == "section":
                yield Part("section", _in_language(page, title + part.html))
                continue
            if index == 0:
                yield Part("section", _in_language(page, title))
            yield Part("first-entry" if index == 0 else part.kind, _in_language(page, part.html))
        if not section.body:
            yield Part("section", _in_language(page, title))
        if page.digest and page.online and not any(isinstance(node, Entry) for node in section.body):
            yield Part("lead", _more(page, section.id))


def _mixed(page: Page, body: Sequence[Block | Entry], *, kind: Literal["lead", "section"]) -> Iterator[Part]:
    """Yield an entry as a part of its own, and the blocks between entries together."""
    loose: list[Block] = []
    first = True
    for node in body:
        if not isinstance(node, Entry):
            loose.append(node)
            continue
        if loose:
            yield Part(kind if first else "lead", blocks_html(page, loose))
            loose, first = [], False
        yield Part("entry", _entry(page, node))
        first = False
    if loose:
        yield Part(kind if first else "lead", blocks_html(page, loose))


def _entry(page: Page, entry: Entry) -> Markup:
    with _language(page, entry.language) as mark:
        number = page.edition.entry_numbers.get(entry.id or "")
        counted = markup('<span class="accent">{}</span>&ensp;').format(number) if number is not None else ""
        head = markup("<h3>{}{}{}{}</h3>").format(target(page, entry.id), counted, line(page, entry.title), mark)
        more = _more(page, entry.id) if page.digest and page.online else escape("")
        return _in_language(page, head + _fields(page, entry.fields) + blocks_html(page, entry.body) + more)


def _fields(page: Page, fields: Sequence[EntryField]) -> Markup:
    rows = (
        markup('<tr><th scope="row">{}</th><td>{}</td></tr>').format(
            text(page, _field_name(page, item.name)), line(page, item.value)
        )
        for item in fields
    )
    if not fields:
        return escape("")
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
