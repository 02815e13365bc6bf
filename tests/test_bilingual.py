"""The language of the labels can differ from that of the prose."""

from __future__ import annotations

import email
import email.policy

import pytest

from exporter.edition import Edition, make_edition
from exporter.errors import EditionError
from exporter.theme import load_theme
from exporter.writers import WRITERS, Options
from tests.samples import all_blocks, edition_of, sample_assets


def labeled(language: str, labels: str | None) -> Edition:
    return make_edition(
        all_blocks(), sample_assets(), language=language, theme=load_theme("base"), labels_language=labels
    )


@pytest.mark.parametrize(
    ("language", "labels", "word"),
    [("zh", "en", "Figure"), ("en", "zh-CN", "图"), ("zh", "zh-TW", "圖"), ("zh", None, "图")],
)
def test_labels_come_in_the_language_asked_for(language: str, labels: str | None, word: str) -> None:
    made = labeled(language, labels)
    figures = [number.label for number in made.numbers.values() if number.series in {"figure", "chart"}]
    assert figures
    assert all(label.startswith(word) for label in figures)


def test_other_labels_leave_the_prose_its_language_and_files_their_names() -> None:
    made, own = labeled("zh", "en"), edition_of(all_blocks(), "zh")
    assert (made.tag, made.stem, made.title) == (own.tag, own.stem, own.title)
    assert (made.masthead.date, own.masthead.date) == ("Thursday, August 27, 2026", "2026年8月27日 星期四")


def test_references_in_the_prose_take_the_labels_language() -> None:
    content = WRITERS["text"].write(labeled("zh", "en"), Options()).files[".txt"].decode()
    assert "Figure 1" in content.replace("\N{NO-BREAK SPACE}", " ")
    assert "图 1" not in content.replace("\N{NO-BREAK SPACE}", " ")


def test_a_message_in_chinese_has_english_labels() -> None:
    content = WRITERS["email"].write(labeled("zh", "en"), Options()).files[".eml"]
    message = email.message_from_bytes(content, policy=email.policy.default)
    page = message.get_body(("html",))
    assert page is not None
    markup = page.get_content().replace("&nbsp;", " ").replace("\N{NO-BREAK SPACE}", " ")
    assert 'lang="zh-Hans"' in markup
    assert "Figure 1" in markup


def test_a_language_without_labels_is_refused_with_those_that_have_them() -> None:
    with pytest.raises(EditionError, match="no labels in the language 'fr'") as caught:
        labeled("zh", "fr")
    assert "zh-Hans" in str(caught.value.hint)
