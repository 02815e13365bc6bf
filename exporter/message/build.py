"""The message of an edition: list headers, plain part, HTML with its pictures; a rebuild gives equal bytes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exporter.errors import EditionError
from exporter.message.addresses import PLACEHOLDER_DOMAIN, Mailbox, ascii_url, mailbox, message_domain
from exporter.message.headers import (
    address_field,
    exact_field,
    text_field,
    url_field,
)
from exporter.message.parts import Part, file_part, multipart, text_part
from exporter.model.publication import localize
from exporter.notices import Notice

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from exporter.edition import Edition

TIME_AND_ZONE: Final = "08:00:00 +0800"
"""An issue has a day, a message a moment: eight in the morning, China Standard Time, on every machine."""

LARGEST: Final = 10_240_000
"""What Postfix takes unless it is told otherwise (message_size_limit)."""

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture that the HTML shows by its Content-ID.

    Attributes:
        content_id: ``local@domain`` without brackets, ASCII.
        name: File name, any characters.
    """

    content_id: str
    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that the message carries beside its text.

    Attributes:
        name: File name, any characters.
    """

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """A message ready to be stored or sent: CRLF, ASCII headers, no line over 998 octets."""

    content: bytes
    notices: tuple[Notice, ...] = ()


def build_message(
    edition: Edition,
    *,
    html: str,
    plain: str,
    pictures: Sequence[InlinePicture] = (),
    attachments: Sequence[Attachment] = (),
) -> Message:
    """Return the message of an edition.

    Args:
        edition: The edition.
        html: The finished HTML, UTF-8.
        plain: The text edition as ``format=flowed; delsp=yes`` text (RFC 3676).
        pictures: Every picture that the HTML names by ``cid:``.
        attachments: Files beside the text, in their order.

    Raises:
        EditionError: An address or a header cannot be written so that every server takes it.
    """
    body = _with_attachments(_body(html, plain, pictures), attachments)
    fields = [*_identity_fields(edition), *_list_fields(edition)]
    digest = hashlib.sha256("".join(fields).encode() + body.serialized()).hexdigest()[:40]
    fields.append(exact_field("Message-ID", f"<{digest}@{message_domain(edition.email)}>"))
    fields.append(exact_field("MIME-Version", "1.0"))
    content = "".join(fields).encode("ascii") + body.serialized()
    return Message(content, (*_notices(edition), *_size_notices(content)))


def subject_of(edition: Edition) -> str:
    """Return the subject: the publication's template filled in, else the catalogue's, else the bare headline."""
    settings, masthead = edition.email, edition.masthead
    values = {
        "title": edition.title,
        "publication": masthead.publication,
        "number": masthead.number,
        "date": masthead.short_date,
    }
    template = localize(settings.subject, edition.language)
    if not template and masthead.publication:
        return edition.labels("email-subject", publication=masthead.publication, title=edition.title)
    # Filled once and in one pass: braces that a title itself holds are text.
    filled = re.sub(r"\{(title|publication|number|date)\}", lambda match: values[match[1]], template or "{title}")
    return " ".join(filled.split())


def date_of(day: dt.date) -> str:
    """Return the Date of an issue's message, in English whatever the locale (RFC 5322 §3.3)."""
    return f"{_DAYS[day.weekday()]}, {day.day:02} {_MONTHS[day.month - 1]} {day.year:04} {TIME_AND_ZONE}"


def online_address(edition: Edition) -> str | None:
    """Return where the issue stands in the online archive, ASCII, or None without a base_url."""
    base = edition.email.base_url
    return ascii_url(f"{base.rstrip('/')}/{edition.id}") if base else None


def _body(html: str, plain: str, pictures: Sequence[InlinePicture]) -> Part:
    text = text_part(plain, "text/plain", format="flowed", delsp="yes")
    rich = text_part(html, "text/html")
    if pictures:
        files = [
            file_part(
                picture.content,
                picture.media_type,
                name=picture.name,
                disposition="inline",
                content_id=picture.content_id,
            )
            for picture in pictures
        ]
        rich = multipart("related", rich, *files, type="text/html")
    return multipart("alternative", text, rich)


