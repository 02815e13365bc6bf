"""Tables: pipes, CSV, columns; no cell is lost in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from exporter.model import blocks, plain
from exporter.model.inlines import Code, LineBreak, Math, NoteReference, Text
from exporter.readers import Limits, load
from exporter.readers.markdown.csv_tables import detected
from tests.reading import HEAD, folder_problems, notices, only, problems, read, write

if TYPE_CHECKING:
    from pathlib import Path


def _table(text: str) -> blocks.Table:
    table = only(text)
    assert isinstance(table, blocks.Table)
    return table


def _cells(table: blocks.Table) -> list[list[str]]:
    return [[plain(cell.children) for cell in row] for row in (*table.head, *table.rows)]


def test_a_pipe_table_has_columns_head_and_rows() -> None:
    table = _table("| 左 | 中 | 右 |\n|:--|:-:|--:|\n| **甲** | `a` | $x$[^n] |\n\n[^n]: 注\n")
    assert [column.align for column in table.columns] == ["left", "center", "right"]
    assert table.rows[0][1].children == (Code(text="a"),)
    assert table.rows[0][2].children == (Math(tex="x"), NoteReference(note="n"))
    assert (table.id, table.caption) == (None, ())


def test_an_escaped_pipe_is_a_character() -> None:
    assert _cells(_table("| 甲 | 乙 |\n|---|---|\n| `a \\| b` | 甲 \\| 乙 |\n"))[1] == ["a | b", "甲 | 乙"]


@pytest.mark.parametrize(
    ("row", "count"),
    [("| 一 | 二 | 三 |", 3), ("| `a | b` | 二 |", 3), ("| $|x|$ | 二 |", 4), ("一|二|三|四|五", 5)],
)
def test_a_row_with_too_many_cells_is_a_problem_with_its_line(row: str, count: int) -> None:
    assert problems(f"| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n{row}\n") == [
        f"9:1 the row has {count} cells where the table has 2 columns"
    ]


def test_a_row_with_too_few_cells_is_filled_with_a_notice() -> None:
    text = "| 甲 | 乙 |\n|---|---|\n| 少 |\n| 空 | |\n"
    assert _cells(_table(text)) == [["甲", "乙"], ["少", ""], ["空", ""]]
    assert notices(text) == ["8:1 short-row"]


def test_a_table_without_rows_or_with_a_blank_head_is_a_table() -> None:
    assert _cells(_table("| 无表体 |\n|---|\n")) == [["无表体"]]
    assert _table("| | |\n|---|---|\n| 1 | 2 |\n").head == ()


def test_a_cell_has_its_own_column_in_messages() -> None:
    assert problems("> | 甲 | 乙 |\n> |---|---|\n> | 一 | 二 [x](javascript:y) |\n") == [
        "8:11 a link may not lead to javascript:y"
    ]


def test_a_table_directive_has_its_options() -> None:
    table = _table(
        ":::{table} 题 *注*\n:name: tab-a\n:align: left, decimal\n:width: 80%\n:source: 某\n:notes: 释\n\n"
        "| 甲 | 乙 |\n|---|---|\n| 1 | 2.5 |\n:::\n"
    )
    assert (table.id, plain(table.caption), table.width) == ("tab-a", "题 注", "80%")
    assert (plain(table.source), plain(table.notes)) == ("某", "释")
    assert [column.align for column in table.columns] == ["left", "decimal"]


def test_attributes_above_a_pipe_table_name_it() -> None:
    table = _table('{#tab-a caption="题"}\n| 甲 |\n|---|\n| 1 |\n')
    assert (table.id, plain(table.caption)) == ("tab-a", "题")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (":::{table} 题\n文。\n:::\n", "6:4 the body of {table} is one pipe table and nothing else"),
        (":::{table} 题\n:align: left right centre\n| a | b | c |\n|-|-|-|\n:::\n", "7:9 unknown alignment centre"),
        (
            ":::{table} 题\n:align: left, right\n| a | b | c |\n|-|-|-|\n:::\n",
            "7:9 align names 2 columns where the table has 3",
        ),
        (":::{table} 题\n:width: wide\n| a |\n|-|\n:::\n", "7:9 the width wide is neither a share nor a length"),
        (":::{csv-table} 题\n:::\n", "6:4 the table has no CSV"),
        (":::{csv-table} 题\n:widths: 1 0\na,b\n:::\n", "7:10 the width 0 is no number above 0"),
        (":::{csv-table} 题\n:header-rows: 5\na,b\n:::\n", "7:15 header-rows must be a whole number from 0 to 1"),
        (":::{csv-table} 题\n:stub-columns: x\na,b\n:::\n", "7:16 stub-columns must be a whole number from 0 to 2"),
        (":::{csv-table} 题\n:delimiter: ab\na,b\n:::\n", "7:13 the delimiter ab is not one character"),
        (":::{csv-table} 题\na,b\n1,2,3\n4\n:::\n", "8:1 the row has 3 cells where the first has 2"),
        (":::{csv-table} 题\na,b\n1,2,3\n4\n:::\n", "9:1 the row has 1 cells where the first has 2"),
        (':::{csv-table} 题\na,b\n"1,2\n:::\n', "8:1 the CSV cannot be read: a quotation mark is never closed"),
        (":::{csv-table} 题\n:encoding: utf-9\n:file: a.csv\n:::\n", "8:8 the CSV file a.csv is not there"),
        (":::{csv-table} 题\n:file: ../a.csv\n:::\n", "7:8 the CSV file ../a.csv is not there"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_at_its_place(text: str, problem: str) -> None:
    assert problem in problems(text)


def test_a_csv_in_the_body_is_plain_text() -> None:
    table = _table(
        ':::{csv-table} 题\n:header-rows: 1\n:stub-columns: 1\n:widths: 2 1\n甲,乙\n*a*,"b, [c](d)"\n$x$,\n:::\n'
    )
    assert _cells(table) == [["甲", "乙"], ["*a*", "b, [c](d)"], ["$x$", ""]]
    assert table.rows[0][0].children == (Text(text="*a*"),)
    assert (table.stub_columns, [column.width for column in table.columns], table.id) == (1, [2.0, 1.0], "table-1")


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("a.csv", "甲,乙\n1,2\n", ""),
        ("a.csv", "甲,乙\r\n1,2\r\n".encode("utf-8-sig"), ""),
        ("a.csv", "甲;乙\n1;2\n", ""),
        ("a.tsv", "甲\t乙\n1\t2\n", ""),
        ("a.csv", "甲:乙\n1:2\n", ":delimiter: ':'\n".replace("'", "")),
        ("a.csv", "甲\t乙\n1\t2\n", ":delimiter: tab\n"),
        ("a.csv", "甲,乙\n1,2\n".encode("gb18030"), ":encoding: gb18030\n"),
        ("表 一.csv", "甲,乙\n\n1,2\n\n", ""),
    ],
)
def test_a_csv_file_is_read_whatever_its_dialect(
    tmp_path: Path, name: str, content: str | bytes, options: str
) -> None:
    write(tmp_path, {"issue.md": HEAD + f":::{{csv-table}} 题\n:file: {name}\n{options}:::\n", name: content})
    loaded = load(tmp_path)
    (table,) = loaded.issue.original.lead
    assert isinstance(table, blocks.Table)
    assert _cells(table) == [["甲", "乙"], ["1", "2"]]
    assert table.file == name
    assert [source.path for source in loaded.sources] == ["issue.md", name]


def test_a_line_break_inside_a_quoted_cell_is_kept(tmp_path: Path) -> None:
    write(
        tmp_path, {"issue.md": HEAD + ":::{csv-table} 题\n:file: a.csv\n:::\n", "a.csv": '甲,乙\n"一\n二",3\n4\n'}
    )
    assert folder_problems(tmp_path) == ["a.csv:4:0 the row has 1 cells where the first has 2"]
    write(tmp_path, {"a.csv": '甲,乙\n"一\n二",3\n'})
    (table,) = load(tmp_path).issue.original.lead
    assert table.rows[0][0].children == (Text(text="一"), LineBreak(), Text(text="二"))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\n1,5\t2\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("a\n1\n", ","),
        ('a;b\n"x;y";2\n', ";"),
        ("", ","),
    ],
)
def test_the_delimiter_is_the_one_that_splits_all_rows_alike(text: str, delimiter: str) -> None:
    assert detected(text) == delimiter


def test_formats_are_checked_with_every_cell() -> None:
    text = ":::{csv-table} 题\n:format: text, integer, #,##0.0\n:header-rows: 1\n甲,乙,丙\na,12,1.25\nb,x,2\n:::\n"
    assert [problem.partition(",")[0] for problem in problems(text)] == ["11:1 'x' is not a number"]
    table = _table(text.replace("b,x,2", "b,—,2"))
    assert [column.format for column in table.columns] == ["text", "integer", "#,##0.0"]
    assert _cells(table)[1] == ["a", "12", "1.25"]


def test_an_unknown_format_is_a_problem_with_the_known_ones() -> None:
    (problem,) = problems(":::{csv-table} 题\n:format: text, intger\na,1\n:::\n")
    assert problem.startswith("7:10 ")


def test_more_rows_than_the_limit_are_refused_with_the_limit() -> None:
    text = ":::{csv-table} 题\n" + "a,b\n" * 12 + ":::\n"
    assert problems(text, limits=Limits(rows=10)) == ["17:1 the CSV has more rows than the limit of 10"]
    assert read(text, limits=Limits(rows=12)).notices == ()
