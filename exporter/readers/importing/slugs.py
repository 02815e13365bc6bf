"""Stable ASCII ids for headings: their Latin words, else what they are and a number."""

from __future__ import annotations

import re
import unicodedata

_WORDS_AT_MOST = 6


class Slugs:
    """Gives ids and remembers them, so that none is given twice."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        self._counts: dict[str, int] = {}

    def named(self, wanted: str, title: str, *, otherwise: str, number: int | None = None) -> str:
        """Return an id that is not taken.

        Args:
            wanted: An id that the source has already, or nothing.
            title: The heading's text.
            otherwise: What the heading is, for one without Latin words.
            number: Its number, for one without Latin words.
        """
        self._counts[otherwise] = self._counts.get(otherwise, 0) + 1
        name = wanted or slug(title) or f"{otherwise}-{number or self._counts[otherwise]}"
        unique, count = name, 1
        while unique in self._given:
            count += 1
            unique = f"{name}-{count}"
        self._given.add(unique)
        return unique


def slug(title: str) -> str:
    """Return the Latin words of a title's name, the part before a colon, as ``lower-case-words``."""
    name = re.split(r"[：:]", title, maxsplit=1)[0]
    ascii_name = unicodedata.normalize("NFKD", name)
    words = re.findall(r"[A-Za-z0-9]+", re.sub(r"[\u0300-\u036f'’]", "", ascii_name))[:_WORDS_AT_MOST]
    while words and not words[0][0].isalpha():
        words.pop(0)
    return "-".join(word.lower() for word in words)
