"""Characters of plain text written so that Markdown reads the same characters back.

A character gets a backslash only where CommonMark or one of our extensions (tables, strikethrough, footnotes,
attributes, definition lists, dollar math, directives) would take it for markup.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BRACKETS_AT_MOST = 200
"""Opening brackets that a parser may try to pair: it looks for a partner from each of them to the end."""
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_BLOCK_START = re.compile(
    r"""\#{1,6}(?=\s|$)        # heading
    |>                         # quotation
    |[-+*](?=\s|$)             # list item
    |(?:[-=_*]\s*){2,}$|=+\s*$|-+\s*$  # rule, underline of a heading
    |`{3,}|~{3,}               # code
    |:|~(?=\s)                 # directive, field, definition
    |\|?\s*:?-+:?\s*(?:\||$)   # second row of a table
    |%|\+\+\+|\([^)]*\)=\s*$   # MyST: comment, break, target
    |\{                        # attributes
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the escaping of a piece of text must know about the rest of its line.

    Attributes:
        before: The last character written before the piece, empty at the start.
        after: The first character of the markup that follows, empty at the end.
        runs: How many runs of each delimiter the whole prose has as text; styled text counts as two of ``*``.
        block: The piece may start a block: it is no heading, cell or field value.
        heading: A heading, whose end could be taken for attributes or a closing mark.
        cell: A cell of a table.
    """

    before: str = ""
    after: str = ""
    runs: tuple[tuple[str, int], ...] = ()
    block: bool = True
    heading: bool = False
    cell: bool = False

    def many(self, delimiter: str) -> bool:
        """Say whether the delimiter occurs at least twice, so that two could pair."""
        return dict(self.runs).get(delimiter, 0) > 1


def escape(text: str, around: Surroundings) -> str:
    """Return plain text as Markdown that reads back as the same text."""
    written: list[str] = []
    offset = 0
    for number, line in enumerate(text.split("\n")):
        starts = number > 0 or not around.before
        written.append(
            "".join(
                "\\" + char if _special(text, offset + index, around) else char for index, char in enumerate(line)
            )
        )
        if starts and around.block:
            written[-1] = _escape_start(written[-1])
        offset += len(line) + 1
    result = "\n".join(written)
    return re.sub(r"(^|\s)(#+)$", r"\1\\\2", result) if around.heading and not around.after else result


def escape_all(text: str) -> str:
    """Return plain text with a backslash before every character that could ever be markup."""
    return "".join("\\" + char if char in _PUNCTUATION else char for char in text)


def runs(text: str) -> tuple[tuple[str, int], ...]:
    """Count the runs of each delimiter that needs a partner to be markup, and the opening brackets."""
    counted = tuple((char, len(re.findall(re.escape(char) + "+", text))) for char in "*_`$")
    return (*counted, ("[", text.count("[")))


def _escape_start(line: str) -> str:
    stripped = line.lstrip()
    if found := _NUMBERED.match(stripped):
        return f"{found[1]}\\{stripped[found.end(1) :]}"
    return "\\" + stripped if _BLOCK_START.match(stripped) else stripped


def _special(text: str, index: int, around: Surroundings) -> bool:
    rule = _RULES.get(text[index])
    return rule is not None and rule(text, index, around)


def _previous(text: str, index: int, around: Surroundings) -> str:
    return text[index - 1] if index else around.before


def _next(text: str, index: int, around: Surroundings) -> str:
    return text[index + 1] if index + 1 < len(text) else around.after


def _sides(text: str, index: int, around: Surroundings) -> tuple[str, str]:
    return _previous(text, index, around), _next(text, index, around)


def _backslash(text: str, index: int, around: Surroundings) -> bool:
    following = _next(text, index, around)
    return following in _PUNCTUATION or following in {"", "\n"}


def _star(text: str, index: int, around: Surroundings) -> bool:
    alone = not any(side.strip() for side in _sides(text, index, around))
    return around.many("*") and not alone


def _underscore(text: str, index: int, around: Surroundings) -> bool:
    start = index - len(re.match("_*", text[:index][::-1])[0])  # type: ignore[index] # an empty match at least
    end = index + len(re.match("_*", text[index:])[0]) - 1  # type: ignore[index]
    inside = _previous(text, start, around).isalnum() and _next(text, end, around).isalnum()
    return around.many("_") and not inside


def _tilde(text: str, index: int, around: Surroundings) -> bool:
    return "~" in _sides(text, index, around)


def _opening_bracket(text: str, index: int, around: Surroundings) -> bool:
    task = around.block and not around.before and index == 0 and re.match(r"\[[ xX]\]\s", text)
    costly = dict(around.runs).get("[", 0) > BRACKETS_AT_MOST
    return _next(text, index, around) == "^" or bool(task) or costly


def _closing_bracket(text: str, index: int, around: Surroundings) -> bool:
    return _next(text, index, around) in {"(", "[", "{", ":"}


def _less(text: str, index: int, around: Surroundings) -> bool:
    following = _next(text, index, around)
    return following.isascii() and (following.isalpha() or following in set("/!?"))


def _brace(text: str, index: int, around: Surroundings) -> bool:
    return around.heading or _previous(text, index, around) in set(")]`*_~>}")


def _exclamation(text: str, index: int, around: Surroundings) -> bool:
    return index + 1 == len(text) and around.after == "["


_RULES: dict[str, Callable[[str, int, Surroundings], bool]] = {
    "\\": _backslash,
    "`": lambda _text, _index, around: around.many("`"),
    "*": _star,
    "_": _underscore,
    "~": _tilde,
    "^": lambda text, index, around: _next(text, index, around) == "[",
    "[": _opening_bracket,
    "]": _closing_bracket,
    "<": _less,
    "&": lambda text, index, _around: _ENTITY.match(text, index) is not None,
    "$": lambda text, index, around: around.many("$") or "$" in _sides(text, index, around),
    "{": _brace,
    "|": lambda _text, _index, around: around.cell,
    "!": _exclamation,
}
