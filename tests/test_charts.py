"""Charts: checked where they are written, drawn in the theme's look, told in plain text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from exporter.charts import draw, table_of
from exporter.errors import SourceError
from exporter.model import blocks, plain
from exporter.readers import load
from exporter.theme import load_theme
from tests.reading import HEAD

if TYPE_CHECKING:
    from pathlib import Path

CSV = "方法,得分\n基线,12.5\n经验记忆,18.25\n"
SPEC = "mark: bar\nencoding:\n  x: {field: 得分, type: quantitative}\n  y: {field: 方法, type: nominal}\n"


def folder(path: Path, spec: str = SPEC, data: str = CSV, options: str = ":data: a.csv\n") -> Path:
    (path / "a.csv").write_text(data, encoding="utf-8")
    chart = f":::{{chart}} 得分\n:name: c\n:alt: 图\n{options}\n{spec}:::\n"
    (path / "issue.md").write_text(HEAD + chart, encoding="utf-8")
    return path


def chart_of(path: Path) -> blocks.Chart:
    (node,) = load(path).issue.versions[0].lead
    assert isinstance(node, blocks.Chart)
    return node


def test_a_chart_is_self_contained_and_drawn_in_the_theme(tmp_path: Path) -> None:
    node = chart_of(folder(tmp_path))
    assert (node.data, node.file, plain(node.caption)) == (CSV, "a.csv", "得分")
    asset = draw(node, load_theme())
    svg = asset.content.decode()
    assert "经验记忆" in svg
    assert load_theme().token("color.second") in svg
    assert asset == draw(node, load_theme())
    assert asset.width > 400


def test_json_and_yaml_specifications_are_the_same_chart(tmp_path: Path) -> None:
    node = chart_of(folder(tmp_path))
    again = chart_of(folder(tmp_path, json.dumps(json.loads(node.spec), indent=1) + "\n"))
    assert node == again


def test_the_data_are_a_table(tmp_path: Path) -> None:
    table = table_of(chart_of(folder(tmp_path)))
    assert table is not None
    assert [[plain(cell.children) for cell in row] for row in (*table.head, *table.rows)] == [
        ["方法", "得分"],
        ["基线", "12.5"],
        ["经验记忆", "18.25"],
    ]


def test_ids_do_not_depend_on_what_was_drawn_before() -> None:
    spec = {"mark": {"type": "line", "clip": True}, "encoding": {"x": {"field": "a", "type": "quantitative"}}}
    first, second = (
        draw(blocks.Chart(spec=json.dumps(spec | {"name": name}), data="a\n1\n2\n", alt="x"), load_theme()).content
        for name in ("first", "second")
    )
    assert b"clip" in first
    assert first.replace(b"first", b"second") == second


@pytest.mark.parametrize(
    ("spec", "data", "message"),
    [
        (SPEC.replace("得分", "得份"), CSV, "the data have no column '得份'"),
        ("mark: barr\n", CSV, "a mark or a channel is not one that it knows"),
        ("data: {url: 'https://example.org/a.csv'}\n" + SPEC, CSV, "a chart may not have 'url'"),
        (SPEC, CSV.replace("12.5", "约 12"), "'约 12' is no number"),
        ("{\n  bad\n}\n", CSV, "JSON"),
        ("- a\n", CSV, "the specification is no mapping"),
        (SPEC, "方法,得分\n甲\n", "the row has 1 cells where the first has 2"),
        (SPEC, "方法,得分\n" + "甲,1\n" * 5001, "5001 rows of data"),
        ("transform: [{calculate: 'random()', as: z}]\n" + SPEC, CSV, "differs each time"),
    ],
)
def test_what_is_wrong_is_a_problem_with_its_line(tmp_path: Path, spec: str, data: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        load(folder(tmp_path, spec, data))
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.place is not None
    assert problem.place.line


def test_an_unknown_column_is_pointed_at(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        load(folder(tmp_path, SPEC.replace("field: 得分", "field: 得份")))
    place = caught.value.problems[0].place
    lines = (tmp_path / "issue.md").read_text(encoding="utf-8").split("\n")
    assert place is not None
    assert place.column is not None
    assert lines[place.line - 1][place.column - 1 :].startswith("得份")


def test_missing_data_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no\.csv"):
        load(folder(tmp_path, options=":data: no.csv\n"))
    with pytest.raises(SourceError, match="no data"):
        load(folder(tmp_path, options=""))
