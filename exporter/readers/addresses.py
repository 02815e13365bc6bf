"""Addresses of the outside world: which are allowed, how they are encoded, where a bare one ends."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urlsplit, urlunsplit

from exporter.readers.cjk import is_cjk, stops_address

SCHEMES = ("http", "https", "mailto")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_SAFE = "!$&'()*+,;=:@/?%-._~"
_OPENING = {")": "(", "]": "[", "}": "{"}
_IDENTIFIERS = re.compile(
    r"(?P<arxiv>\barXiv:\s?(?P<id>\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?))"
    r"|(?P<doi>\bdoi:\s?(?P<name>10\.\d{4,9}/\S+))"
    r"|(?P<github>\bgithub:(?P<path>[A-Za-z0-9](?:[A-Za-z0-9-]*)/[A-Za-z0-9._-]*[A-Za-z0-9_-]))",
    re.IGNORECASE,
)


def scheme(address: str) -> str:
    """Return the scheme of an address in lower case, or nothing for a relative one."""
    match = _SCHEME.match(address)
    return match.group(1).lower() if match else ""


def encode(address: str) -> str:
    """Return an address as ASCII: A-labels in the host (RFC 5891), the rest percent-encoded once (RFC 3987 §3.1).

    Raises:
        ValueError: The host or port is no host or port.
    """
    parts = urlsplit(address.strip())
    if parts.scheme == "mailto":
        return urlunsplit(("mailto", "", _mailbox(parts.path), _quote(parts.query), ""))
    if not parts.hostname:
        raise ValueError("has no host")
    host = parts.hostname if ":" in parts.hostname else a_labels(parts.hostname)
    host = f"[{host}]" if ":" in host else host
    user = f"{_quote(parts.netloc.rpartition('@')[0])}@" if "@" in parts.netloc else ""
    port = f":{parts.port}" if parts.port is not None else ""
    return urlunsplit(
        (parts.scheme, f"{user}{host}{port}", _quote(parts.path), _quote(parts.query), _quote(parts.fragment))
    )


def a_labels(host: str) -> str:
    """Return a host with every international label in its ASCII form.

    Raises:
        ValueError: A label cannot be a host name.
    """
    host = unicodedata.normalize("NFKC", host).lower().replace("。", ".")
    if host.isascii():
        if not re.fullmatch(r"[a-z0-9._-]+", host) or ".." in host:
            raise ValueError(f"has the impossible host {host}")
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ValueError(f"has the impossible host {host}") from error


def bare(text: str, start: int, end: int) -> str:
    """Return the bare address that begins at ``start``, or nothing.

    It ends before white space, full-width punctuation and ``<>"`` and a backtick, and gives back trailing
    punctuation and brackets that it did not open: ``https://example.org/a_(b)`` is whole.
    """
    at = start
    while at < end and text[at] not in '<>"`\\^{}|' and not stops_address(text[at]):
        at += 1
    address = _without_glued_prose(text[start:at])
    while address and (address[-1] in ".,;:!?'*_~" or _unopened(address)):
        address = address[:-1]
    return address if re.match(r"(https?://[^/?#]|mailto:[^@]+@.)", address, re.IGNORECASE) else ""


def identifiers(text: str) -> list[tuple[str, str | None]]:
    """Split a text at ``arXiv:…``, ``doi:…`` and ``github:…``: pairs of shown text and address or None."""
    parts: list[tuple[str, str | None]] = []
    end = 0
    for match in _IDENTIFIERS.finditer(text):
        shown, target = _identifier(match)
        parts += [(text[end : match.start()], None), (shown, target)]
        end = match.start() + (len(match.group()) if match.group("github") else len(shown))
    parts.append((text[end:], None))
    return [part for part in parts if part[0]]


def _identifier(match: re.Match[str]) -> tuple[str, str]:
    if match.group("arxiv"):
        return match.group(), f"https://arxiv.org/abs/{match.group('id')}"
    if match.group("github"):
        return match.group("path"), f"https://github.com/{match.group('path')}"
    name = match.group("name")
    cut = next((index for index, char in enumerate(name) if stops_address(char)), len(name))
    name = name[:cut]
    while name[-1] in ".,;:!?'" or _unopened(name):
        name = name[:-1]
    shown = match.group()[: match.start("name") - match.start() + len(name)]
    return shown, f"https://doi.org/{_quote(name)}"


def _without_glued_prose(address: str) -> str:
    """Cut off Han glued to an ASCII host: ``https://example.org是`` is example.org."""
    match = re.match(r"(https?://[A-Za-z0-9.-]*\.[A-Za-z]{2,}(?::\d+)?)(.)", address, re.IGNORECASE)
    return match.group(1) if match and is_cjk(match.group(2)) else address


def _unopened(address: str) -> bool:
    last = address[-1]
    return last in _OPENING and address.count(last) > address.count(_OPENING[last])


def _mailbox(path: str) -> str:
    local, at, domain = path.rpartition("@")
    return f"{_quote(local)}@{a_labels(domain)}" if at else _quote(path)


def _quote(part: str) -> str:
    part = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", part)
    return quote(part, safe=_SAFE)