def _with_attachments(body: Part, attachments: Sequence[Attachment]) -> Part:
    """Return the body alone, or in ``multipart/mixed``: only an attachment gives a message that form."""
    if not attachments:
        return body
    files = [
        file_part(each.content, each.media_type, name=each.name, disposition="attachment") for each in attachments
    ]
    return multipart("mixed", body, *files)


def _identity_fields(edition: Edition) -> Iterator[str]:
    settings, language = edition.email, edition.language
    sender = mailbox(settings.from_, language) if settings.from_ else _placeholder(edition)
    yield address_field("From", [sender])
    if settings.reply_to:
        yield address_field("Reply-To", [mailbox(address, language) for address in settings.reply_to])
    if settings.to:
        yield address_field("To", [mailbox(address, language) for address in settings.to])
    else:
        yield exact_field("To", "undisclosed-recipients:;")
    yield text_field("Subject", subject_of(edition))
    yield exact_field("Date", date_of(edition.date))
    yield exact_field("Content-Language", edition.tag)


def _list_fields(edition: Edition) -> Iterator[str]:
    settings, online = edition.email, online_address(edition)
    if settings.list_id:
        yield exact_field("List-Id", _list_id(settings.list_id))
    if settings.list_unsubscribe:
        yield url_field("List-Unsubscribe", [ascii_url(url) for url in settings.list_unsubscribe])
        if settings.one_click and _has_https(edition):
            yield exact_field("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
    if settings.list_post:
        yield _list_post(settings.list_post)
    if archive := settings.list_archive or settings.base_url:
        yield url_field("List-Archive", [ascii_url(archive)])
    if settings.list_help:
        yield url_field("List-Help", [ascii_url(settings.list_help)])
    if online:
        yield url_field("Archived-At", [online])
    # RFC 3834 §5: out-of-office programs do not answer what a program sends.
    yield exact_field("Auto-Submitted", "auto-generated")


def _list_id(value: str) -> str:
    """Return the identifier in its brackets; a name before it is kept where it is ASCII (RFC 2919 §3)."""
    found = re.fullmatch(r"(?P<name>[^<>]*)<(?P<id>[^<>\s]+)>\s*", value)
    name, identifier = (found["name"].strip(), found["id"]) if found else ("", value.strip())
    if not identifier.isascii() or " " in identifier:
        raise EditionError(f"list_id {value!r} is no list identifier", hint="write it as briefing.example.org")
    kept = name.strip('"')
    return f'"{kept}" <{identifier}>' if kept and re.fullmatch(r"[ !#-\[\]-~]+", kept) else f"<{identifier}>"


def _list_post(value: str) -> str:
    if value.strip().upper() == "NO":
        return exact_field("List-Post", "NO")
    address = value.strip() if value.strip().startswith(("mailto:", "http")) else f"mailto:{value.strip()}"
    return url_field("List-Post", [ascii_url(address)])


def _has_https(edition: Edition) -> bool:
    return any(url.startswith("https:") for url in edition.email.list_unsubscribe)


def _placeholder(edition: Edition) -> Mailbox:
    return Mailbox(edition.masthead.publication or edition.title, f"edition@{PLACEHOLDER_DOMAIN}")


def _size_notices(content: bytes) -> Iterator[Notice]:
    if len(content) > LARGEST:
        yield Notice(
            "heavy-message",
            f"the message has {len(content):,} bytes, over {LARGEST:,}: many servers refuse it",
            hint="--hosted-images takes the pictures out; without --attach-pdf the message has no PDF",
            output="email",
        )


def _notices(edition: Edition) -> Iterator[Notice]:
    settings = edition.email
    if settings.from_ is None:
        yield Notice(
            "no-sender",
            f"the message has the placeholder edition@{PLACEHOLDER_DOMAIN} as its sender",
            hint="set email.from in publication.yaml before sending",
            output="email",
        )
    if settings.one_click and not _has_https(edition):
        yield Notice(
            "one-click-without-https",
            "one-click unsubscribing needs an https address in list_unsubscribe; the header is left out",
            hint="RFC 8058 §3.1: the address that the mail program posts to must be https",
            output="email",
        )
