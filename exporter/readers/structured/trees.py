"""Mappings, lists and texts as YAML and JSON write them, each knowing its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exporter.notices import Place


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
