"""The print edition, read back with other people's tools."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import inspect
import io
import itertools
import os
import re
import subprocess
import sys
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pikepdf
import pytest

from exporter.edition import Edition, make_edition
from exporter.errors import ThemeError, UsageError, WriterError
from exporter.fonts import find_fonts
from exporter.model import Issue
from exporter.theme import Theme, load_theme
from exporter.writers import Options, Output
from exporter.writers.pdf import write
from exporter.writers.pdf_footnotes import footnotes_stay
from exporter.writers.pdf_justify import justified_chinese
from exporter.writers.pdf_measures import measures_of
from exporter.writers.pdf_render import _fetcher
from tests.conftest import ROOT, run_tool
from tests.samples import PUBLICATION, all_blocks, asset, paragraph, row, sample_assets, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from exporter.assets import Asset

SCREEN = Options(profile="screen")
"""The profile without the issue inside: what is read back is the pages."""
LONG = "河口湿地的水位记录显示，潮汐影响随季节变化而增强，观测站之间的差异也更加明显。" * 4


def theme_with(**tokens: Any) -> Theme:
    """Return the base theme with other print tokens; ``page`` replaces measures of A4."""
    theme = load_theme()
    table = dict(theme.tokens["print"])
    page = tokens.pop("page", {})
    table |= tokens
    table["page"] = {**table["page"], "a4": {**table["page"]["a4"], **page}}
    return dataclasses.replace(theme, tokens=MappingProxyType({**theme.tokens, "print": table}))


def issue_with(*body: dict[str, Any], language: str = "zh", notes: Mapping[str, str] | None = None) -> Issue:
    version = {
        "title": "样刊" if language == "zh" else "Specimen",
        "date": "2026-08-27",
        "language": language,
        "sections": [{"id": "s1", "title": [text("第一节" if language == "zh" else "One")], "body": list(body)}],
        "notes": [{"id": name, "children": [paragraph(value)]} for name, value in (notes or {}).items()],
    }
    return Issue.model_validate({"id": "sample", "publication": PUBLICATION, "versions": [version]})


def edition(
    issue: Issue, *, language: str = "zh", theme: Theme | None = None, assets: Mapping[str, Asset] | None = None
) -> Edition:
    return make_edition(issue, sample_assets() | dict(assets or {}), language=language, theme=theme or load_theme())


def printed(folder: Path, *body: dict[str, Any], options: Options = SCREEN, **more: Any) -> Path:
    """Write an issue of one section and return its file; no notice is allowed."""
    notes = more.pop("notes", None)
    language = more.get("language", "zh")
    output = write(edition(issue_with(*body, language=language, notes=notes), **more), options)
    assert output.notices == ()
    path = folder / "sample.pdf"
    path.write_bytes(output.files[".pdf"])
    return path


def pages(path: Path, *arguments: str) -> list[str]:
    return run_tool("pdftotext", *arguments, path, "-").split("\f")[:-1]


def squeezed(value: str) -> str:
    return re.sub(r"\s+", "", value)


@cache
def specimen(language: str) -> Output:
    return write(edition(all_blocks(), language=language), SCREEN)


@pytest.fixture(params=["zh", "en"])
def specimen_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"specimen.{request.param}.pdf"
    path.write_bytes(specimen(request.param).files[".pdf"])
    return path


def structure(path: Path) -> Iterator[tuple[str, str | None]]:
    """Yield the type and the text alternative of every structure element, in reading order."""

    def below(element: Any) -> Iterator[tuple[str, str | None]]:
        if not isinstance(element, pikepdf.Dictionary) or "/S" not in element:
            return
        yield str(element.S), str(element.Alt) if "/Alt" in element else None
        kids: Any = element.get("/K", [])
        for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
            yield from below(kid)

    with pikepdf.open(path) as pdf:
        for kid in pdf.Root.StructTreeRoot.K:
            yield from below(kid)


# Fonts and glyphs


def test_one_of_every_element_prints_without_a_notice() -> None:
    assert specimen("zh").notices == ()
    assert specimen("en").notices == ()


def test_all_fonts_are_embedded_subsets_with_real_bold_faces(specimen_file: Path) -> None:
    lines = run_tool("pdffonts", specimen_file).splitlines()[2:]
    assert lines
    assert all(re.search(r" yes yes yes +\d+ +0$", line) for line in lines), lines
    assert any("Bold" in line for line in lines)
    assert not any("CID" in line and " Custom " in line for line in lines), "missing glyphs are drawn"


def test_chinese_bold_is_a_real_bold_face_of_the_simplified_design(tmp_path: Path) -> None:
    path = printed(tmp_path, paragraph("常规，", {"kind": "strong", "children": [text("真正的粗体")]}))
    names = run_tool("pdffonts", path)
    assert re.search(r"\+(Noto|Source-Han)-Sans\S*-SC-Bold", names), names
    assert not re.search(r"CJK-(JP|KR|TC|HK)", names)


def test_a_file_is_sound_and_says_what_it_is(specimen_file: Path) -> None:
    run_tool("qpdf", "--check", specimen_file)
    with pikepdf.open(specimen_file) as pdf:
        assert str(pdf.Root.Lang) == ("zh-Hans" if ".zh." in specimen_file.name else "en")
        assert bool(pdf.Root.MarkInfo.Marked)
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
        assert str(pdf.docinfo.Title)


def test_a_missing_glyph_is_a_notice_that_names_it() -> None:
    output = write(edition(issue_with(paragraph("这里有一个\U0001f9ea符号"))), SCREEN)
    (notice,) = output.notices
    assert notice.code == "missing-glyph"
    assert "U+1F9EA" in notice.message


def test_a_missing_glyph_has_its_place_in_the_source(tmp_path: Path) -> None:
    from exporter.readers import load

    path = tmp_path / "issue.md"
    path.write_text(
        "---\ntitle: 试\ndate: 2026-08-27\nlanguage: zh\n---\n\n第一段。\n\n第二段\U0001f9ea。\n", "utf-8"
    )
    loaded = load(path)
    output = write(edition(loaded.issue, assets=loaded.assets), SCREEN)
    (place,) = [notice.place for notice in output.notices if notice.code == "missing-glyph"]
    assert place is not None
    assert place.line == 9


# Text


def test_extracted_text_is_the_source_and_nothing_else(tmp_path: Path) -> None:
    prose = "研究者在2026年8月报告了“C++”与τ²-Bench的结果——成功率为63%～68%，见表1……结论需谨慎。" * 3
    path = printed(tmp_path, paragraph(prose))
    (page,) = pages(path)
    assert squeezed(prose) in squeezed(page)
    assert not re.search("[\u200b\u2060\u00ad\ufffd]", page)
    assert not re.search(
        r"[\u4e00-\u9fff] +[\u4e00-\u9fff]", page.split("样刊")[-1].split("第一节")[-1].split("刊名")[0]
    )


def test_text_comes_in_reading_order(specimen_file: Path) -> None:
    whole = squeezed("".join(pages(specimen_file)))
    words = (
        ("给排版看的一期", "先把问题说清楚", "自定custom", "逐项得分", "匹配两条学习率曲线", "只在纸上出现的一段")
        if ".zh." in specimen_file.name
        else ("forthetypesetter", "自定custom", "Scores,itembyitem", "Matchingtwolearning", "onpaperalone")
    )
    positions = [whole.index(word) for word in words]
    assert positions == sorted(positions)


def test_extracted_english_keeps_its_hyphens_and_loses_those_of_hyphenation(tmp_path: Path) -> None:
    prose = (
        "Long-horizon, self-improving representation learners generalize state-of-the-art compositionality. " * 8
    )
    path = printed(tmp_path, paragraph(prose.strip()), language="en")
    assert squeezed(prose) in squeezed("".join(pages(path)))


FORBIDDEN_STARTS = "，。、；：！？）》」”’…"
FORBIDDEN_ENDS = "（《「“‘"


@pytest.mark.parametrize(("width", "em"), [(60, 12), (80, 17), (210, 36)])
def test_no_line_starts_or_ends_with_the_wrong_mark(width: int, em: int, tmp_path: Path, shared: Path) -> None:
    from exporter.readers import load

    points = width / 25.4 * 72
    page = {} if width == 210 else {"width": points, "side": 0, "left": (points - em * 10.5) / 2, "measure": em}
    loaded = load(shared / "cases/inputs/A01")
    output = write(edition(loaded.issue, theme=theme_with(page=page)), SCREEN)
    path = tmp_path / "narrow.pdf"
    path.write_bytes(output.files[".pdf"])
    lines = [line.strip() for page in pages(path, "-layout") for line in page.splitlines() if line.strip()]
    assert len(lines) > 10
    assert [line for line in lines if line[0] in FORBIDDEN_STARTS or line[-1] in FORBIDDEN_ENDS] == []
    assert "Bold" in run_tool("pdffonts", path)


def test_a_long_word_never_leaves_the_measure(tmp_path: Path) -> None:
    word = "averyveryverylongidentifierwithoutanybreak" * 3
    path = printed(
        tmp_path,
        paragraph("见", {"kind": "strong", "children": [text("粗体")]}, word, "，后文"),
        paragraph("代码", {"kind": "code", "text": word}),
        {"kind": "list", "items": [{"children": [paragraph(f"https://example.org/{word}")]}]},
    )
    measures = measures_of(load_theme(), None)
    right = measures.left + measures.full + measures.size / 2
    boxes = re.findall(r'xMax="([\d.]+)"[^>]*>([^<]+)<', run_tool("pdftotext", "-bbox", path, "-"))
    assert [word for x, word in boxes if float(x) > right] == []


def test_chinese_lines_fill_the_measure(tmp_path: Path) -> None:
    path = printed(tmp_path, paragraph(LONG))
    measures = measures_of(load_theme(), None)
    boxes = re.findall(r'xMax="([\d.]+)" yMax="([\d.]+)">([^<]+)<', run_tool("pdftotext", "-bbox", path, "-"))
    ends: dict[str, float] = {}
    for x, y, word in boxes:
        if re.search("[湿季观潮]", word):
            ends[y] = max(ends.get(y, 0.0), float(x))
    *full, _ = (end for _, end in sorted(ends.items(), key=lambda item: float(item[0])))
    right = measures.left + measures.full
    assert len(full) >= 3
    assert all(right - 1 < end < right + measures.size / 2 + 1 for end in full), (full, right)


def test_only_blocks_for_print_are_printed(tmp_path: Path) -> None:
    blocks = [
        {"kind": "only", "formats": [name], "children": [paragraph(f"只给{name}看")]} for name in ("pdf", "email")
    ]
    whole = squeezed("".join(pages(printed(tmp_path, *blocks))))
    assert "只给pdf看" in whole
    assert "email" not in whole


# Footnotes


def note(name: str) -> dict[str, Any]:
    return {"kind": "note-reference", "note": name}


def test_a_note_cited_twice_prints_once_and_links_back(tmp_path: Path) -> None:
    path = printed(
        tmp_path, paragraph("甲", note("n")), paragraph("乙", note("n"), "。"), notes={"n": "共用脚注正文"}
    )
    (page,) = pages(path)
    assert page.count("共用脚注正文") == 1
    with pikepdf.open(path) as pdf:
        names = [str(value) for value in pdf.Root.Names.Dests.Names if isinstance(value, pikepdf.String)]
    assert "note-1" in names


def test_a_note_cited_in_a_table_is_printed(tmp_path: Path) -> None:
    table = {
        "kind": "table",
        "columns": [{}, {}],
        "head": [[{"children": [text("项"), note("head")]}, {"children": [text("值")]}]],
        "rows": [[{"children": [text("甲"), note("cell")]}, {"children": [text("1")]}]],
    }
    (page,) = pages(printed(tmp_path, table, notes={"head": "表头脚注", "cell": "表内脚注"}))
    assert page.count("表头脚注") == page.count("表内脚注") == 1


def test_a_note_inside_a_note_is_printed(tmp_path: Path) -> None:
    issue = issue_with(paragraph("正文", note("a")), notes={"b": "里层脚注"}).model_dump(mode="json", by_alias=True)
    outer = {"id": "a", "children": [paragraph("外层脚注", note("b"))]}
    issue["versions"][0]["notes"].append(outer)
    output = write(edition(Issue.model_validate(issue)), SCREEN)
    path = tmp_path / "nested.pdf"
    path.write_bytes(output.files[".pdf"])
    (page,) = pages(path)
    assert page.index("外层脚注") < page.index("里层脚注")


def test_many_notes_each_stand_once_on_the_page_of_their_mark(tmp_path: Path) -> None:
    body = [paragraph(f"第{n}段{LONG}引文M{n:02}", note(f"n{n}"), f"再引N{n:02}", note(f"m{n}")) for n in range(24)]
    notes = {f"n{n}": f"FN{n:02}长脚注{LONG}" for n in range(24)} | {f"m{n}": f"FM{n:02}短" for n in range(24)}
    found = [squeezed(page) for page in pages(printed(tmp_path, *body, notes=notes))]
    for n in range(24):
        for mark, name in ((f"引文M{n:02}", f"FN{n:02}"), (f"再引N{n:02}", f"FM{n:02}")):
            assert sum(page.count(name) for page in found) == 1
            on = next(index for index, page in enumerate(found) if mark in page)
            assert name in found[on], f"{name} is not on the page of its mark"


def test_a_note_of_several_blocks_keeps_them_all(tmp_path: Path) -> None:
    issue = issue_with(paragraph("正文", note("a"), "后文")).model_dump(mode="json", by_alias=True)
    items = [{"children": [paragraph("脚注里的列表项")]}]
    children = [paragraph("脚注第一段"), {"kind": "list", "items": items}, paragraph("脚注第三段")]
    issue["versions"][0]["notes"] = [{"id": "a", "children": children}]
    output = write(edition(Issue.model_validate(issue)), SCREEN)
    path = tmp_path / "blocks.pdf"
    path.write_bytes(output.files[".pdf"])
    (page,) = pages(path)
    positions = [page.index(words) for words in ("后文", "脚注第一段", "脚注里的列表项", "脚注第三段")]
    assert positions == sorted(positions)


# Figures and tables


def picture(width: int, height: int) -> Asset:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (width, height), "#1f5f8b").save(buffer, "PNG")
    return asset("p.png", buffer.getvalue(), "image/png", width, height)


@pytest.mark.parametrize(("width", "height"), [(300, 4000), (4000, 300), (900, 700)])
@pytest.mark.parametrize("before", [0, 4, 7])
def test_a_picture_keeps_its_shape_and_its_caption_on_its_page(
    width: int, height: int, before: int, tmp_path: Path
) -> None:
    figure = {"kind": "figure", "path": "p.png", "alt": "图", "caption": [text("图题在此")], "id": "f"}
    body = [paragraph(LONG) for _ in range(before)]
    path = printed(tmp_path, *body, figure, paragraph("图后"), assets={"p.png": picture(width, height)})
    (line,) = run_tool("pdfimages", "-list", path).splitlines()[2:]
    page = int(line.split()[0])
    assert "图题在此" in pages(path)[page - 1]
    across, up = (float(value) for value in line.split()[12:14])
    assert across == pytest.approx(up, rel=0.02), "the picture is distorted"


def test_every_picture_and_formula_has_a_text_alternative(specimen_file: Path) -> None:
    alternatives = [alt for kind, alt in structure(specimen_file) if kind in {"/Figure", "/Formula"}]
    assert len(alternatives) >= 3
    assert all(alternatives)


def test_a_formula_is_drawn_and_read_out(tmp_path: Path) -> None:
    path = printed(tmp_path, paragraph("式", {"kind": "math", "tex": r"\frac{a}{b}"}))
    assert "frac" not in "".join(pages(path))
    (alt,) = [alt for kind, alt in structure(path) if kind in {"/Figure", "/Formula"}]
    assert "a/b" in str(alt)


def wide(columns: int, cell: str, rows: int = 3) -> dict[str, Any]:
    return {
        "kind": "table",
        "columns": [{} for _ in range(columns)],
        "head": [row(*(f"H{n:02}" for n in range(columns)))],
        "rows": [row(*(cell for _ in range(columns))) for _ in range(rows)],
    }


def test_a_wide_table_gets_a_landscape_page(tmp_path: Path) -> None:
    path = printed(tmp_path, wide(14, "63,945.65"), paragraph("表后正文"))
    with pikepdf.open(path) as pdf:
        sizes = [tuple(float(value) for value in page.mediabox[2:]) for page in pdf.pages]
    assert any(width > height for width, height in sizes)
    whole = "".join(pages(path, "-layout"))
    assert whole.count("63,945.65") == 14 * 3
    assert all(f"H{n:02}" in whole for n in range(14))


def test_a_table_too_wide_for_any_page_is_a_notice_and_stays_on_its_page(tmp_path: Path) -> None:
    output = write(edition(issue_with(wide(30, "identifier-of-length"))), SCREEN)
    assert [notice.code for notice in output.notices] == ["wide-table"]
    path = tmp_path / "wide.pdf"
    path.write_bytes(output.files[".pdf"])
    for width, body in re.findall(
        r'<page width="([\d.]+)"[^>]*>(.*?)</page>', run_tool("pdftotext", "-bbox", path, "-"), re.DOTALL
    ):
        assert all(float(x) <= float(width) for x in re.findall(r'xMax="([\d.]+)"', body))


def test_a_long_table_repeats_its_head_and_loses_no_row(tmp_path: Path) -> None:
    table = {
        "kind": "table",
        "columns": [{}, {}],
        "head": [row("编号栏", "数值栏")],
        "rows": [row(f"r{n:04}", str(n)) for n in range(150)],
    }
    found = pages(printed(tmp_path, table))
    with_rows = [page for page in found if re.search(r"r\d{4}", page)]
    assert len(with_rows) > 2
    assert all("编号栏" in page for page in with_rows)
    assert sorted(re.findall(r"r\d{4}", "".join(found))) == [f"r{n:04}" for n in range(150)]


def test_a_wide_listing_takes_the_side_column_and_keeps_its_lines(tmp_path: Path) -> None:
    line = "weights = [w - rate * d for w, d in zip(weights, direction, strict=True)]"
    path = printed(tmp_path, {"kind": "code-block", "text": f"{line}\n{line}", "lines": True})
    (page,) = pages(path, "-layout")
    assert page.count(line) == 2


def test_decimal_points_stand_under_each_other(tmp_path: Path) -> None:
    table = {
        "kind": "table",
        "columns": [{}, {"align": "decimal"}],
        "head": [row("项", "值")],
        "rows": [row("甲", "12.5"), row("乙", "7"), row("丙", "0.176")],
    }
    path = printed(tmp_path, table)
    boxes = re.findall(
        r'xMin="([\d.]+)"[^>]*xMax="([\d.]+)"[^>]*>(12\.5|7|0\.176)<', run_tool("pdftotext", "-bbox", path, "-")
    )
    assert len(boxes) == 3
    points = []
    for left, right, number in boxes:
        digit = (float(right) - float(left)) / (len(number.replace(".", "")) + (0.5 if "." in number else 0))
        points.append(float(left) + digit * len(number.partition(".")[0]))
    assert max(points) - min(points) < 1.5


# Navigation


def test_the_outline_holds_sections_and_entries(specimen_file: Path) -> None:
    with pikepdf.open(specimen_file) as pdf, pdf.open_outline() as outline:
        (section,) = outline.root
        titles = [item.title for item in section.children]
    assert section.title in {"第一部分", "Part One"}
    assert any(title.startswith("1 ") for title in titles)
    assert not any(re.search("[\u200b\u2060]", title) for title in titles)


def test_heading_levels_never_skip(specimen_file: Path) -> None:
    levels = [int(kind[2:]) for kind, _ in structure(specimen_file) if re.fullmatch(r"/H\d", kind)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_contents_give_the_page_of_each_entry(tmp_path: Path) -> None:
    entries = [
        {"kind": "entry", "id": f"e{n}", "title": [text(f"条目{n}")], "body": [paragraph(LONG)] * 5, "fields": []}
        for n in range(6)
    ]
    found = pages(printed(tmp_path, *entries), "-layout")
    for n in range(6):
        (number,) = re.findall(rf"条目 {n} ?\.+ ?(\d+)", found[0])
        assert f"条目 {n}" in found[int(number) - 1]


def test_a_reference_to_an_entry_tells_its_page(tmp_path: Path) -> None:
    entry = {"kind": "entry", "id": "e", "title": [text("条目甲")], "body": [], "fields": []}
    body = [paragraph("参看", {"kind": "reference", "target": "e"}, "。"), {"kind": "page-break"}, entry]
    whole = squeezed("".join(pages(printed(tmp_path, *body))))
    assert "参看条目甲（第2页）。" in whole, whole


def test_link_addresses_are_ascii_and_internal_links_lead_somewhere(specimen_file: Path) -> None:
    with pikepdf.open(specimen_file) as pdf:
        names = {str(name) for name in list(pdf.Root.Names.Dests.Names)[::2]}
        actions = [a.A for page in pdf.pages for a in page.get("/Annots", []) if "/A" in a]
        targets = [str(a.Dest) for page in pdf.pages for a in page.get("/Annots", []) if "/Dest" in a]
        addresses = [str(action.URI) for action in actions if "/URI" in action]
        targets += [str(action.D) for action in actions if "/D" in action]
    assert addresses
    assert all(address.isascii() for address in addresses)
    assert targets
    assert set(targets) <= names


# Safety, profiles, themes


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/hostname",
        "http://127.0.0.1:9/x",
        "https://theme.invalid/../../theme.toml",
        "ftp://a/b",
    ],
)
def test_the_fetcher_refuses_what_is_not_the_editions(address: str) -> None:
    fetcher = _fetcher({"https://edition.invalid/picture/0": (b"x", "image/png")}, lambda _: None)
    assert fetcher.fetch("https://edition.invalid/picture/0").read() == b"x"
    with pytest.raises(ValueError, match="only the edition's own files"):
        fetcher.fetch(address)
    assert fetcher.refused == [address]


def test_a_picture_that_asks_for_files_of_the_machine_gets_none(tmp_path: Path) -> None:
    secret = tmp_path / "secret.svg"
    secret.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>CANARY</text></svg>', "utf-8"
    )
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">'
        f'<image href="{secret.as_uri()}" width="90" height="90"/></svg>'
    )
    figure = {"kind": "figure", "path": "p.svg", "alt": "图"}
    pictures = {"p.svg": asset("p.svg", svg.encode(), "image/svg+xml", 90, 90)}
    with pytest.raises(WriterError, match=secret.name):
        write(edition(issue_with(figure), assets=pictures), SCREEN)


def test_a_picture_inside_a_picture_is_read_from_memory(tmp_path: Path) -> None:
    inner = base64.b64encode(picture(8, 8).content).decode()
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">'
        f'<image href="data:image/png;base64,{inner}" width="90" height="90"/></svg>'
    )
    figure = {"kind": "figure", "path": "p.svg", "alt": "图"}
    path = printed(tmp_path, figure, assets={"p.svg": asset("p.svg", svg.encode(), "image/svg+xml", 90, 90)})
    assert len(run_tool("pdfimages", "-list", path).splitlines()) == 3


def test_bleed_without_the_press_profile_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        write(edition(issue_with(paragraph("文"))), Options(profile="screen", bleed=3.0))


def test_a_chart_without_a_mark_is_refused() -> None:
    chart = {"kind": "chart", "spec": "{}", "alt": "图"}
    with pytest.raises(WriterError, match="the chart cannot be drawn"):
        write(edition(issue_with(chart)), SCREEN)


def test_measures_wider_than_the_paper_are_a_theme_error() -> None:
    with pytest.raises(ThemeError, match="larger than the paper"):
        measures_of(theme_with(page={"measure": 80}), None)


@pytest.mark.parametrize("paper", ["a4", "a5", "letter"])
def test_every_paper_prints_the_specimen_within_its_pages(paper: Any, tmp_path: Path) -> None:
    output = write(edition(all_blocks()), dataclasses.replace(SCREEN, paper=paper))
    assert output.notices == ()
    path = tmp_path / "paper.pdf"
    path.write_bytes(output.files[".pdf"])
    measures = measures_of(load_theme(), paper)
    with pikepdf.open(path) as pdf:
        assert [round(float(value)) for value in pdf.pages[0].mediabox[2:]] == [
            round(measures.width),
            round(measures.height),
        ]


def test_the_same_edition_makes_the_same_bytes_in_another_process() -> None:
    script = (
        "import hashlib\n"
        "from tests.samples import all_blocks, edition_of\n"
        "from exporter.writers import Options\n"
        "from exporter.writers.pdf import write\n"
        "files = write(edition_of(all_blocks(), 'zh'), Options(profile='screen')).files\n"
        "print(hashlib.sha256(files['.pdf']).hexdigest())\n"
    )
    environment = os.environ | {"PYTHONHASHSEED": "77", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}
    other = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == hashlib.sha256(specimen("zh").files[".pdf"]).hexdigest()


def test_the_environment_is_left_as_it_was() -> None:
    before = os.environ.get("FONTCONFIG_FILE")
    specimen("zh")
    assert os.environ.get("FONTCONFIG_FILE") == before


# What is replaced in WeasyPrint: a new version must be looked at before it is pinned.


def test_the_replaced_functions_of_weasyprint_have_the_signatures_that_we_know() -> None:
    from weasyprint.layout import LayoutContext, block, inline
    from weasyprint.text.line_break import Layout, create_layout, line_size

    known = {
        inline.text_align: "(context, line, available_width, last)",
        Layout.set_text: "(self, text, justify=False)",
        create_layout: "(text, style, context, max_width, justification_spacing)",
        line_size: "(line, style)",
        LayoutContext.layout_footnote: "(self, footnote)",
        LayoutContext.report_footnote: "(self, footnote)",
        LayoutContext._update_footnote_area: "(self)",
        block._break_line: "(context, box, line, new_children, needed, page_is_empty, index, skip_stack, resume_at,"
        " absolute_boxes, fixed_boxes)",
    }
    assert {function: str(inspect.signature(function)) for function in known} == known


def test_the_replaced_functions_are_put_back() -> None:
    from weasyprint.layout import LayoutContext, block, inline
    from weasyprint.text.line_break import Layout

    def current() -> tuple[Any, ...]:
        return (
            inline.text_align,
            Layout.set_text,
            LayoutContext.layout_footnote,
            LayoutContext.report_footnote,
            LayoutContext._update_footnote_area,
            block._break_line,
            block.iter_line_boxes,
        )

    before = current()
    with justified_chinese(), footnotes_stay():
        assert all(new is not old for new, old in zip(current(), before, strict=True))
    assert current() == before


def test_the_fonts_of_the_theme_are_all_here() -> None:
    assert find_fonts(load_theme()).missing == ()


@pytest.mark.parametrize(
    "tokens", [{"justify": False}, {"indent": 0}, {"emphasis": "text"}, {"reference-pages": False}]
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_theme_may_turn_its_switches(tokens: dict[str, Any], language: str) -> None:
    output = write(edition(all_blocks(), language=language, theme=theme_with(**tokens)), SCREEN)
    assert output.notices == ()
    # The English specimen has no two paragraphs in a row and no Chinese to stress.
    without_effect = [{"emphasis": "text"}, {"indent": 0}] if language == "en" else []
    assert (output.files[".pdf"] == specimen(language).files[".pdf"]) == (tokens in without_effect)
