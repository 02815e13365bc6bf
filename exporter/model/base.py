"""What every node shares: frozen, nothing extra, and a place in its source that is no part of its value."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ModelWrapValidatorHandler,
    PrivateAttr,
    StringConstraints,
    model_validator,
)

from exporter.notices import Place

if TYPE_CHECKING:
    from collections.abc import Callable

# CR and LF, but also what other software takes for a line end: VT, FF, FS–US, NEL, LS, PS.
LINE_BREAKS = re.compile("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


class Node(BaseModel):
    """A frozen value that knows where it stood in its source.

    Two nodes are equal when their fields are; the place does not count, so the same issue written in Markdown
    and in YAML is the same value.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False, validate_default=False)

    _place: Place | None = PrivateAttr(default=None)

    @model_validator(mode="wrap")
    @classmethod
    def _at_its_source(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Take the place over from a mapping of the source that knows its own."""
        node = handler(value)
        place = getattr(value, "place", None)
        return node.at(place) if isinstance(place, Place) else node

    @property
    def place(self) -> Place | None:
        """Return where the node begins in its source, or None for a node made by a program."""
        return self._place

    def at(self, place: Place | None) -> Self:
        """Record where the node begins and return the node itself."""
        self._place = place
        return self

    def __eq__(self, other: object) -> bool:
        """Compare by kind and fields, without the place."""
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Hash by kind and fields; mappings, which only settings have, by their items."""
        return hash((type(self), *(_hashable(value) for value in self.__dict__.values())))


def _hashable(value: Any) -> Any:
    return tuple(value.items()) if isinstance(value, dict) else value


def single_line(value: str) -> str:
    """Return the text if it is one line; it may become a message header (RFC 5322 §2.2).

    Raises:
        ValueError: The text holds a line break of any kind.
    """
    if LINE_BREAKS.search(value):
        raise ValueError("must be a single line: a line break here could forge a message header")
    return value


def _normal_id(value: str) -> str:
    value = unicodedata.normalize("NFC", value)
    if re.search(r"[\s\"'<>#`\\{}]", value) or any(unicodedata.category(char).startswith("C") for char in value):
        raise ValueError("must hold no spaces, quotes, #, braces or control characters")
    return value


def _file_name(value: str) -> str:
    value = unicodedata.normalize("NFC", value)
    if found := re.search(r"[/\\:*?\"<>|\x00-\x1f\x7f]", value) or LINE_BREAKS.search(value):
        raise ValueError(f"an issue's id names files: it may not hold {found.group()!r}")
    if value != value.strip(" .") or not value:
        raise ValueError("an issue's id names files: it may not be empty, begin or end with a space or a dot")
    if re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", value):
        raise ValueError("an issue's id names files: Windows keeps this name to itself")
    if len(value.encode()) > 180:
        raise ValueError("an issue's id names files: it may not be longer than 180 bytes")
    return value


def _language(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?", value):
        raise ValueError("must be a BCP 47 language tag such as zh, zh-Hant or en")
    return value


def _written_day(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    # Pydantic takes 20260907 for seconds since 1970, and refuses a date that a time follows.
    time = r"[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?[ ]?([Zz]|[+-]\d{2}:?\d{2})?"
    match = re.fullmatch(rf"(\d{{4}}-\d{{2}}-\d{{2}})({time})?", value)
    if not match:
        raise ValueError("must be a date such as 2026-08-27")
    return match.group(1)


Day = Annotated[dt.date, BeforeValidator(_written_day)]
"""A calendar day; a time of day behind it is not kept, and no time zone moves it."""

Line = Annotated[str, AfterValidator(single_line)]
"""One line of text."""

FilledLine = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(single_line)]
"""One line of text that is not empty."""

Id = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_normal_id)]
"""The name of a node inside its issue, NFC."""

IssueId = Annotated[str, AfterValidator(_file_name)]
"""The name of an issue, NFC, safe as a file name on Windows, macOS and Linux."""

Language = Annotated[str, AfterValidator(_language)]
"""A BCP 47 language tag."""


def from_markdown(reader: str) -> Callable[[Any, Any], Any]:
    """Return a before-validator that turns a Markdown string into nodes.

    The model knows no parser: the reader passes its own in the validation context under the name ``reader``
    (``inlines``, ``blocks`` or ``body``). Without one a string is taken as plain text.
    """

    def convert(value: Any, info: Any) -> Any:
        if not isinstance(value, str):
            return value
        parse = (info.context or {}).get(reader)
        if parse is not None:
            return parse(value)
        text = [{"kind": "text", "text": value}]
        return (text if reader == "inlines" else [{"kind": "paragraph", "children": text}]) if value else []

    return convert


class MarkdownSchema:
    """Annotation that publishes prose as what an author may write: Markdown, texts by language, or nodes."""

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> Any:
        """Return the JSON Schema of the three forms."""
        return {
            "anyOf": [
                {"type": "string", "description": "Markdown"},
                {
                    "type": "object",
                    "description": "Markdown by language",
                    "propertyNames": {"pattern": "^[a-z]{2,3}(-[A-Za-z0-9]+)*$"},
                    "additionalProperties": {"type": "string"},
                },
                handler(core_schema),
            ]
        }
