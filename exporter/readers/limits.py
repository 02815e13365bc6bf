"""What a reader refuses: sizes that no honest issue needs, each named in the message that refuses it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a reader, SOURCE_FORMAT.md "Limits and paths".

    Attributes:
        source_bytes: Size of a source file (Markdown, YAML, JSON, CSV).
        picture_bytes: Size of a picture file.
        picture_pixels: Pixels of a decoded picture.
        rows: Rows of a CSV.
        nesting: Depth of blocks in blocks and of inlines in inlines.
        alias_nodes: Nodes of a YAML document with its aliases written out.
        uses: Elements of an SVG with its ``use`` elements drawn out.
    """

    source_bytes: int = 8 * 1024 * 1024
    picture_bytes: int = 64 * 1024 * 1024
    picture_pixels: int = 50_000_000
    rows: int = 200_000
    nesting: int = 32
    alias_nodes: int = 10_000
    uses: int = 10_000

    @property
    def tree_depth(self) -> int:
        """Depth of mappings and lists in YAML and JSON: a nested list of the model takes four of them."""
        return 5 * self.nesting


LIMITS = Limits()


def size(count: int) -> str:
    """Return a number of bytes for people: ``8 MiB``, ``120 KiB``, ``17 bytes``."""
    for unit, factor in (("MiB", 1024 * 1024), ("KiB", 1024)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} bytes"
