"""Width and wrapping: every line fits, no line begins or ends with a forbidden mark, nothing is lost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.typography.width import (
    AMBIGUOUS_CHINESE,
    AMBIGUOUS_OTHER,
    GLUE_SPACE,
    JOINER,
    ambiguous_width,
    graphemes,
    padded,
    printable,
    width,
)
from exporter.typography.wrap import atoms, fill, is_address, narrowest, wrap
from tests.conftest import THOROUGH

# As checks of text editions have them.
NO_START = set("，。、；：！？）》」』】〕”’…—·,;:!?)]}%")
NO_END = set("（《「『【〔“‘([{")

HAN = st.text("研究者在报告了一种方法它把工作记忆与经验分开年月日图表第", min_size=1, max_size=40)
LATIN = st.sampled_from(
    [
        "Recuris",
        "τ²-Bench",
        "C++",
        "don’t",
        "2608.24876",
        "12.5%",
        "experience",
        "—",
        "a_(b)",
        ".NET",
        "-5",
        "×",
        "1,296",
        "naïve",
        "[7]",
        "(OOD)",
        "/",
        ">",
    ]
)
MARKS = st.text("，。、；：！？）》」』】〕”’…—·（《「『【〔“‘～％", min_size=1, max_size=3)
PICTURES = st.sampled_from(["👩‍🔬", "👨‍👩‍👧‍👦", "🇨🇳", "👍🏽", "1️⃣", "e\u0301", "❤️", "각", "ｱｲｳ", "\u00a0"])
ADDRESSES = st.sampled_from(["https://example.org/a_(b)", "mailto:news@example.org?subject=%E7%AE%80%E6%8A%A5"])
PARAGRAPHS = st.lists(st.one_of(HAN, LATIN, MARKS, PICTURES, ADDRESSES, st.just(" ")), max_size=60).map("".join)
COLUMNS = st.integers(16, 90)
AMBIGUOUS = st.sampled_from([1, 2])


def normal(text: str) -> str:
    return " ".join(text.split(" ")).strip(" ") if "  " not in text else " ".join(filter(None, text.split(" ")))


@THOROUGH
@given(PARAGRAPHS, COLUMNS, AMBIGUOUS)
def test_no_line_is_wider_than_the_measure_unless_it_is_one_address(
    text: str, columns: int, ambiguous: int
) -> None:
    for line in wrap(text, columns, ambiguous=ambiguous):
        if width(line, ambiguous=ambiguous) > columns:
            assert is_address(line)
            assert len(list(atoms(line))) == 1


@THOROUGH
@given(PARAGRAPHS, COLUMNS, AMBIGUOUS)
def test_no_line_begins_or_ends_with_a_forbidden_mark(text: str, columns: int, ambiguous: int) -> None:
    if any(width(atom.rstrip(" "), ambiguous=ambiguous) > columns for atom in atoms(text)):
        return  # a run of marks longer than a line has to be divided somewhere
    lines = wrap(text, columns, ambiguous=ambiguous)
    assert not [line for line in lines[1:] if line[0] in NO_START]
    assert not [line for line in lines[:-1] if line[-1] in NO_END]


@THOROUGH
@given(PARAGRAPHS, COLUMNS, AMBIGUOUS)
def test_the_lines_joined_are_the_paragraph(text: str, columns: int, ambiguous: int) -> None:
    lines = fill(text, columns, ambiguous=ambiguous)
    assert "".join(line.text + line.space for line in lines) == normal(text)


@THOROUGH
@given(PARAGRAPHS, COLUMNS)
def test_no_character_that_a_reader_sees_as_one_is_divided(text: str, columns: int) -> None:
    whole = list(graphemes("".join(wrap(text, columns)).replace(" ", "")))
    parts = [unit for line in wrap(text, columns) for unit in graphemes(line.replace(" ", ""))]
    assert [unit for unit in parts if len(unit) > 1] == [unit for unit in whole if len(unit) > 1]


@THOROUGH
@given(PARAGRAPHS, COLUMNS, st.integers(8, 60))
def test_the_first_line_has_a_measure_of_its_own(text: str, columns: int, first: int) -> None:
    lines = wrap(text, columns, first=first)
    assert not lines or width(lines[0]) <= first or is_address(lines[0])


@pytest.mark.parametrize(
    "whole",
    [
        "C++", "τ²-Bench", "12.5%", "63%～68%", "8 月", "12 GB", "图 3", "第 239 期", "don’t", "1990–2000",
        "arXiv:2608.24876", "well-known", "10\u00a0000", "👨‍👩‍👧‍👦", "🇨🇳", "e\u0301", "……", "——", "“好”", "1,296",
    ],
)  # fmt: skip
def test_what_belongs_together_stays_on_one_line(whole: str) -> None:
    for before in range(1, 24):
        text = "文" * before + whole + "字" * 30
        assert whole in "\n".join(wrap(text, 24, ambiguous=2))


def test_a_line_may_end_between_any_two_han_characters_and_nothing_is_put_there() -> None:
    assert wrap("文" * 30, 20) == ("文" * 10, "文" * 10, "文" * 10)


def test_the_last_two_han_characters_of_a_paragraph_stay_together() -> None:
    assert wrap("文" * 20 + "末。", 40)[-1] == "文末。"


def test_a_word_longer_than_a_line_is_divided_after_a_sign_that_joins_words() -> None:
    assert wrap("exporter/typography/wrapping_of_lines.py", 24) == ("exporter/typography/", "wrapping_of_lines.py")


def test_an_address_is_never_divided() -> None:
    address = "https://example.org/" + "a" * 100 + "/b-c"
    assert address in wrap(f"见{address}。后文", 30)[1]


def test_a_sign_alone_never_begins_a_line_where_it_would_look_like_a_bullet() -> None:
    for columns in range(8, 30):
        assert not [line for line in wrap("alpha - beta / gamma > delta * epsilon", columns) if line[0] in "-/>*"]


def test_a_no_break_space_stays_and_is_no_break() -> None:
    assert wrap("aaaa bbbb\u00a0cccc", 9) == ("aaaa", "bbbb\u00a0cccc")


def test_a_glue_space_is_written_as_a_space_and_a_joiner_as_nothing() -> None:
    assert wrap(f"aaaa bb{GLUE_SPACE}cc{JOINER}[1]", 8) == ("aaaa", "bb cc[1]")


def test_what_is_glued_is_divided_at_the_glue_when_it_is_longer_than_a_line() -> None:
    assert wrap(f"aaaa bbbb{GLUE_SPACE}cc[1]", 8) == ("aaaa", "bbbb", "cc[1]")


@pytest.mark.parametrize(
    ("text", "columns", "ambiguous"),
    [
        ("“引号”…", 7, 1), ("“引号”…", 10, 2), ("①α·", 3, 1), ("①α·", 6, 2), ("👩‍🔬 研究员", 9, 2), ("❤️", 2, 2),
        ("1️⃣", 2, 2), ("🇨🇳", 2, 2), ("e\u0301", 1, 2), ("ｱｲｳ", 3, 2), ("각", 2, 2), ("ＡＢ", 4, 2), ("ab", 2, 2),
    ],
)  # fmt: skip
def test_width_follows_the_documented_rule(text: str, columns: int, ambiguous: int) -> None:
    assert width(text, ambiguous=ambiguous) == columns


def test_ambiguous_characters_are_wide_in_chinese_editions_and_narrow_in_others() -> None:
    assert ambiguous_width("zh-Hans") == ambiguous_width("zh-Hant") == AMBIGUOUS_CHINESE
    assert ambiguous_width("en") == AMBIGUOUS_OTHER


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("soft\u00adhyphen", "softhyphen"), ("c\u200bd", "cd"), ("\u2066bidi\u2069", "bidi"), ("\ufeffa\u202eb", "ab"),
        ("a\x1b[31mb", "a[31mb"), ("a\tb\u2028c\u2009d\u3000e", "a b c d e"), ("a\u202fb", "a\u00a0b"),
        ("a\u00a0b", "a\u00a0b"), ("👩‍🔬", "👩‍🔬"), ("\ufdd0x\ufdd1", "x"), ("\ud800x", "x"), ("漢字 ok", "漢字 ok"),
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_gone(text: str, shown: str) -> None:
    assert printable(text) == shown


@THOROUGH
@given(st.text())
def test_printable_text_holds_no_control_character_and_is_stable(text: str) -> None:
    shown = printable(text)
    assert printable(shown) == shown
    assert not [char for char in shown if char < " " or "\x7f" <= char < "\xa0" or char in "\u202e\ufeff\u2028"]


@THOROUGH
@given(PARAGRAPHS, st.integers(0, 100), AMBIGUOUS, st.sampled_from(["left", "right", "center"]))
def test_padding_reaches_the_columns_asked_for(text: str, columns: int, ambiguous: int, align: str) -> None:
    shown = padded(text, columns, align, ambiguous=ambiguous)  # type: ignore[arg-type]
    assert width(shown, ambiguous=ambiguous) == max(columns, width(text, ambiguous=ambiguous))


def test_the_narrowest_measure_is_that_of_the_widest_word() -> None:
    assert narrowest("a longest word 文字") == 7


def test_wrapping_is_fast() -> None:
    text = (
        "研究者在 2026 年 8 月报告了一种方法，它把“工作记忆”与经验记忆分开；成功率提高了 12.5%——但代价不清楚。"
        * 2000
    )
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        wrap(text, 78, ambiguous=2)
        best = max(best, len(text) / (time.perf_counter() - start))
    assert best > 300_000
