"""How people number and mark headings and list items, in Chinese and in English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

HAN_DIGITS = "零一二三四五六七八九"
_HAN = "[一二三四五六七八九十百零〇两]{1,5}"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_BULLET = re.compile(r"(?:[•●○◦‣▪▫■□◆◇►▶➤∙]|[·・](?=\s|[^\W\d_])|[-*+–](?=\s|$))\s*")
_SERIES = (
    "idea|part|section|chapter|topic|theme|signal|trend|item|story|case|tip|no|paper"
    "|想法|思路|方向|专题|主题|话题|案例"
)


class Style(IntEnum):
    """Kinds of numbering, outermost first: the value ranks headings of the same depth."""

    PART = 0
    HAN = 1
    NONE = 2
    HAN_PAREN = 3
    ROMAN = 4
    WORD = 5
    ARABIC = 6
    PAREN = 7
    CIRCLED = 8


_PATTERNS = (
    (Style.PART, re.compile(rf"第\s*({_HAN}|\d{{1,3}})\s*(?:部分|章|篇|编|节)[：:、．.\s]*")),
    (Style.HAN, re.compile(rf"({_HAN})[、．.]\s*")),
    (Style.HAN_PAREN, re.compile(rf"[（(]({_HAN})[）)]\s*")),
    (Style.WORD, re.compile(rf"(?i:{_SERIES})[.\s]*(\d{{1,3}}|{_HAN})\s*(?:[：:、．.—–]|-\s)\s*")),
    (Style.ARABIC, re.compile(r"(\d{1,3})(?:[.．](?!\d)|[、)）](?!\d))\s*")),
    (Style.PAREN, re.compile(r"[（(](\d{1,3})[）)]\s*")),
    (Style.CIRCLED, re.compile(rf"([{_CIRCLED}])\s*")),
    (Style.ROMAN, re.compile(r"([IVX]{1,5})[.、]\s+")),
)
_LISTED = (Style.ARABIC, Style.PAREN, Style.CIRCLED)


@dataclass(frozen=True, slots=True)
class Mark:
    """A number at the start of a line: its kind, its value, its characters and what follows them."""

    style: Style
    number: int
    characters: str
    rest: str


def number_mark(text: str) -> Mark | None:
    """Return the number that a heading starts with, or None."""
    for style, pattern in _PATTERNS:
        if (found := pattern.match(text)) and text[found.end() :].strip():
            return Mark(style, value(found[1]), found[0], text[found.end() :])
    return None


def item_number(text: str) -> Mark | None:
    """Return the number of a numbered list item, or None.

    ``1.`` needs a blank or a character that is no ASCII letter after it: ``3.x`` and ``2.0`` are versions.
    """
    mark = number_mark(text)
    if mark is None or mark.style not in _LISTED:
        return None
    versioned = re.match(r"\d+[.．][A-Za-z0-9]", text)
    return None if versioned else mark


def bullet(text: str) -> str | None:
    """Return the characters of a bullet at the start of a line, with the white space after it, or None."""
    found = _BULLET.match(text)
    return found[0] if found else None


def value(digits: str) -> int:
    """Return the value of a number in Arabic, Chinese, circled or Roman digits."""
    if digits.isdecimal():
        return int(digits)
    if digits in _CIRCLED:
        return _CIRCLED.index(digits) + 1
    if re.fullmatch("[IVX]+", digits):
        return _roman(digits)
    return _han(digits)


def _roman(digits: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}[digit] for digit in digits]
    return sum(-this if this < after else this for this, after in zip(values, [*values[1:], 0], strict=True))


def _han(digits: str) -> int:
    total, current = 0, 0
    for digit in digits.replace("〇", "零").replace("两", "二"):
        if unit := {"十": 10, "百": 100}.get(digit):
            total, current = total + (current or 1) * unit, 0
        else:
            current = HAN_DIGITS.index(digit)
    return total + current
