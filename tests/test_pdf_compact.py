"""Compact fonts in PDF: the same text and the same picture in two renderers, and fonts that are left alone."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pikepdf
import pydyf
import pypdfium2
import pytest
import weasyprint
from fontTools import subset
from fontTools.cffLib import CFFFontSet
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.sfnt import SFNTReader
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.errors import WriterError
from exporter.writers import pdf_compact_cff
from exporter.writers.pdf_compact import compact_fonts
from exporter.writers.pdf_compact_cff import bare_cff
from exporter.writers.pdf_compact_glyf import renumbered_glyf
from tests.conftest import ROOT, run_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FONTS: Final = ROOT / "themes" / "base" / "fonts"
SCALE: Final = 5
"""Pixels a point for PDFium: beyond 50 pixels an em it draws outlines. Below, it grid-fits OpenType and nothing else."""


def _face(family: str, file: str, weight: int = 400, style: str = "normal") -> str:
    source = (FONTS / file).as_uri()
    return f"@font-face {{ font-family: {family}; src: url({source}); font-weight: {weight}; font-style: {style} }}"


STYLE: Final = "".join(
    (
        _face("Serif", "SourceSerif4_400Regular.ttf"),
        _face("Serif", "SourceSerif4_700Bold.ttf", weight=700),
        _face("Serif", "SourceSerif4_400Regular_Italic.ttf", style="italic"),
        _face("Code", "SourceCodePro_400Regular.ttf"),
        "@page { size: 120mm 90mm; margin: 12mm }",
        "body { font: 12pt/1.6 Serif, 'Noto Serif CJK SC' }",
        "h1 { font: bold 20pt 'Noto Sans CJK SC' } code { font-family: Code, 'Noto Sans CJK SC' }",
    )
)
BODY: Final = """
<h1>周报：模型与工具</h1>
<p>一份期刊每周五出版，中英两版同时排印；<b>重点用粗体</b>，<i>Emphasis in italics</i>，<code>print("é")</code>。</p>
<p>Crème brûlée, naïve façade, Łódź — 100 % of “the glyphs” that are put together from parts, ½ and ﬁne ones.</p>
<p style="page-break-before: always">第二页：引号“弯的”与《书名号》、破折号——省略号……，数字 2026 年 8 月 27 日。
<b>Bold words and 粗体字</b> 透明 <span style="opacity: .4">半透明的字</span>
<svg width="120" height="20"><text y="16" font-family="Noto Serif CJK SC">图中的字</text></svg></p>
"""


@pytest.fixture(scope="session")
def chinese_faces() -> None:
    for family in ("Noto Serif CJK SC", "Noto Sans CJK SC"):
        if not run_tool("fc-list", family):
            reason = f"{family} is not installed: make test installs it"
            pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)


@dataclass(frozen=True)
class Pair:
    """One document as WeasyPrint writes it, and with compact fonts."""

    plain: Path
    compact: Path
    left: tuple[str, ...]


def written(folder: Path, html: str, **options: Any) -> Pair:
    document = weasyprint.HTML(string=html).render(**options)
    left: list[str] = []
    pair = Pair(folder / "plain.pdf", folder / "compact.pdf", ())
    document.write_pdf(pair.plain, **options)
    document.write_pdf(pair.compact, finisher=lambda _, pdf: left.extend(compact_fonts(pdf)), **options)
    return Pair(pair.plain, pair.compact, tuple(left))


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, chinese_faces: None) -> Pair:
    html = f"<html lang=zh-Hans><title>周报</title><style>{STYLE}</style><body>{BODY}"
    return written(tmp_path_factory.mktemp("sample"), html, pdf_tags=True)


def poppler(path: Path) -> tuple[bytes, ...]:
    run_tool("pdftoppm", "-r", "150", path, path.with_suffix(""))
    return tuple(page.read_bytes() for page in sorted(path.parent.glob(f"{path.stem}-*.ppm")))


def pdfium(path: Path) -> tuple[bytes, ...]:
    with pypdfium2.PdfDocument(path) as document:
        return tuple(bytes(page.render(scale=SCALE).buffer) for page in document)


KINDS: Final = pytest.mark.parametrize("cff", [True, False])
RENDERERS: Final = pytest.mark.parametrize("pictures", [poppler, pdfium])


def test_no_font_of_the_sample_is_left_alone(sample: Pair) -> None:
    assert sample.left == ()


@RENDERERS
def test_every_page_looks_the_same(sample: Pair, pictures: Callable[[Path], tuple[bytes, ...]]) -> None:
    plain, compact = pictures(sample.plain), pictures(sample.compact)
    assert len(plain) == len(compact) >= 2
    assert [page for page, (a, b) in enumerate(zip(plain, compact, strict=True), 1) if a != b] == []


def test_extracted_text_is_the_same(sample: Pair) -> None:
    text = run_tool("pdftotext", sample.compact, "-")
    assert "一份期刊每周五出版" in text
    assert text == run_tool("pdftotext", sample.plain, "-")
    with pypdfium2.PdfDocument(sample.plain) as plain, pypdfium2.PdfDocument(sample.compact) as compact:
        for a, b in zip(plain, compact, strict=True):
            assert a.get_textpage().get_text_bounded() == b.get_textpage().get_text_bounded()


def test_the_file_is_at_most_a_quarter_of_the_plain_one(sample: Pair) -> None:
    assert sample.compact.stat().st_size < 0.25 * sample.plain.stat().st_size


def test_every_font_is_embedded_in_a_compact_kind(sample: Pair) -> None:
    rows = [row.split() for row in run_tool("pdffonts", sample.compact).splitlines()[2:]]
    assert len(rows) >= 6
    assert {" ".join(row[1:-6]) for row in rows} <= {"CID Type 0C", "CID TrueType"}
    assert {tuple(row[-5:-2]) for row in rows} == {("yes", "yes", "yes")}


def test_the_file_is_sound(sample: Pair) -> None:
    assert "No syntax or stream encoding errors" in run_tool("qpdf", "--check", sample.compact)


def embedded(path: Path) -> Iterator[tuple[pikepdf.Object, dict[int, float]]]:
    """Yield each CIDFont and its widths."""
    with pikepdf.open(path) as pdf:
        for item in pdf.objects:
            if isinstance(item, pikepdf.Dictionary) and "/CIDSystemInfo" in item and "/W" in item:
                array = list(item.W)
                yield (
                    item,
                    {
                        int(first) + at: float(width)
                        for first, widths in zip(array[::2], array[1::2], strict=True)
                        for at, width in enumerate(widths)
                    },
                )


def test_a_cff_font_has_the_used_glyphs_under_their_cids_and_with_the_widths_of_w(sample: Pair) -> None:
    seen = 0
    for font, widths in embedded(sample.compact):
        if font.Subtype == "/CIDFontType0":
            seen += 1
            assert "/CIDToGIDMap" not in font
            top = cff_font(font.FontDescriptor.FontFile3.read_bytes())
            assert top.ROS == ("Adobe", "Identity", 0)
            assert top.CIDCount == max(widths) + 1
            assert top.charset == [".notdef", *(f"cid{cid:05d}" for cid in sorted(widths))]
            assert {cid: advance(top, f"cid{cid:05d}") for cid in widths} == widths
    assert seen >= 3


def test_a_glyf_font_has_consecutive_glyphs_that_its_map_reaches(sample: Pair) -> None:
    seen = 0
    for font, widths in embedded(sample.compact):
        if font.Subtype == "/CIDFontType2":
            seen += 1
            content = font.FontDescriptor.FontFile2.read_bytes()
            assert len(content) == font.FontDescriptor.FontFile2.Length1
            numbers = [number for (number,) in struct.iter_unpack(">H", font.CIDToGIDMap.read_bytes())]
            assert {cid for cid, number in enumerate(numbers) if number} == set(widths) - {0}
            metrics = [width for width, _ in TTFont(io.BytesIO(content))["hmtx"].metrics.values()]
            assert {cid: metrics[numbers[cid]] for cid in widths} == pytest.approx(widths, abs=1)
            assert len({numbers[cid] for cid in widths}) == len(widths)
            assert all(
                number == 0 or cid in widths
                for cid, number in enumerate(numbers[: max(widths) + 1])
                if cid in widths
            )
    assert seen >= 3


def cff_font(content: bytes) -> Any:
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(content), None)
    return fonts.topDictIndex[0]


def advance(top: Any, name: str) -> float:
    charstring = top.CharStrings[name]
    charstring.draw(DecomposingRecordingPen(top.CharStrings))
    return float(charstring.width)


# Faults that must be seen.


@RENDERERS
@pytest.mark.parametrize("kind", ["CFF", "glyf"])
def test_two_glyphs_that_change_places_are_seen(
    sample: Pair,
    kind: str,
    pictures: Callable[[Path], tuple[bytes, ...]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    lay_out, renumber = pdf_compact_cff._written, renumbered_glyf

    def swapped_charstrings(font: Any, glyphs: Any, charstrings: Any, name: bytes) -> bytes:
        return lay_out(font, glyphs, [*charstrings[:-2], charstrings[-1], charstrings[-2]], name)

    def swapped_numbers(tables: Any, widths: Any, **options: Any) -> tuple[bytes, dict[int, int]]:
        content, numbers = renumber(tables, widths, **options)
        a, b = sorted(widths)[-2:]
        return content, numbers | {a: numbers[b], b: numbers[a]}

    if kind == "CFF":
        monkeypatch.setattr(pdf_compact_cff, "_written", swapped_charstrings)
    else:
        monkeypatch.setattr("exporter.writers.pdf_compact.renumbered_glyf", swapped_numbers)
    html = f"<html lang=zh-Hans><title>周报</title><style>{STYLE}</style><body>{BODY}"
    assert pictures(written(tmp_path, html).compact) != pictures(sample.plain)


# Fonts of other makes.


def rectangles(*, cff: bool) -> tuple[FontBuilder, list[str], dict[str, Any]]:
    """Return a builder and glyphs that are told apart by their height."""
    names = [".notdef", "A", "B", "C", "D", "E"]
    glyphs: dict[str, Any] = {}
    for number, name in enumerate(names):
        pen = T2CharStringPen(500 + 50 * number, None) if cff else TTGlyphPen(None)
        if number:
            pen.moveTo((50, 0))
            pen.lineTo((50, 100 * number))
            pen.lineTo((400, 100 * number))
            pen.lineTo((400, 0))
            pen.closePath()
        glyphs[name] = pen.getCharString() if cff else pen.glyph()
    return FontBuilder(1000, isTTF=not cff), names, glyphs


def built(
    *, cff: bool, parts: bool = False, em: int = 1000, change: Callable[[TTFont], None] | None = None
) -> bytes:
    builder, names, glyphs = rectangles(cff=cff)
    if parts:
        pen = TTGlyphPen(dict.fromkeys(names))
        pen.addComponent("B", (1, 0, 0, 1, 0, 0))
        pen.addComponent("C", (0.5, 0, 0, 0.5, 100, 400))
        glyphs["E"] = pen.glyph()
    builder.font["head"].unitsPerEm = em
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(name): name for name in names[1:]})
    if cff:
        builder.setupCFF("Made", {"FullName": "Made"}, glyphs, {"defaultWidthX": 0, "nominalWidthX": 0})
    else:
        builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (500 + 50 * number, 50) for number, name in enumerate(names)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Made", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    if change:
        builder.font.recalcBBoxes = False
        change(builder.font)
    file = io.BytesIO()
    builder.font.save(file)
    return file.getvalue()


@RENDERERS
@pytest.mark.parametrize("font", [{"cff": True}, {"cff": False}, {"cff": False, "parts": True}])
def test_a_small_latin_font_looks_the_same(
    font: dict[str, Any], pictures: Callable[[Path], tuple[bytes, ...]], tmp_path: Path
) -> None:
    (tmp_path / "made.otf").write_bytes(built(**font))
    face = f"@font-face {{ font-family: Made; src: url({(tmp_path / 'made.otf').as_uri()}) }}"
    pair = written(
        tmp_path, f"<style>{face} @page {{ size: 80mm 30mm }} body {{ font: 14pt Made }}</style>ACE DEAD"
    )
    assert pair.left == ()
    assert pictures(pair.plain) == pictures(pair.compact)
    assert pair.compact.stat().st_size < pair.plain.stat().st_size


@RENDERERS
def test_a_cid_keyed_font_whose_cids_are_not_its_glyph_numbers_shows_the_right_glyphs(
    pictures: Callable[[Path], tuple[bytes, ...]], tmp_path: Path, chinese_faces: None
) -> None:
    words = "期刊每周五出版"
    whole = run_tool("fc-match", "-f", "%{file} %{index}", "Noto Serif CJK SC").split()
    with TTFont(whole[0], fontNumber=int(whole[1]) & 0xFFFF) as font:
        options = subset.Options(desubroutinize=True, layout_features=[])
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=words)
        subsetter.subset(font)
        assert font.getGlyphOrder()[1] != "cid00001"
        font.save(tmp_path / "part.otf")
    face = f"@font-face {{ font-family: Part; src: url({(tmp_path / 'part.otf').as_uri()}) }}"
    page = "<style>{} @page {{ size: 80mm 30mm }} body {{ font: 14pt/2 {} }}</style>{}"
    (tmp_path / "whole").mkdir()
    expected = written(tmp_path / "whole", page.format("", "Noto Serif CJK SC", words))
    pair = written(tmp_path, page.format(face, "Part", words))
    assert pair.left == ()
    assert pictures(pair.compact) == pictures(pair.plain)
    # Poppler places glyphs by the FontBBox, which differs.
    assert pdfium(pair.compact) == pdfium(expected.plain)


@RENDERERS
def test_a_page_with_a_missing_glyph_looks_the_same(
    pictures: Callable[[Path], tuple[bytes, ...]], tmp_path: Path, chinese_faces: None
) -> None:
    html = "<style>@page { size: 80mm 30mm } body { font: 14pt 'Noto Serif CJK SC' }</style>有 \U000f0001 字"
    pair = written(tmp_path, html)
    assert pair.left == ()
    assert pictures(pair.plain) == pictures(pair.compact)


# Properties.


@pytest.fixture(scope="session")
def cff_tables(sample: Pair) -> tuple[SFNTReader, dict[int, float]]:
    """Return the tables of the Chinese text face as WeasyPrint embeds it, and its widths."""
    content, widths = max(
        (
            (font.FontDescriptor.FontFile3.read_bytes(), widths)
            for font, widths in embedded(sample.plain)
            if font.Subtype == "/CIDFontType0"
        ),
        key=lambda pair: len(pair[1]),
    )
    return SFNTReader(io.BytesIO(content)), widths


@given(choice=st.data())
@settings(max_examples=30)
def test_any_choice_of_cff_glyphs_keeps_its_outlines_and_takes_the_given_widths(
    choice: st.DataObject, cff_tables: tuple[SFNTReader, dict[int, float]]
) -> None:
    tables, known = cff_tables
    cids = choice.draw(st.sets(st.sampled_from(sorted(known)), min_size=1, max_size=20))
    widths = {cid: float(choice.draw(st.integers(0, 3000))) for cid in cids}
    before, after = cff_font(tables["CFF "]), cff_font(bare_cff(tables, widths, name="A+B (c)", tolerance=1))
    for cid in cids:
        name = f"cid{cid:05d}"
        assert outline(after.CharStrings, name) == outline(before.CharStrings, name)
        assert advance(after, name) == pytest.approx(widths[cid], abs=1)


SERIF: Final = SFNTReader(io.BytesIO((FONTS / "SourceSerif4_400Regular.ttf").read_bytes()))


@given(glyphs=st.sets(st.integers(0, 1462), min_size=1, max_size=40), width=st.integers(0, 3000))
@settings(max_examples=30)
def test_any_choice_of_glyf_glyphs_keeps_its_outlines_and_takes_the_given_widths(
    glyphs: set[int], width: int
) -> None:
    content, numbers = renumbered_glyf(SERIF, dict.fromkeys(glyphs, width), tolerance=1)
    before, after = TTFont(SERIF.file), TTFont(io.BytesIO(content))
    old, new = before.getGlyphSet(), after.getGlyphSet()
    for glyph in glyphs:
        name = after.getGlyphName(numbers[glyph])
        assert outline(new, name) == outline(old, before.getGlyphName(glyph))
        assert new[name].width == pytest.approx(width, abs=1)
    assert set(numbers) == glyphs | {0}
    assert len(set(numbers.values())) == len(numbers)


def outline(glyphs: Any, name: str) -> list[Any]:
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    return list(pen.value)


@given(cuts=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=12))
@KINDS
def test_a_damaged_font_is_treated_or_left_alone_but_never_ends_the_export(
    *, cff: bool, cuts: list[tuple[float, int]]
) -> None:
    font = bytearray(built(cff=cff))
    for place, value in cuts:
        font[int(place * len(font))] = value
    pdf = document(bytes(font), cff=cff)
    if compact_fonts(pdf):
        assert pdf.objects[FILE].stream == [bytes(font)]


# Fonts that are left alone.

FILE: Final = 3
"""Number of the font's stream in a document made here."""


