"""Where a reader puts what it finds, so that one run names every problem."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from exporter.errors import SourceError
from exporter.notices import Notice, Place, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable


class Findings:
    """Problems and notices in the making."""

    def __init__(self) -> None:
        self._problems: dict[Problem, None] = {}
        self._notices: dict[Notice, None] = {}

    def problem(self, message: str, place: Place | None, hint: str | None = None) -> None:
        """Add something that keeps the issue from being valid."""
        self._problems[Problem(message, place, hint)] = None

    def notice(self, code: str, message: str, place: Place | None, hint: str | None = None) -> None:
        """Add something worth knowing that does not stop the issue."""
        self._notices[Notice(code, message, place, hint)] = None

    @property
    def failed(self) -> bool:
        """Tell whether there is any problem so far."""
        return bool(self._problems)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return the notices by place."""
        return tuple(sorted(self._notices, key=lambda notice: _order(notice.place)))

    def check(self) -> None:
        """Raise all problems by place, if there are any.

        Raises:
            SourceError: There are problems.
        """
        if self._problems:
            problems = sorted(self._problems, key=lambda problem: _order(problem.place))
            raise SourceError(tuple(problems), self.notices)


def nearest(word: str, known: Iterable[str], *, what: str = "known") -> str | None:
    """Return a hint with the known words most like the word, or all of them when they are few."""
    words = list(dict.fromkeys(known))
    lower = {each.lower(): each for each in words}
    close = difflib.get_close_matches(word.lower(), list(lower), n=3, cutoff=0.6)
    if close:
        return f"did you mean {alternatives(lower[each] for each in close)}?"
    return f"{what}: {', '.join(words)}" if 0 < len(words) <= 24 else None


def alternatives(words: Iterable[str]) -> str:
    """Join words as a choice: ``a``, ``a or b``, ``a, b or c``."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _order(place: Place | None) -> Place:
    return place or Place("")
