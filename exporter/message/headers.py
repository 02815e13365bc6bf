"""Header fields, folded by our own rules: between the items of structured fields, between encoded words elsewhere.

The standard library's folding turns a long List-Unsubscribe into encoded words, writes encoded words of 76
characters and splits an address at an encoded comma (python/cpython#121284, #144156), each in some version.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from exporter.errors import EditionError
from exporter.message.words import MAX_WORD, encoded_words
from exporter.model.base import LINE_BREAKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from exporter.message.addresses import Mailbox

EOL: Final = "\r\n"
_FOLD: Final = "\r\n "
_LINE: Final = 78
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+( [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_PRINTABLE = re.compile(r"[ -~]*")
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`{|}~-]+")


def text_field(name: str, text: str) -> str:
    """Return an unstructured field such as Subject; anything but short plain ASCII becomes encoded words.

    Raises:
        EditionError: The text holds a line break: it could forge a field.
    """
    _one_line(name, text)
    lines = _folded(f"{name}: {text}") if _PRINTABLE.fullmatch(text) and "=?" not in text else None
    if lines is None:
        lines = f"{name}: " + _FOLD.join(encoded_words(text, first_room=MAX_WORD - len(name) - 2))
    return lines + EOL


def address_field(name: str, mailboxes: Iterable[Mailbox]) -> str:
    """Return a field of mailboxes, one a line.

    Raises:
        EditionError: A name or an address holds a line break.
    """
    return f"{name}: " + ("," + _FOLD).join(_mailbox(name, box) for box in mailboxes) + EOL


def url_field(name: str, urls: Sequence[str]) -> str:
    """Return a field of ASCII addresses in angle brackets, one a line, never encoded (RFC 2369 §2)."""
    return exact_field(name, ("," + _FOLD).join(f"<{url}>" for url in urls))


def exact_field(name: str, value: str) -> str:
    """Return a field whose ASCII value stands as it is; folds in it are kept.

    Raises:
        EditionError: The value is not ASCII, or holds a line break that is no fold.
    """
    _one_line(name, value.replace(_FOLD, " "))
    if not value.isascii():
        raise EditionError(f"the header {name} must be ASCII, not {value!r}")
    return f"{name}: {value}{EOL}"


def parameter_field(name: str, value: str, parameters: Mapping[str, str]) -> str:
    """Return a field with parameters, one a line; beyond ASCII by RFC 2231 before an ASCII stand-in.

    GMime (notmuch, mu, Evolution) and the standard library take the first of the two, whichever it is.
    """
    lines = [value]
    for key, text in parameters.items():
        _one_line(name, text)
        plain = text if _PRINTABLE.fullmatch(text) else _stand_in(text)
        if plain != text:
            lines.extend(_extended(key, text))
        lines.append(f"{key}={plain}" if _TOKEN.fullmatch(plain) else f"{key}={_quoted_string(plain)}")
    return f"{name}: " + (";" + _FOLD).join(lines) + EOL


def _one_line(name: str, text: str) -> None:
    if LINE_BREAKS.search(text):
        raise EditionError(f"the header {name} would hold a line break: {text!r}", hint="make it a single line")


def _folded(line: str) -> str | None:
    """Return a line folded before words, each part at most 78 characters, or None where a word is longer."""
    parts: list[str] = []
    current = ""
    for word in re.split(r"(?<=[^ ])(?= [^ ])", line):
        if current and len(current) + len(word) > _LINE:
            parts.append(current)
            current = ""
        current += word
    parts.append(current)
    return EOL.join(parts) if max(map(len, parts)) <= _LINE and not line.endswith(" ") else None


def _mailbox(name: str, box: Mailbox) -> str:
    _one_line(name, box.name + box.address)
    if not box.name:
        return box.address
    phrase = _phrase(box.name)
    last = phrase.rpartition(EOL)[2]
    before = 0 if _FOLD in phrase else len("Reply-To: ")
    # RFC 2047 §2: a line with an encoded word holds 76 characters.
    fits = before + len(f"{last} <{box.address}>,") <= MAX_WORD + 1
    return f"{phrase}{' ' if fits else _FOLD}<{box.address}>"


def _phrase(text: str) -> str:
    """Return a display name: atoms, a quoted string, or encoded words with room for the header's name."""
    if _PRINTABLE.fullmatch(text) and "=?" not in text and len(text) <= 60:
        return text if _ATOMS.fullmatch(text) else _quoted_string(text)
    return _FOLD.join(encoded_words(text, first_room=MAX_WORD - len("Reply-To: ")))


def _quoted_string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _stand_in(text: str) -> str:
    """Return a file name for readers that do not know RFC 2231: what is ASCII of it, with its ending."""
    stem, dot, ending = text.rpartition(".")
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", stem if dot else text).strip("-.")
    return (kept or "attachment") + (f".{ending}" if dot and ending.isascii() and ending.isalnum() else "")


def _extended(key: str, text: str) -> list[str]:
    """Return the parameter by RFC 2231: one extended value, or numbered parts where a line is too short."""
    octets = re.findall(r"%[0-9A-F]{2}|.", quote(text, safe="!#$&+-.^_`{|}~"))
    whole = "".join(octets)
    if len(f" {key}*=utf-8''{whole};") <= _LINE:
        return [f"{key}*=utf-8''{whole}"]
    parts: list[str] = []
    current = "utf-8''"
    for octet in octets:
        if len(f" {key}*{len(parts)}*={current}{octet};") > _LINE:
            parts.append(current)
            current = ""
        current += octet
    return [f"{key}*{index}*={part}" for index, part in enumerate([*parts, current])]
