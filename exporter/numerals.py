"""Numbers as a source writes them, and the CLDR patterns that say how to print them; knows no language."""

from __future__ import annotations

import difflib
import re
import unicodedata
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from typing import Final

from exporter.errors import EditionError

NAMED_FORMATS: Final = ("text", "integer", "percent", "date")
"""Formats of table columns beside CLDR number patterns."""

LONGEST: Final = 60
"""Digits before or after the decimal mark, and in all: 1e999999999 would be a gigabyte of zeros."""

EXACT: Final = Context(prec=4 * LONGEST)
"""The context of all arithmetic on numbers of a source: nothing is rounded unasked."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written: its value, and what the value alone does not tell.

    Attributes:
        value: The number; 0.637 for ``63.7%``.
        plus: Written with a plus sign.
        percent: Written with a percent sign.
    """

    value: Decimal
    plus: bool = False
    percent: bool = False


def parse_number(value: Decimal | int | str) -> Numeral:
    """Read a number with ``.`` as decimal mark: ``1,234.50``, ``−3``, ``+0.4``, ``1.2e-4``, ``63.7%``.

    Raises:
        EditionError: It is no number, or over `LONGEST` digits.
    """
    match = _NUMBER.fullmatch(str(value).strip())
    if not match:
        raise EditionError(f"{_shown(value)} is not a number", hint="write digits with . before decimals: 1234.5")
    number = Decimal(match["digits"].replace(",", "") + (match["exponent"] or ""))
    _, digits, exponent = number.as_tuple()
    if max(abs(number.adjusted()), abs(int(exponent)), len(digits)) > LONGEST:
        raise EditionError(f"{_shown(value)} has over {LONGEST} digits")
    percent = bool(match["percent"])
    with localcontext(EXACT):
        signed = -number if match["sign"] in {"-", "\N{MINUS SIGN}"} and number else number
        return Numeral(signed.scaleb(-2) if percent else signed, plus=match["sign"] == "+", percent=percent)


def parse_whole(text: str) -> Numeral:
    """Read a whole number; a fraction of zeros is left away, any other refused: rounding would change a fact."""
    numeral = parse_number(text)
    with localcontext(EXACT):
        if numeral.percent or numeral.value % 1:
            raise EditionError(
                f"{_shown(text)} is not a whole number", hint="give the column a pattern, such as #,##0.0"
            )
    return Numeral(Decimal(int(numeral.value)), plus=numeral.plus)


def check_pattern(pattern: str) -> str | None:
    """Return what is wrong with a CLDR number pattern (UTS 35, Part 3), or None when nothing is.

    Stricter than Babel, which takes any word for a pattern without digits. Padding and currency signs are refused.
    """
    match = _PATTERN.fullmatch(pattern)
    if not match or len(pattern) > LONGEST or any(unicodedata.category(char) == "Cc" for char in pattern):
        near = difflib.get_close_matches(pattern[:LONGEST].lower(), NAMED_FORMATS, n=1)
        advice = f"did you mean {near[0]}?" if near else f"formats are {', '.join(NAMED_FORMATS)} or like #,##0.0"
        return f"{_shown(pattern)} is neither a format nor a CLDR number pattern; {advice}"
    if re.search(r"[+-]", unquoted(match["prefix"] + match["suffix"])) and not match["negative"]:
        return f"the pattern {pattern!r} has a sign, but no part for negative numbers: +0.0;-0.0"
    return None


def unquoted(pattern: str) -> str:
    """Return a pattern without the text that it quotes."""
    return re.sub(r"'[^']*'", "", pattern)


_NUMBER: Final = re.compile(
    r"(?P<sign>[+\-−]?)(?P<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?P<exponent>[eE][+-]?\d{1,3})?"
    r"\s?(?P<percent>%?)",
    re.ASCII,
)
_AFFIX: Final = r"(?:'[^';]*'|[^'\d#@.,;*¤])*"
_PATTERN: Final = re.compile(
    rf"(?P<prefix>{_AFFIX})"
    r"(?:(?=[#0])(?:#|,(?=[#0]))*(?:0|,(?=0))*(?:\.0*#*)?(?:E\+?0+)?|@+#*)(?!E)"
    rf"(?P<suffix>{_AFFIX})"
    rf"(?P<negative>;{_AFFIX}[#0,.@E+]*{_AFFIX})?"
)


def _shown(value: object) -> str:
    text = str(value)
    return repr(text if len(text) <= 40 else text[:40] + "…")
