"""Line breaking marks: where they stand, across inline nodes, and that nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.model import inlines
from exporter.model.walk import plain
from exporter.typography.breaks import ALLOW, JOIN, mark_line, mark_text, without_marks


def shown(text: str) -> str:
    return text.replace(ALLOW, "|").replace(JOIN, "_")


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("他说：“样本”偏少", "他说：|“样本”|偏少"),
        ("《年报》“摘要”（节选）", "《年报》|“摘要”|（节选）"),
        ("写道——第三章……完", "写道_——第三章_……完"),
        ("C++ 与 C# 与 C", "C_+_+ 与 C_# 与 C"),
        ("τ²-Bench 与 I-最优", "τ²_-_Bench 与 I_-_最优"),
        ("2026 年 8 月", "2026 _年 8 _月"),
        ("a state-of-the-art self-play", "a state-_of-_the-_art self-_play"),
        ("1990—2000", "1990_—_2000"),
        ("63%～68%", "63%_～_68%"),
        ("见图 1 与表 2", "见图 _1 与表 _2"),
        ("约 12 GB 内存", "约 _12 _GB 内存"),
    ],
)
def test_marks_stand_where_the_rules_say(text: str, marked: str) -> None:
    assert shown(mark_text(text)) == marked


@pytest.mark.parametrize("text", ["don’t stop", "well – so", "a “quoted” word", "12.5% of it"])
def test_english_is_left_alone(text: str) -> None:
    assert mark_text(text) == text


def test_a_rule_sees_across_inline_nodes() -> None:
    line = (
        inlines.Text(text="这里说"),
        inlines.Strong(children=(inlines.Text(text="“可复核”"),)),
        inlines.Text(text="的"),
    )
    marked = mark_line(line)
    assert shown(plain(marked)) == "这里说|“可复核”|的"
    assert isinstance(marked[1], inlines.Strong)


def test_code_formulas_and_bare_addresses_are_never_marked() -> None:
    address = "https://example.org/2026年/C++"
    line = (
        inlines.Code(text="C++"),
        inlines.Math(tex="C++"),
        inlines.Link(target="https://example.org/", children=(inlines.Text(text=address),)),
    )
    assert mark_line(line) == line


def test_the_last_two_han_of_a_paragraph_stay_together() -> None:
    line = (inlines.Text(text="结论需谨慎。"),)
    assert shown(plain(mark_line(line, paragraph=True))) == "结论需谨_慎。"
    assert mark_line(line) == line


TEXTS = st.text(alphabet="测试年月图第“”‘’，。（）——……·～ aC+#-τ²129%GB\u00a0/", max_size=30)
LINES = st.lists(
    st.one_of(
        TEXTS.map(lambda text: inlines.Text(text=text)),
        TEXTS.map(lambda text: inlines.Code(text=text)),
        TEXTS.map(lambda text: inlines.Emphasis(children=(inlines.Text(text=text),))),
    ),
    max_size=4,
).map(tuple)


@given(LINES)
def test_marking_changes_no_other_character(line: inlines.Inlines) -> None:
    assert without_marks(plain(mark_line(line, paragraph=True))) == plain(line)


@given(LINES)
def test_marking_twice_changes_nothing(line: inlines.Inlines) -> None:
    once = mark_line(line, paragraph=True)
    assert mark_line(once, paragraph=True) == once
