"""What MJML allows: its tags, what they hold, their attributes and values, read from email_mjml.toml."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Content = Literal["tags", "html", "text", "css", "none"]

_COLOR: Final = re.compile(r"#[0-9A-Fa-f]{6}|transparent|inherit|none")
_SHORT_COLOR: Final = re.compile(r"#(?:[0-9A-Fa-f]{3,5}|[0-9A-Fa-f]{7,8})(?![0-9A-Za-z_-])")
_NUMBER: Final = re.compile(r"(-?)(\d+(?:\.\d+)?|\.\d+)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of MJML.

    Attributes:
        name: Its name.
        content: What it holds.
        children: The MJML tags that may stand directly inside.
        attributes: What each attribute takes, in the words of email_mjml.toml.
    """

    name: str
    content: Content
    children: frozenset[str]
    attributes: Mapping[str, str]


@functools.cache
def tags() -> Mapping[str, Tag]:
    """Return every tag by its name; in ``mj-attributes`` stand the tags that defaults are set for."""
    source = files("exporter.writers").joinpath("email_mjml.toml").read_text(encoding="utf-8")
    known = {name: _tag(name, entry) for name, entry in tomllib.loads(source).items()}
    return MappingProxyType(known)


@functools.cache
def every_attribute() -> Mapping[str, str]:
    """Return the attributes that ``mj-all`` and ``mj-class`` may set: those of any tag in the body."""
    body = [tag for tag in tags().values() if "css-class" in tag.attributes]
    return MappingProxyType({name: kind for tag in body for name, kind in tag.attributes.items()})


def value_fault(kind: str, value: str) -> str | None:
    """Return what is wrong with an attribute's value, or None.

    Args:
        kind: What the attribute takes, such as ``color`` or ``unit(px,%){1,4}``.
        value: The value as the compiler gets it.
    """
    return _check(kind)(value.strip())


def short_color(value: str) -> str | None:
    """Return the first color of a value that is not written with six digits, which Outlook takes for black."""
    found = _SHORT_COLOR.search(value)
    return found[0] if found else None


def _tag(name: str, entry: Mapping[str, object]) -> Tag:
    return Tag(
        name=name,
        content=cast("Content", entry["content"]),
        children=frozenset(cast("list[str]", entry.get("children", []))),
        attributes=MappingProxyType(cast("dict[str, str]", entry.get("attributes", {}))),
    )


@functools.cache
def _check(kind: str) -> Callable[[str], str | None]:
    word, _, rest = kind.partition("(")
    given, _, count = rest.partition(")")
    options = tuple(given.split(","))
    match word:
        case "color":
            return _color_fault
        case "integer":
            return lambda value: None if value.isdecimal() and value.isascii() else "takes a whole number"
        case "boolean":
            return lambda value: _option_fault(("true", "false"), value)
        case "enum":
            return lambda value: _option_fault(options, value)
        case "unit":
            most = int(count.strip("{}").partition(",")[2] or 1)
            return lambda value: _unit_fault(options, most, value)
        case "string":
            return _string_fault
        case _:
            raise ValueError(f"email_mjml.toml names no kind of value {kind!r}")


def _color_fault(value: str) -> str | None:
    return None if _COLOR.fullmatch(value) else "takes a color with six digits, such as #1f2328"


def _string_fault(value: str) -> str | None:
    color = short_color(value)
    return f"holds the color {color}: write it with six digits" if color else None


def _option_fault(options: tuple[str, ...], value: str) -> str | None:
    return None if value in options else f"takes {', '.join(option or 'nothing' for option in options)}"


def _unit_fault(units: tuple[str, ...], most: int, value: str) -> str | None:
    negative = units[0].startswith("-")
    allowed = tuple(unit.removeprefix("-") for unit in units)
    if value in allowed:
        return None
    parts = value.split()
    if not 1 <= len(parts) <= most:
        return "takes a length" if most == 1 else f"takes one to {most} lengths"
    for part in parts:
        number = _NUMBER.fullmatch(part)
        if number is None or number[3] not in allowed or (number[1] and not negative):
            if number and float(number[2]) == 0 and not number[3]:
                return "takes 0px: the compiler counts widths wrong with a bare 0"
            return f"takes lengths in {' or '.join(unit for unit in allowed if unit)}"
    return None
