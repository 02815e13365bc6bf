"""The showcase, the starter and the issue of every block, exported and compared with files that a person can open and read."""

from __future__ import annotations

import datetime as dt
import difflib
import functools
import re
from pathlib import Path

import pytest

from exporter import readers
from exporter.edition import Edition, make_edition
from exporter.starter import starter
from exporter.theme import load_theme
from exporter.writers import WRITERS, Options
from tests.conftest import ROOT

GOLDEN = Path(__file__).parent / "golden"
CASES = ("2026-08-27", "starter", "all-blocks")
LANGUAGES = ("zh", "en")


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    fresh = tmp_path_factory.mktemp("golden") / "starter"
    for name, content in starter(dt.date(2026, 8, 27)).items():
        (fresh / name).parent.mkdir(parents=True, exist_ok=True)
        (fresh / name).write_bytes(content)
    return {
        "2026-08-27": ROOT / "issues" / "2026-08-27",
        "starter": fresh,
        "all-blocks": GOLDEN / "all-blocks" / "source",
    }


@functools.cache
def edition(folder: Path, language: str) -> Edition:
    loaded = readers.load(folder)
    return make_edition(loaded.issue, loaded.assets, language=language, theme=load_theme("base"))


def compare(name: str, made: str, *, accept: bool) -> None:
    path = GOLDEN / name
    if accept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made, encoding="utf-8")
    assert path.is_file(), f"there is no golden file {name}: renew with --accept"
    kept = path.read_text(encoding="utf-8")
    changes = difflib.unified_diff(kept.splitlines(), made.splitlines(), "golden", "made", lineterm="", n=1)
    assert kept == made, "\n".join(list(changes)[:60])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_the_text_edition_is_as_it_was(folders: dict[str, Path], case: str, language: str, *, accept: bool) -> None:
    output = WRITERS["text"].write(edition(folders[case], language), Options())
    compare(f"{case}/{case}.{language}.txt", output.files[".txt"].decode(), accept=accept)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_the_page_of_the_email_is_as_it_was(
    folders: dict[str, Path], case: str, language: str, *, accept: bool
) -> None:
    output = WRITERS["email"].write(edition(folders[case], language), Options(body="full"))
    page = re.sub(r"data:(image/[a-z]+);base64,[A-Za-z0-9+/=]+", r"data:\1", output.files[".html"].decode())
    # A block a line, so that a change can be read, and two changes merged.
    page = re.sub(r"(?<!\n)(?=<(body|div|table|tr|p|h\d|li|dt|dd|pre|blockquote)\b)", "\n", page)
    compare(f"{case}/{case}.{language}.html", page, accept=accept)


@pytest.mark.parametrize("case", ["2026-08-27", "starter"])
def test_the_issue_is_read_as_it_was(folders: dict[str, Path], case: str, *, accept: bool) -> None:
    compare(f"{case}/issue.json", readers.dump(readers.load(folders[case]).issue) + "\n", accept=accept)


@pytest.mark.parametrize("case", ["2026-08-27", "starter"])
def test_the_showcase_and_the_starter_give_no_notices(folders: dict[str, Path], case: str) -> None:
    assert readers.load(folders[case]).notices == ()
    for language in LANGUAGES:
        made = edition(folders[case], language)
        assert made.notices == ()
        for writer in (WRITERS["text"], WRITERS["email"]):
            assert writer.write(made, Options()).notices == ()


def test_golden_files_hold_no_sentence_of_the_handed_briefing(shared: Path) -> None:
    source = (shared / "briefings" / "2026-08-27.txt").read_text(encoding="utf-8")
    sentences = [part.strip() for part in source.replace("\n", "。").split("。") if len(part.strip()) > 24]
    han = [part for part in sentences if sum("\u4e00" <= char <= "\u9fff" for char in part) > 12]
    assert len(han) > 100
    for path in (*GOLDEN.rglob("*"), *(ROOT / "issues").rglob("*.md")):
        if path.suffix in {".md", ".txt", ".html", ".json", ".eml"}:
            content = "".join(path.read_text(encoding="utf-8").split())
            assert [part for part in han if "".join(part.split()) in content] == [], path