def document(font: bytes, *, cff: bool, widths: Any = None, **changes: Any) -> pydyf.PDF:
    """Return a document with one font, as WeasyPrint embeds it; changes are made to its CIDFont."""
    pdf = pydyf.PDF()
    stream = pydyf.Stream([font], pydyf.Dictionary({"Subtype": "/OpenType"} if cff else {"Length1": len(font)}))
    pdf.add_object(stream)
    descriptor = pydyf.Dictionary({"Type": "/FontDescriptor", "FontName": b"/ABCDEF+Made"})
    descriptor["FontFile3" if cff else "FontFile2"] = stream.reference
    pdf.add_object(descriptor)
    add_font(pdf, descriptor, cff=cff, widths=widths or [1, [550, 600]], **changes)
    return pdf


def add_font(pdf: pydyf.PDF, descriptor: pydyf.Dictionary, *, cff: bool, widths: Any, **changes: Any) -> None:
    descendant = pydyf.Dictionary(
        {
            "Type": "/Font",
            "Subtype": "/CIDFontType0" if cff else "/CIDFontType2",
            "CIDSystemInfo": pydyf.Dictionary({"Registry": pydyf.String("Adobe")}),
            "CIDToGIDMap": "/Identity",
            "W": pydyf.Array([pydyf.Array(item) if isinstance(item, list) else item for item in widths]),
            "FontDescriptor": descriptor.reference,
        }
        | changes
    )
    pdf.add_object(descendant)
    font = {
        "Type": "/Font",
        "Subtype": "/Type0",
        "BaseFont": b"/ABCDEF+Made",
        "Encoding": "/Identity-H",
        "DescendantFonts": pydyf.Array([descendant.reference]),
    }
    pdf.add_object(pydyf.Dictionary(font))


