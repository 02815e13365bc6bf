"""Adjacent full-width marks: which of them loses its empty half, and that no character is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.model import inlines
from exporter.model.walk import plain, walk
from exporter.typography.breaks import mark_line
from exporter.typography.punctuation import HALF, squeeze_line


def shown(line: inlines.Inlines) -> str:
    """Return the line with squeezed marks in brackets."""
    return "".join(
        f"[{plain(node.children)}]"
        if isinstance(node, inlines.Span) and HALF in node.classes
        else shown(node.children)
        if hasattr(node, "children")
        else getattr(node, "text", "")
        for node in line
    )


@pytest.mark.parametrize(
    ("text", "squeezed"),
    [
        ("写道：“样本", "写道[：]“样本"),
        ("谨慎。”《年报》", "谨慎[。”]《年报》"),
        ("（《方法》）", "（[《]方法[》]）"),
        ("你好，世界。", "你好，世界。"),
        ("don’t（x）", "don’t（x）"),
    ],
)
def test_of_two_adjacent_marks_one_is_squeezed(text: str, squeezed: str) -> None:
    assert shown(squeeze_line((inlines.Text(text=text),))) == squeezed


def test_marks_of_two_faces_are_left_alone() -> None:
    line = (inlines.Strong(children=(inlines.Text(text="“可复核”"),)), inlines.Text(text="，并"))
    assert squeeze_line(line) == line


def test_line_breaking_marks_do_not_hide_a_neighbor() -> None:
    line = mark_line((inlines.Text(text="写道：“样本”（节选）"),))
    assert shown(squeeze_line(line)).replace("\u200b", "|") == "写道[：]|“样本[”]|（节选）"


def test_code_is_never_squeezed() -> None:
    line = (inlines.Code(text="：“”（"),)
    assert squeeze_line(line) == line


LINES = st.lists(
    st.text(alphabet="测试，。：；（）《》“”‘’a \u200b\u2060", max_size=12).flatmap(
        lambda text: st.sampled_from(
            [
                inlines.Text(text=text),
                inlines.Code(text=text),
                inlines.Emphasis(children=(inlines.Text(text=text),)),
            ]
        )
    ),
    max_size=4,
).map(tuple)


@given(LINES)
def test_squeezing_changes_no_character(line: inlines.Inlines) -> None:
    assert plain(squeeze_line(line)) == plain(line)


@given(LINES)
def test_squeezing_wraps_nothing_but_marks(line: inlines.Inlines) -> None:
    spans = [node for part in squeeze_line(line) for node in walk(part) if isinstance(node, inlines.Span)]
    assert all(set(plain(span.children)) <= set("，。：；（）《》“”‘’") for span in spans)
