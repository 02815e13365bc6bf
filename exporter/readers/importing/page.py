"""What a reader of a source gives to the importer: blocks, and the text that the issue must hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exporter.notices import Notice
    from exporter.readers.importing.account import Expected
    from exporter.readers.importing.preface import Preface
    from exporter.readers.importing.tree import Blocks


@dataclass(frozen=True, slots=True)
class Page:
    """A source read as blocks.

    Attributes:
        blocks: Its content.
        expected: Its text line by line, which the issue must hold.
        notices: What was cleaned, dropped or changed.
        known: What its own front matter or head says.
        language: Its own language tag.
        unplaced: Keys of its front matter that ours has not.
        assets: Files that it holds in itself.
    """

    blocks: Blocks
    expected: tuple[Expected, ...]
    notices: tuple[Notice, ...] = ()
    known: Preface | None = None
    language: str | None = None
    unplaced: Mapping[str, str] = field(default_factory=dict)
    assets: Mapping[str, bytes] = field(default_factory=dict)