def with_table(tag: str) -> Callable[[TTFont], None]:
    def change(font: TTFont) -> None:
        font[tag] = newTable("TEST")
        font[tag].data = b"\0" * 64
        font[tag].tableTag = tag

    return change


def with_local_subroutine(font: TTFont) -> None:
    from fontTools.cffLib import SubrsIndex

    private = font["CFF "].cff.topDictIndex[0].Private
    private.Subrs = SubrsIndex()
    pen = T2CharStringPen(None, None)
    private.Subrs.append(pen.getCharString())


def with_accents_by_name(font: TTFont) -> None:
    charstrings = font["CFF "].cff.topDictIndex[0].CharStrings
    charstrings["A"].program = [0, 0, 65, 66, "endchar"]


def with_arithmetic(font: TTFont) -> None:
    charstrings = font["CFF "].cff.topDictIndex[0].CharStrings
    charstrings["A"].program = [550, 20, 30, "add", "hmoveto", "endchar"]


@pytest.mark.parametrize(
    ("cff", "font", "reason"),
    [
        (False, {"change": with_table("fvar")}, "variable"),
        (True, {"change": with_table("CFF2")}, "variable"),
        (False, {"change": with_table("COLR")}, "color or bitmap font (COLR)"),
        (False, {"change": with_table("sbix")}, "color or bitmap font (sbix)"),
        (True, {"change": with_local_subroutine}, "subroutines"),
        (True, {"change": with_accents_by_name}, "seac"),
        (True, {"change": with_arithmetic}, "operator 12"),
        (True, {"em": 2048}, "1000 units"),
    ],
)
def test_a_font_of_another_kind_is_left_alone_with_a_reason(
    *, cff: bool, font: dict[str, Any], reason: str
) -> None:
    content = built(cff=cff, **font)
    pdf = document(content, cff=cff)
    before = [item.data for item in pdf.objects[1:]]
    (left,) = compact_fonts(pdf)
    assert left.startswith("ABCDEF+Made: ")
    assert reason in left
    assert [item.data for item in pdf.objects[1:]] == before


