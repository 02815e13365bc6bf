"""Which fonts print a theme: found by family, static only, and nothing of the machine stands in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from exporter import fonts
from exporter.errors import WriterError
from exporter.fonts import FontPlan, advance, find_fonts, only_fonts, require
from exporter.theme import Theme, load_theme
from tests.conftest import tool


def make_font(path: Path, family: str, *, weight: int = 400, variable: bool = False) -> None:
    """Write a small font with one square glyph."""
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((0, 500))
    pen.lineTo((500, 500))
    pen.closePath()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "zero"])
    builder.setupCharacterMap({0x30: "zero"})
    builder.setupGlyf({".notdef": pen.glyph(), "zero": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (500, 0), "zero": (640, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(usWeightClass=weight, usWidthClass=5)
    builder.setupPost()
    if variable:
        builder.setupFvar([("wght", 100, 400, 900, "Weight")], [])
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)


@pytest.fixture
def theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Theme:
    """Return a theme whose Han text face is called Test Song, on a machine without fonts of its own."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "theme.toml").write_text(
        'extends = "base"\n[font.text]\nhan = ["Test Song", "Other Song"]\n', encoding="utf-8"
    )
    monkeypatch.setattr(fonts, "font_folders", lambda: (tmp_path / "machine",))
    fonts._faces.cache_clear()
    return load_theme(str(folder))


def chosen(plan: FontPlan, role: str, script: str) -> set[tuple[str, int]]:
    return {(c.face.file.name, c.face.weight) for c in plan.chosen if (c.role, c.script) == (role, script)}


def test_the_base_theme_finds_every_face_with_a_real_bold() -> None:
    plan = find_fonts(load_theme())
    assert plan.missing == ()
    for role in ("text", "heading", "code"):
        for script in ("latin", "han"):
            assert {weight for _, weight in chosen(plan, role, script)} == {400, 700}
    assert all(len(item.face.sha256()) == 64 for item in plan.chosen)


def test_the_first_family_that_the_machine_has_is_taken(theme: Theme, tmp_path: Path) -> None:
    make_font(tmp_path / "machine/other.ttf", "Other Song")
    make_font(tmp_path / "machine/other-bold.ttf", "Other Song", weight=700)
    plan = find_fonts(theme)
    assert chosen(plan, "text", "han") == {("other.ttf", 400), ("other-bold.ttf", 700)}
    assert plan.family("text", "han") == "Other Song"


def test_the_fonts_of_the_theme_come_before_the_machines(theme: Theme, tmp_path: Path) -> None:
    make_font(tmp_path / "machine/song.ttf", "Test Song")
    make_font(tmp_path / "own/fonts/mine.ttf", "Test Song")
    assert chosen(find_fonts(theme), "text", "han") == {("mine.ttf", 400)}


def test_a_missing_bold_is_told_and_is_not_fatal(theme: Theme, tmp_path: Path) -> None:
    make_font(tmp_path / "machine/song.ttf", "Test Song")
    told = [str(item) for item in find_fonts(theme).missing if item.role == "text"]
    assert told == ["Test Song Bold (text, han): Test Song has no Bold here"]


def test_a_variable_font_is_refused_with_its_reason(theme: Theme, tmp_path: Path) -> None:
    make_font(tmp_path / "machine/song.ttf", "Test Song", variable=True)
    (lacking,) = [item for item in find_fonts(theme).missing if item.role == "text"]
    assert "variable" in lacking.reason


def test_a_missing_regular_face_stops_printing(theme: Theme) -> None:
    with pytest.raises(WriterError, match=r"Test Song Regular \(text, han\): not installed"):
        require(find_fonts(theme))


def test_a_broken_font_file_is_passed_over(theme: Theme, tmp_path: Path) -> None:
    make_font(tmp_path / "machine/song.ttf", "Test Song")
    (tmp_path / "machine/broken.ttf").write_bytes(b"\0\1\0\0\0\x20broken")
    (tmp_path / "machine/empty.otf").write_bytes(b"")
    assert chosen(find_fonts(theme), "text", "han") == {("song.ttf", 400)}


def test_fontconfig_sees_the_chosen_files_and_nothing_else() -> None:
    plan = find_fonts(load_theme())
    with only_fonts(plan):
        listed = subprocess.run(
            [tool("fc-list"), ":", "file", "family"], capture_output=True, text=True, check=True
        ).stdout.splitlines()
    assert {line.partition(":")[0] for line in listed} == {str(path) for path in plan.files}
    assert not any(name in line for line in listed for name in ("CJK JP", "CJK KR", "CJK TC", "CJK HK"))


def test_the_environment_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = find_fonts(load_theme())
    monkeypatch.setenv("FONTCONFIG_FILE", "/somewhere/fonts.conf")
    with only_fonts(plan):
        assert os.environ["FONTCONFIG_FILE"] != "/somewhere/fonts.conf"
        assert Path(os.environ["FONTCONFIG_FILE"]).exists()
    assert os.environ["FONTCONFIG_FILE"] == "/somewhere/fonts.conf"


def test_widths_are_read_from_the_font(theme: Theme, tmp_path: Path) -> None:
    make_font(tmp_path / "machine/song.ttf", "Test Song")
    plan = find_fonts(theme)
    assert advance(plan, "text", "han", "0") == 0.64
    assert advance(plan, "text", "han", "九") == 0.5
