"""Whatever is written, the readers give an issue or problems that have a place, and never fall over."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.errors import SourceError
from exporter.model import Node, walk
from exporter.readers import dump, load_text
from tests.reading import EMPTY, HEAD

if TYPE_CHECKING:
    from exporter.notices import Problem

PIECES = st.sampled_from(
    [
        *("文", "，", "“", "a", " ", "  ", "\n", "\n\n", "\t", "    ", "*", "**", "_", "~~", "`", "```", "$", "$$"),
        *("[", "](", "](#文)", "]", ")", "[^a]", "[^a]: ", "![", "(a.png)", "<b>", "<!--", "-->", "&amp;", "\\\\"),
        *("# ", "## ", "### ", "> ", "- ", "1. ", "- [ ] ", ": ", "---", "===", "| ", "|", "|---|", "|--|--|\n"),
        *(
            ":::",
            "::::",
            ":::{note}\n",
            ":::{figure} a.png\n",
            ":::{csv-table} x\n",
            ":::{table}\n",
            ":::{only} pdf\n",
        ),
        *(
            ":::{math}\n",
            ":::{code} x\n",
            ":alt: ",
            ":name: a\n",
            ":title: ",
            ":x: ",
            "{#a}",
            "{.entry}",
            "{number=1}",
        ),
        *(
            "{lang=en}",
            "{",
            "}",
            "https://e.org/",
            "https:",
            "mailto:a@b",
            "<https://e.org>",
            "[a]: b\n",
            "\\\n",
            "é",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)
YAML = st.lists(
    st.sampled_from(
        [
            *(
                "title",
                "date",
                "language",
                "tags",
                "sections",
                "body",
                "kind",
                "id",
                ": ",
                "\n",
                "\n  ",
                "\n  - ",
                "- ",
            ),
            *(
                "{",
                "}",
                "[",
                "]",
                ",",
                "&a ",
                "*a",
                "!x ",
                "|",
                ">",
                "'",
                '"',
                "#",
                "---",
                "...",
                "<<: ",
                "zh",
                "甲",
                "~",
            ),
            *("2026-08-27", "heading", "children", "level", "\t", "%", "@", "\\\\", "? "),
        ]
    ),
    max_size=30,
).map("".join)


def _outcome(text: str, form: str) -> None:
    problems: tuple[Problem, ...] = ()
    try:
        loaded = load_text(text, file="issue", form=form, folder=EMPTY)  # type: ignore[arg-type]
    except SourceError as error:
        problems = error.problems
    else:
        assert all(isinstance(node, Node) for node in walk(loaded.issue))
        assert load_text(dump(loaded.issue), folder=EMPTY).issue == loaded.issue
        return
    last = text.count("\n") + 2
    assert problems
    for problem in problems:
        assert problem.place is not None
        assert problem.place.file == "issue"
        assert 0 <= problem.place.line <= last
        assert problem.message
        assert "\n" not in problem.message


@settings(max_examples=400)
@given(TEXTS)
def test_any_markdown_is_an_issue_or_problems_with_places(body: str) -> None:
    _outcome(HEAD + body, "markdown")


@settings(max_examples=200)
@given(YAML)
def test_any_front_matter_is_an_issue_or_problems_with_places(head: str) -> None:
    _outcome(f"---\n{head}\n---\n文。\n", "markdown")


@settings(max_examples=200)
@given(YAML)
def test_any_yaml_is_an_issue_or_problems_with_places(text: str) -> None:
    _outcome(text, "yaml")
    _outcome(f"title: 甲\ndate: 2026-08-27\nlanguage: zh\n{text}", "yaml")


@settings(max_examples=100)
@given(st.binary(max_size=60))
def test_any_bytes_are_an_issue_or_problems(content: bytes) -> None:
    with contextlib.suppress(SourceError):
        load_text(content, file="issue", folder=EMPTY)
