"""Files that an issue refers to, read once and verified; the writers get bytes, never paths of a disk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asset:
    """A picture or another file of an issue.

    Attributes:
        path: The path as the issue writes it, relative to the issue's folder.
        content: The bytes; for SVG already made safe (no scripts, no outside references).
        media_type: From the content, not from the name: ``image/png``, ``image/svg+xml``, ``text/csv`` …
        width: Width in CSS pixels with the orientation applied; 0 for what is no picture.
        height: Height in CSS pixels with the orientation applied; 0 for what is no picture.
        sha256: Hex digest of the file as it lay on disk.
    """

    path: str
    content: bytes
    media_type: str
    width: int
    height: int
    sha256: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that an edition was made from, for the manifest."""

    path: str
    sha256: str
    size: int