def test_an_outline_table_that_is_missing_or_no_font_at_all_is_a_reason() -> None:
    def change(font: TTFont) -> None:
        del font["CFF "]

    assert "no outlines" in compact_fonts(document(built(cff=True, change=change), cff=True))[0]
    assert "cannot be read" in compact_fonts(document(b"ttcf no font", cff=False))[0]
    assert "cannot be read" in compact_fonts(document(b"", cff=False))[0]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"DW": 500}, "default width"),
        ({"CIDToGIDMap": b"9 0 R"}, "compact already"),
        ({"widths": [0, [500] * 6]}, "every glyph is in use"),
        ({"widths": [0, 5, 500]}, "every glyph is in use"),
    ],
)
def test_a_font_whose_glyphs_in_use_are_not_told_or_are_all_of_them_is_left_alone(
    changes: dict[str, Any], reason: str
) -> None:
    pdf = document(built(cff=False), cff=False, **changes)
    assert reason in compact_fonts(pdf)[0]


@KINDS
def test_a_second_time_changes_nothing(*, cff: bool) -> None:
    pdf = document(built(cff=cff), cff=cff)
    assert compact_fonts(pdf) == ()
    before = [item.data for item in pdf.objects[1:]]
    assert "compact already" in compact_fonts(pdf)[0]
    assert [item.data for item in pdf.objects[1:]] == before


