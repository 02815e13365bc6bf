"""What a theme.toml may hold: the tokens of the base theme, each with a value of its kind."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_OWN = ("name", "extends", "description")
# Tables whose keys a theme may add to, each with keys that no table of base needs to set.
_OPEN: dict[str, dict[str, Any]] = {"print.page": {"size": 10.5, "line": 18}, "mail.font": {}}
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}\Z")


def token_faults(path: Path, text: str, own: Mapping[str, Any], base: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a theme.toml, as ``path:line: sentence``, in the order of the file.

    Args:
        path: The file, for the messages.
        text: Its content, which is valid TOML.
        own: The same, parsed.
        base: The tokens of the base theme.
    """
    known = {**base, **dict.fromkeys(_OWN, "")}
    found = [(_line(text, keys), sentence) for keys, sentence in _faults(own, known, ())]
    return [f"{path}:{line}: {sentence}" for line, sentence in sorted(found)]


def _faults(
    own: Mapping[str, Any], known: Mapping[str, Any], above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    table = ".".join(above)
    for key, value in own.items():
        keys = (*above, key)
        name = ".".join(keys)
        if key in known:
            model = known[key]
        elif table in _OPEN:
            model = {}
        else:
            yield keys, f"unknown token {name}{_near(key, known, table)}"
            continue
        if table in _OPEN:
            model = _OPEN[table] | {inner: one for each in known.values() for inner, one in each.items()}
        if isinstance(model, dict) and isinstance(value, dict):
            yield from _faults(value, model, keys)
        elif wanted := _wanted(value, model, name):
            yield keys, f"{name} must be {wanted}, not {_shown(value)}"


def _wanted(value: object, model: object, name: str) -> str | None:
    """Return what the token must be, or None when the value is that."""
    match model:
        case bool():
            return None if isinstance(value, bool) else "true or false"
        case int() | float():
            return None if _is_number(value) else "a number"
        case str() if _COLOR.match(model):
            return None if isinstance(value, str) and _COLOR.match(value) else "a color as #rrggbb"
        case str():
            return None if isinstance(value, str) else "a text"
        case [first, *_] if _is_number(first):
            pair = isinstance(value, list) and len(value) == len(model) and all(map(_is_number, value))
            return None if pair else f"a list of {len(model)} numbers"
        case list():
            texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
            return None if texts else "a list of texts"
        case _:
            return f"a table [{name}]"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _shown(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "a table"
        case str():
            return f'"{value}"'
        case _:
            return str(value)


def _near(key: str, known: Mapping[str, Any], table: str) -> str:
    close = difflib.get_close_matches(key.lower().replace("_", "-"), list(known), n=1, cutoff=0.6)
    prefix = f"{table}." if table else ""
    if close:
        return f", did you mean {prefix}{close[0]}?"
    return f" (known here: {', '.join(prefix + each for each in known)})"


def _line(text: str, keys: tuple[str, ...]) -> int:
    """Return the line that a key is set in: the first one without which the text above does not hold the key."""
    lines = text.splitlines(keepends=True)
    whole = 0
    for count in range(1, len(lines) + 1):
        try:
            value: Any = tomllib.loads("".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            return whole + 1
        whole = count
    return 1
