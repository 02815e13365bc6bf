"""manifest.json beside the editions: what they were made from and with, and their digests."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from exporter.files import sha256

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from exporter.assets import SourceFile
    from exporter.notices import Notice

NAME: Final = "manifest.json"
_SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides the bytes of one edition; equal recipes give equal editions.

    Attributes:
        issue: The issue's id.
        format: Name of the writer.
        language: Language as in file names.
        theme: Name of the theme; ``theme_sha256`` is the digest of its files.
        options: The options that were asked for.
        sources: Files of the issue with their digests.
        toolchain: Versions of what it is made with.
        fonts: Digest by font file, for print.
        attached: Digest of the recipe by name of each edition that this one carries.
    """

    issue: str
    format: str
    language: str
    theme: str
    theme_sha256: str
    options: Mapping[str, object]
    sources: tuple[SourceFile, ...]
    toolchain: Mapping[str, str]
    fonts: Mapping[str, str]
    attached: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the recipe as JSON-ready fields."""
        return {
            "format": self.format,
            "language": self.language,
            "theme": {"name": self.theme, "sha256": self.theme_sha256},
            "options": dict(self.options),
            "sources": [{"path": file.path, "sha256": file.sha256, "size": file.size} for file in self.sources],
            "toolchain": dict(self.toolchain),
            "fonts": dict(self.fonts),
            "attached": dict(self.attached),
        }

    def digest(self) -> str:
        """Return the digest that tells whether anything changed."""
        return sha256(json.dumps({"issue": self.issue, **self.to_json()}, sort_keys=True).encode())


def read(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder, or an empty one where there is none or it cannot be read."""
    try:
        found = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and found.get("schema") == _SCHEMA else {}


def current(manifest: Mapping[str, Any], recipe: Recipe, folder: Path) -> tuple[str, ...] | None:
    """Return the names of the edition's files when they are what the recipe gives, else None.

    The files on disk are hashed: an edited or damaged one is made anew.
    """
    for edition in manifest.get("editions", ()):
        if edition.get("recipe") == recipe.digest():
            outputs = edition.get("outputs", ())
            if outputs and all(_unchanged(folder, output) for output in outputs):
                return tuple(output["name"] for output in outputs)
    return None


def updated(
    manifest: Mapping[str, Any], recipe: Recipe, files: Mapping[str, bytes], notices: Sequence[Notice]
) -> bytes:
    """Return manifest.json with this edition's record new and the other editions' as they were."""
    record = {
        **recipe.to_json(),
        "recipe": recipe.digest(),
        "outputs": [
            {"name": name, "sha256": sha256(content), "size": len(content)} for name, content in files.items()
        ],
        "notices": [notice.to_json() for notice in notices],
    }
    key = (recipe.format, recipe.language)
    others = [
        edition for edition in manifest.get("editions", ()) if (edition["format"], edition["language"]) != key
    ]
    editions = sorted([*others, record], key=lambda edition: (edition["language"], edition["format"]))
    result = {"schema": _SCHEMA, "issue": recipe.issue, "editions": editions}
    return (json.dumps(result, ensure_ascii=False, indent=2) + "\n").encode()


def _unchanged(folder: Path, output: Mapping[str, Any]) -> bool:
    try:
        return sha256((folder / str(output["name"])).read_bytes()) == str(output["sha256"])
    except OSError:
        return False
