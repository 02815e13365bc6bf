"""Front matter: what opens and closes it, and every wrong key told at its place."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from exporter.model import plain
from exporter.readers import load, load_text
from tests.reading import EMPTY, SVG, folder_problems, hints, problems, read, write

if TYPE_CHECKING:
    from pathlib import Path


def _head(*lines: str) -> str:
    return "\n".join(("---", "title: 甲", "date: 2026-08-27", "language: zh", *lines, "---", ""))


def test_different_mistakes_are_listed_at_once_each_with_its_place(tmp_path: Path) -> None:
    text = _head("subtitel: 乙", "rating: 9") + (
        "文[^zz] 与[](#fig-gian)、[](#fig-gain)、[](#lost)。\n\n![](b.svg)\n\n"
        ":::{csv-table} 表\n:header-row: 1\na,b\n1\n:::\n\n"
        ":::{figure} a.svg\n:name: fig-gain\n:alt: 图\n:::\n\n:::{figur} a.svg\n:name: lost\n:::\n\n"
        "![图](none.svg)\n"
    )
    write(tmp_path, {"issue.md": text, "a.svg": SVG, "b.svg": SVG})
    assert folder_problems(tmp_path) == [
        "issue.md:5:1 unknown key subtitel",
        "issue.md:6:9 rating must be at most 5",
        "issue.md:8:2 the footnote [^zz] is not defined",
        "issue.md:8:9 the reference #fig-gian leads to no id",
        "issue.md:10:1 the picture b.svg has no alternative text",
        "issue.md:13:1 {csv-table} has no option header-row",
        "issue.md:15:1 the row has 1 cells where the first has 2",
        "issue.md:23:4 unknown directive {figur}",
        "issue.md:27:1 the picture none.svg is not there",
    ]


def test_a_wrong_language_and_title_do_not_hide_what_is_wrong_in_the_body() -> None:
    head = "---\ntitle: [甲]\ndate: soon\nlanguage: chinese\nsummary: 摘要[^a]\n---\n"
    assert problems("文[^zz]。\n\n[^a]: 注\n", head=head) == [
        "2:8 title must be a text",
        "3:7 date must be a date such as 2026-08-27",
        "4:11 language must be a BCP 47 language tag such as zh, zh-Hant or en",
        "7:2 the footnote [^zz] is not defined",
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("titel: 乙", "5:1 unknown key titel"),
        ("sections: []", "5:1 unknown key sections"),
        ("tags: {a: b}", "5:7 tags must be a list"),
        ("rating: many", "5:9 rating must be a number"),
        ("numbering: perhaps", "5:12 numbering must be true or false"),
        ("paper: b5", "5:8 paper must be a4, a5 or letter, not b5"),
        ("number: [1]", "5:9 number must be a text"),
        ("authors: [{nam: 乙}]", "5:12 unknown key authors.nam"),
        ("coverage: {from: yesterday}", "5:18 coverage.from must be a date such as 2026-08-27"),
        ("email: {from: nobody}", "5:15 email.from.address must be an address such as news@example.org"),
        (
            "email: {list_unsubscribe: ftp://x}",
            "5:27 email.list_unsubscribe must be a URL that begins with https://, http:// or mailto:",
        ),
        ("tags: [甲, '']", "5:12 tags must not be empty"),
        ("id: [a]", "5:1 id must be a text"),
        ("id: ../a", "5:5 an issue's id names files: it may not hold '/'"),
        ("id: con", "5:5 an issue's id names files: Windows keeps this name to itself"),
    ],
)
def test_a_wrong_key_or_value_is_told_at_its_place(line: str, problem: str) -> None:
    assert problem in problems("文。\n", head=_head(line))


def test_a_missing_key_is_a_problem_of_the_front_matter() -> None:
    assert problems("文。\n", head="---\nlanguage: zh\n---\n") == ["2:1 title is missing", "2:1 date is missing"]


def test_a_missing_language_says_how_to_name_it() -> None:
    head = "---\ntitle: 甲\ndate: 2026-08-27\n---\n"
    assert problems("文。\n", head=head) == ["2:1 language is missing"]
    assert "language: zh" in hints("文。\n", head=head)[0]


def test_an_unknown_key_names_the_nearest() -> None:
    assert hints("文。\n", head=_head("subtitel: 乙")) == ["did you mean subtitle or title?"]


def test_scalars_stay_text_where_the_model_wants_text() -> None:
    head = "---\ntitle: no\ndate: 2026-08-27\nlanguage: zh\nnumber: 1.10\nvolume: 1e3\ntags: [yes, 0x1F, 2026-08-27]\n---\n"
    issue = read("文。\n", head=head).issue.original
    assert (issue.title, issue.number, issue.volume) == ("no", "1.10", "1e3")
    assert issue.tags == ("yes", "0x1F", "2026-08-27")


def test_a_key_without_a_value_is_as_if_it_were_not_there() -> None:
    issue = read(
        "文。\n", head=_head("subtitle:", "number: ~", "coverage: {from: 2026-08-20, to: }")
    ).issue.original
    assert (issue.subtitle, issue.number) == ((), None)
    assert issue.coverage is not None
    assert issue.coverage.to is None


@pytest.mark.parametrize(
    "date", ["2026-01-01", "2026-01-01T00:30:00+08:00", "2026-01-01 23:59:59Z", "'2026-01-01'"]
)
def test_the_date_is_the_written_calendar_day(date: str) -> None:
    head = f"---\ntitle: 甲\ndate: {date}\nlanguage: zh\n---\n"
    assert read("文。\n", head=head).issue.original.date == dt.date(2026, 1, 1)


@pytest.mark.parametrize("date", ["20260101", "1 January 2026", "2026-13-01", "2026-02-30", "2026-1-1", "now"])
def test_what_is_no_calendar_day_is_a_problem(date: str) -> None:
    head = f"---\ntitle: 甲\ndate: {date}\nlanguage: zh\n---\n"
    assert problems("文。\n", head=head) == ["3:7 date must be a date such as 2026-08-27"]


def test_prose_in_front_matter_is_markdown_with_places() -> None:
    issue = read("文。\n", head=_head("subtitle: 乙 *丙*", "summary: |", "  第一段", "", "  第二段")).issue.original
    assert plain(issue.subtitle) == "乙 丙"
    assert len(issue.summary) == 2
    head = _head(
        "subtitle: 乙 [x](javascript:y)", "summary: |", "  甲", "", "  乙 $\\frac{$", 'method: "[z](data:z)"'
    )
    assert [problem.split(" ")[0] for problem in problems("文。\n", head=head)] == ["5:13", "9:5", "10:10"]


def test_three_hyphens_inside_the_header_do_not_end_it() -> None:
    text = '---\ntitle: "甲---乙"\ndate: 2026-08-27\nlanguage: zh\nsummary: |\n  一\n  ---\n  三\n---\n\n文。\n\n---\n\n末。\n'
    issue = load_text(text, folder=EMPTY).issue.original
    assert issue.title == "甲---乙"
    assert [type(block).__name__ for block in issue.lead] == ["Paragraph", "ThematicBreak", "Paragraph"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("文。\n", "1:1 there is no front matter"),
        ("", "1:1 there is no front matter"),
        (" ---\ntitle: 甲\n---\n", "1:1 there is no front matter"),
        ("---\n---\n文。\n", "1:1 the front matter is empty"),
        ("---\n\n没有元数据。\n\n---\n", "2:1 the front matter is no mapping of keys"),
        ("---\n- a\n---\n", "2:1 the front matter is no mapping of keys"),
        ("---\ntitle: 甲\n", "1:1 the front matter is opened in line 1 and never closed"),
        ("---\ntitle: 甲\n...\n文。\n", "3:1 the front matter is opened in line 1 and never closed"),
        ("---\ntitle: 甲\ntitle: 乙\n---\n", "3:1 the key title stands twice: in line 2 and in line 3"),
        ("---\na:\n\tb: 1\n---\n", "3:1 a tab cannot indent YAML"),
        ("---\ntitle: 甲: 乙\n---\n", "2:9 this is no YAML: a colon with a space behind it stands inside a text"),
        ("---\ntitle: @甲\n---\n", "2:8 this is no YAML: a text cannot begin with @"),
        ("---\ntitle: !!python/name:os.system\n---\n", "2:8 the tag !!python/name:os.system is not allowed"),
        ("---\na: &a [*a]\n---\n", "2:8 *a stands inside what it names, from line 2 on: that would never end"),
        ("---\na: *b\n---\n", "2:4 *b names nothing"),
        ("---\na: &a {b: 1}\nc:\n  <<: *a\n---\n", "4:3 merge keys (<<) are not read"),
    ],
)
def test_a_header_that_is_none_is_told_at_its_place(text: str, problem: str) -> None:
    assert problem in problems("", head=text)


def test_a_broken_header_does_not_hide_the_problems_of_the_body() -> None:
    text = "---\ntitle: @甲\n---\n\n[x](javascript:y)\n"
    assert problems("", head=text)[1:] == ["5:1 a link may not lead to javascript:y"]


def test_an_alias_within_the_limit_is_read() -> None:
    issue = read("文。\n", head=_head("tags: &t [甲, 乙]", "authors: *t")).issue.original
    assert [author.name for author in issue.authors] == list(issue.tags)


def test_aliases_that_expand_without_bound_are_refused() -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    (problem,) = problems("文。\n", head=_head(*lines))
    assert "the aliases expand to more than the limit of 10000 nodes" in problem


@pytest.mark.parametrize("text", ["[" * 5000, "{a: " * 5000, "- " * 5000 + "x"])
def test_deep_yaml_is_a_problem_and_no_crash(text: str) -> None:
    assert "nested deeper than the limit of 160" in problems("文。\n", head=_head("x:", f"  {text}"))[0]


@pytest.mark.parametrize("value", [r'"甲\r\nBcc: x@example.org"', r'"甲\u0085乙"', r'"甲\u2028乙"', r'"甲\x0b乙"'])
def test_a_line_break_in_a_title_is_a_problem_naming_the_field(value: str) -> None:
    head = f"---\ntitle: {value}\ndate: 2026-08-27\nlanguage: zh\n---\n"
    assert problems("文。\n", head=head) == [
        "2:9 title must be a single line: a line break here could forge a message header"
    ]


def test_a_line_break_in_an_address_of_the_publication_is_a_problem(tmp_path: Path) -> None:
    publication = (
        '{"name": "甲", "email": {"from": {"name": "乙\\nBcc: x@example.org", "address": "n@example.org"}}}'
    )
    write(tmp_path, {"issue.md": _head() + "文。\n", "publication.yaml": publication})
    (problem,) = folder_problems(tmp_path)
    column = publication.index("乙") + 1
    assert problem.startswith(f"publication.yaml:1:{column} email.from.name must be a single line")


def test_escaped_control_characters_are_problems() -> None:
    head = '---\ntitle: "甲\\u001b[31m"\ndate: 2026-08-27\nlanguage: zh\n---\n'
    assert problems("文。\n", head=head) == ["2:8 the control character U+001B stands in a text"]


def test_a_yaml_language_server_line_is_accepted() -> None:
    text = "---\n# yaml-language-server: $schema=issue.json\n$schema: issue.json\ntitle: 甲\ndate: 2026-08-27\nlanguage: zh\n---\n文。\n"
    assert load_text(text, folder=EMPTY).issue.original.title == "甲"


def test_the_id_comes_from_the_front_matter_the_folder_or_the_file(tmp_path: Path) -> None:
    write(tmp_path, {"2026-08-27/issue.md": _head() + "文。\n", "notes.md": _head() + "文。\n"})
    write(tmp_path, {"第 42 期.md": _head() + "文。\n", "x/issue.md": _head("id: own") + "文。\n"})
    assert load(tmp_path / "2026-08-27").issue.id == "2026-08-27"
    assert load(tmp_path / "2026-08-27" / "issue.md").issue.id == "2026-08-27"
    assert load(tmp_path / "notes.md").issue.id == "notes"
    assert load(tmp_path / "第 42 期.md").issue.id == "第 42 期"
    assert load(tmp_path / "x").issue.id == "own"
