"""Parts of a MIME message: encoded by what is shorter, bounded by their content, serialized without a clock."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from exporter.message.headers import exact_field, parameter_field


@dataclass(frozen=True, slots=True)
class Part:
    """A part, leaf or tree.

    Attributes:
        fields: Its header fields, folded, each with its line end.
        body: Its body as it is transferred, CRLF only, ending in a line end.
    """

    fields: tuple[str, ...]
    body: bytes

    def serialized(self) -> bytes:
        """Return header, empty line and body."""
        return "".join(self.fields).encode("ascii") + b"\r\n" + self.body


def text_part(text: str, media_type: str, **parameters: str) -> Part:
    """Return a text part in UTF-8, quoted-printable or Base64, whichever is shorter.

    Mostly Latin text is shorter quoted, mostly Chinese text in Base64; neither has a line over 76 octets, and
    both keep trailing spaces, which ``format=flowed`` means.
    """
    octets = canonical(text).encode("utf-8")
    quoted, based = _quoted_printable(octets), base64_lines(octets)
    encoding, body = ("quoted-printable", quoted) if len(quoted) <= len(based) else ("base64", based)
    fields = (
        parameter_field("Content-Type", media_type, {"charset": "utf-8", **parameters}),
        exact_field("Content-Transfer-Encoding", encoding),
    )
    return Part(fields, body)


def file_part(
    content: bytes, media_type: str, *, name: str, disposition: str, content_id: str | None = None
) -> Part:
    """Return a picture or another file, Base64; ``disposition`` is ``inline`` or ``attachment``."""
    identity = (exact_field("Content-ID", f"<{content_id}>"),) if content_id else ()
    fields = (
        exact_field("Content-Type", media_type),
        exact_field("Content-Transfer-Encoding", "base64"),
        *identity,
        parameter_field("Content-Disposition", disposition, {"filename": name}),
    )
    return Part(fields, base64_lines(content))


def multipart(subtype: str, *children: Part, **parameters: str) -> Part:
    """Return a multipart whose boundary comes from its children's bytes.

    ``=_`` stands in neither Base64 nor quoted-printable text, so the boundary occurs nowhere inside.
    """
    bodies = [child.serialized() for child in children]
    boundary = "=_" + hashlib.sha256(subtype.encode() + b"\0".join(bodies)).hexdigest()[:32]
    delimiter = f"--{boundary}".encode("ascii")
    # The line end before a delimiter belongs to it (RFC 2046 §5.1.1): each child keeps its own.
    body = b"".join(delimiter + b"\r\n" + child + b"\r\n" for child in bodies) + delimiter + b"--\r\n"
    return Part(
        (parameter_field("Content-Type", f"multipart/{subtype}", {"boundary": boundary, **parameters}),), body
    )


def canonical(text: str) -> str:
    """Return the text with every line end as CRLF (RFC 2046 §4.1.1) and one at its end."""
    lines = re.sub(r"\r\n?", "\n", text)
    return (lines if lines.endswith("\n") else lines + "\n").replace("\n", "\r\n")


def base64_lines(octets: bytes) -> bytes:
    """Return Base64 in lines of 76 octets."""
    return base64.encodebytes(octets).replace(b"\n", b"\r\n")


def _quoted_printable(octets: bytes) -> bytes:
    lines = binascii.b2a_qp(octets.replace(b"\r\n", b"\n"), istext=True).split(b"\n")
    return b"\r\n".join(map(_guarded, lines))


def _guarded(line: bytes) -> bytes:
    """Return a quoted-printable line that no relay changes: some drop a leading dot or quote ``From ``."""
    found = re.match(rb"\.+|F(?=rom )", line)
    if found is None:
        return line
    head, rest = b"".join(b"=%02X" % octet for octet in found[0]), line[found.end() :]
    return head + rest if len(head + rest) <= 76 else head + b"=\r\n" + rest