def test_simple_fonts_and_other_encodings_are_left_alone() -> None:
    pdf = pydyf.PDF()
    for kind in ("Type3", "Type1"):
        pdf.add_object(pydyf.Dictionary({"Type": "/Font", "Subtype": f"/{kind}", "BaseFont": "/Other"}))
    assert compact_fonts(pdf) == ("Other: it is of the kind Type3", "Other: it is of the kind Type1")
    pdf = document(built(cff=False), cff=False)
    pdf.objects[-1]["Encoding"] = "/UniGB-UTF16-H"
    assert compact_fonts(pdf) == ("ABCDEF+Made: it has the encoding UniGB-UTF16-H",)
    pdf = document(built(cff=False), cff=False)
    del pdf.objects[FILE + 1]["FontFile2"]
    assert compact_fonts(pdf) == ("ABCDEF+Made: it is not embedded",)


def test_the_font_of_a_form_keeps_every_glyph(tmp_path: Path) -> None:
    face = _face("Serif", "SourceSerif4_400Regular.ttf")
    html = f"<style>{face} input {{ appearance: auto; font-family: Serif }}</style><form><input value=abc></form>"
    pair = written(tmp_path, html, pdf_forms=True)
    assert [reason.partition(": ")[2] for reason in pair.left] == [
        "every glyph is in use or may be, as in the fields of a form"
    ]


