from __future__ import annotations

from typing import Any

import pytest

from exporter.edition import Edition, make_edition
from exporter.errors import EditionError
from exporter.model import Entry, Issue, plain, walk
from exporter.model.blocks import CodeBlock, Figure, Heading, Table
from exporter.model.inlines import Reference, Text
from exporter.theme import load_theme
from tests.samples import all_blocks, edition_of, paragraph, row, sample_assets, text, version


def issue(*versions: dict[str, Any]) -> Issue:
    return Issue.model_validate({"id": "x", "versions": [{"date": "2026-08-27", **one} for one in versions]})


def edition(*versions: dict[str, Any], language: str = "zh") -> Edition:
    return make_edition(issue(*versions), sample_assets(), language=language, theme=load_theme("base"))


def entry(identifier: str, title: str = "T", **fields: Any) -> dict[str, Any]:
    return {"kind": "entry", "id": identifier, "title": [text(title)], **fields}


def section(identifier: str, *body: dict[str, Any]) -> dict[str, Any]:
    return {"id": identifier, "title": [text(identifier)], "body": list(body)}


def test_a_language_that_the_issue_lacks_is_named_with_those_it_has() -> None:
    with pytest.raises(EditionError, match="no version in 'en'") as caught:
        edition_of(all_blocks("zh"), "en")
    assert "zh" in str(caught.value.hint)


@pytest.mark.parametrize("asked", ["zh", "zh-CN", "zh-Hans"])
def test_tags_of_one_language_find_the_same_version(asked: str) -> None:
    assert edition_of(all_blocks(), asked).language == "zh"


def test_the_language_in_markup_is_canonical() -> None:
    assert edition_of(all_blocks(), "zh").tag == "zh-Hans"


def test_each_series_is_numbered_in_reading_order() -> None:
    figures = [
        {"kind": "figure", "path": "badge.png", "alt": "", "id": f"f{n}", "caption": [text("c")]} for n in (2, 1)
    ]
    made = edition({"title": "t", "language": "zh", "sections": [section("s", *figures)]})
    assert [(name, number.value, number.label) for name, number in made.numbers.items()] == [
        ("f2", 1, "图\u00a01"),
        ("f1", 2, "图\u00a02"),
    ]


def test_charts_count_among_the_figures() -> None:
    blocks = [
        {"kind": "figure", "path": "badge.png", "alt": "", "id": "a"},
        {"kind": "chart", "spec": "{}", "alt": "", "id": "b"},
    ]
    made = edition({"title": "t", "language": "en", "lead": blocks}, language="en")
    assert made.numbers["b"].label == "Figure\u00a02"


def test_an_empty_reference_is_filled_with_what_its_target_is_called() -> None:
    made = edition_of(all_blocks(), "zh")
    called = {node.target: plain(node.children) for node in walk(made.version) if isinstance(node, Reference)}
    assert called["tab-scores"] == "表\u00a01"
    assert called["recuris"] == "条目：把“记忆”与经验分开"
    assert called["part-1"] == "第一部分"


def test_a_reference_to_nothing_is_an_error_of_the_edition() -> None:
    line = paragraph({"kind": "reference", "target": "nowhere"})
    with pytest.raises(EditionError, match="nowhere"):
        edition({"title": "t", "language": "zh", "lead": [line]})


def test_entries_count_on_from_an_explicit_number() -> None:
    body = [entry("a"), entry("b", number=5), entry("c")]
    made = edition({"title": "t", "language": "zh", "sections": [section("s", *body), section("z", entry("d"))]})
    assert dict(made.entry_numbers) == {"a": 1, "b": 5, "c": 6, "d": 7}


def test_numbering_can_be_off() -> None:
    made = edition({"title": "t", "language": "zh", "numbering": False, "lead": [entry("a"), entry("b", number=2)]})
    assert dict(made.entry_numbers) == {"b": 2}


def test_footnotes_are_numbered_by_their_first_marks() -> None:
    marks = [{"kind": "note-reference", "note": name} for name in ("b", "a", "b")]
    notes = [{"id": name, "children": [paragraph(name)]} for name in ("a", "unused", "b")]
    made = edition({"title": "t", "language": "zh", "lead": [paragraph(*marks)], "notes": notes})
    assert [(one.number, one.note.id) for one in made.notes] == [(1, "b"), (2, "a")]


def test_a_note_cited_by_a_note_follows_the_others() -> None:
    notes = [
        {"id": "a", "children": [paragraph({"kind": "note-reference", "note": "c"})]},
        {"id": "b", "children": [paragraph("b")]},
        {"id": "c", "children": [paragraph("c")]},
    ]
    marks = [{"kind": "note-reference", "note": name} for name in ("a", "b")]
    made = edition({"title": "t", "language": "zh", "lead": [paragraph(*marks)], "notes": notes})
    assert dict(made.note_numbers) == {"a": 1, "b": 2, "c": 3}


def test_a_mark_without_a_note_is_an_error_of_the_edition() -> None:
    with pytest.raises(EditionError, match=r"\[\^x\]"):
        edition({"title": "t", "language": "zh", "lead": [paragraph({"kind": "note-reference", "note": "x"})]})


