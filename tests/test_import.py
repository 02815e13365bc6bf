"""The importer: pasted briefings, Markdown pages and HTML pages become issues, and nothing is dropped."""

from __future__ import annotations

import base64
import datetime as dt
import html
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.errors import SourceError
from exporter.model import Entry, plain
from exporter.model.blocks import List, Paragraph
from exporter.readers import load
from exporter.readers.briefing import Imported, detect_format, import_text
from exporter.readers.files import Files
from exporter.readers.findings import Findings
from exporter.readers.importing import account, dialect
from exporter.readers.importing.dates import find_dates
from exporter.readers.importing.escaping import escape_all
from exporter.readers.importing.links import Passage, find_repositories
from exporter.readers.importing.tags import split_tags
from exporter.readers.importing.writing import write_text
from exporter.readers.limits import LIMITS
from exporter.readers.markdown import Markdown
from exporter.readers.written import Written

HEAD = "每周简报 2026-03-04 ★★★☆☆ AILLMAgent\n\n#三月第一周\n\n"


def imported(text: str, **options: object) -> Imported:
    return import_text(text, file="pasted.txt", **options)  # type: ignore[arg-type]


def issue_of(text: str, **options: object) -> str:
    return imported(text, **options).files["issue.md"].decode()


def body_of(text: str, **options: object) -> str:
    return issue_of(text, **options).split("---\n", 2)[2].strip("\n")


def codes(result: Imported) -> set[str]:
    return {notice.code for notice in result.report}


def lost(result: Imported) -> list[str]:
    return [str(notice) for notice in result.report if notice.code == "import-lost"]


def read(issue: str) -> tuple[list[object], Findings]:
    """Read a body with the real reader: everything in order, and what it found wrong."""
    findings = Findings()
    body = issue.split("---\n", 2)[2]
    markdown = Markdown(findings, Files(Path(), findings, LIMITS), LIMITS)
    lead, sections = markdown.document(Written.whole(body, "issue.md"))
    return [*lead, *sections], findings


