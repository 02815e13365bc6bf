"""Lines of prose: soft breaks, addresses, references, math, code, raw HTML, attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.model import walk
from exporter.model.inlines import (
    Code,
    Emphasis,
    Image,
    LineBreak,
    Link,
    Math,
    NoteReference,
    Reference,
    Span,
    Strikethrough,
    Strong,
    Text,
)
from exporter.readers import addresses, load
from tests.reading import HEAD, SVG, line, notices, problems, read, shown, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("文件中\n断开", "文件中断开"),
        ("标点，\n后文", "标点，后文"),
        ("“引号\n换行”", "“引号换行”"),
        ("引文”\n后文", "引文”后文"),
        ("English\nwords", "English words"),
        ("words\n之间", "words 之间"),
        ("之间\nwords", "之间 words"),
        ("**强调**\n后文", "强调后文"),
        ("前文\n**强调**", "前文强调"),
        ("前文\n`code`", "前文 code"),
        ("quote”\nnext", "quote” next"),
        ("한국어\n문장", "한국어 문장"),
        ("カタカナ\nひらがな", "カタカナひらがな"),
        ("全角！\n（括号）", "全角！（括号）"),
        ("模型。\nOpenAlex", "模型。OpenAlex"),
        ("Foo\n（注）", "Foo（注）"),
        ("**模型：**\nOpenAlex", "模型：OpenAlex"),
        ("约\uff5e\n5 天", "约\uff5e5 天"),
        ("Foo,\nbar", "Foo, bar"),
        ("한국어。\n문장", "한국어。 문장"),
    ],
)
def test_a_soft_break_is_a_space_only_where_words_have_spaces(source: str, wanted: str) -> None:
    assert shown(f"{source}\n") == wanted


def test_a_soft_break_behind_a_footnote_mark_looks_at_the_text_before_it() -> None:
    text = "前文[^a]\n后文。\n\n[^a]: 注。\n"
    (paragraph,) = read(text).issue.original.lead
    assert paragraph.children == (  # type: ignore[union-attr]
        Text(text="前文"),
        NoteReference(note="a"),
        Text(text="后文。"),
    )


def test_hard_breaks_are_kept() -> None:
    assert line("第一行  \n第二行\\\n第三行\n") == (
        Text(text="第一行"),
        LineBreak(),
        Text(text="第二行"),
        LineBreak(),
        Text(text="第三行"),
    )


@pytest.mark.parametrize("text", ['他说"直引号"', "--与...与(c)", "5'10\"", "don't", "a -- b", "1/2", "(tm)"])
def test_nothing_is_replaced_typographically(text: str) -> None:
    assert shown(f"{text}\n") == text


@pytest.mark.parametrize(
    ("source", "target", "text"),
    [
        ("见 https://example.org/a。后", "https://example.org/a", "https://example.org/a"),
        ("（参见 https://example.org/a_(b)）", "https://example.org/a_(b)", "https://example.org/a_(b)"),
        ("(https://example.org/a)", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/a_b_c*d*", "https://example.org/a_b_c*d", "https://example.org/a_b_c*d"),
        ("https://example.org/a, b", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/路径?键=值#章。", None, "https://example.org/路径?键=值#章"),
        ("https://example.org是网站", "https://example.org", "https://example.org"),
        ("“https://example.org/x”", "https://example.org/x", "https://example.org/x"),
        ("写信到 mailto:news@example.org。", "mailto:news@example.org", "mailto:news@example.org"),
        ("HTTPS://Example.org/A", "https://example.org/A", "HTTPS://Example.org/A"),
    ],
)
def test_a_bare_address_is_a_link_and_ends_before_punctuation(source: str, target: str | None, text: str) -> None:
    (link,) = [node for node in line(f"{source}\n") if isinstance(node, Link)]
    assert link.children == (Text(text=text),)
    assert target is None or link.target == target
    assert link.target.isascii()


@pytest.mark.parametrize(
    "text", ["www.example.org", "ftp://example.org", "example.org", "javascript:alert(1)", "C:://x"]
)
def test_only_explicit_web_and_mail_addresses_become_links(text: str) -> None:
    assert line(f"{text}\n") == (Text(text=text),)


def test_a_link_is_percent_encoded_once_and_its_host_is_ascii() -> None:
    (link,) = line("<https://例子.example/路径/%E8%B7%AF?q=河口&x=1#章>\n")
    assert isinstance(link, Link)
    assert link.target == (
        "https://xn--fsqu00a.example/%E8%B7%AF%E5%BE%84/%E8%B7%AF?q=%E6%B2%B3%E5%8F%A3&x=1#%E7%AB%A0"
    )
    assert link.children == (Text(text="https://例子.example/路径/%E8%B7%AF?q=河口&x=1#章"),)


def test_a_mail_address_keeps_its_subject() -> None:
    (link,) = line("[邮件](mailto:news@例子.example?subject=简报)\n")
    assert isinstance(link, Link)
    assert link.target == "mailto:news@xn--fsqu00a.example?subject=%E7%AE%80%E6%8A%A5"


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), max_size=30))
def test_encoding_an_address_a_second_time_changes_nothing(path: str) -> None:
    once = addresses.encode(f"https://example.org/{path.lstrip('/')}")
    assert once.isascii()
    assert addresses.encode(once) == once


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://a/b", "tel:1"]
)
def test_a_link_to_another_scheme_is_a_problem_with_line_and_column(target: str) -> None:
    assert problems(f"\n文 [点我](<{target}>)\n") == [f"7:3 a link may not lead to {target}"]


def test_a_relative_link_is_a_notice_and_stays_text() -> None:
    assert notices("[相对](other.md)\n") == ["6:1 relative-link"]
    assert line("[相对](other.md)\n") == (Text(text="相对"),)


def test_an_empty_link_is_a_notice_and_stays_text() -> None:
    assert notices("前 [空]()\n") == ["6:3 empty-link"]
    assert shown("前 [空]()\n") == "前 空"


def test_references_with_and_without_text() -> None:
    read_body = read("# 甲 {#jia}\n\n[](#jia) 与[文字](#jia)。\n").issue.original.sections[0].body
    assert read_body[0].children == (  # type: ignore[union-attr]
        Reference(target="jia"),
        Text(text=" 与"),
        Reference(target="jia", children=(Text(text="文字"),)),
        Text(text="。"),
    )


def test_a_percent_encoded_reference_is_decoded() -> None:
    text = "## 小节 一\n\n[x](#%E5%B0%8F%E8%8A%82-%E4%B8%80)\n"
    _, paragraph = read(text).issue.original.lead
    assert paragraph.children == (Reference(target="小节-一", children=(Text(text="x"),)),)  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["货币 $5 与 $6 不是公式", "US$5 and US$10", "$ a $", "花了$5，赚了$10"])
def test_money_is_not_math(text: str) -> None:
    assert shown(f"{text}\n") == text


def test_math_code_strikethrough_and_nested_emphasis() -> None:
    assert line("$a_1 * b$ 与 `$x$` ~~旧~~ ***强***\n") == (
        Math(tex="a_1 * b"),
        Text(text=" 与 "),
        Code(text="$x$"),
        Text(text=" "),
        Strikethrough(children=(Text(text="旧"),)),
        Text(text=" "),
        Emphasis(children=(Strong(children=(Text(text="强"),)),)),
    )


def test_double_dollars_inside_a_line_are_math() -> None:
    assert line("其中 $$x$$ 为\n") == (Text(text="其中 "), Math(tex="x"), Text(text=" 为"))


def test_a_formula_that_cannot_be_set_is_a_problem_with_line_and_column() -> None:
    (problem,) = problems("第一行\n错误 $\\frac{1}{$ 后\n")
    assert problem.startswith("7:4 the formula cannot be set: ")


@pytest.mark.parametrize(
    "tag", ["<br>", "<b>", '<img src="x">', "<script>", "<!-- 注 -->", "<?php x ?>", "<a href='javascript:x'>"]
)
def test_raw_html_is_shown_as_text_with_a_notice(tag: str) -> None:
    assert shown(f"前{tag}后\n") == f"前{tag}后"
    assert notices(f"前{tag}后\n") == ["6:2 raw-html"]


def test_a_raw_html_block_does_not_swallow_what_follows() -> None:
    blocks = read("<div>未闭合\n\n**强** <table>\n\n末\n").issue.original.lead
    assert len(blocks) == 3
    assert blocks[1].children[0] == Strong(children=(Text(text="强"),))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text", ["{{ 7*7 }}", "{% raw %}", "{# 注释 #}", "${{ secrets.X }}", "{0}", "%(name)s", "`a`{%x%}"]
)
def test_braces_of_other_languages_are_text(text: str) -> None:
    assert shown(f"{text}\n") == text.replace("`", "")


def test_a_comment_over_several_paragraphs_is_a_notice() -> None:
    assert notices("前\n\n<!-- 注\n\n注 -->\n") == ["8:1 raw-html"]


def test_a_link_may_be_defined_at_the_end_of_the_document() -> None:
    text = "见[论文][p]。\n\n:::{note}\n见[论文][p]。\n:::\n\n## [甲][p] {.entry}\n\n[p]: https://example.org/p\n"
    links = [node for node in walk(read(text).issue.original) if isinstance(node, Link)]
    assert [link.target for link in links] == ["https://example.org/p"] * 3


def test_attributes_make_a_span() -> None:
    assert line("[mot]{lang=fr .term #mot} `x`{.key}\n") == (
        Span(children=(Text(text="mot"),), language="fr", id="mot", classes=("term",)),
        Text(text=" "),
        Span(children=(Code(text="x"),), classes=("key",)),
    )


def test_an_unknown_attribute_is_a_problem_with_a_hint() -> None:
    assert problems("前[x]{langs=fr}\n") == ["6:2 unknown attribute langs"]


def test_a_picture_inside_a_line_is_an_image(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + "前![徽章 *新*](b.svg)后\n", "b.svg": SVG})
    (paragraph,) = load(tmp_path).issue.original.lead
    assert paragraph.children[1] == Image(path="b.svg", alt="徽章 新")  # type: ignore[union-attr]


def test_a_picture_inside_a_line_without_alternative_text_is_a_problem() -> None:
    assert "6:3 the picture badge.png has no alternative text" in problems("前 ![](badge.png)后\n")


def test_markup_nested_too_deep_is_a_problem_and_no_crash() -> None:
    deep = "*a _b " * 400 + "c_ d*" * 400
    (problem,) = problems(f"{deep}\n")
    assert problem.endswith("inline markup is nested deeper than the limit of 32")


@pytest.mark.parametrize(
    "text", ["[" * 3000, "*" * 3000, "$" * 2001, "`" * 1999, "![" * 1500, "<" * 3000, "https:" * 900]
)
def test_long_runs_of_marks_are_read_quickly(text: str) -> None:
    assert shown(f"文{text}\n")
