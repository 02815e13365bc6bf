"""Emphasis beside CJK punctuation works as its author meant it; without CJK it is CommonMark's, exactly."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from exporter.model.inlines import Emphasis, Strikethrough, Strong, Text
from exporter.readers.markdown.rules import parser
from tests.reading import line, shown

COMMONMARK = MarkdownIt("commonmark").enable("strikethrough")

BESIDE_CJK = (
    "**强调。**后文",
    "前文**（强调）**后文",
    "**“强调”**后文",
    "前文**“强调”**后文",
    "前文**《书名》**，后文",
    "**注意：**请看",
    "这是**重点！**吗",
    "**A。**后",
    "前**B（b）**后",
    "**结论**：后文",
    "前文，**强调**。后文",
    "**强调……**后文",
    "**强调——**后文",
    "一个**“引号”**和**（括号）**之间",
    "**中文(英文)**后文",
    "**63.7%**的人",
    "约**+12.5%**提升",
    "用**`code`**表示",
    "见**[链接](https://example.org)**后",
    "**。**",
    "前**100%**，后",
    "**「引用」**と",
    "**강조(强)**는",
    "前**㐂。**后",
    "前**𠮷。**后",
    "前**C++**后",
    "前**$5**后",
    "（**强调。**）后",
)


@pytest.mark.parametrize("text", BESIDE_CJK)
def test_strong_beside_cjk_is_strong(text: str) -> None:
    strong = [node for node in line(f"{text}\n") if isinstance(node, Strong)]
    assert len(strong) == text.count("**") // 2
    assert "*" not in shown(f"{text}\n")


@pytest.mark.parametrize(("mark", "kind"), [("*", Emphasis), ("~~", Strikethrough)])
@pytest.mark.parametrize("inner", ["强调。", "（强调）", "“强调”"])
def test_emphasis_and_strikethrough_follow_the_same_rule(mark: str, kind: type, inner: str) -> None:
    before, node, after = line(f"前文{mark}{inner}{mark}后文\n")
    assert isinstance(node, kind)
    assert (before, after) == (Text(text="前文"), Text(text="后文"))


@pytest.mark.parametrize("text", ["2 * 3 * 4", "前 ** 后 **", "** 强调 **", "snake_case_名", "a_强_b"])
def test_marks_that_are_no_emphasis_stay(text: str) -> None:
    assert shown(f"{text}\n") == text


SPEC = (
    *("*foo bar*", "a * foo bar*", 'a*"foo"*', "foo*bar*", "5*6*78", "_foo bar_", "_ foo bar_", 'a_"foo"_'),
    *("foo_bar_", "5_6_78", 'aa_"bb"_cc', "foo-_(bar)_", "_foo*", "*foo bar *", "*(*foo)", "*(*foo*)*"),
    *("*foo*bar", "_foo bar _", "_(_foo)", "_(_foo_)_", "_foo_bar", "_foo_bar_baz_", "_(bar)_.", "**foo bar**"),
    *("** foo bar**", 'a**"foo"**', "foo**bar**", "__foo bar__", 'a__"foo"__', "foo__bar__", "foo-__(bar)__"),
    *("**foo bar **", "**(**foo)", "*(**foo**)*", "**foo**bar", "__(__foo)", "*foo**bar**baz*", "*foo**bar*"),
    *("***foo** bar*", "*foo **bar***", "foo***bar***baz", "foo******bar*********baz", "**foo*bar*baz**"),
    *("***foo***", "_____foo_____", "**foo*", "*foo**", "***foo**", "****foo*", "__foo_", "*foo _bar* baz_"),
)


@pytest.mark.parametrize("text", SPEC)
def test_the_examples_of_commonmark_stay_commonmark(text: str) -> None:
    assert _flat(parser(32), text) == _flat(COMMONMARK, text)


@settings(max_examples=300)
@given(st.text(st.sampled_from("*_~ ab.,\"'()-!é—“”…\n1"), max_size=24))
def test_text_without_cjk_is_read_as_commonmark_reads_it(text: str) -> None:
    assert _flat(parser(32), text) == _flat(COMMONMARK, text)


def _flat(md: MarkdownIt, text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    for token in md.parseInline(text)[0].children or []:
        if token.type == "text" and tokens and tokens[-1][0] == "text":
            tokens[-1] = ("text", tokens[-1][1] + token.content)
        elif token.type != "text" or token.content:
            tokens.append((token.type, token.content))
    return tokens
