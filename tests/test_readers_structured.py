"""YAML and JSON issues: the same model as Markdown, texts by language, places of every problem."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.errors import SourceError
from exporter.model import Entry, plain
from exporter.model.inlines import Span, Text
from exporter.notices import Place
from exporter.readers import LIMITS, dump, load, load_text
from exporter.readers.findings import Findings
from exporter.readers.structured.json_tree import read_json
from exporter.readers.written import Written
from tests.reading import EMPTY, SVG, as_line, folder_problems, prose, write

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.model import Issue

RICH_MARKDOWN = r"""---
id: rich
title: 试刊
date: 2026-08-27
language: zh
number: 1.10
rating: 4
tags: [甲, no]
authors: [张三, {name: 李四, orcid: 0000-0001}]
coverage: {from: 2026-08-20, to: 2026-08-27, note: 一 *周*}
subtitle: 副题 `x`
summary: |
  第一段。

  第二段[^s]。
---

引子，见[](#fig-gain)与[](#recuris)。

[^s]: 摘要的注。

# 信号 {#signals}

1. 甲[^a]
   - [x] 内

:::{figure} a.svg
:name: fig-gain
:alt: 图

题注 $x$。
:::

## Recuris {#recuris number=3}
:source: arXiv:2608.24876
:code: github:Gen-Verse/Recuris

### 为什么 {label=why}

> 引

[^a]: 注。

# 其他

| 甲 | 乙 |
|:--|--:|
| 1 | **2** |
"""

RICH_YAML = r"""# yaml-language-server: $schema=../schema.json
$schema: ../schema.json
id: rich
title: 试刊
date: 2026-08-27
language: zh
number: 1.10
rating: 4
tags: [甲, no]
authors: [张三, {name: 李四, orcid: 0000-0001}]
coverage: {from: 2026-08-20, to: 2026-08-27, note: 一 *周*}
subtitle: 副题 `x`
summary: |
  第一段。

  第二段[^s]。
lead: 引子，见[](#fig-gain)与[](#recuris)。
notes:
  - id: s
    children: 摘要的注。
  - id: a
    children: 注。
sections:
  - id: signals
    title: 信号
    body:
      - kind: list
        ordered: true
        items:
          - children:
              - kind: paragraph
                children: 甲[^a]
              - kind: list
                items:
                  - checked: true
                    children: 内
      - kind: figure
        id: fig-gain
        path: a.svg
        alt: 图
        caption: 题注 $x$。
      - title: Recuris
        id: recuris
        number: 3
        fields:
          source: arXiv:2608.24876
          code: github:Gen-Verse/Recuris
        body: |
          ### 为什么 {label=why}

          > 引
  - title: 其他
    body: |
      | 甲 | 乙 |
      |:--|--:|
      | 1 | **2** |
"""


def _read(text: str, form: Literal["yaml", "json"] = "yaml") -> Issue:
    return load_text(text, file="issue", form=form, folder=EMPTY).issue


def _problems(text: str, form: Literal["yaml", "json"] = "yaml") -> list[str]:
    with pytest.raises(SourceError) as caught:
        _read(text, form)
    return [as_line(problem) for problem in caught.value.problems]


def test_the_same_issue_in_markdown_yaml_and_json_is_the_same_value(tmp_path: Path) -> None:
    write(tmp_path, {"md/issue.md": RICH_MARKDOWN, "md/a.svg": SVG})
    write(tmp_path, {"yaml/issue.yaml": RICH_YAML, "yaml/a.svg": SVG, "json/a.svg": SVG})
    markdown, structured = load(tmp_path / "md"), load(tmp_path / "yaml")
    write(tmp_path, {"json/issue.json": dump(markdown.issue)})
    assert structured.issue == markdown.issue
    assert load(tmp_path / "json").issue == markdown.issue
    assert markdown.notices == structured.notices == ()


BASE = "title: {zh: 试刊, en: Trial}\ndate: 2026-08-27\nlanguage: zh\n"


def test_texts_by_language_make_a_version_for_each() -> None:
    issue = _read(
        BASE + "tags: {zh: [甲], en: [A]}\nsections:\n  - id: a\n    title: {zh: 一, en: One}\n"
        "    body: {zh: 文 *强*。, en: Text.}\n    language: fr\n"
    )
    zh, en = issue.versions
    assert (zh.language, en.language) == ("zh", "en")
    assert (zh.title, en.title) == ("试刊", "Trial")
    assert (zh.tags, en.tags) == (("甲",), ("A",))
    assert plain(en.sections[0].title) == "One"
    assert prose(zh.sections[0].body[0]) == "文 强。"


def test_the_original_is_the_issues_own_language_whatever_comes_first() -> None:
    text = "title: {en: Trial, zh: 试刊}\ndate: 2026-08-27\nlanguage: zh\n"
    assert [version.language for version in _read(text).versions] == ["zh", "en"]


def test_what_a_language_lacks_stands_in_from_the_original_with_its_language() -> None:
    loaded = load_text(BASE + "subtitle: {zh: 副题}\nsummary: {zh: 摘要}\n", form="yaml", folder=EMPTY)
    _, en = loaded.issue.versions
    assert en.subtitle == (Span(children=(Text(text="副题"),), language="zh"),)
    assert en.summary[0].children == (Span(children=(Text(text="摘要"),), language="zh"),)  # type: ignore[union-attr]
    assert [notice.code for notice in loaded.notices] == ["missing-translation"] * 2


def test_a_text_in_a_language_that_the_title_lacks_is_a_problem() -> None:
    assert _problems(BASE + "subtitle: {zh: 副, fr: sous-titre}\n") == [
        "4:19 subtitle has a text in fr, but the issue has no version in it"
    ]


def test_keys_that_look_like_languages_stay_keys() -> None:
    issue = _read(BASE + "coverage: {from: 2026-08-20, to: 2026-08-27}\nemail: {to: a@example.org}\n")
    assert all(version.coverage is not None and version.coverage.to for version in issue.versions)
    assert all(version.email is not None and version.email.to for version in issue.versions)


def test_fields_of_an_entry_may_be_a_mapping_or_a_list() -> None:
    head = BASE.replace("{zh: 试刊, en: Trial}", "试刊")
    short = _read(head + "lead:\n  - title: 甲\n    fields: {code: 'github:a/b'}\n")
    long = _read(head + "lead:\n  - kind: entry\n    title: 甲\n    fields: [{name: code, value: 'github:a/b'}]\n")
    (entry,) = short.original.lead
    assert isinstance(entry, Entry)
    assert short == long


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("sections:\n  - titel: 甲\n", "5:5 unknown key sections.titel"),
        ("sections:\n  - body: 文\n", "5:5 sections.title is missing"),
        ("sections: 甲\n", "4:11 sections must be a list"),
        ("lead:\n  - kind: figure\n    path: a.svg\n", "5:5 lead.alt is missing"),
        ("lead:\n  - kind: heading\n    level: 9\n    children: 甲\n", "6:12 lead.level must be at most 6"),
        ("lead:\n  - kind: heading\n    level: deep\n    children: 甲\n", "6:12 lead.level must be a whole number"),
        ("lead: '[x](javascript:y)'\n", "4:8 a link may not lead to javascript:y"),
        ("lead: |\n\n  甲\n  [x](javascript:y)\n", "7:3 a link may not lead to javascript:y"),
        ("lead: '# 甲'\n", "4:8 a heading of level 1 (甲) begins a section and cannot stand inside one"),
        ("lead: |\n  文[^a]。\n", "5:4 the footnote [^a] is not defined"),
        ("versions: []\n", "1:1 unknown key title"),
        ("---\ntitle: 乙\n", "4:1 a second YAML document begins here: only one is read"),
    ],
)
def test_a_problem_in_yaml_has_its_line_and_column(text: str, problem: str) -> None:
    assert problem in _problems(BASE.replace("{zh: 试刊, en: Trial}", "试刊") + text)


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(SourceError) as caught:
        _read(BASE.replace("{zh: 试刊, en: Trial}", "试刊") + "lead:\n  - kind: figre\n    path: a.svg\n")
    (problem,) = caught.value.problems
    assert problem.message.startswith("lead.kind must be paragraph, heading, list")
    assert problem.message.endswith("not figre")
    assert problem.hint == "did you mean figure?"


def test_an_unknown_key_names_the_nearest_of_its_own_mapping() -> None:
    with pytest.raises(SourceError) as caught:
        _read(BASE.replace("{zh: 试刊, en: Trial}", "试刊") + "sections:\n  - titel: 甲\n")
    assert {problem.message: problem.hint for problem in caught.value.problems} == {
        "sections.title is missing": None,
        "unknown key sections.titel": "did you mean title?",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"title": "甲", "title": "乙"}', "1:17 the key title stands twice: in line 1"),
        ('{"title": "甲",\n "date": }', "2:10 this is no JSON: expecting value"),
        ('{"title": NaN}', "1:1 this is no JSON: NaN is no number"),
        (
            '{"title": "甲", "date": "2026-08-27", "language": "zh", "subtitle": "\\ud83e"}',
            "1:68 half a surrogate pair is no character",
        ),
        ("[" * 50000, None),
        ("[" * 400 + "]" * 400, "1:161 the JSON is nested deeper than the limit of 160"),
        ("[]", "1:1 the front matter is no mapping of keys"),
        ("", "1:1 this is no JSON: expecting value"),
    ],
)
def test_a_problem_in_json_has_its_line_and_column(text: str, problem: str | None) -> None:
    found = _problems(text, "json")
    assert problem in found if problem else len(found) == 1


def test_tabs_and_surrogate_pairs_of_json_are_read() -> None:
    text = '{\n\t"title": "\\ud83e\\uddea\\/",\n\t"date": "2026-08-27",\n\t"language": "zh",\n\t"number": 1.10,\n\t"numbering": false\n}'
    version = _read(text, "json").original
    assert (version.title, version.number, version.numbering) == ("🧪/", "1.10", False)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cn", "Co")), max_size=6),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cn", "Co")), max_size=4),
            below,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(value=JSON, indent=st.none() | st.just(1) | st.just("\t"), ascii_only=st.booleans())
def test_a_tree_of_json_holds_what_the_standard_library_reads(
    value: object, indent: int | str | None, *, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    findings = Findings()
    tree = read_json(Written.whole(text, "a.json"), findings, LIMITS)
    findings.check()
    assert _as_text(tree) == _as_text(value)


def test_the_places_of_json_are_those_of_its_keys_and_values() -> None:
    tree = read_json(Written.whole('{"a":\n  [1, "x"]}', "a.json"), Findings(), LIMITS)
    assert tree.keys_at["a"] == Place("a.json", 1, 3)
    assert [item.place() for item in tree["a"]] == [Place("a.json", 2, 4), Place("a.json", 2, 8)]


def test_the_form_of_a_text_without_a_name_is_told_by_its_beginning() -> None:
    texts = (
        '{"title": "甲", "date": "2026-08-27", "language": "zh"}',
        "title: 甲\ndate: 2026-08-27\nlanguage: zh\n",
        "---\ntitle: 甲\ndate: 2026-08-27\nlanguage: zh\n---\n",
    )
    values = {load_text(text, folder=EMPTY).issue for text in texts}
    assert len(values) == 1
    assert load_text(texts[0].encode("gb18030"), folder=EMPTY, encoding="gb18030").issue in values


def test_a_folder_may_hold_yaml_or_json_but_not_two_originals(tmp_path: Path) -> None:
    text = "title: 甲\ndate: 2026-08-27\nlanguage: zh\n"
    write(tmp_path, {"issue.yml": text})
    assert load(tmp_path).issue.original.title == "甲"
    write(tmp_path, {"issue.json": "{}"})
    assert "issue.json:0:0 the folder has both issue.yml and issue.json" in folder_problems(tmp_path)


def _as_text(value: object) -> object:
    match value:
        case None:
            return None
        case dict():
            return {str(key): _as_text(item) for key, item in value.items()}
        case list():
            return [_as_text(item) for item in value]
        case str():
            return str(value)
        case _:
            return json.dumps(value)


def test_what_is_wrong_with_a_node_has_the_place_of_its_mapping() -> None:
    source = """title: 试刊
date: 2026-08-27
language: zh
sections:
  - title: 甲
    id: a
  - title: ""
    id: a
    body:
      - kind: heading
        level: 2
        label: whi
"""
    with pytest.raises(SourceError) as caught:
        load_text(source, file="issue.yaml", folder=EMPTY)
    assert [as_line(problem) for problem in caught.value.problems] == [
        "7:5 the id a stands twice: in line 5 and in line 7",
        "7:5 the section has no title",
        "10:9 there is no heading label whi",
    ]
