"""Mail addresses and web addresses as a message may carry them: ASCII, or refused by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit, urlunsplit

from exporter.errors import EditionError
from exporter.model.publication import localize

if TYPE_CHECKING:
    from exporter.model import Address, EmailSettings

PLACEHOLDER_DOMAIN: Final = "publication.invalid"
"""Stands for the domain that a publication without a sender lacks (RFC 2606 §2)."""

_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_SAFE: Final = "!#$%&'()*+,/:;=?@~-._[]"
# IDNA 2003, which Python has, maps these to other domains; IDNA 2008 keeps them apart.
_DEVIATIONS = re.compile("[ßς\u200c\u200d]")


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A mailbox ready for a header.

    Attributes:
        name: Display name, any characters; empty for none.
        address: ``local@domain``, ASCII, the domain as A-labels.
    """

    name: str
    address: str


def mailbox(address: Address, language: str) -> Mailbox:
    """Return an address of the publication with its name in the language, the name exactly as given.

    Raises:
        EditionError: The local part is not ASCII (it would need SMTPUTF8, RFC 6531), or the domain is no domain.
    """
    local, _, domain = address.address.rpartition("@")
    if not local.isascii():
        raise EditionError(
            f"the address {address.address!r} has characters before the @ that many servers refuse",
            hint="give an ASCII address: letters beyond ASCII are possible after the @ only",
        )
    if not _ATOMS.fullmatch(local):
        local = '"{}"'.format(local.replace("\\", "\\\\").replace('"', '\\"'))
    return Mailbox(localize(address.name, language), f"{local}@{ascii_domain(domain)}")


def ascii_domain(domain: str) -> str:
    """Return a domain as A-labels (RFC 5890).

    Raises:
        EditionError: It is no domain name, or one that the two versions of IDNA read differently.
    """
    if _DEVIATIONS.search(domain):
        raise EditionError(
            f"the domain {domain!r} has letters that programs encode differently",
            hint="write it in its ASCII form, which begins with xn--",
        )
    try:
        return domain.encode("idna").decode("ascii") if not domain.isascii() else domain
    except UnicodeError as error:
        raise EditionError(f"{domain!r} is not a domain name ({error})") from error


def ascii_url(url: str) -> str:
    """Return a URL or mailto address in ASCII: the host as A-labels, the rest percent-encoded once.

    Raises:
        EditionError: The host is no domain name, or the address is too long for one header line (RFC 5322 §2.1.1).
    """
    parts = urlsplit(url)
    if parts.scheme == "mailto":
        local, at, domain = parts.path.rpartition("@")
        path = quote(local, safe=_SAFE) + at + ascii_domain(domain)
        result = urlunsplit((parts.scheme, "", path, quote(parts.query, safe=_SAFE), ""))
    else:
        user, at, host = parts.netloc.rpartition("@")
        name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
        netloc = quote(user, safe=_SAFE) + at + (name if name.isascii() else ascii_domain(name)) + colon + port
        rest = (quote(part, safe=_SAFE) for part in (parts.path, parts.query, parts.fragment))
        result = urlunsplit((parts.scheme, netloc, *rest))
    if len(result) > 900:
        raise EditionError(f"the address {result[:60]}… has {len(result)} characters; a header line holds 900")
    return result


def message_domain(settings: EmailSettings) -> str:
    """Return the domain for Message-ID and Content-ID: the one set, else the sender's, else a placeholder."""
    if settings.domain:
        return ascii_domain(settings.domain)
    if settings.from_:
        return ascii_domain(settings.from_.address.rpartition("@")[2])
    return PLACEHOLDER_DOMAIN