# Files that several fonts share.


def test_fonts_that_share_a_file_keep_the_glyphs_of_both() -> None:
    pdf = document(built(cff=True), cff=True, widths=[1, [550]])
    add_font(pdf, pdf.objects[FILE + 1], cff=True, widths=[4, [700]])
    assert compact_fonts(pdf) == ()
    top = cff_font(pdf.objects[FILE].stream[0])
    assert top.charset == [".notdef", "cid00001", "cid00004"]


@pytest.mark.parametrize("changes", [{"widths": [1, [900]]}, {"widths": [4, [700]], "DW": 1}])
def test_a_file_is_left_alone_when_one_of_its_fonts_must_be(changes: dict[str, Any]) -> None:
    content = built(cff=True)
    pdf = document(content, cff=True, widths=[1, [550]])
    add_font(pdf, pdf.objects[FILE + 1], cff=True, **changes)
    assert len(compact_fonts(pdf)) == 1
    assert pdf.objects[FILE].stream == [content]


@KINDS
def test_a_cid_set_names_the_cids_of_the_font_and_no_other(*, cff: bool) -> None:
    pdf = document(built(cff=cff), cff=cff, widths=[2, [600], 5, [750]])
    cid_set = pydyf.Stream([b"\xff"])
    pdf.add_object(cid_set)
    pdf.objects[FILE + 1]["CIDSet"] = cid_set.reference
    assert compact_fonts(pdf) == ()
    assert cid_set.stream == [bytes([0b10100100])]


