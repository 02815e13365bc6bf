from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from exporter import manifest
from exporter.assets import SourceFile
from exporter.files import sha256, write_all
from exporter.notices import Notice, Place

RECIPE = manifest.Recipe(
    issue="x",
    format="text",
    language="zh",
    theme="base",
    theme_sha256="0",
    options={"width": 78},
    sources=(SourceFile("issue.md", "1", 10),),
    toolchain={"exporter": "0"},
    fonts={},
)


def made(folder: Path, recipe: manifest.Recipe = RECIPE, content: bytes = b"text") -> None:
    files = {"x.zh.txt": content}
    notices = [Notice("code", "message", Place("issue.md", 1, 2))]
    write_all(folder, {**files, manifest.NAME: manifest.updated(manifest.read(folder), recipe, files, notices)})


def test_an_edition_is_current_until_something_changes(tmp_path: Path) -> None:
    made(tmp_path)
    assert manifest.current(manifest.read(tmp_path), RECIPE, tmp_path) == ("x.zh.txt",)


@pytest.mark.parametrize(
    "change",
    [
        {"sources": (SourceFile("issue.md", "2", 10),)},
        {"options": {"width": 60}},
        {"toolchain": {"exporter": "1"}},
        {"theme_sha256": "1"},
        {"fonts": {"a.ttf": "1"}},
        {"language": "en"},
    ],
)
def test_whatever_decides_the_bytes_makes_it_stale(tmp_path: Path, change: dict[str, Any]) -> None:
    made(tmp_path)
    assert manifest.current(manifest.read(tmp_path), dataclasses.replace(RECIPE, **change), tmp_path) is None


def test_a_damaged_or_missing_file_makes_it_stale(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "x.zh.txt").write_bytes(b"tampered")
    assert manifest.current(manifest.read(tmp_path), RECIPE, tmp_path) is None
    (tmp_path / "x.zh.txt").unlink()
    assert manifest.current(manifest.read(tmp_path), RECIPE, tmp_path) is None


def test_editions_of_other_formats_and_languages_are_kept(tmp_path: Path) -> None:
    made(tmp_path)
    made(tmp_path, dataclasses.replace(RECIPE, language="en"))
    made(tmp_path, content=b"newer")
    record = manifest.read(tmp_path)
    assert [(one["language"], one["format"]) for one in record["editions"]] == [("en", "text"), ("zh", "text")]


def test_the_manifest_holds_digests_sources_toolchain_and_notices(tmp_path: Path) -> None:
    made(tmp_path)
    edition = json.loads((tmp_path / manifest.NAME).read_text(encoding="utf-8"))["editions"][0]
    assert edition["outputs"][0]["sha256"] == sha256(b"text")
    assert edition["sources"] == [{"path": "issue.md", "sha256": "1", "size": 10}]
    assert edition["notices"] == [
        {"code": "code", "message": "message", "place": {"file": "issue.md", "line": 1, "column": 2}}
    ]


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"schema": 99}', b"\xff\xfe"])
def test_a_manifest_that_is_none_counts_as_empty(tmp_path: Path, content: bytes) -> None:
    (tmp_path / manifest.NAME).write_bytes(content)
    assert manifest.read(tmp_path) == {}
