"""The display width of text in columns, and the characters that plain text may hold at all."""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import TYPE_CHECKING, Final, Literal

import wcwidth

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

AMBIGUOUS_CHINESE: Final = 2
"""Columns of a character of ambiguous width (UAX #11: “ ” — … · × → α ★) in Chinese editions."""

AMBIGUOUS_OTHER: Final = 1
"""Columns of such a character in all other editions."""

GLUE_SPACE: Final = "\ufdd0"
"""Stands for a space at which no line ends; a noncharacter, so that no source has it (Unicode §23.7)."""

JOINER: Final = "\u2060"
"""Forbids a line end where it stands, and takes no room (WORD JOINER)."""


def ambiguous_width(tag: str) -> int:
    """Return how many columns a character of ambiguous width takes in a language; ``tag`` is a BCP 47 tag."""
    return AMBIGUOUS_CHINESE if tag.partition("-")[0] in {"zh", "yue", "ja", "ko"} else AMBIGUOUS_OTHER


def width(text: str, *, ambiguous: int = AMBIGUOUS_OTHER) -> int:
    """Return the columns that one line of text takes; joined emoji and combining marks count as one character."""
    return len(text) if text.isascii() else _width(text, ambiguous)


def printable(text: str) -> str:
    """Return text as plain text may hold it: what cannot be seen is gone, odd spaces are ordinary ones.

    Gone are control characters, soft hyphens, zero-width spaces, byte order marks, bidi controls (they can make a
    line read otherwise than it is written, Unicode TR #36) and noncharacters. Tabs, line ends, thin and
    ideographic spaces become spaces, a narrow no-break space becomes U+00A0. What joins stays: in emoji, between
    letters, no-break spaces.
    """
    return text if text.isascii() and text.isprintable() else text.translate(_PRINTABLE)


def written(line: str) -> str:
    """Return a line as it is printed: what only kept it together is gone or an ordinary space."""
    return line.replace(GLUE_SPACE, " ").replace(JOINER, "")


def graphemes(text: str) -> Iterator[str]:
    """Yield what a reader takes for one character each: no combining mark or joined emoji is ever divided."""
    return iter(text) if text.isascii() else wcwidth.iter_graphemes(text)


def padded(
    text: str, columns: int, align: Literal["left", "right", "center"] = "left", *, ambiguous: int = AMBIGUOUS_OTHER
) -> str:
    """Return the text with spaces up to a number of columns; one that is wider stays as it is."""
    room = max(0, columns - width(text, ambiguous=ambiguous))
    before = {"left": 0, "center": room // 2, "right": room}[align]
    return " " * before + text + " " * (room - before)


def widest(lines: Iterable[str], *, ambiguous: int = AMBIGUOUS_OTHER) -> int:
    """Return the columns of the widest line, 0 without lines."""
    return max((width(line, ambiguous=ambiguous) for line in lines), default=0)


@functools.lru_cache(maxsize=1 << 14)
def _width(text: str, ambiguous: int) -> int:
    return max(0, wcwidth.width(text, control_codes="ignore", ambiguous_width=ambiguous))


_GONE = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2061-\u206f\ufeff\ufff9-\ufffb]")
_SPACES = {"\t", "\n", "\v", "\f", "\r", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2028", "\u2029"}


class _Printable(dict[int, str]):
    """The table of ``printable``, filled as characters occur."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, _printable(chr(code)))


def _printable(char: str) -> str:
    category = unicodedata.category(char)
    if char in _SPACES:
        return " "
    if _GONE.match(char) or category in {"Cc", "Cs"} or _is_noncharacter(ord(char)):
        return ""
    if char == "\u202f":
        return "\N{NO-BREAK SPACE}"
    return " " if category == "Zs" and char != "\N{NO-BREAK SPACE}" else char


def _is_noncharacter(code: int) -> bool:
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


_PRINTABLE: Final = _Printable()
