"""The e-mail edition: HTML on a byte budget, the message that carries it, the text edition as its plain part."""

from __future__ import annotations

import base64
import bisect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exporter.errors import WriterError
from exporter.message.addresses import ascii_url
from exporter.message.build import build_message, online_address, subject_of
from exporter.notices import Notice
from exporter.templating import markup, render
from exporter.writers import Output, email_masthead, email_parts, text
from exporter.writers.email_blocks import blocks_html
from exporter.writers.email_compile import compiled
from exporter.writers.email_digest import digest_of
from exporter.writers.email_lines import line
from exporter.writers.email_lines import text as text_html
from exporter.writers.email_page import Page, shown_ids, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.edition import Edition
    from exporter.model import Version
    from exporter.numbering import ContentsItem
    from exporter.writers import Options

HEAD_STYLES = "email/head.css.j2"


@dataclass(frozen=True, slots=True)
class Body:
    """A finished body: its HTML and the page that it was written on."""

    html: str
    page: Page

    @property
    def size(self) -> int:
        """Return the decoded bytes, which mail programs count."""
        return len(self.html.encode())


def write(edition: Edition, options: Options) -> Output:
    """Write the e-mail edition: ``.html``, ``.eml`` and ``.txt``, and its pictures when they are hosted.

    Raises:
        WriterError: A block or a picture cannot be carried by mail.
        EditionError: An address or a header cannot be written so that every server takes it.
        ThemeError: A template is missing or wrong.
    """
    body, notices = _chosen(edition, options)
    plain = text.write(edition, options)
    message = build_message(
        edition,
        html=body.html,
        plain=text.flowed_edition(edition, footer=email_masthead.plain_footer(edition, body.page.online)),
        pictures=body.page.inline_pictures(),
        attachments=options.attachments,
    )
    files = {".html": _standalone(body).encode(), ".eml": message.content, ".txt": plain.files[".txt"]}
    if options.hosted_images:
        files |= {f".{picture.name}": picture.content for picture in body.page.pictures.values()}
    return Output(files, (*notices, *_picture_notices(body), *message.notices, *plain.notices))


def _standalone(body: Body) -> str:
    """Return the page for a browser or an archive: what the message has as parts stands in it as data.

    The message itself never does so: Gmail shows no data: picture (EMAIL.md).
    """
    page = body.html
    for picture in body.page.inline_pictures():
        content = base64.b64encode(picture.content).decode()
        page = page.replace(f"cid:{picture.content_id}", f"data:{picture.media_type};base64,{content}")
    return page


def _chosen(edition: Edition, options: Options) -> tuple[Body, tuple[Notice, ...]]:
    """Return the body that the options ask for, and what is to be said of its size."""
    budget, clip = (int(edition.theme.token(f"mail.{name}")) for name in ("budget", "clip"))
    if options.body == "digest" and online_address(edition):
        return _digest(edition, options, budget)[0], ()
    full = _body(edition, options, edition.version)
    missing = () if options.body != "digest" else (_no_address("a digest"),)
    if full.size <= budget:
        return full, missing
    sizes = f"{full.size:,} bytes of HTML, over the budget of {budget:,}; Gmail hides what follows byte {clip:,}"
    if options.body == "auto" and online_address(edition):
        digest, sections = _digest(edition, options, budget)
        left = len(edition.version.sections) - sections
        cut = f", its last {left} sections in the contents list only" if left else ""
        message = f"the whole issue has {sizes}: the message holds the digest of {digest.size:,} bytes{cut}"
        return digest, (_over_budget(message, hint="--body full sends the whole issue"),)
    hint = "--body digest sends a short edition" if online_address(edition) else _no_address("a digest").hint
    return full, (*missing, _over_budget(f"the message has {sizes}", hint=hint))


def _digest(edition: Edition, options: Options, budget: int) -> tuple[Body, int]:
    """Return the digest with as many sections as the budget holds, and how many those are."""

    def body(sections: int) -> Body:
        return _body(edition, options, digest_of(edition.version, sections=sections), digest=True)

    total = len(edition.version.sections)
    whole = body(total)
    if whole.size <= budget:
        return whole, total
    # Each section adds bytes: the first count that is over the budget is found by halving.
    over = bisect.bisect_right(range(total), budget, key=lambda sections: body(sections).size)
    kept = max(0, over - 1)
    return body(kept), kept


def _over_budget(message: str, *, hint: str | None) -> Notice:
    return Notice("over-budget", message, hint=hint, output="email")


def _no_address(what: str) -> Notice:
    return Notice(
        "no-online-address",
        f"{what} needs an address to link to: the message holds the whole issue",
        hint="set email.base_url in publication.yaml so that a digest can link to the whole issue",
        output="email",
    )


def _body(edition: Edition, options: Options, version: Version, *, digest: bool = False) -> Body:
    targets, linked = shown_ids(version)
    page = Page(
        edition=edition,
        version=version,
        tag=edition.tag,
        online=online_address(edition),
        hosted=_hosted(options.hosted_images),
        digest=digest,
        targets=targets,
        linked=linked | _contents_ids(edition.contents),
    )
    return Body(compiled(edition.theme, _context(page)), page)


def _hosted(address: str | None) -> str | None:
    if address is not None and not re.match(r"https?://[^/]", address):
        raise WriterError(
            f"pictures are hosted at a web address, not at {address!r}", hint="begin it with https://"
        )
    return ascii_url(address) if address else None


def _contents_ids(items: tuple[ContentsItem, ...]) -> frozenset[str]:
    return frozenset().union({item.id for item in items}, *(_contents_ids(item.children) for item in items))


def _context(page: Page) -> dict[str, object]:
    """Return what the templates may use; the order of writing is the order of reading, for the notes' marks."""
    edition, masthead, labels = page.edition, page.edition.masthead, page.edition.labels
    mail = edition.theme.token("mail")
    looks: dict[str, object] = {
        "color": edition.theme.token("color"),
        "mail": mail,
        "font": _fonts(page),
        "tag": edition.tag,
    }
    version = page.version
    return looks | {
        "subject": visible(subject_of(edition)),
        "styles": markup(render(edition.theme, HEAD_STYLES, looks)),
        "preheader": email_masthead.preheader(page),
        "online": page.online,
        "labels": labels,
        "logo": email_masthead.logo(page),
        "publication": text_html(page, masthead.publication),
        "facts": email_masthead.facts(page),
        "stars": masthead.stars,
        "rating": masthead.rating_text,
        "tags": [text_html(page, item) for item in masthead.tags],
        "title": text_html(page, edition.title),
        "subtitle": line(page, version.subtitle),
        "summary": blocks_html(page, version.summary),
        "coverage": line(page, masthead.coverage),
        "authors": email_masthead.authors(page),
        "digest": page.digest,
        "parts": email_parts.body_parts(page),
        "contents": email_parts.contents(page),
        "footer": email_masthead.footer(page),
    }


def _fonts(page: Page) -> object:
    """Return the theme's stacks for the edition's language, else for its primary tag, else for English."""
    fonts = page.edition.theme.token("mail.font")
    tag = page.edition.tag
    return next((fonts[name] for name in (tag, tag.split("-", maxsplit=1)[0]) if name in fonts), fonts["en"])


def _picture_notices(body: Body) -> Iterator[Notice]:
    limit = int(body.page.edition.theme.token("mail.pictures"))
    total = sum(len(picture.content) for picture in body.page.pictures.values())
    if total > limit:
        yield Notice(
            "heavy-pictures",
            f"the pictures of the message have {total:,} bytes, over {limit:,}",
            hint="--hosted-images serves them from the web, or draw them smaller",
            output="email",
        )
