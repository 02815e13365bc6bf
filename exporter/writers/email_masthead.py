"""The head and the foot of a message: what an inbox shows, what the publication says of itself, how to leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exporter.message.addresses import ascii_url
from exporter.model import plain, walk
from exporter.model.blocks import Paragraph
from exporter.templating import escape, markup
from exporter.writers.email_lines import text
from exporter.writers.email_page import visible

if TYPE_CHECKING:
    from markupsafe import Markup

    from exporter.edition import Edition
    from exporter.model.issue import Author
    from exporter.writers.email_page import Page


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


def preheader(page: Page) -> str:
    """Return what an inbox shows beside the subject: the summary's beginning, at most 110 characters."""
    summary = " ".join(plain(node.children) for node in walk(page.version.summary) if isinstance(node, Paragraph))
    words = " ".join(visible(summary or plain(page.version.subtitle)).split())
    if len(words) <= 110:
        return words
    cut = words[:109]
    head = cut.rpartition(" ")[0] if " " in cut[70:] else cut
    return head.rstrip("，、；：,;: ") + "…"


def facts(page: Page) -> tuple[Markup, ...]:
    """Return what the masthead says under the publication's name: kind, date, volume and number."""
    masthead = page.edition.masthead
    return tuple(text(page, item) for item in (masthead.kind, masthead.date, masthead.number) if item)


def authors(page: Page) -> Markup:
    """Return the authors as a list of the language, each name a link where there is an address for it."""
    shown = [_author(page, author, name) for author, name in _named_authors(page)]
    if not shown:
        return escape("")
    before, *between = page.edition.labels.listing(["\0"] * len(shown)).split("\0")
    pairs = zip(shown, between, strict=True)
    return escape(before) + markup("").join(author + escape(after) for author, after in pairs)


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


def plain_footer(edition: Edition, online: str | None) -> tuple[tuple[str, str], ...]:
    """Return what the message's plain part adds to the text edition: how to leave, where to read on."""
    settings, labels = edition.email, edition.labels
    lines = (
        ("unsubscribe", settings.list_unsubscribe[0] if settings.list_unsubscribe else None),
        ("view-online", online),
        ("archive", settings.list_archive or settings.base_url),
        ("address", edition.localized(settings.postal_address)),
    )
    return tuple((labels(key), value) for key, value in lines if value)


def _named_authors(page: Page) -> zip[tuple[Author, str]]:
    return zip(page.version.authors, page.edition.masthead.authors, strict=True)


def _author(page: Page, author: Author, name: str) -> Markup:
    mail = f"mailto:{author.email}" if author.email else None
    address = f"https://orcid.org/{author.orcid}" if author.orcid else mail
    shown = text(page, name)
    linked = markup('<a href="{}">{}</a>').format(ascii_url(address), shown) if address else shown
    where = page.edition.localized(author.affiliation)
    if not where:
        return linked
    remark = page.edition.labels("parenthesis", text=where)
    return linked + text(page, f" {remark}" if remark[0].isascii() else remark)
