"""Encoded words (RFC 2047) that every reader in use decodes, also those with known faults."""

from __future__ import annotations

import base64
from itertools import pairwise
from typing import Final

MAX_WORD: Final = 75
"""Longest encoded word (RFC 2047 §2)."""

_FRAME: Final = len("=?utf-8?b??=")
_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")


def encoded_words(text: str, *, first_room: int = MAX_WORD) -> tuple[str, ...]:
    """Return the text as encoded words, at least one unless the text is empty.

    Each is at most 75 characters, holds whole characters, and only the last may end in padding: GMime up to
    3.2.13 (notmuch, mu, Evolution) drops what follows a padded word.

    Args:
        text: Any text.
        first_room: Characters left on the line for the first word.
    """
    words: list[str] = []
    rest = text
    room = min(first_room, MAX_WORD)
    while rest:
        count = _unpadded(rest, (room - _FRAME) // 4 * 3)
        if count:
            words.append(f"=?utf-8?b?{base64.b64encode(rest[:count].encode()).decode()}?=")
        else:
            count, quoted = _quoted(rest, room - _FRAME)
            words.append(f"=?utf-8?q?{quoted}?=")
        rest = rest[count:]
        room = MAX_WORD
    return tuple(words)


def _unpadded(text: str, room: int) -> int:
    """Return how many leading characters make the longest Base64 word without padding; 0 when none does."""
    size = best = 0
    for count, char in enumerate(text, 1):
        size += len(char.encode())
        if size > room:
            break
        if size % 3 == 0 or count == len(text):
            best = count
    return best


def _quoted(text: str, room: int) -> tuple[int, str]:
    """Return the leading characters, at least one, that change the remainder by three, as Q text."""
    count, quoted = 1, _q(text[0])
    for before, char in pairwise(text):
        if len(before.encode()) == 3 or len(char.encode()) == 3 or len(quoted) + len(_q(char)) > room:
            break
        quoted += _q(char)
        count += 1
    return count, quoted


def _q(char: str) -> str:
    return "".join(
        "_" if byte == 0x20 else chr(byte) if byte in _PLAIN else f"={byte:02X}" for byte in char.encode()
    )
