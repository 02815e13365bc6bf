"""Ids, made or given, and the references to them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.model import walk
from exporter.readers.ids import explicit_ids, slug
from tests.reading import hints, problems, read, version


def _ids(text: str) -> list[str]:
    return list(explicit_ids(version(text)))


def test_headings_get_a_slug_and_the_second_of_a_name_a_number() -> None:
    assert _ids("# 小节 一\n\n## 小节 一\n\n## 小节 一\n") == ["小节-一", "小节-一-1", "小节-一-2"]


def test_no_id_that_an_author_gave_is_taken() -> None:
    assert _ids("# 甲\n\n# 乙 {#甲}\n\n# 甲\n") == ["甲-1", "甲", "甲-2"]


def test_blocks_with_a_caption_are_named_by_their_number() -> None:
    text = (
        ":::{csv-table} 一\na\n:::\n\n```x {caption=例}\n```\n\n:::{csv-table} 二\n:name: own\na\n:::\n\n"
        "## table-4\n\n:::{csv-table} 三\na\n:::\n\n| 无 |\n|---|\n\n:::{csv-table} 四\na\n:::\n"
    )
    assert _ids(text) == ["table-1", "code-1", "own", "table-4", "table-3", "table-4-1"]


def test_a_formula_has_an_id_only_when_it_is_given_one() -> None:
    assert _ids("$$\nx\n$$\n\n$$\ny\n$$ (eq)\n") == ["eq"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Why it matters", "why-it-matters"),
        ("一、早读结论：今天", "一早读结论今天"),
        ("C++ & τ²-Bench", "c-τ²-bench"),
        ("  a   b  ", "a-b"),
        ("é", unicodedata.normalize("NFC", "é")),
        ("!?", ""),
        ("a--b_c", "a-b_c"),
    ],
)
def test_a_slug_keeps_letters_and_digits_of_any_script(text: str, wanted: str) -> None:
    assert slug(text) == wanted


@given(st.text())
def test_a_slug_is_an_id_and_its_own_slug(text: str) -> None:
    made = slug(text)
    assert slug(made) == made
    assert not set(made) & set(" \t\n\"'<>#`\\{}")


def test_an_id_given_twice_is_a_problem_naming_both_lines() -> None:
    assert problems("# 甲 {#a}\n\n## 乙 {#a}\n") == ["8:1 the id a stands twice: in line 6 and in line 8"]
    assert problems("[x]{#a}\n\n# 乙 {#a}\n") == ["8:1 the id a stands twice: in line 6 and in line 8"]


def test_a_reference_to_no_id_names_the_nearest() -> None:
    text = "# 增益 {#fig-gain}\n\n见[](#fig-gian)。\n"
    assert problems(text) == ["8:2 the reference #fig-gian leads to no id"]
    assert hints(text) == ["did you mean fig-gain?"]


def test_references_reach_headings_blocks_formulas_and_spans() -> None:
    text = (
        "# 节\n\n## 条 {.entry}\n\n### 头\n\n[词]{#span}\n\n$$\nx\n$$ (eq)\n\n:::{csv-table} 表\na\n:::\n\n"
        "[](#节) [](#条) [](#头) [](#span) [](#eq) [](#table-1)\n"
    )
    assert read(text).notices == ()


def test_every_id_of_an_issue_is_its_own() -> None:
    issue = version("# 甲\n\n## 甲 {.entry}\n\n### 甲\n\n### 甲\n\n# 甲-1\n\n# !\n\n# !\n")
    ids = [name for node in walk(issue) if (name := getattr(node, "id", None))]
    assert len(ids) == len(set(ids)) == 7
