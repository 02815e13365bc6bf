"""Dates as people write them in Chinese and in English."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from dataclasses import dataclass

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_PATTERNS = (
    (re.compile(r"(?<!\d)((?:19|20)\d\d)\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{1,2})(?!\d)"), (1, 3, 4)),
    (re.compile(r"(?<!\d)((?:19|20)\d\d)\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]"), (1, 2, 3)),
    (
        re.compile(rf"(?<![a-z]){_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)(?!\d)", re.IGNORECASE),
        (3, 1, 2),
    ),
    (
        re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH},?\s+((?:19|20)\d\d)(?!\d)", re.IGNORECASE),
        (3, 2, 1),
    ),
    (re.compile(r"(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(?!\d)"), (1, 2, 3)),
)
_BETWEEN = re.compile(r"\s*(?:至|到|—+|–|-+|~|～|to|until)\s*")


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text and where it stands."""

    value: dt.date
    start: int
    end: int


def find_dates(text: str) -> tuple[FoundDate, ...]:
    """Return the valid dates of a text in order."""
    found = [
        FoundDate(value, match.start(), match.end())
        for pattern, groups in _PATTERNS
        for match in pattern.finditer(text)
        if (value := _date(*(match[group] for group in groups)))
    ]
    chosen: list[FoundDate] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not chosen or one.start >= chosen[-1].end:
            chosen.append(one)
    return tuple(chosen)


def find_range(text: str) -> tuple[dt.date, dt.date] | None:
    """Return the one range of two dates that a text names, or None when there is none or more than one."""
    dates = find_dates(text)
    ranges = [
        (first.value, second.value)
        for first, second in itertools.pairwise(dates)
        if _BETWEEN.fullmatch(text[first.end : second.start]) and first.value <= second.value
    ]
    return ranges[0] if len(ranges) == 1 else None


def _date(year: str, month: str, day: str) -> dt.date | None:
    number = int(month) if month.isdecimal() else _MONTHS.index(month[:3].lower()) + 1
    try:
        return dt.date(int(year), number, int(day))
    except ValueError:
        return None
