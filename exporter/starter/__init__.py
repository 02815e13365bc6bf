"""The issue that ``exporter new`` writes: small, bilingual, exporting at once, a comment at each feature."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from importlib.resources.abc import Traversable

_PLACEHOLDER = "0000-00-00"


def starter(date: dt.date) -> dict[str, bytes]:
    """Return the files of a new issue by relative name; its date is the one given."""
    files = dict(_files(resources.files(__package__) / "files", ""))
    return {
        name: content.replace(_PLACEHOLDER.encode(), date.isoformat().encode()) for name, content in files.items()
    }


def _files(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if item.is_dir():
            found.extend(_files(item, f"{prefix}{item.name}/"))
        else:
            found.append((prefix + item.name, item.read_bytes()))
    return found
