"""Whatever a program writes as canonical JSON is read back as the same issue."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings

from exporter.readers import dump, load, load_text
from exporter.readers.ids import with_ids
from tests.strategies import assets_for, issues

if TYPE_CHECKING:
    from exporter.model import Issue

SLOW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def _write(issue: Issue, folder: Path) -> None:
    for path, asset in assets_for(issue).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(asset.content)


@SLOW
@given(issue=issues())
def test_a_dumped_issue_is_loaded_as_the_same_value(tmp_path_factory: object, issue: Issue) -> None:
    folder = tmp_path_factory.mktemp("issue")  # type: ignore[attr-defined]
    _write(issue, folder)
    (folder / "issue.json").write_text(dump(issue), encoding="utf-8")
    loaded = load(folder)
    assert loaded.issue == issue
    assert set(loaded.assets) == set(assets_for(issue))
    assert loaded.notices == ()
    assert dump(loaded.issue) == dump(issue)


@SLOW
@given(issue=issues())
def test_making_ids_a_second_time_changes_nothing(issue: Issue) -> None:
    for version in issue.versions:
        assert with_ids(version) is version


def test_a_dump_leaves_out_what_is_the_default() -> None:
    text = "---\ntitle: 甲\ndate: 2026-08-27\nlanguage: zh\n---\n\n文。\n"
    written = dump(load_text(text, folder=Path(__file__).parent).issue)
    assert "numbering" not in written
    assert '"kind": "paragraph"' in written


def test_importing_the_readers_imports_no_parser_and_no_model() -> None:
    script = "import exporter.readers, sys; print(*sorted({'pydantic', 'markdown_it', 'yaml', 'PIL'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_reading_an_issue_without_pictures_imports_no_picture_library(tmp_path: Path) -> None:
    (tmp_path / "issue.md").write_text(
        "---\ntitle: 甲\ndate: 2026-08-27\nlanguage: zh\n---\n文。\n", encoding="utf-8"
    )
    script = (
        "import sys, pathlib, exporter.readers as r; r.load(pathlib.Path(sys.argv[1]));"
        "print(*sorted({'PIL', 'defusedxml', 'ziamath', 'babel'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
