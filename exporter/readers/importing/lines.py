"""The lines of a pasted text: line ends of every kind, odd white space and invisible characters put in order."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from exporter.notices import Notice, Place

INVISIBLE = "\u200b\u2060\ufeff"
"""Characters without a shape and without a meaning in prose: zero width space, word joiner, byte order mark."""

TAB = 4


@dataclass(frozen=True)
class Line:
    """A line of the source: its 1-based number and its characters without the line end."""

    number: int
    raw: str

    @cached_property
    def text(self) -> str:
        """The characters without white space around them; runs of blanks are one space, tabs stay."""
        return re.sub(r" {2,}", " ", self.raw.strip(" \t\u3000"))

    @cached_property
    def indent(self) -> int:
        """Columns of white space before the text; an ideographic space is two."""
        blank = self.raw[: len(self.raw) - len(self.raw.lstrip(" \t\u3000"))]
        return sum(TAB if char == "\t" else 2 if char == "\u3000" else 1 for char in blank)


def read_lines(source: str, *, file: str) -> tuple[tuple[Line, ...], tuple[Notice, ...]]:
    """Return the lines of a text, cleaned, and notices of what had to be cleaned.

    CR, LF and CRLF end a numbered line; VT, FF, NEL, LS and PS break it in two lines of the same number, since
    editors do not count them.
    """
    lines: list[Line] = []
    found: dict[str, list[int]] = {}
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", source.removeprefix("\ufeff")), start=1):
        parts = re.split("[\v\f\x85\u2028\u2029]", raw)
        lines.extend(Line(number, "".join(_clean(char, number, found) for char in part)) for part in parts)
    return tuple(lines), tuple(_notice(name, numbers, file) for name, numbers in found.items())


def clean(text: str) -> str:
    """Return a text without control, invisible and unpaired characters; what an entity stood for may be one."""
    return "".join("\n" if char == "\n" else _clean(char, 0, {}) for char in text)


def _clean(char: str, number: int, found: dict[str, list[int]]) -> str:
    if char in INVISIBLE:
        found.setdefault("invisible", []).append(number)
        return ""
    match unicodedata.category(char):
        case "Cc" if char != "\t":
            found.setdefault("control", []).append(number)
            return " "
        case "Cs":
            found.setdefault("unpaired surrogate", []).append(number)
            return "\ufffd"
        case "Zs" if char != "\u3000":
            return " "
        case _:
            return char


def _notice(name: str, numbers: list[int], file: str) -> Notice:
    count = len(numbers)
    return Notice(
        "import-cleaned",
        f"{count} {name} character{'s' if count > 1 else ''} cleaned away",
        Place(file, numbers[0]),
        "they have no shape in print; nothing that can be read is gone",
    )
