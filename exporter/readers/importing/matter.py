"""Front matter of other tools' Markdown pages (YAML or TOML) → ours, with what has no place in ours."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exporter.errors import SourceError
from exporter.notices import Notice, Place, Problem
from exporter.readers.importing import preface as front
from exporter.readers.importing.dates import find_dates
from exporter.readers.importing.preface import Preface
from exporter.readers.importing.tree import text

if TYPE_CHECKING:
    from collections.abc import Mapping

_FENCES = re.compile(
    r"\A\ufeff?(?:---[ \t]*\r?\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)"
    r"|\+\+\+[ \t]*\r?\n(?P<toml>.*?)^\+\+\+[ \t]*(?:\r?\n|\Z))",
    re.DOTALL | re.MULTILINE,
)
_NAMES = {
    "title": "title",
    "date": "date published pubdate publishdate",
    "language": "language lang locale",
    "subtitle": "subtitle",
    "summary": "summary description abstract excerpt",
    "kind": "kind",
    "rating": "rating stars",
    "tags": "tags keywords categories tag category",
    "authors": "authors author by",
    "number": "number issue",
    "method": "method",
    "coverage": "coverage",
}
_KEYS = {word: name for name, words in _NAMES.items() for word in words.split()}


@dataclass(frozen=True, slots=True)
class Matter:
    """The front matter of a page, how many lines it takes, and its keys that have no place in ours."""

    known: Preface | None = None
    language: str | None = None
    lines: int = 0
    length: int = 0
    unplaced: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


def read_matter(source: str, *, file: str) -> Matter:
    """Read the front matter at the start of a page, if it has one.

    Raises:
        SourceError: It is not valid YAML or TOML.
    """
    found = _FENCES.match(source)
    if found is None:
        return Matter()
    written = found["yaml"] if found["yaml"] is not None else found["toml"]
    values = _yaml(written, file) if found["yaml"] is not None else _toml(written, file)
    known, unplaced, notices = Preface(), {}, []
    language = None
    for key, value in values.items():
        line = _line_of(str(key), written)
        name = _KEYS.get(str(key).lower())
        if name == "language" and isinstance(value, str):
            language = value.replace("_", "-")
        elif name is None or not _place(known, name, value):
            unplaced[str(key)] = _raw(str(key), written)
            notices.append(_notice(str(key), file, line))
        else:
            known.lines[name] = line
    end = found.end()
    return Matter(known, language, source[:end].count("\n"), end, unplaced, tuple(notices))


def _place(known: Preface, name: str, value: Any) -> bool:
    """Put a value into the preface and say whether it went there whole."""
    match name, value:
        case "date", dt.datetime():
            known.date = value.date()
        case "date", dt.date():
            known.date = value
        case "date", str() if len(dates := find_dates(value)) == 1:
            known.date = dates[0].value
        case (("title" | "number" | "kind"), (str() | int())) if not getattr(known, name):
            setattr(known, name, " ".join(str(value).split()))
        case "rating", int() if 0 <= value <= 5:
            known.rating = value
        case "rating", str() if stars := front.STARS.fullmatch(value.strip()):
            known.rating = min(5, sum(stars[0].count(star) for star in "★⭐"))
        case (("summary" | "subtitle" | "method" | "coverage"), str()) if not getattr(known, name):
            setattr(known, name, text(" ".join(value.split())))
        case "tags", str():
            known.tags += tuple(part.strip() for part in re.split(r"[,，、]", value) if part.strip())
        case (("tags" | "authors"), list()) if all(isinstance(one, str | int | float) for one in value):
            setattr(known, name, (*getattr(known, name), *(str(one) for one in value)))
        case "authors", str():
            known.authors += (value,)
        case _:
            return False
    return True


def _yaml(written: str, file: str) -> dict[Any, Any]:
    import yaml

    try:
        values = yaml.safe_load(written)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Place(file, mark.line + 2, mark.column + 1) if mark else Place(file, 1)
        message = f"the front matter is not valid YAML: {getattr(error, 'problem', None) or error}"
        raise SourceError((Problem(message, place, "correct it, or delete the lines between ---"),)) from error
    except (ValueError, RecursionError) as error:
        raise SourceError((Problem(f"the front matter cannot be read: {error}", Place(file, 1)),)) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise SourceError((Problem("the front matter is no mapping of keys to values", Place(file, 2)),))
    return values


def _toml(written: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        place = Place(file, 1)
        raise SourceError((Problem(f"the front matter is not valid TOML: {error}", place),)) from error


def _line_of(key: str, written: str) -> int:
    lines = written.split("\n")
    return next((index + 2 for index, line in enumerate(lines) if line.strip("\"' ").startswith(key)), 1)


def _raw(key: str, written: str) -> str:
    """Return a key's value as it is written, with its continuation lines."""
    found = re.search(rf"^[\"']?{re.escape(key)}[\"']?\s*[:=](.*(?:\n[ \t-].*)*)", written, re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


def _notice(key: str, file: str, line: int) -> Notice:
    return Notice(
        "import-unplaced",
        f"the key {key} has no place in an issue's front matter and stays there as a comment",
        Place(file, line),
        "move what it says into the issue, or delete the comment",
    )
