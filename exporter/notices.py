"""Typed findings: places in a source, problems that stop an issue, notices that do not."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position in a source file.

    Attributes:
        file: The file as the user named it, relative where possible.
        line: 1-based line, 0 when the finding concerns the file as a whole.
        column: 1-based column in characters, 0 when unknown.
    """

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a source that keeps the issue from being valid."""

    message: str
    place: Place | None = None
    hint: str | None = None

    def __str__(self) -> str:
        return f"{self.message} ({self.place})" if self.place else self.message


@dataclass(frozen=True, slots=True)
class Notice:
    """A non-fatal finding; an error under ``--strict``.

    Attributes:
        code: Stable kebab-case name, such as ``missing-translation``.
        message: What was found, one sentence.
        place: Where in the source, if it has a place.
        hint: What to do about it.
        output: The format or file that the notice concerns, when it is not the source.
    """

    code: str
    message: str
    place: Place | None = None
    hint: str | None = None
    output: str | None = None

    def __str__(self) -> str:
        return f"{self.message} ({self.place})" if self.place else self.message

    def to_json(self) -> dict[str, object]:
        """Return the notice as JSON-ready fields, without those that are empty."""
        return {key: value for key, value in dataclasses.asdict(self).items() if value is not None}