def test_cells_are_text_unless_their_column_has_a_format() -> None:
    made = edition_of(all_blocks(), "zh")
    table = next(node for node in walk(made.version) if isinstance(node, Table))
    assert [plain(one[0].children) for one in table.rows] == ["1.10", "00123", "20200407_2"]
    assert [plain(one[2].children) for one in table.rows] == ["17.6%", "12.6%", ""]


def test_a_cell_that_its_format_cannot_take_is_an_error() -> None:
    table = {"kind": "table", "columns": [{"format": "integer"}], "rows": [row("many")]}
    with pytest.raises(EditionError, match="many"):
        edition({"title": "t", "language": "zh", "lead": [table]})


def test_a_heading_with_a_label_and_no_text_prints_the_label() -> None:
    for language, words in (("zh", "为什么重要"), ("en", "Why It Matters")):
        made = edition_of(all_blocks(), language)
        found = [plain(node.children) for node in walk(made.version) if isinstance(node, Heading)]
        assert words in found


def test_a_missing_picture_is_an_error_of_the_edition() -> None:
    with pytest.raises(EditionError, match="gone"):
        edition({"title": "t", "language": "zh", "lead": [{"kind": "figure", "path": "gone.png", "alt": ""}]})


def test_only_what_is_used_is_carried() -> None:
    made = edition({"title": "t", "language": "zh", "lead": [{"kind": "figure", "path": "badge.png", "alt": ""}]})
    assert list(made.assets) == ["badge.png"]


def test_prose_is_spaced_and_code_is_not() -> None:
    listing = {"kind": "code-block", "text": "变量x = 1"}
    made = edition({"title": "用GPT写", "language": "zh", "lead": [paragraph("在GPT上"), listing]})
    assert made.title == "用 GPT 写"
    assert [node.text for node in walk(made.version.lead) if hasattr(node, "text")] == ["在 GPT 上", "变量x = 1"]


def test_english_is_never_respaced() -> None:
    made = edition({"title": "on北京", "language": "en", "lead": [paragraph("at北京now")]}, language="en")
    assert [node.text for node in walk(made.version.lead) if isinstance(node, Text)] == ["at北京now"]


def test_what_a_translation_lacks_falls_back_and_is_listed() -> None:
    zh = {"title": "t", "language": "zh", "sections": [section("s", entry("a"), entry("b", "乙"), entry("c"))]}
    en = {"title": "t", "language": "en", "sections": [section("s", entry("a"), entry("c"))]}
    made = edition(zh, en, language="en")
    body = [node for node in made.version.sections[0].body if isinstance(node, Entry)]
    assert [(node.id, node.language) for node in body] == [("a", None), ("b", "zh"), ("c", None)]
    assert [notice.code for notice in made.notices] == ["missing-translation"]
    assert "乙" in made.notices[0].message


def test_a_section_that_a_translation_lacks_falls_back_in_its_place() -> None:
    zh = {"title": "t", "language": "zh", "sections": [section(name) for name in ("a", "b", "c")]}
    en = {"title": "t", "language": "en", "sections": [section(name) for name in ("a", "c")]}
    made = edition(zh, en, language="en")
    assert [(one.id, one.language) for one in made.version.sections] == [("a", None), ("b", "zh"), ("c", None)]


def test_the_contents_list_sections_with_their_entries() -> None:
    made = edition_of(all_blocks(), "zh")
    assert [(item.id, [child.number for child in item.children]) for item in made.contents] == [("part-1", [1])]


def test_issue_settings_override_those_of_the_publication_key_by_key() -> None:
    source = all_blocks("zh").model_dump(by_alias=True, mode="json")
    source["versions"][0]["email"] = {"subject": "Own"}
    made = edition_of(Issue.model_validate(source), "zh")
    assert made.email.subject == "Own"
    assert made.email.list_id == "daily.shushu.example"


def test_the_masthead_is_localized() -> None:
    zh, en = (edition_of(all_blocks(), language).masthead for language in ("zh", "en"))
    assert (zh.kind, zh.number, zh.date) == ("每日简报", "第 3 卷第 239 期", "2026年8月27日 星期四")
    assert (en.kind, en.number, en.date) == ("Daily Briefing", "Vol. 3, No. 239", "Thursday, August 27, 2026")
    assert plain(zh.coverage) == "2026年8月25日至26日（UTC+8）"
    assert plain(en.coverage) == "August 25–26, 2026 (UTC+8)"


def test_a_kind_of_ones_own_is_printed_as_it_is() -> None:
    made = edition({"title": "t", "language": "zh", "kind": "副刊"})
    assert made.masthead.kind == "副刊"


def test_unnumbered_blocks_have_no_number() -> None:
    made = edition({"title": "t", "language": "zh", "lead": [{"kind": "code-block", "text": "x"}]})
    assert not made.numbers
    assert any(isinstance(node, CodeBlock) for node in walk(made.version))
    assert not any(isinstance(node, Figure) for node in walk(made.version))


def test_an_issue_equals_itself_wherever_it_was_read() -> None:
    from exporter.notices import Place

    one, two = (Issue.model_validate({"id": "x", "versions": [version("zh")]}) for _ in range(2))
    two.original.at(Place("elsewhere", 3))
    assert one == two
    assert hash(one) == hash(two)
