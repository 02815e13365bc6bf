"""Attributes in braces: ``{#id .class key=value}``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exporter.readers.findings import nearest

if TYPE_CHECKING:
    from exporter.notices import Place
    from exporter.readers.findings import Findings

_ITEM = r"(?:\#[^\s#.{}=\"']+|\.[^\s#.{}=\"']+|[A-Za-z][\w-]*=(?:\"(?:[^\"\\]|\\.)*\"|[^\s{}\"]+))"
ATTRIBUTES = re.compile(rf"\{{\s*{_ITEM}(?:\s+{_ITEM})*\s*\}}")
_SPLIT = re.compile(_ITEM)


@dataclass(slots=True)
class Attributes:
    """What stood between the braces."""

    id: str | None = None
    classes: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.id or self.classes or self.values)

    def merged(self, other: Attributes) -> Attributes:
        """Return these attributes under others, which win."""
        return Attributes(other.id or self.id, self.classes + other.classes, self.values | other.values)


def attributes_at(text: str, position: int) -> tuple[Attributes, int] | None:
    """Return the attributes that begin at a position and where they end, or None when no braces do."""
    match = ATTRIBUTES.match(text, position)
    return (_read(match.group()), match.end()) if match else None


def trailing(text: str) -> tuple[str, Attributes]:
    """Split a line into what stands before attributes at its end, maybe nothing, and those."""
    start = text.rfind("{")
    escaped = text[start - 1 : start] == "\\"
    if start >= 0 and not escaped and (found := attributes_at(text, start)):
        attributes, end = found
        if not text[end:].strip():
            return text[:start].rstrip(), attributes
    return text, Attributes()


def _read(braces: str) -> Attributes:
    attributes = Attributes()
    for item in _SPLIT.findall(braces[1:-1]):
        match item[0]:
            case "#":
                attributes.id = item[1:]
            case ".":
                attributes.classes += (item[1:],)
            case _:
                key, value = item.split("=", 1)
                quoted = value.startswith('"')
                attributes.values[key] = re.sub(r"\\(.)", r"\1", value[1:-1]) if quoted else value
    return attributes


def check(
    attributes: Attributes,
    known: tuple[str, ...],
    place: Place,
    findings: Findings,
    *,
    classes: tuple[str, ...] = (),
) -> None:
    """Report keys that have no meaning where the attributes stand, and classes that have no use there."""
    for key in attributes.values:
        if key not in known:
            findings.problem(f"unknown attribute {key}", place, nearest(key, known, what="known attributes"))
    for name in attributes.classes:
        if name not in classes:
            findings.notice("unused-attributes", f"the class .{name} has no use here", place)


def refuse(attributes: Attributes, place: Place, findings: Findings) -> None:
    """Report attributes of a block that can have none."""
    if attributes.id:
        findings.problem(
            f"this block cannot have the id {attributes.id}",
            place,
            "ids belong to headings, figures, tables, code, formulas and runs of text",
        )
    if attributes.classes or attributes.values:
        findings.notice("unused-attributes", "the attributes have no use here", place)
