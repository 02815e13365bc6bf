"""Sources to issues: Markdown, YAML and JSON, with every problem at once and a place for each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from exporter.readers.limits import LIMITS, Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exporter.assets import Asset, SourceFile
    from exporter.model import Issue
    from exporter.notices import Notice

__all__ = ["LIMITS", "Limits", "Loaded", "dump", "load", "load_text", "read_text"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """An issue as its readers give it on.

    Attributes:
        issue: The issue, valid, with an id on everything that can have one.
        assets: Its pictures by the path that the issue writes; the publication's logo as
            ``publication:<its path>``.
        sources: Every file that was read, for the manifest.
        notices: What is worth knowing and did not stop it, by place.
        folder: The folder that its paths are relative to.
        publication_folder: The folder that the paths of its publication are relative to, or None without one.
    """

    issue: Issue
    assets: Mapping[str, Asset]
    sources: tuple[SourceFile, ...]
    notices: tuple[Notice, ...]
    folder: Path
    publication_folder: Path | None = None


def load(
    path: Path,
    *,
    limits: Limits = LIMITS,
    encoding: str | None = None,
    publication: Path | None = None,
    root: Path | None = None,
) -> Loaded:
    """Load an issue from its folder or from one file.

    Args:
        path: The folder, or a Markdown, YAML or JSON file.
        limits: What is refused for its size.
        encoding: Encoding of the issue's files instead of UTF-8.
        publication: The periodical's file; by default the first one beside the issue or above it.
        root: The folder that no path may leave; by default the issue's.

    Raises:
        SourceError: With every problem of every file.
        UsageError: The encoding does not exist.
    """
    from exporter.readers.loading import load_path

    return load_path(path, limits=limits, encoding=encoding, publication=publication, root=root)


def load_text(
    text: str | bytes,
    *,
    file: str = "-",
    form: Literal["markdown", "yaml", "json"] | None = None,
    folder: Path = Path(),
    name: str = "issue",
    limits: Limits = LIMITS,
    encoding: str | None = None,
    publication: Path | None = None,
) -> Loaded:
    """Load an issue from a text, such as standard input.

    Args:
        text: The text, or its bytes.
        file: How messages name it.
        form: What it is written in; by default what its beginning looks like.
        folder: The folder that its paths are relative to.
        name: The issue's id when the text has none.
        limits: What is refused for its size.
        encoding: Encoding of bytes instead of UTF-8.
        publication: The periodical's file; by default the first one in the folder or above it.

    Raises:
        SourceError: With every problem.
        UsageError: The encoding does not exist.
    """
    from exporter.readers.loading import load_source

    return load_source(
        text,
        file=file,
        form=form,
        folder=folder,
        name=name,
        limits=limits,
        encoding=encoding,
        publication=publication,
    )


def read_text(source: Path | bytes, *, file: str, encoding: str | None = None) -> str:
    """Return a source that is no issue yet, such as a page to import, as text.

    Args:
        source: The file, or its bytes.
        file: How messages name it.
        encoding: Encoding instead of UTF-8.

    Raises:
        SourceError: It cannot be read or decoded.
        UsageError: The encoding does not exist.
    """
    from exporter.notices import Place
    from exporter.readers.files import decode
    from exporter.readers.findings import Findings

    findings = Findings()
    text: str | None = None
    try:
        content = source if isinstance(source, bytes) else source.read_bytes()
        text = decode(content, file, findings, encoding=encoding)
    except OSError as error:
        findings.problem(f"cannot read {file}: {(error.strerror or str(error)).lower()}", Place(file))
    findings.check()
    return text or ""


def dump(issue: Issue) -> str:
    """Return an issue as canonical JSON: ``load_text(dump(issue)).issue == issue``."""
    from exporter.readers.structured.dumping import dump_issue

    return dump_issue(issue)