@pytest.fixture(scope="module")
def shared_briefing(shared: Path) -> str:
    return (shared / "briefings" / "2026-08-27.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def briefing(shared_briefing: str) -> Imported:
    return import_text(shared_briefing, file="2026-08-27.txt")


# The real briefing


def test_real_briefing_has_its_sections_entries_and_ideas(briefing: Imported) -> None:
    assert {"sections": 7, "entries": 13, "subsections": 3}.items() <= briefing.summary.items()


def test_real_briefing_loses_nothing(briefing: Imported) -> None:
    assert lost(briefing) == []


VARIANTS: dict[str, Callable[[str], str]] = {
    "headings without marks": lambda text: re.sub(r"^#", "", text, flags=re.MULTILINE),
    "other bullets": lambda text: text.replace("•", "●"),
    "dashes": lambda text: text.replace("•", "-"),
    "no indentation": lambda text: re.sub(r"^ +", "", text, flags=re.MULTILINE),
    "no marks, no indentation": lambda text: re.sub(r"^[ #]+", "", text, flags=re.MULTILINE),
    "no blank lines": lambda text: re.sub(r"\n\n+", "\n", text),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "tabs": lambda text: text.replace("  • ", "\t•\t"),
    "numbers with 、": lambda text: re.sub(r"^#(\d+)\. ", r"#\1、", text, flags=re.MULTILINE),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_real_briefing_copied_in_another_way_is_the_same_issue(
    variant: str, shared_briefing: str, briefing: Imported
) -> None:
    result = import_text(VARIANTS[variant](shared_briefing), file="2026-08-27.txt")
    assert lost(result) == []
    assert result.files == briefing.files


def test_real_briefing_with_half_width_colons_and_markdown_headings(shared_briefing: str) -> None:
    text = re.sub(r"^#(?=\d+\.|Idea)", "### ", shared_briefing.replace("：", ": "), flags=re.MULTILINE)
    text = re.sub(r"^#(?=[一二三四五六七]、)", "## ", text, flags=re.MULTILINE)
    result = import_text(text, file="2026-08-27.txt")
    assert {"sections": 7, "entries": 13, "subsections": 3, "links": 19}.items() <= result.summary.items()
    assert lost(result) == []


def test_real_briefing_loads_as_a_valid_issue(briefing: Imported, tmp_path: Path) -> None:
    folder = tmp_path / "2026-08-27"
    folder.mkdir()
    for name, content in briefing.files.items():
        (folder / name).write_bytes(content)
    loaded = load(folder)
    assert loaded.notices == ()
    assert loaded.issue.original.kind == "daily"


def test_every_number_of_the_real_briefing_is_in_the_issue(briefing: Imported, shared_briefing: str) -> None:
    issue = briefing.files["issue.md"].decode()
    tokens = re.findall(r"[A-Za-z0-9.,%+^×/-]*\d[A-Za-z0-9.,%+^×/-]*", shared_briefing)
    bare = [re.sub(r"^#?(\d+)\.$", r"\1", token) for token in tokens]
    assert [token for token in bare if token not in issue] == []


def test_real_briefing_is_read_by_the_reader_without_a_word(briefing: Imported) -> None:
    parts, findings = read(briefing.files["issue.md"].decode())
    assert len(parts) == 7
    assert findings.notices == ()
    findings.check()


def test_real_briefing_links_its_ids_and_repositories(briefing: Imported) -> None:
    issue = briefing.files["issue.md"].decode()
    assert len(set(re.findall(r"https://arxiv\.org/abs/\d{4}\.\d{5}", issue))) == 9
    targets = set(re.findall(r"https://(github\.com|huggingface\.co)/([\w-]+)/([\w.-]+)\)", issue))
    assert {f"{owner}/{name}" for _, owner, name in targets} == {
        "Gen-Verse/Recuris",
        "appier-research/smith",
        "LeapLabTHU/OPDVR",
        "paritok/paritok-4b-v1",
        "Paritok-official/paritok-4b-v1",
        "microsoft/AutoSaddler",
        "ServiceNow/StarHarness",
    }
    assert "https://huggingface.co/paritok/paritok-4b-v1" in issue


def test_front_matter_of_the_real_briefing(briefing: Imported) -> None:
    issue = briefing.files["issue.md"].decode()
    for line in (
        "date: 2026-08-27",
        "language: zh",
        "kind: daily",
        "rating: 4",
        "tags: [每日调研, daily, AI, LLM, Agent, Code Intelligence, Research Briefing]",
        "coverage:",
        "method: |-",
    ):
        assert line in issue.split("\n")


# The account of what was lost


def test_the_account_names_a_line_that_the_issue_lacks(shared_briefing: str, briefing: Imported) -> None:
    issue = briefing.files["issue.md"].decode()
    page = [
        account.Expected(line, number) for number, line in enumerate(shared_briefing.split("\n"), 1) if line.strip()
    ]
    for fact in ("37 个完成配对", "87.9%", "2608.24794", "LeapLabTHU", "鼠鼠研究站", "429"):
        damaged = issue.replace(fact, "", 1)
        assert account.lost(page, damaged, file="x"), fact
    assert account.lost(page, issue, file="x") == ()


def test_the_account_gives_the_line_in_the_source() -> None:
    expected = [account.Expected("here", 3), account.Expected("gone", 9), account.Expected("there", 12)]
    notices = account.lost(expected, "---\ntitle: t\n---\n\nhere\n\nthere\n", file="in.txt")
    assert [(notice.code, str(notice.place)) for notice in notices] == [("import-lost", "in.txt:9")]


def test_the_account_sees_an_escape_that_is_missing() -> None:
    expected = [account.Expected("a *b* c", 1)]
    assert account.lost(expected, "---\ntitle: t\n---\n\na *b* c\n", file="x")
    assert not account.lost(expected, "---\ntitle: t\n---\n\na \\*b\\* c\n", file="x")


def test_the_account_sees_two_lines_in_the_wrong_order() -> None:
    expected = [account.Expected("the first of the lines", 1), account.Expected("the second of the lines", 2)]
    assert account.lost(
        expected, "---\ntitle: t\n---\n\nthe second of the lines\n\nthe first of the lines\n", file="x"
    )


# Headings, entries and fields


def test_an_entry_without_fields_is_one_by_its_number() -> None:
    body = body_of(HEAD + "#一、论文\n\n#1. Foo：甲\n\n• 类别：A\n• 代码：x/y-z\n\n#2. Bar：乙\n\n正文。\n")
    assert "## Foo：甲 {#foo number=1}\n:category: A\n" in body
    assert "## Bar：乙 {#bar number=2}\n\n正文。" in body


@pytest.mark.parametrize(
    ("section", "entry"),
    [("一、", "1. "), ("（一）", "1、"), ("第一部分 ", "（1）"), ("一、", "①"), ("一、", "1) "), ("", "1. ")],
)
def test_numbering_of_every_kind_makes_sections_and_entries(section: str, entry: str) -> None:
    result = imported(f"{HEAD}#{section}论文\n\n#{entry}Foo\n\n• 类别：A\n• 标题：T\n\n正文。\n")
    assert result.summary["sections"] == 1
    assert result.summary["entries"] == 1
    assert "## Foo {#foo number=1}" in result.files["issue.md"].decode()
    assert lost(result) == []


def test_a_name_that_ends_in_a_number_sign_keeps_it() -> None:
    assert "# 一、C\\# 与 F# {#" in body_of(HEAD + "#一、C# 与 F#\n\n正文。\n").replace("F\\#", "F#").replace(
        "C#", "C\\#"
    )


def test_english_headings_with_a_space_and_english_fields() -> None:
    source = "# Weekly notes\n\nDate: March 4, 2026\n\n## Papers\n\n### 1. Foo: a tool\n\n- Category: AI\n- Code: foo/bar\n\nText.\n"
    body = body_of(source)
    assert "# Papers {#papers}" in body
    assert "## Foo: a tool {#foo number=1}\n:category: AI\n:code: [foo/bar](https://github.com/foo/bar)" in body


def test_headings_without_any_mark_are_found_by_their_numbers() -> None:
    source = (
        "三月第一周简报\n\n2026-03-04\n\n一、论文\n\n1. Foo：甲\n类别：A\n标题：T\n\n正文。\n\n二、判断\n\n结论。\n"
    )
    result = imported(source)
    assert result.summary["sections"] == 2
    assert result.summary["entries"] == 1
    assert lost(result) == []


@pytest.mark.parametrize("mark", ["•", "·", "-", "*", "●", "◦ ", "▪", "–"])
def test_every_bullet_makes_a_list(mark: str) -> None:
    assert body_of(f"{HEAD}#一、单\n\n  {mark} 甲\n  {mark} 乙\n").endswith("- 甲\n- 乙")


def test_nested_lists_follow_the_indentation() -> None:
    body = body_of(HEAD + "#一、单\n\n• 甲\n    1. 子\n    2. 丑\n• 乙\n")
    assert body.endswith("- 甲\n  1. 子\n  2. 丑\n- 乙")


def test_a_numbered_list_keeps_its_numbers_over_a_jump() -> None:
    body = body_of(HEAD + "#一、单\n\n1. 甲\n2. 乙\n4. 丁\n")
    assert body.endswith("1. 甲\n2. 乙\n\n4) 丁")


def test_a_version_number_starts_no_list() -> None:
    assert "3.5 Sonnet" in body_of(HEAD + "#一、单\n\n3.5 Sonnet 发布。\n\n2026. Something.\n")


def test_source_and_date_in_one_field_stay_together() -> None:
    body = body_of(HEAD + "#1. Foo\n\n• 来源与日期：arXiv:2603.00001，2026-03-01；HF 2026-03-02\n• 类别：A\n")
    assert ":source: [arXiv:2603.00001](https://arxiv.org/abs/2603.00001)，2026-03-01；HF 2026-03-02" in body


def test_an_unknown_field_keeps_its_name_and_a_renamed_one_is_reported() -> None:
    result = imported(HEAD + "#1. Foo\n\n• 一句话核心贡献：好。\n• 类别：A\n• 推荐人：张三\n• 类别：B\n")
    issue = result.files["issue.md"].decode()
    assert ":contribution: 好。\n:category: A\n:推荐人: 张三\n\n- 类别：B" in issue
    assert "import-label" in codes(result)
    assert lost(result) == []


def test_a_list_of_named_things_is_no_field_list() -> None:
    body = body_of(HEAD + "#1. Foo\n\n• Joint-WAM：慢\n• LAWA：快\n")
    assert "- Joint-WAM：慢\n- LAWA：快" in body


def test_lead_lines_become_subheadings_and_bold_leads() -> None:
    source = HEAD + "".join(
        f"#{number}. {name}\n\n• 类别：A\n• 标题：T\n\n为什么值得关注？\n\n因为。\n\n与我方向的关系：{rest}\n\n研究判断与边界：尚可。\n\n"
        for number, name, rest in ((1, "Foo", "\n\n• 甲\n• 乙"), (2, "Bar", "直接相关。"))
    )
    body = body_of(source)
    assert body.count("### 为什么值得关注？ {label=why}") == 2
    assert "### 与我方向的关系：\n\n- 甲" in body
    assert "**与我方向的关系**：直接相关。" in body
    assert body.count("**研究判断与边界**：尚可。") == 2


def test_a_sentence_before_a_colon_is_no_lead() -> None:
    assert "**" not in body_of(HEAD + "#一、单\n\n核心问题是：对不对？\n\n这篇给出了一个很重要的中间答案：对。\n")


def test_a_wrapped_paragraph_is_one_and_lines_of_their_own_stay_apart() -> None:
    wrapped = "This line was wrapped by a mail program at a width of\nseventy columns and goes on in the second line of the\nsame paragraph."
    body = body_of(f"{HEAD}#一、单\n\n{wrapped}\n\n短行\n另一行\n")
    assert body.endswith(f"{wrapped}\n\n短行\n\n另一行")


def test_a_table_copied_from_a_page_is_a_table() -> None:
    assert body_of(HEAD + "#一、表\n\n名\t值\nA|B\t1\n").endswith("| 名 | 值 |\n| --- | --- |\n| A\\|B | 1 |")


def test_code_in_a_fence_is_kept_verbatim() -> None:
    assert body_of(HEAD + "#一、码\n\n```py\nx = [1]  # 一\n  y\n```\n").endswith("```py\nx = [1]  # 一\n  y\n```")


def test_the_footer_stands_below_a_rule_and_is_reported() -> None:
    result = imported(HEAD + "#一、单\n\n正文。\n\n某站 · 自动整理 / 历史\n")
    assert result.files["issue.md"].decode().endswith("正文。\n\n---\n\n某站 · 自动整理 / 历史\n")
    assert "import-footer" in codes(result)


def test_windows_line_ends_bom_tabs_and_no_break_spaces() -> None:
    source = (
        "\ufeff"
        + HEAD.replace("\n", "\r\n")
        + "#一、单\r\n\r\n\u00a0\u00a0•\u00a0甲\t\r\n\u3000\u3000乙\u200b段。\r\n"
    )
    result = imported(source)
    assert "- 甲\n" in result.files["issue.md"].decode()
    assert "\r" not in result.files["issue.md"].decode()
    assert lost(result) == []


def test_control_characters_do_not_reach_the_issue() -> None:
    result = imported(HEAD + "#一、单\n\n甲\x1b[31m乙\x00丙\n")
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", result.files["issue.md"].decode())
    assert "import-cleaned" in codes(result)


# Front matter


def test_no_title_and_no_date_are_two_problems_with_hints() -> None:
    with pytest.raises(SourceError) as raised:
        imported("#一、论文\n\n正文。\n")
    assert [problem.message for problem in raised.value.problems] == ["no title was found", "no date was found"]
    assert all(problem.hint for problem in raised.value.problems)


def test_title_and_date_can_be_given() -> None:
    issue = issue_of("#一、论文\n\n正文。\n", title="三月", date=dt.date(2026, 3, 4), language="zh-Hant")
    assert issue.startswith("---\ntitle: 三月\ndate: 2026-03-04\nlanguage: zh-Hant\n")


@pytest.mark.parametrize("source", ["", " \n\t\n", "\ufeff\u200b\n"])
def test_an_empty_source_is_a_problem(source: str) -> None:
    with pytest.raises(SourceError, match="empty"):
        imported(source)


def test_the_date_may_come_from_the_file_name_and_is_reported() -> None:
    result = import_text("#三月简报\n\n正文。\n", file="notes/2026-03-04.txt")
    assert b"date: 2026-03-04" in result.files["issue.md"]
    assert "import-guess" in codes(result)


def test_a_coverage_range_is_parsed_and_its_words_stay() -> None:
    issue = issue_of(HEAD + "覆盖窗口：2026-03-01 至 2026-03-04 的新作\n\n#一、单\n\n正文。\n")
    assert "coverage:\n  from: 2026-03-01\n  to: 2026-03-04\n  note: 2026-03-01 至 2026-03-04 的新作\n" in issue


def test_paragraphs_before_the_first_section_stay_in_order() -> None:
    body = body_of(HEAD + "开场白。\n\n检索与核验：看了。\n\n又一段。\n\n#一、单\n\n正文。\n")
    assert body.startswith("开场白。\n\n又一段。\n\n# 一、单")


@pytest.mark.parametrize(
    ("run", "tags"),
    [
        (
            "dailyAILLMAgentCode IntelligenceResearch Briefing",
            "daily|AI|LLM|Agent|Code Intelligence|Research Briefing",
        ),
        ("AILLMRAG", "AI|LLM|RAG"),
        ("weeklyOpenAIGitHubPyTorch", "weekly|OpenAI|GitHub|PyTorch"),
        ("大模型智能体强化学习", "大模型|智能体|强化学习"),
        ("AI, LLM，Agent", "AI|LLM|Agent"),
        ("#AI #LLM", "AI|LLM"),
        ("NASA", "NASA"),
        ("Code-Review", "Code-Review"),
    ],
)
def test_tags_without_spaces_are_split(run: str, tags: str) -> None:
    assert split_tags(run) == tuple(tags.split("|"))


@given(st.text("ABCabcxyz 大模型智能体-+.0123", min_size=1))
def test_splitting_tags_keeps_every_character(run: str) -> None:
    assert "".join("".join(split_tags(run)).split()) == "".join(run.split())


@pytest.mark.parametrize(
    "words",
    [
        "2026-03-04",
        "2026/3/4",
        "2026.03.04",
        "2026年3月4日",
        "March 4, 2026",
        "4 Mar 2026",
        "Mar. 4th, 2026",
        "x20260304.txt",
    ],
)
def test_dates_of_every_form(words: str) -> None:
    assert [one.value for one in find_dates(words)] == [dt.date(2026, 3, 4)]


def test_what_is_no_date_is_none() -> None:
    assert find_dates("2026-13-04, 2608.24876, 1234567890, 2026-02-30") == ()


# Links


@pytest.mark.parametrize(
    "words",
    [
        "planner/critic 与 LR / norm，src/、configs/，65.6% / 80.8%，Dreamer / WAM",
        "GRPD/OPDVR 的 GitHub 仓库尚未公开",
        "将 repo/test/issue 放进去",
        "真实 repo/world 的工具",
        "Recuris 很好。它与 StarHarness/Recuris 在 GitHub 上",
        "StarHarness 在 GitHub，StarHarness/Recuris 也在 GitHub",
    ],
)
def test_a_slash_alone_is_no_repository(words: str) -> None:
    assert find_repositories([Passage(words, 1)]) == {}


@pytest.mark.parametrize(
    ("passage", "addresses"),
    [
        (Passage("a/b", 1, "code"), ["https://github.com/a/b"]),
        (Passage("N/A", 1, "code"), []),
        (Passage("org/m-1", 1, "model"), ["https://huggingface.co/org/m-1"]),
        (Passage("org/d", 1, "dataset"), ["https://huggingface.co/datasets/org/d"]),
        (Passage("Repo — a/b：含 src/lib", 1), ["https://github.com/a/b"]),
        (Passage("Model + Repo — x/y / a/b：好", 1), ["https://huggingface.co/x/y", "https://github.com/a/b"]),
        (
            Passage("数据集：x/y、x/z", 1),
            ["https://huggingface.co/datasets/x/y", "https://huggingface.co/datasets/x/z"],
        ),
        (Passage("Some-Org/Tool.js 的仓库已更新；planner/critic", 1), ["https://github.com/Some-Org/Tool.js"]),
    ],
)
def test_repositories_are_found_by_their_context(passage: Passage, addresses: list[str]) -> None:
    assert [one.address for one in find_repositories([passage]).values()] == addresses


@pytest.mark.parametrize(
    ("words", "markdown"),
    [
        ("见 arXiv: 2603.00001v2。", "见 [arXiv: 2603.00001v2](https://arxiv.org/abs/2603.00001v2)。"),
        ("doi:10.1000/a_b(c).", "[doi:10.1000/a_b(c)](https://doi.org/10.1000/a_b%28c%29)."),
        ("看https://example.org/a，好", "看<https://example.org/a>，好"),
        ("（https://example.org/a_(b)）", "（[https://example.org/a\\_(b)](https://example.org/a_%28b%29)）"),
        ("github.com/a/b 与 README.md", "[github.com/a/b](https://github.com/a/b) 与 README.md"),
    ],
)
def test_links_are_made_of_what_the_text_names(words: str, markdown: str) -> None:
    body = body_of(f"{HEAD}#一、单\n\n{words}\n").split("\n\n", 1)[1]
    assert body.replace("\\", "") == markdown.replace("\\", "")
    assert lost(imported(f"{HEAD}#一、单\n\n{words}\n")) == []


# Characters that Markdown would take


@pytest.mark.parametrize(
    "words",
    [
        "10^-3",
        "||W||",
        "skill_memories/",
        "τ2-Bench",
        "$5",
        "a * b",
        "C++",
        "2 < 3",
        "AT&T",
        "x_y_z",
        "[1] 与 [2]",
        "~5",
        "50% | 60%",
        "#5",
        "e.g. README.md",
    ],
)
def test_characters_that_mean_nothing_stay_as_they_are(words: str) -> None:
    assert write_text(words) == words


@pytest.mark.parametrize(
    "words",
    [
        "*a*", "**重点。**后文", "_a_", "`a`", "$5 与 $6", "$a$", "a $$ b", "<b>", "<x@y.org>", "&amp;", "~~a~~", "[a](b)", "[a][b]", "[^1]", "^[a]",
        "[a]: b", "[a]{.b}", "{#a}", "# a", "1. a", "1) a", "- a", "+ a", "* a", "> a", ": a", ":a: b", ":::{note}", "---", "===", "***", "```", "~~~", "a\nb\n---",
        "a\n| - | - |", "a|b\n-|-", "a\n: b", "a\n# b", "a\n1. b", "a\n===", "[ ] a", "[x] a", "\\*", "a\\", "![a](b)", "% a", "(a)=", "+++", "\\[a](b)", "| a |\n|---|",
    ],
)  # fmt: skip
def test_characters_that_mean_something_are_escaped(words: str) -> None:
    for source in (write_text(words), f"- {write_text(words)}".replace("\n", "\n  ")):
        tokens = [token for token in dialect.parse(source) if token.type == "inline"]
        assert ["".join(dialect.shown_text(token.children or [])) for token in tokens] == [words]
        assert {child.type for token in tokens for child in token.children or []} <= {"text", "softbreak"}


@given(
    st.text("*_`~$<>[](){}!&#|\\^:-+=.1 aZ中。“\n", min_size=1)
    .map(lambda text: "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip()))
    .filter(bool)
)
def test_any_text_is_read_back_as_itself(words: str) -> None:
    assert blocks_shown(write_text(words)) == [("paragraph", words)]


@given(
    st.text("*_`~$<>[](){}!&#|\\^:-+=.1 aZ中。“", min_size=1).map(lambda text: " ".join(text.split())).filter(bool)
)
def test_any_heading_field_and_item_is_read_back_as_itself(words: str) -> None:
    heading = f"## {write_text(words, heading=True)} {{#x}}\n:a: {write_text(words, block=False)}\n\n- {write_text(words)}\n"
    parts, findings = read(f"---\n---\n{heading}")
    entry = parts[0]
    assert isinstance(entry, Entry)
    assert plain(entry.title) == words
    assert plain(entry.fields[0].value) == words
    item = entry.body[0]
    assert isinstance(item, List)
    line = item.items[0].children[0]
    assert isinstance(line, Paragraph)
    assert plain(line.children) == words
    assert findings.notices == ()


@given(st.text("*_`$<[]{}|\\", min_size=1))
def test_the_last_resort_escapes_everything(words: str) -> None:
    assert dialect.read_back(escape_all(words)) == (words, True)


def blocks_shown(source: str) -> list[tuple[str, str]]:
    tokens = dialect.parse(source)
    return [
        (tokens[index - 1].type.removesuffix("_open"), "".join(dialect.shown_text(token.children or [])))
        for index, token in enumerate(tokens)
        if token.type == "inline"
    ]


# Briefings made by chance

WORDS = st.text(
    st.one_of(
        st.sampled_from("*_`~$<>[](){}!&#|\\^:-+=.,;/@%•·●★：，。；（）“”？—①一、1２ \t\u00a0\u3000"),
        st.characters(exclude_categories=["Cs"], max_codepoint=0x2FFFF),
    ),
    max_size=40,
)
LINE = WORDS.map(lambda text: " ".join(text.split()))
BLOCK = st.one_of(
    LINE,
    st.builds("  • {}\n  • {}\n      1. {}".format, LINE, LINE, LINE),
    st.builds("#{}. {}\n\n  • 类别：{}\n  • 来源：{}".format, st.integers(1, 99), LINE, LINE, LINE),
    st.builds("#一、{}".format, LINE),
    st.builds("{}：\n\n• {}".format, LINE, LINE),
    st.builds("{}\n{}\n{}".format, LINE, LINE, LINE),
    st.builds("{}\t{}\n{}\t{}".format, LINE, LINE, LINE, LINE),
)


@given(st.lists(BLOCK, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_any_briefing_keeps_every_character(blocks: list[str], end: str) -> None:
    source = (HEAD + "\n\n".join(blocks)).replace("\n", end)
    result = imported(source, source_format="briefing")
    assert lost(result) == []
    _, findings = read(result.files["issue.md"].decode())
    findings.check()


@given(WORDS)
def test_any_text_is_imported_or_refused(text: str) -> None:
    try:
        result = imported(text)
    except SourceError as error:
        assert error.problems  # noqa: PT017 - either outcome is right
    else:
        assert lost(result) == []


@pytest.mark.parametrize("mark", [">", "> ", "  - "])
def test_what_is_nested_very_deep_is_kept(mark: str) -> None:
    lines = [" " * step + "- 甲" for step in range(60)] if mark == "  - " else [mark * 60 + "甲"]
    result = imported(HEAD + "#一、单\n\n" + "\n".join(lines))
    assert lost(result) == []
    _, findings = read(result.files["issue.md"].decode())
    findings.check()


@pytest.mark.parametrize(
    "page", ["# T 2026-03-04\n\n" + "> " * 60 + "a", "<html><body><h1>T 2026-03-04</h1>" + "<div>" * 300 + "a"]
)
def test_pages_nested_deeper_than_the_limit_are_refused(page: str) -> None:
    with pytest.raises(SourceError, match="nested deeper"):
        imported(page)


@pytest.mark.parametrize("text", ["[" * 20_000, "\n" * 20_000 + "a", "_a " * 10_000, "Ab-c/De-f GitHub " * 2_000])
def test_long_runs_take_no_long_time(text: str) -> None:
    started = time.perf_counter()
    assert lost(imported(HEAD + "#一、单\n\n" + text)) == []
    assert time.perf_counter() - started < 10


# Markdown pages

PAGE = """---
layout: post
title: "Weekly notes: issue 5"
date: 2026-03-04
tags: [AI, tools]
author: Jane Doe
---

# Weekly notes: issue 5

Intro with **bold**, `code`, [link](https://example.org/a), [there](#1-foo), [rel](./x.md), $a+b$, Vec<T>.<br>New line.

## Papers

### 1. Foo

- **Category:** AI
- Code: foo/bar

Why it matters:

![A picture](https://example.org/x.png) ![Local](local.png)

| a | b |
|---|--:|
| 1 | 2 | 3 |

### 2. Bar

Text[^1] in ***both***.

[^1]: A note.
"""


def test_a_markdown_page_becomes_an_issue() -> None:
    result = import_text(PAGE, file="page.md")
    issue = result.files["issue.md"].decode()
    assert "authors:\n  - Jane Doe\n# layout: post\n---" in issue
    assert "a [link]" not in issue
    assert "[there](#foo), rel, $a+b$, Vec\\<T>.\\\nNew line." in issue
    assert (
        "## Foo {#foo number=1}\n:category: AI\n:code: [foo/bar](https://github.com/foo/bar)\n\n### Why it matters: {label=why}"
        in issue
    )
    assert "| 1 | 2 | 3 |" in issue
    assert "[A picture](https://example.org/x.png) Local `local.png`" in issue
    assert {"import-unplaced", "import-link", "import-picture"} <= codes(result)
    assert lost(result) == []


def test_an_imported_markdown_page_is_read_without_problems() -> None:
    _, findings = read(import_text(PAGE, file="page.md").files["issue.md"].decode())
    findings.check()


@given(
    st.lists(
        st.one_of(LINE, st.builds("- {}\n  1. {}".format, LINE, LINE), st.builds("## {}".format, LINE)), max_size=8
    )
)
def test_any_markdown_page_keeps_what_it_shows(blocks: list[str]) -> None:
    result = imported("# T 2026-03-04\n\n" + "\n\n".join(blocks), source_format="markdown")
    assert lost(result) == []


def test_broken_front_matter_is_a_problem_with_its_line() -> None:
    with pytest.raises(SourceError) as raised:
        import_text("---\ntitle: [a\ndate: 2026-03-04\n---\n\n# A\n", file="page.md")
    assert raised.value.problems[0].place is not None
    assert raised.value.problems[0].place.line > 1


def test_importing_our_own_format_again_changes_nothing_of_its_body() -> None:
    once = issue_of(
        HEAD + "#一、论文\n\n#1. Foo：甲\n\n• 类别：A\n• 代码：x/y-z\n\n正文 $5 与 $6。\n\n• 甲\n• 乙\n"
    )
    again = import_text(once, file="issue.md")
    assert again.files["issue.md"].decode().split("---\n", 2)[2].replace(" number=1", "") == once.split("---\n", 2)[
        2
    ].replace(" number=1", "")
    assert lost(again) == []


# HTML pages

DOT = base64.b64encode(b"\x89PNG\r\n").decode()
HTML = f"""<!doctype html><html lang="en"><head><title>Site | Big News</title>
<meta property="article:published_time" content="2026-05-06T08:00:00Z">
<link rel="canonical" href="https://example.org/news/5"><style>p {{}}</style></head>
<body><header>Site header <nav><a href="/">Home</a></nav></header>
<article><h1>Big News</h1><p>By <b>Jane</b>, cost is $5 &amp; $6, 10<sup>-3</sup> *no* <code>a|b</code>
&lt;b&gt; <a href="/x">rel</a>.<br>Second line</p>
<h2>Papers</h2><h3>1. Foo</h3><dl><dt>Category</dt><dd>AI</dd><dt>Source</dt><dd>arXiv:2601.12345</dd></dl>
<script>alert(1)</script><p hidden>secret</p>
<h3>2. Bar</h3><ul><li><strong>Category:</strong> X</li><li>Code: a/b</li></ul>
<table><tr><th>A</th><th>B|C</th></tr><tr><td>1</td><td>2</td></tr></table>
<pre><code class="language-py">x = 1
y = 2</code></pre><img src="pic.png" alt="A pic"><img src="data:image/png;base64,{DOT}" alt="Dot">
<blockquote><p># not heading</p></blockquote></article><footer>Copyright</footer></body></html>"""


def test_an_html_page_becomes_an_issue() -> None:
    result = import_text(HTML, file="page.html")
    issue = result.files["issue.md"].decode()
    assert issue.startswith("---\ntitle: Big News\ndate: 2026-05-06\nlanguage: en\n---\n")
    assert "\\$5 & \\$6, 10^-3 \\*no\\* `a|b` \\<b> [rel](https://example.org/x).\\\nSecond line" in issue
    assert ":category: AI\n:source: [arXiv:2601.12345](https://arxiv.org/abs/2601.12345)" in issue
    assert ":category: X\n:code: [a/b](https://github.com/a/b)" in issue
    assert "| A | B\\|C |" in issue
    assert "```py\nx = 1\ny = 2\n```" in issue
    assert "> \\# not heading" in issue
    assert lost(result) == []


ELEMENT = st.builds(
    "<{0}>{1}</{0}>".format,
    st.sampled_from(["p", "h2", "h3", "div", "li", "b", "em", "code", "blockquote", "pre", "span", "dt", "td"]),
    LINE.map(html.escape),
)


@given(st.lists(ELEMENT, max_size=8))
def test_any_html_page_keeps_what_it_shows(elements: list[str]) -> None:
    page = f"<html><body><article><h1>T 2026-03-04</h1>{''.join(elements)}</article></body></html>"
    result = imported(page)
    assert lost(result) == []
    _, findings = read(result.files["issue.md"].decode())
    findings.check()


@pytest.mark.parametrize(
    "page", ["# T&#27;[31m\n\n2026-03-04 a&#27;b\n", "<html><h1>T&#27;</h1><p>2026-03-04 a&#27;b"]
)
def test_control_characters_behind_entities_do_not_reach_the_issue(page: str) -> None:
    assert "\x1b" not in issue_of(page)


def test_what_is_left_out_of_an_html_page_is_named_with_its_words() -> None:
    report = import_text(HTML, file="page.html").report
    dropped = [notice.message for notice in report if notice.code == "import-dropped"]
    assert any("Site header" in message for message in dropped)
    assert any("Copyright" in message for message in dropped)
    assert any("secret" in message for message in dropped)
    assert "alert" not in "".join(dropped)


def test_a_picture_inside_the_page_becomes_a_file_and_others_are_linked() -> None:
    result = import_text(HTML, file="page.html")
    issue = result.files["issue.md"].decode()
    assert result.files["figures/picture-1.png"] == b"\x89PNG\r\n"
    assert "![Dot](figures/picture-1.png)" in issue
    assert "[A pic](https://example.org/news/pic.png)" in issue


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (HTML, "html"),
        (PAGE, "markdown"),
        (HEAD + "#一、单\n\n• 甲\n", "briefing"),
        ("# A\n\n## B\n", "markdown"),
        ("plain words", "briefing"),
    ],
)
def test_the_format_of_a_source_is_found(source: str, name: str) -> None:
    assert detect_format(source) == name
