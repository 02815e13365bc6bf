"""The e-mail edition in a browser: phone and desktop, light and dark, with and without pictures and styles."""

from __future__ import annotations

import html
import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from exporter.writers import Options
from exporter.writers.email import write
from tests.conftest import ROOT, tool
from tests.samples import all_blocks, edition_of
from tests.test_email import SHOWCASE, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

WIDTHS = (360, 640)
SCHEMES = {"light": "1", "dark": "0"}  # Chromium's preferredColorScheme
# What a program does to the page before it shows it.
TREATMENTS: Mapping[str, Callable[[str], str]] = {
    "whole": lambda page: page,
    "without pictures": lambda page: re.sub(r'src="data:[^"]*"', 'src="cid:blocked@example.org"', page),
    # Gmail's apps for other accounts: the whole head goes, and with it the word on color schemes.
    "without head": lambda page: re.sub(r"(?s)<head>.*?</head>", "", page),
}

Findings = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The pages with their pictures inside, as they are kept beside the message."""
    outputs = {f"showcase {language}": read(SHOWCASE, language) for language in ("zh", "en")}
    for body in ("full", "digest"):
        outputs[f"specimen {body}"] = write(edition_of(all_blocks(), "zh"), Options(body=body))
    return {name: output.files[".html"].decode() for name, output in outputs.items()}


@pytest.fixture(scope="module", params=SCHEMES)
def seen(
    request: pytest.FixtureRequest, pages: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Findings:
    """Every page in every treatment and width, in one scheme."""
    asked = [
        {"name": f"{name}, {width}, {treatment}", "html": change(page), "width": width}
        for name, page in pages.items()
        for treatment, change in TREATMENTS.items()
        for width in WIDTHS
    ]
    found = measured(asked, request.param, tmp_path_factory.mktemp("browser"))
    assert len(found) == len(asked) == 24
    assert {each["dark"] for each in found.values()} == {request.param == "dark"}
    return found


def measured(pages: list[dict[str, Any]], scheme: str, folder: Path) -> Findings:
    """Return what ``measure_mail.js`` finds of pages in headless Chromium."""
    script = (ROOT / "tests" / "measure_mail.js").read_text(encoding="utf-8")
    document = folder / "measure.html"
    listed = json.dumps(pages).replace("</", "<\\/")
    document.write_text(
        f'<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body><script>'
        f"const PAGES = {listed};{script}</script>",
        encoding="utf-8",
    )
    done = subprocess.run(
        [
            tool("chromium"),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={folder / 'profile'}",
            f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
            "--virtual-time-budget=60000",
            "--dump-dom",
            document.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    result = re.search(r"RESULT(\{.*\})END", done.stdout, re.DOTALL)
    assert result, done.stderr[-500:]
    found: Findings = json.loads(html.unescape(result[1]))
    return found


def lists(seen: Findings, key: str) -> dict[str, list[str]]:
    """Return the pages of which a finding is no empty list."""
    return {name: each[key][:5] for name, each in seen.items() if each[key]}


def test_no_page_scrolls_sideways_and_nothing_sticks_out(seen: Findings) -> None:
    wide = {name: each["scrollWidth"] for name, each in seen.items() if each["scrollWidth"] > width_of(name)}
    assert wide == {}
    assert lists(seen, "outside") == {}


def width_of(name: str) -> int:
    return int(name.split(", ")[1])


def test_every_picture_is_drawn_and_keeps_its_shape(seen: Findings) -> None:
    drawn = list(pictures(seen, "without pictures", wanted=False))
    assert drawn
    for name, picture in drawn:
        natural, shown = picture["natural"], picture["shown"]
        assert min(natural) > 0, (name, picture)
        assert 0 < shown[0] <= width_of(name)
        assert abs(natural[0] / natural[1] - shown[0] / shown[1]) < 0.06 * natural[0] / natural[1], (name, picture)


def test_a_blocked_picture_leaves_its_words(seen: Findings) -> None:
    blocked = list(pictures(seen, "without pictures", wanted=True))
    assert blocked
    for name, picture in blocked:
        assert picture["natural"] == [0, 0], name
        assert picture["alt"] == "" or min(picture["shown"]) > 0, (name, picture)
    assert any(picture["alt"] for _, picture in blocked)


def pictures(seen: Findings, treatment: str, *, wanted: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, each in seen.items():
        if name.endswith(treatment) == wanted:
            for picture in each["pictures"]:
                yield name, picture


def test_no_text_is_smaller_than_thirteen_pixels_but_raised_marks(seen: Findings) -> None:
    assert all(each["texts"] > 20 for each in seen.values())
    assert lists(seen, "small") == {}


def test_every_text_stands_out_from_its_ground(seen: Findings) -> None:
    assert lists(seen, "faint") == {}


def test_no_english_quotation_mark_comes_from_a_chinese_face(seen: Findings) -> None:
    assert lists(seen, "wide") == {}


def test_the_dark_page_is_dark(pages: dict[str, str], tmp_path: Path) -> None:
    asked = [{"name": "page", "html": pages["specimen full"], "width": 640}]
    for scheme, darker in (("light", False), ("dark", True)):
        inks = measured(list(asked), scheme, tmp_path)["page"]["inks"]
        sums = [tuple(sum(map(float, part.split(","))) for part in ink.split(" on ")) for ink in inks]
        assert all((ground < ink) == darker for ink, ground in sums if abs(ink - ground) > 200), inks


def test_the_browser_would_show_faint_small_and_wide_text(tmp_path: Path) -> None:
    page = (
        '<body style="margin:0"><p style="font-size:12px;color:#999999">faint</p><div style="width:700px">w</div>'
    )
    found = measured([{"name": "wrong", "html": f"<!doctype html>{page}", "width": 640}], "light", tmp_path)[
        "wrong"
    ]
    assert found["small"] == ["12px: faint"]
    assert found["faint"] == ["2.85 (153,153,153 on 255,255,255): faint"]
    assert found["scrollWidth"] == 700
    assert len(found["outside"]) == 1