def test_two_processes_write_the_same_bytes(tmp_path: Path, chinese_faces: None) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<html lang=zh-Hans><title>周报</title><style>{STYLE}</style><body>{BODY}", encoding="utf-8")
    program = (
        "import sys, weasyprint; from exporter.writers.pdf_compact import compact_fonts;"
        "sys.stdout.buffer.write(weasyprint.HTML(sys.argv[1]).write_pdf(finisher=lambda _, pdf: compact_fonts(pdf)))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program, page],
            env=os.environ | {"PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "Asia/Shanghai"), ("2", "America/Lima"))
    ]
    assert runs[0].startswith(b"%PDF-")
    assert runs[0] == runs[1]


def test_a_glyph_that_states_its_width_in_any_way_is_read() -> None:
    for program, width in (
        (b"\x8b\x0e", 0),  # endchar with a width
        (b"\x0e", None),
        (b"\xef\x8b\x8b\x15", 100),  # rmoveto
        (b"\x8b\x8b\x15", None),
        (b"\x1c\x01\xf4\x8b\x16", 500),  # hmoveto, in three bytes
        (b"\xf7\x00\x8b\x8b\x01", 108),  # hstem
        (b"\xfb\x00\x04", None),  # vmoveto
        (b"\xff\x00\x64\x80\x00\x8b\x04", 100.5),  # a fraction
    ):
        assert pdf_compact_cff._stated_width(program)[0] == width
    with pytest.raises(WriterError, match="operator 5"):
        pdf_compact_cff._stated_width(b"\x8b\x8b\x05")
