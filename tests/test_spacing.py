from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.model.inlines import Code, Emphasis, Inline, Link, Math, NoteReference, Span, Strong, Text
from exporter.model.walk import plain
from exporter.typography.spacing import space_line, space_text

WRAPS: tuple[type[Strong | Emphasis | Span], ...] = (Strong, Emphasis, Span)


@pytest.mark.parametrize(
    ("source", "spaced"),
    [
        ("在GPT上", "在 GPT 上"),
        ("提高12.5%以上", "提高 12.5% 以上"),
        ("2026年8月", "2026 年 8 月"),
        ("已有 空格", "已有 空格"),
        ("全角，GPT，之间", "全角，GPT，之间"),
        ("（GPT）与“GPT”", "（GPT）与“GPT”"),
        ("用C++写", "用 C++ 写"),
        ("用C#写", "用 C# 写"),
        ("约-5度", "约 -5 度"),
        ("甲-乙", "甲-乙"),
        ("权重β与γ之比", "权重 β 与 γ 之比"),
        ("温度25℃时", "温度 25℃ 时"),
        ("plain English", "plain English"),
        ("北京大学/蚂蚁", "北京大学/蚂蚁"),
    ],
)
def test_han_and_latin_are_spaced(source: str, spaced: str) -> None:
    assert space_text(source) == spaced


@given(st.text(alphabet="汉字，。“”（）ab12 %+-#@$", max_size=40))
def test_spacing_twice_changes_nothing(source: str) -> None:
    once = space_text(source)
    assert space_text(once) == once
    assert "  " not in once or "  " in source


@given(st.text(alphabet="汉字，。ab12 %", max_size=40))
def test_spacing_adds_spaces_and_nothing_else(source: str) -> None:
    assert space_text(source).replace(" ", "") == source.replace(" ", "")


@given(st.text(alphabet="汉字ab12，", min_size=1, max_size=20), st.data())
def test_a_seam_between_nodes_is_spaced_as_the_text_would_be(source: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(source)))
    wrap = data.draw(st.sampled_from(WRAPS))
    left, right = source[:cut], source[cut:]
    line: tuple[Inline, ...] = (
        (Text(text=left), wrap(children=(Text(text=right),))) if left and right else (Text(text=source),)
    )
    assert plain(space_line(line)) == space_text(source)


def test_the_space_at_a_seam_stays_outside_of_the_link() -> None:
    link = Link(target="https://arxiv.org/abs/1", children=(Text(text="arXiv"),))
    spaced = space_line((Text(text="见"), link, Text(text="一文")))
    assert spaced == (Text(text="见 "), link, Text(text=" 一文"))


def test_code_and_formulas_are_spaced_as_latin_but_not_inside() -> None:
    line = (Text(text="调用"), Code(text="评x分"), Text(text="与"), Math(tex="x"), Text(text="相乘"))
    assert plain(space_line(line)) == "调用评x分与 x 相乘"
    assert plain(space_line((Text(text="调用"), Code(text="f"), Text(text="后")))) == "调用 f 后"


def test_two_marked_nodes_side_by_side_get_a_space_of_their_own() -> None:
    line = (Strong(children=(Text(text="汉"),)), Emphasis(children=(Text(text="A"),)))
    assert space_line(line)[1] == Text(text=" ")


def test_nothing_is_set_beside_a_footnote_mark() -> None:
    line = (Text(text="模型A"), NoteReference(note="n"), Text(text="后文"))
    assert plain(space_line(line)) == "模型 A后文"


def test_a_bare_address_is_left_alone() -> None:
    link = Link(target="https://e.org/a", children=(Text(text="https://e.org/路a径"),))
    assert space_line((link,)) == (link,)
