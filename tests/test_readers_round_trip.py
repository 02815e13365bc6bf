"""Whatever a program writes as canonical JSON is read back as the same issue."""

from __future__ import annotations

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
