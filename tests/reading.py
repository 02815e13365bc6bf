"""What the tests of the readers share: small issues read from texts and folders, problems as lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from exporter.errors import SourceError
from exporter.model import Version, blocks, plain, walk
from exporter.readers import LIMITS, Limits, Loaded, load, load_text

if TYPE_CHECKING:
    from exporter.model import Block, Entry
    from exporter.notices import Notice, Problem

HEAD = "---\ntitle: 试刊\ndate: 2026-08-27\nlanguage: zh\n---\n"
"""A front matter of five lines: the body begins in line 6."""

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20"/></svg>'
"""A picture of 40 by 20 pixels."""

EMPTY = Path(__file__).resolve().parent / "readers"


def read(body: str, *, head: str = HEAD, limits: Limits = LIMITS) -> Loaded:
    """Read a Markdown issue that refers to no file."""
    return load_text(head + body, file="issue.md", form="markdown", folder=EMPTY, limits=limits)


def version(body: str) -> Version:
    return read(body).issue.original


def body(text: str) -> tuple[Block | Entry, ...]:
    """Return what a body without sections becomes."""
    return version(text).lead


def only(text: str) -> Block | Entry:
    """Return the one block that a body becomes."""
    (block,) = body(text)
    return block


def line(text: str) -> tuple[object, ...]:
    """Return the inlines of the one paragraph that a body is."""
    block = only(text)
    assert isinstance(block, blocks.Paragraph)
    return block.children


def shown(text: str) -> str:
    """Return what a reader of the one paragraph sees."""
    return prose(only(text))


def prose(block: object) -> str:
    """Return what a reader of a paragraph sees."""
    assert isinstance(block, blocks.Paragraph)
    return plain(block.children)


def problems(text: str, *, head: str = HEAD, limits: Limits = LIMITS) -> list[str]:
    """Return the problems of a body as ``line:column message``."""
    with pytest.raises(SourceError) as caught:
        read(text, head=head, limits=limits)
    return [as_line(problem) for problem in caught.value.problems]


def hints(text: str, *, head: str = HEAD) -> list[str]:
    with pytest.raises(SourceError) as caught:
        read(text, head=head)
    return [problem.hint or "" for problem in caught.value.problems]


def notices(text: str) -> list[str]:
    """Return the notices of a body as ``line:column code``."""
    return [f"{_place(notice)} {notice.code}" for notice in read(text).notices]


def folder_problems(path: Path, **options: object) -> list[str]:
    """Return the problems of an issue on disk as ``file:line:column message``."""
    with pytest.raises(SourceError) as caught:
        load(path, **options)  # type: ignore[arg-type]
    return [
        f"{Path(problem.place.file).name if problem.place else ''}:{as_line(problem)}"
        for problem in caught.value.problems
    ]


def as_line(problem: Problem) -> str:
    return f"{_place(problem)} {problem.message}"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write files into a folder and return it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
    return folder


def nodes(tree: Version, kind: type) -> list[object]:
    return [node for node in walk(tree) if isinstance(node, kind)]


def _place(finding: Problem | Notice) -> str:
    place = finding.place
    return f"{place.line}:{place.column}" if place else "-"
