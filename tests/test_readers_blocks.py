"""Blocks, directives, sections and entries of a Markdown issue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from exporter.model import Entry, Section, blocks, plain
from exporter.model.inlines import LineBreak, Link, Strong, Text
from exporter.readers import Limits, load
from tests.reading import HEAD, SVG, body, hints, notices, only, problems, prose, read, version, write

if TYPE_CHECKING:
    from pathlib import Path


def test_level_one_headings_are_sections_and_what_stands_before_them_is_the_lead() -> None:
    issue = version("引子。\n\n# 甲 {#jia}\n\n文。\n\n# 乙\n")
    assert [prose(block) for block in issue.lead] == ["引子。"]
    assert [(section.id, plain(section.title), len(section.body)) for section in issue.sections] == [
        ("jia", "甲", 1),
        ("乙", "乙", 0),
    ]


def test_a_heading_with_a_field_list_is_an_entry() -> None:
    entry = only(
        "## Recuris {#recuris}\n:source: arXiv:2608.24876\n:contribution: 一句 *话*\n  续行\n:自定: 值\n\n正文。\n"
    )
    assert isinstance(entry, Entry)
    assert entry.id == "recuris"
    assert [field.name for field in entry.fields] == ["source", "contribution", "自定"]
    assert plain(entry.fields[1].value) == "一句 话续行"
    assert len(entry.body) == 1


@pytest.mark.parametrize(
    "heading", ["## 甲 {number=7}", "## 甲 {.entry}", "{.entry}\n## 甲", "## 甲 {#x number=7}"]
)
def test_a_heading_with_a_number_or_the_class_is_an_entry(heading: str) -> None:
    entry = only(f"{heading}\n\n正文。\n")
    assert isinstance(entry, Entry)
    assert entry.number == (7 if "number" in heading else None)


def test_a_plain_heading_of_level_two_ends_an_entry() -> None:
    first, second, third = body("## 甲 {.entry}\n\n文。\n\n## 乙\n\n外面。\n")
    assert isinstance(first, Entry)
    assert len(first.body) == 1
    assert second == blocks.Heading(level=2, children=(Text(text="乙"),), id="乙")
    assert isinstance(third, blocks.Paragraph)


def test_a_heading_of_attributes_alone_prints_its_label() -> None:
    (heading,) = body("## {#reasons label=why}\n")
    assert isinstance(heading, blocks.Heading)
    assert (heading.children, heading.id, heading.label) == ((), "reasons", "why")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("# {#x}\n", "6:1 the section has no title"),
        ("#\n", "6:1 the section has no title"),
        ("## {.entry}\n", "6:1 the entry has no title"),
        ("##\n:date: 2026-08-27\n", "6:1 the entry has no title"),
        ("## {#x}\n", "6:1 the heading has neither a text nor a label"),
        ("> ## [^a]\n\n[^a]: 注\n", "6:1 the heading has neither a text nor a label"),
        ("## {label=whi}\n", "6:1 there is no heading label whi"),
    ],
)
def test_a_heading_that_prints_nothing_is_a_problem(source: str, wanted: str) -> None:
    assert problems(source) == [wanted]


def test_the_nearest_label_is_named() -> None:
    assert hints("## {label=whi}\n") == ["did you mean why?"]


def test_an_unknown_label_beside_a_text_is_a_notice() -> None:
    (notice,) = read("## 甲 {label=result}\n").notices
    assert (notice.code, notice.message, notice.hint) == (
        "unknown-label",
        "there is no heading label result",
        "did you mean results?",
    )
    assert notice.place is not None
    assert notice.place.line == 6


def test_headings_inside_an_entry_keep_their_level_and_label() -> None:
    entry = only("## 甲 {.entry}\n\n### 为什么 {label=why}\n\n#### 细节\n")
    assert isinstance(entry, Entry)
    assert [(node.level, node.label) for node in entry.body] == [(3, "why"), (4, None)]  # type: ignore[union-attr]


def test_a_field_list_elsewhere_is_prose() -> None:
    (heading, paragraph) = body("### 甲\n:a: b\n")
    assert isinstance(heading, blocks.Heading)
    assert isinstance(paragraph, blocks.Paragraph)


@pytest.mark.parametrize(
    ("field", "shown", "target"),
    [
        ("source: arXiv:2608.24876", "arXiv:2608.24876", "https://arxiv.org/abs/2608.24876"),
        ("source: 见 arXiv:2608.24876v2。", "arXiv:2608.24876v2", "https://arxiv.org/abs/2608.24876v2"),
        ("source: arXiv:hep-th/9901001", "arXiv:hep-th/9901001", "https://arxiv.org/abs/hep-th/9901001"),
        ("source: doi:10.1000/xyz(1).", "doi:10.1000/xyz(1)", "https://doi.org/10.1000/xyz(1)"),
        ("code: github:Gen-Verse/Recuris", "Gen-Verse/Recuris", "https://github.com/Gen-Verse/Recuris"),
        ("project: github:owner/name.js，后", "owner/name.js", "https://github.com/owner/name.js"),
    ],
)
def test_bare_identifiers_in_fields_are_links(field: str, shown: str, target: str) -> None:
    entry = only(f"## 甲\n:{field}\n")
    assert isinstance(entry, Entry)
    (link,) = [node for node in entry.fields[0].value if isinstance(node, Link)]
    assert (plain(link.children), link.target) == (shown, target)


def test_a_field_that_is_nearly_a_known_one_is_a_notice() -> None:
    text = "## 甲\n:contribuiton: 一\n:Source: 二\n:机构: 三\n:organization: 四\n:code:\n"
    assert notices(text) == ["7:1 unknown-field", "8:1 unknown-field", "11:1 empty-field"]


def test_identifiers_elsewhere_stay_text() -> None:
    entry = only("## 甲\n:contribution: arXiv:2608.24876\n\ndoi:10.1000/1\n")
    assert isinstance(entry, Entry)
    assert entry.fields[0].value == (Text(text="arXiv:2608.24876"),)


def test_skipped_levels_are_a_notice() -> None:
    assert notices("# 甲\n\n### 乙\n") == ["8:1 heading-jump"]
    assert notices("## 甲\n\n### 乙\n\n## 丙\n") == []


def test_lists_nest_and_count() -> None:
    block = only("3. 甲\n   - 内\n     1. 更内\n4. 乙\n")
    assert isinstance(block, blocks.List)
    assert (block.ordered, block.start, block.tight, len(block.items)) == (True, 3, True, 2)
    inner = block.items[0].children[1]
    assert isinstance(inner, blocks.List)
    assert not inner.ordered


def test_a_list_with_blank_lines_is_loose() -> None:
    block = only("- 甲\n\n- 乙\n")
    assert isinstance(block, blocks.List)
    assert not block.tight


def test_task_lists_say_what_is_done() -> None:
    block = only("- [ ] 甲\n- [x] 乙\n- 丙\n")
    assert isinstance(block, blocks.List)
    assert [item.checked for item in block.items] == [False, True, None]
    assert [prose(item.children[0]) for item in block.items] == ["甲", "乙", "丙"]


def test_definition_lists() -> None:
    block = only("词\n: 义一\n: 义二\n\n**语**\n: 义\n")
    assert isinstance(block, blocks.DefinitionList)
    assert [(plain(item.term), len(item.definitions)) for item in block.items] == [("词", 2), ("语", 1)]


def test_quotes_rules_and_code() -> None:
    quote, rule, fence, indented = body(
        '> 引\n\n---\n\n```python {#lst caption="例 *一*" lines=true}\nx = 1\n\n```\n\n    y\n'
    )
    assert quote == blocks.Quote(children=(blocks.Paragraph(children=(Text(text="引"),)),))
    assert rule == blocks.ThematicBreak()
    assert isinstance(fence, blocks.CodeBlock)
    assert (fence.text, fence.language, fence.id, fence.lines, plain(fence.caption)) == (
        "x = 1\n",
        "python",
        "lst",
        True,
        "例 一",
    )
    assert indented == blocks.CodeBlock(text="y")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("$$\na\n\nb\n$$\n", ["6:1 the formula holds a blank line"]),
        ("文\n$$\na\n\nb\n$$ (eq)\n", ["7:1 the formula holds a blank line"]),
        ("- $$\n  a\n\n  b\n  $$\n", ["6:3 the formula holds a blank line"]),
        ("$$\n\na\n$$\n\n$$\nc\n$$\n", ["6:1 the formula holds a blank line"]),
        ("$$\na\n\n# 甲\n", ["6:1 the formula is never closed with $$"]),
    ],
)
def test_a_formula_with_a_blank_line_or_no_end_is_a_problem(source: str, wanted: list[str]) -> None:
    assert problems(source) == wanted


@pytest.mark.parametrize(
    "source", [r"\$$ 是进程号", "`a\n$$ b`", "$$a$$ 与 $$b$$", "甲 $$x\n$$ 乙", "# $$", "| $$ |\n|--|"]
)
def test_dollar_signs_that_open_no_formula_are_left_alone(source: str) -> None:
    assert read(f"{source}\n").notices == ()


def test_display_math_with_a_label() -> None:
    first, second, third = body("$$\n\\frac{1}{2}\n$$ (eq-half)\n\n$$ x $$\n\n:::{math}\n:name: eq-y\ny\n:::\n")
    assert first == blocks.MathBlock(tex=r"\frac{1}{2}", id="eq-half")
    assert second == blocks.MathBlock(tex="x")
    assert third == blocks.MathBlock(tex="y", id="eq-y")


def test_a_picture_alone_in_a_paragraph_is_a_figure(tmp_path: Path) -> None:
    text = '![得**分**](a.svg)\n\n![图](a.svg "题注"){#fig-b width=60% align=center}\n\n{#fig-c}\n![图](a.svg)\n'
    write(tmp_path, {"issue.md": HEAD + text, "a.svg": SVG})
    first, second, third = load(tmp_path).issue.original.lead
    caption = (Text(text="得"), Strong(children=(Text(text="分"),)))
    assert first == blocks.Figure(path="a.svg", alt="得分", caption=caption, id="figure-1")
    assert second == blocks.Figure(
        path="a.svg", alt="图", caption=(Text(text="题注"),), id="fig-b", width="60%", align="center"
    )
    assert third.id == "fig-c"  # type: ignore[union-attr]


def test_a_figure_directive_has_all_its_options(tmp_path: Path) -> None:
    text = (
        ":::{figure} a.svg\n:name: fig-gain\n:alt: 柱状图：\n  两根\n:width: 80mm\n:align: left\n:credit: *某*\n"
        ":source: [报告](https://example.org)\n\n题注一。\n\n题注二。\n:::\n"
    )
    write(tmp_path, {"issue.md": HEAD + text, "a.svg": SVG})
    (figure,) = load(tmp_path).issue.original.lead
    assert isinstance(figure, blocks.Figure)
    assert (figure.id, figure.alt, figure.width, figure.align) == ("fig-gain", "柱状图：\n两根", "80mm", "left")
    assert figure.caption == (Text(text="题注一。"), LineBreak(), Text(text="题注二。"))
    assert plain(figure.credit) == "某"


def test_a_decoration_has_an_empty_alternative_text(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + ":::{figure} a.svg\n:alt:\n:::\n", "a.svg": SVG})
    (figure,) = load(tmp_path).issue.original.lead
    assert figure == blocks.Figure(path="a.svg", alt="")


@pytest.mark.parametrize("text", ["![](a.png)\n", ":::{figure} a.png\n题注\n:::\n"])
def test_a_missing_alternative_text_is_a_problem_with_a_line_number(text: str) -> None:
    assert any(problem.startswith("6:") and "alt" in problem for problem in problems(text))


@pytest.mark.parametrize("variant", ["note", "tip", "important", "warning", "caution"])
def test_admonitions(variant: str) -> None:
    block = only(f"::::{{{variant}}}\n:title: 标 *题*\n\n文。\n\n:::{{pagebreak}}\n:::\n::::\n")
    assert isinstance(block, blocks.Admonition)
    assert (block.variant, plain(block.title)) == (variant, "标 题")
    assert [type(child) for child in block.children] == [blocks.Paragraph, blocks.PageBreak]


def test_quote_code_and_only_directives() -> None:
    quote, code, only_block = body(
        ":::{quote}\n:attribution: 某人\n:source: 某书\n引。\n:::\n\n:::{code} python\n:caption: 例\n:lines:\nx\n:::\n\n"
        ":::{only} pdf text\n文。\n:::\n"
    )
    assert isinstance(quote, blocks.Quote)
    assert (plain(quote.attribution), plain(quote.source)) == ("某人", "某书")
    assert isinstance(code, blocks.CodeBlock)
    assert (code.text, code.language, code.lines, code.id) == ("x", "python", True, "code-1")
    assert isinstance(only_block, blocks.Only)
    assert only_block.formats == ("pdf", "text")


def test_a_fence_of_backticks_may_be_a_directive_as_in_myst() -> None:
    assert isinstance(only("```{note}\n文。\n```\n"), blocks.Admonition)


def test_an_unknown_directive_names_the_nearest() -> None:
    assert problems(":::{figur} a.png\n:::\n") == ["6:4 unknown directive {figur}"]
    assert hints(":::{figur} a.png\n:::\n") == ["did you mean figure?"]


def test_an_unknown_option_names_the_nearest_and_its_own_line() -> None:
    text = ":::{note}\n:titel: 甲\n\n文。\n:::\n"
    assert problems(text) == ["7:1 {note} has no option titel"]
    assert hints(text) == ["did you mean title?"]


def test_an_option_given_twice_is_a_problem() -> None:
    assert problems(":::{note}\n:title: 甲\n:title: 乙\n文。\n:::\n") == [
        "8:1 the option title is given twice, first in line 7"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":::{note}\n文。\n", "6:1 the directive is never closed with :::"),
        (":::note\n文。\n:::\n", "6:4 a directive is written :::{note}"),
        (":::\n文。\n:::\n", "6:4 ::: opens a directive but names none"),
        (":::{only}\n文。\n:::\n", "6:4 {only} needs one or more of pdf, email, text behind its name"),
        (":::{only} pdf mail\n文。\n:::\n", "6:11 unknown format mail"),
        (":::{note} 标题\n文。\n:::\n", "6:11 {note} takes nothing behind its name"),
        (":::{chart} 增益\n:alt: 图\n:::\n", "6:4 the chart has no specification"),
        (":::{pagebreak}\n文。\n:::\n", "7:1 {pagebreak} has no body"),
        ("{#a}\n- 甲\n", "7:1 this block cannot have the id a"),
        ("# 甲 {nubmer=3}\n", "6:1 unknown attribute nubmer"),
        ("## 甲 {number=x}\n", "6:1 the number x is no whole number"),
        ("```text {lines=perhaps}\nx\n```\n", "6:1 lines must be true or false"),
    ],
)
def test_what_is_wrong_with_a_block_is_told_at_its_place(text: str, message: str) -> None:
    assert message in problems(text)


def test_a_problem_deep_inside_has_its_own_line_and_column() -> None:
    text = "> - 甲\n>\n>   ::::{note}\n>   :title: 乙\n>\n>   文 [x](javascript:y)\n>   ::::\n"
    assert problems(text) == ["11:7 a link may not lead to javascript:y"]


def test_blocks_nested_too_deep_are_a_problem_and_no_crash() -> None:
    assert problems(f"{'> ' * 40}文\n") == ["6:1 blocks are nested deeper than the limit of 32"]
    assert problems(f"{'> ' * 5000}文\n")
    lists = "\n".join(f"{'  ' * level}- 甲" for level in range(60))
    assert "blocks are nested deeper" in problems(f"{lists}\n")[0]
    fences = "\n".join(f"{':' * (60 - level)}{{note}}" for level in range(50))
    assert any("blocks are nested deeper" in problem for problem in problems(f"{fences}\n"))


def test_the_limit_of_nesting_is_a_setting() -> None:
    assert problems("> > > 文\n", limits=Limits(nesting=2)) == ["6:1 blocks are nested deeper than the limit of 2"]


def test_footnotes_stand_in_the_order_of_their_definitions() -> None:
    issue = version("文[^b]与[^甲]。\n\n[^甲]: 一\n\n    二段\n\n[^b]: 见[^甲]。\n")
    assert [(note.id, len(note.children)) for note in issue.notes] == [("甲", 2), ("b", 1)]


def test_an_undefined_footnote_is_a_problem_and_an_unused_one_a_notice() -> None:
    assert problems("文[^zz]。\n\n[^z]: 注\n") == ["6:2 the footnote [^zz] is not defined"]
    assert hints("文[^zz]。\n\n[^z]: 注\n") == ["did you mean z?"]
    assert notices("文。\n\n[^z]: 注\n") == ["8:1 unused-note"]


def test_a_footnote_defined_twice_is_a_problem() -> None:
    assert problems("文[^a]。\n\n[^a]: 一\n\n[^a]: 二\n") == [
        "10:1 the footnote [^a] is defined twice, first in line 8"
    ]


def test_a_footnote_may_be_marked_in_a_heading_a_cell_and_a_caption() -> None:
    text = "# 甲[^a]\n\n:::{table} 题[^a]\n| 乙[^a] |\n|---|\n| 丙 |\n:::\n\n[^a]: 注\n"
    assert notices(text) == []


def test_sections_and_entries_may_be_in_another_language() -> None:
    (section,) = version("# Notes {lang=en}\n\n## A {lang=fr .entry}\n").sections
    assert isinstance(section, Section)
    assert section.language == "en"
    assert section.body[0].language == "fr"  # type: ignore[union-attr]


def test_attributes_on_a_paragraph_hold_for_its_text() -> None:
    paragraph = only("{lang=en #p}\nEnglish words.\n")
    assert isinstance(paragraph, blocks.Paragraph)
    (span,) = paragraph.children
    assert (span.language, span.id) == ("en", "p")  # type: ignore[union-attr]


def test_every_block_knows_its_place() -> None:
    loaded = read("甲\n\n- 乙\n\n> 丙\n")
    assert [(block.place.line, block.place.column) for block in loaded.issue.original.lead if block.place] == [
        (6, 1),
        (8, 1),
        (10, 1),
    ]
