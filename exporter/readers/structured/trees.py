"""Mappings, lists and texts as YAML and JSON write them, each knowing its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exporter.notices import Place
    from exporter.readers.findings import Findings

# Control characters that are no line ends: those are refused where a single line is wanted.
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")


class Mapping(dict[str, Any]):
    """Keys with values: ``Written``, ``Mapping``, ``Sequence`` or None for nothing.

    Attributes:
        place: Where it begins.
        keys_at: Where each key stands.
    """

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.keys_at: dict[str, Place] = {}


class Sequence(list[Any]):
    """Values in order.

    Attributes:
        place: Where it begins.
    """

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place


def report_twice(key: str, first: Place, second: Place, findings: Findings) -> None:
    """Report a key that stands twice in one mapping: the second would win in silence."""
    lines = (
        f"in line {first.line}" if first.line == second.line else f"in line {first.line} and in line {second.line}"
    )
    findings.problem(f"the key {key} stands twice: {lines}", second)


def check_characters(text: str, place: Place, findings: Findings) -> None:
    """Report a control character that an escape brought into a text."""
    if match := _CONTROLS.search(text):
        findings.problem(f"the control character U+{ord(match.group()):04X} stands in a text", place, "delete it")
