"""What each PDF profile promises: checked by veraPDF where it can, by looking into the file where it cannot."""

from __future__ import annotations

import csv
import functools
import hashlib
import inspect
import io
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pikepdf
import pytest
from defusedxml import ElementTree
from hypothesis import given
from hypothesis import strategies as st

from exporter import readers
from exporter.edition import Edition, make_edition
from exporter.errors import SourceError, ThemeError, UsageError
from exporter.model import Issue
from exporter.readers.briefing import import_text
from exporter.theme import load_theme
from exporter.writers import WRITERS, Options
from exporter.writers.pdf_inks import Inks
from exporter.writers.pdf_metadata import Record, record_of, xmp
from exporter.writers.pdf_profiles import profile_of
from exporter.writers.pdf_sources import embedded_files, issue_json
from tests.conftest import ROOT, run_tool
from tests.samples import all_blocks, edition_of, paragraph, sample_assets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from xml.etree.ElementTree import Element

    from exporter.writers import Output
    from tests.verapdf import Validator

LANGUAGES = ("zh", "en")
SHOWCASE = ROOT / "issues" / "2026-08-27"
ICC = ROOT / "themes" / "base" / "icc" / "FOGRA39L-coated.icc"
FLAVOURS = {"archive": ("3a", "ua1"), "screen": ("2a", "ua1")}
XML = "{http://www.w3.org/XML/1998/namespace}"
RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
DC = "{http://purl.org/dc/elements/1.1/}"
PRISM = "{http://prismstandard.org/namespaces/basic/2.0/}"


@functools.cache
def specimen(language: str) -> Edition:
    return edition_of(all_blocks(), language)


@functools.cache
def showcase(language: str) -> Edition:
    loaded = readers.load(SHOWCASE)
    return make_edition(loaded.issue, loaded.assets, language=language, theme=load_theme())


@functools.cache
def made(name: str, language: str = "zh", **options: Any) -> Output:
    edition = {"specimen": specimen, "showcase": showcase}[name](language)
    return WRITERS["pdf"].write(edition, Options(**options))


def pdf_of(name: str, language: str = "zh", **options: Any) -> bytes:
    return made(name, language, **options).files[".pdf"]


def opened(content: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(content))


def press(**options: Any) -> pikepdf.Pdf:
    return opened(pdf_of("specimen", profile="press", **options))


def edition_with(**changes: Any) -> Edition:
    """Return an English edition of one paragraph with other front matter."""
    version = {
        "title": "Title",
        "date": "2026-08-27",
        "language": "en",
        "sections": [{"id": "one", "title": [{"kind": "text", "text": "One"}], "body": [paragraph("Text.")]}],
    }
    issue = Issue.model_validate({"id": "small", "versions": [version | changes]})
    return make_edition(issue, sample_assets(), language="en", theme=load_theme())


def packet_of(content: bytes) -> bytes:
    with opened(content) as pdf:
        return bytes(pdf.Root.Metadata.read_bytes())


def description_of(packet: bytes) -> Element:
    """Return the one description of an XMP packet."""
    root = ElementTree.fromstring(packet)
    blocks = root.findall(f"{RDF}RDF")
    assert len(blocks) == 1
    (description,) = blocks[0]
    return description


def texts(description: Element, name: str) -> list[tuple[str | None, str | None]]:
    return [(item.get(f"{XML}lang"), item.text) for item in description.iterfind(f"{name}/*/{RDF}li")]


# --- The validator ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("profile", FLAVOURS)
@pytest.mark.parametrize("name", ["specimen", "showcase"])
def test_verapdf_passes_every_profile_that_it_knows(
    validator: Validator, tmp_path: Path, name: str, profile: str, language: str
) -> None:
    path = tmp_path / "edition.pdf"
    path.write_bytes(pdf_of(name, language, profile=profile))
    for flavour in FLAVOURS[profile]:
        assert validator.validate(path, flavour).failures == ()


@pytest.mark.parametrize("profile", FLAVOURS)
def test_verapdf_passes_the_handed_briefing(
    validator: Validator, shared: Path, tmp_path: Path, profile: str
) -> None:
    source = (shared / "briefings" / "2026-08-27.txt").read_text(encoding="utf-8")
    for name, content in import_text(source, file="2026-08-27.txt").files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    loaded = readers.load(tmp_path)
    edition = make_edition(loaded.issue, loaded.assets, language="zh", theme=load_theme())
    path = tmp_path / "edition.pdf"
    path.write_bytes(WRITERS["pdf"].write(edition, Options(profile=profile)).files[".pdf"])  # type: ignore[arg-type]
    for flavour in FLAVOURS[profile]:
        assert validator.validate(path, flavour).failures == ()


def test_an_ordinary_pdf_fails(validator: Validator, tmp_path: Path) -> None:
    weasyprint = pytest.importorskip("weasyprint")
    path = tmp_path / "ordinary.pdf"
    weasyprint.HTML(string="<p>Text", base_url="about:blank").write_pdf(path)
    assert all(not validator.validate(path, flavour).passed for flavour in ("2a", "3a", "ua1"))


def test_what_is_no_pdf_fails(validator: Validator, tmp_path: Path) -> None:
    path = tmp_path / "no.pdf"
    path.write_bytes(b"%PDF-1.7\nnot really")
    assert not validator.validate(path, "3a").passed


def _no_language(pdf: pikepdf.Pdf) -> None:
    del pdf.Root.Lang


def _no_alternative_text(pdf: pikepdf.Pdf) -> None:
    for element in _elements(pdf, "/Figure"):
        del element.Alt


def _no_font(pdf: pikepdf.Pdf) -> None:
    descriptor = next(_font_dictionaries(pdf, "/FontDescriptor"))
    for key in ("/FontFile2", "/FontFile3"):
        if key in descriptor:
            del descriptor[key]


def _no_output_intent(pdf: pikepdf.Pdf) -> None:
    del pdf.Root.OutputIntents


def _javascript(pdf: pikepdf.Pdf) -> None:
    pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)"))


def _no_title(pdf: pikepdf.Pdf) -> None:
    packet = bytes(pdf.Root.Metadata.read_bytes())
    pdf.Root.Metadata.write(re.sub(rb"<dc:title>.*?</dc:title>", b"", packet, flags=re.DOTALL))


def _no_unicode_map(pdf: pikepdf.Pdf) -> None:
    for font in _font_dictionaries(pdf, "/Font"):
        if "/ToUnicode" in font:
            del font["/ToUnicode"]


def _no_relationship(pdf: pikepdf.Pdf) -> None:
    for file in pdf.Root.AF:
        del file["/AFRelationship"]


FAULTS: dict[str, tuple[Callable[[pikepdf.Pdf], None], tuple[str, ...]]] = {
    "no language": (_no_language, ("ua1",)),
    "no alternative text": (_no_alternative_text, ("ua1",)),
    "font removed": (_no_font, ("3a", "ua1")),
    "no output intent": (_no_output_intent, ("3a",)),
    "JavaScript": (_javascript, ("3a",)),
    "no title": (_no_title, ("ua1",)),
    "no ToUnicode": (_no_unicode_map, ("3a", "ua1")),
    "no AFRelationship": (_no_relationship, ("3a",)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_seeded_fault_is_caught(validator: Validator, tmp_path: Path, fault: str) -> None:
    spoil, flavours = FAULTS[fault]
    path = tmp_path / "spoilt.pdf"
    with opened(pdf_of("specimen")) as pdf:
        spoil(pdf)
        # Saving by itself must not be what fails.
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.preserve)
    for flavour in flavours:
        assert not validator.validate(path, flavour).passed


def test_saving_by_pikepdf_alone_is_no_fault(validator: Validator, tmp_path: Path) -> None:
    path = tmp_path / "saved.pdf"
    with opened(pdf_of("specimen")) as pdf:
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.preserve)
    assert [validator.validate(path, flavour).passed for flavour in ("3a", "ua1")] == [True, True]


# --- Case A08 ---------------------------------------------------------------------------------------------------


def test_a_picture_without_alternative_text_is_named_with_its_line(shared: Path) -> None:
    with pytest.raises(SourceError) as refused:
        readers.load(shared / "cases" / "inputs" / "A08")
    assert [problem.place.line for problem in refused.value.problems if problem.place] == [13]


def test_a_heading_jump_becomes_the_next_level(validator: Validator, shared: Path, tmp_path: Path) -> None:
    folder = shared / "cases" / "inputs" / "A08"
    (tmp_path / "alpha.png").write_bytes((folder / "alpha.png").read_bytes())
    text = (folder / "issue.md").read_text(encoding="utf-8").replace("![](alpha.png)", "![另一幅](alpha.png)")
    (tmp_path / "issue.md").write_text(text, encoding="utf-8")
    loaded = readers.load(tmp_path)
    edition = make_edition(loaded.issue, loaded.assets, language="zh", theme=load_theme())
    content = WRITERS["pdf"].write(edition, Options()).files[".pdf"]
    (tmp_path / "edition.pdf").write_bytes(content)
    assert [validator.validate(tmp_path / "edition.pdf", flavour).failures for flavour in ("3a", "ua1")] == [(), ()]
    with opened(content) as pdf:
        assert [len(list(_elements(pdf, tag))) for tag in ("/Figure", "/H2", "/H3", "/H4")] == [2, 1, 1, 0]


@pytest.mark.parametrize("profile", ["archive", "screen"])
def test_no_image_asks_for_interpolation(profile: str) -> None:
    with opened(pdf_of("specimen", profile=profile)) as pdf:
        images = [item for item in _streams(pdf) if item.get("/Subtype") == "/Image"]
        assert images
        assert all(not item.get("/Interpolate", False) for item in images)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_figure_has_an_alternative_text(language: str) -> None:
    with opened(pdf_of("showcase", language)) as pdf:
        figures = list(_elements(pdf, "/Figure"))
        assert figures
        assert all(str(figure.Alt) for figure in figures)


def test_a_run_in_another_language_says_so() -> None:
    with opened(pdf_of("specimen", "zh")) as pdf:
        assert str(pdf.Root.Lang) == "zh-Hans"
        tags = {str(element.Lang) for element in _elements(pdf) if "/Lang" in element}
    assert "en" in tags


def test_the_title_stands_in_the_window() -> None:
    with opened(pdf_of("specimen")) as pdf:
        assert pdf.Root.ViewerPreferences.DisplayDocTitle
        assert str(pdf.docinfo.Title) == specimen("zh").title


def test_a_link_is_described_by_its_words() -> None:
    with opened(pdf_of("specimen", "en")) as pdf:
        said = {str(note.Contents) for page in pdf.pages for note in page.get("/Annots", [])}
    assert "the paper’s page" in said


def test_formulas_code_and_notes_have_tags_of_their_own() -> None:
    with opened(pdf_of("specimen", "en")) as pdf:
        formulas = [str(element.Alt) for element in _elements(pdf, "/Formula")]
        assert len(formulas) == 2
        assert all(formulas)
        assert len(list(_elements(pdf, "/Code"))) == 2
        (note,) = _elements(pdf, "/Note")
        assert str(note.ID)


def test_the_function_that_is_wrapped_is_the_one_that_was_read() -> None:
    from weasyprint.pdf import tags

    parameters = list(inspect.signature(tags._build_box_tree).parameters)
    assert parameters == ["box", "parent", "pdf", "page_number", "nums", "annotations", "tags"]
    assert list(inspect.signature(tags.add_tags).parameters) == ["pdf", "document", "pdf_version", "page_streams"]


def test_every_piece_of_marked_content_lies_in_the_element_that_the_parent_tree_names() -> None:
    with opened(pdf_of("specimen")) as pdf:
        tree = pdf.Root.StructTreeRoot.ParentTree.Nums
        parents: dict[int, Any] = {int(tree[at]): tree[at + 1] for at in range(0, len(tree), 2)}
        for page in pdf.pages:
            elements = parents[int(page.obj.StructParents)]
            assert len(elements) > 10
            for number, element in enumerate(elements):
                assert element.Pg.objgen == page.obj.objgen
                assert number in [kid for kid in element.K if isinstance(kid, int)]


def test_no_element_of_a_paragraph_is_a_span_that_says_nothing() -> None:
    with opened(pdf_of("specimen")) as pdf:
        kids = [kid for element in _elements(pdf, "/P") for kid in element.K if isinstance(kid, pikepdf.Dictionary)]
        assert any(kid.S == "/Span" for kid in kids if "/S" in kid)
        for kid in kids:
            if kid.get("/S") == "/Span" and all(isinstance(part, int) for part in kid.K):
                assert set(kid.keys()) - {"/Type", "/S", "/K", "/Pg", "/P"}


# --- What a file says of itself ---------------------------------------------------------------------------------


def test_the_record_of_the_archive_is_complete() -> None:
    description = description_of(packet_of(pdf_of("specimen")))
    titles = texts(description, f"{DC}title")
    zh, en = specimen("zh").title, specimen("en").title
    assert titles == [("x-default", zh), ("zh-Hans", zh), ("en", en)]
    assert texts(description, f"{DC}creator") == [(None, "编辑部")]
    assert texts(description, f"{DC}publisher") == [(None, "鼠鼠研究站")]
    assert texts(description, f"{DC}language") == [(None, "zh-Hans")]
    assert texts(description, f"{DC}date") == [(None, "2026-08-27")]
    assert texts(description, f"{DC}rights") == [("x-default", "CC BY 4.0")]
    assert (description.findtext(f"{DC}identifier") or "").startswith("urn:uuid:")
    fields = ("publicationName", "issn", "number", "volume", "publicationDate")
    found = [description.findtext(f"{PRISM}{name}") for name in fields]
    assert found == ["鼠鼠研究站", "2049-3630", "239", "3", "2026-08-27"]


def test_the_identifier_is_the_editions_and_the_instance_the_contents() -> None:
    record = record_of(specimen("zh"), seal="one")
    assert record.identifier == record_of(specimen("zh"), seal="two").identifier
    assert record.identifier != record_of(specimen("en"), seal="one").identifier
    assert record.instance != record_of(specimen("zh"), seal="two").instance


AWKWARD = "AT&T <b>“quoted”</b> \"x\" 'y' ]]> 🐭 𠮷"


def test_an_awkward_title_is_kept_as_it_is(validator: Validator, tmp_path: Path) -> None:
    edition = edition_with(title=AWKWARD, authors=["R&D <team>"], tags=["a & b"])
    content = WRITERS["pdf"].write(edition, Options()).files[".pdf"]
    assert texts(description_of(packet_of(content)), f"{DC}title")[0] == ("x-default", AWKWARD)
    with opened(content) as pdf:
        assert str(pdf.docinfo.Title) == AWKWARD
        assert str(pdf.docinfo.Author) == "R&D <team>"
    (tmp_path / "awkward.pdf").write_bytes(content)
    # The face has no mouse and no 𠮷: the glyphs are reported elsewhere, the record must hold all the same.
    assert not {"6.6.2.1-1", "6.6.2.3.1-1"} & validator.validate(tmp_path / "awkward.pdf", "3a").rules


@given(title=st.text(st.characters(exclude_categories=["Cs"]), min_size=1), name=st.text())
def test_any_text_makes_a_packet_that_parses(title: str, name: str) -> None:
    record = Record(
        title=title,
        titles=(("en", title),),
        description=name,
        creators=(name,),
        subjects=(title,),
        publisher=name,
        language="en",
        date=specimen("en").date,
        identifier="urn:x",
        instance="urn:y",
        rights=title,
        publication=name,
        issn="",
        number=title,
        volume="",
    )
    found = texts(description_of(xmp(record, "pdf/a-3a", "p")), f"{DC}title")[0][1] or ""
    # XML turns a carriage return into a line feed (XML 1.0 §2.11); what it cannot hold is replaced.
    wanted = re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", title)
    assert found == wanted.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize("profile", ["archive", "screen", "press"])
def test_a_file_holds_one_packet(profile: str) -> None:
    with opened(pdf_of("specimen", profile=profile)) as pdf:
        assert [item.get("/Type") for item in _streams(pdf)].count(pikepdf.Name.Metadata) == 1


def test_only_what_weasyprint_can_keep_is_claimed() -> None:
    claimed = {
        profile_of(specimen("zh"), Options(profile=name)).standard for name in ("archive", "screen", "press")
    }
    assert claimed == {"pdf/a-3a", "pdf/a-2a", "pdf/x-4"}


# --- What an archived file carries ------------------------------------------------------------------------------


def test_the_archive_holds_its_sources_with_relationship_type_and_date() -> None:
    with opened(pdf_of("specimen")) as pdf:
        files = {str(file.UF): file for file in pdf.Root.AF}
        assert (
            sorted(files)
            == sorted(pdf.attachments)
            == ["badge.png", "issue.json", "scores.svg", "table-tab-scores.csv"]
        )
        kinds = {name: (str(file.AFRelationship), str(file.EF.F.Subtype)) for name, file in files.items()}
        assert kinds == {
            "badge.png": ("/Source", "/image/png"),
            "issue.json": ("/Source", "/application/json"),
            "scores.svg": ("/Source", "/image/svg+xml"),
            "table-tab-scores.csv": ("/Data", "/text/csv"),
        }
        dates = {str(file.EF.F.Params[key]) for file in files.values() for key in ("/CreationDate", "/ModDate")}
        assert dates == {"D:20260827000000Z"}


def test_the_issue_inside_is_the_issue_in_every_language() -> None:
    with opened(pdf_of("specimen")) as pdf:
        content = pdf.attachments["issue.json"].get_file().read_bytes()
    assert Issue.model_validate_json(content) == all_blocks()


def test_a_table_inside_is_csv_of_what_the_author_wrote() -> None:
    with opened(pdf_of("specimen")) as pdf:
        content = pdf.attachments["table-tab-scores.csv"].get_file().read_bytes().decode()
    rows = list(csv.reader(io.StringIO(content, newline="")))
    assert rows[0] == ["设置", "EM", "%"]
    assert rows[1] == ["1.10", "12.5", "0.176"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_archive_holds_makes_the_same_file_again(tmp_path: Path, language: str) -> None:
    content = pdf_of("showcase", language)
    with opened(content) as pdf:
        for name, file in pdf.attachments.items():
            (tmp_path / name).write_bytes(file.get_file().read_bytes())
    loaded = readers.load(tmp_path / "issue.json")
    edition = make_edition(loaded.issue, loaded.assets, language=language, theme=load_theme())
    assert hashlib.sha256(WRITERS["pdf"].write(edition, Options()).files[".pdf"]).hexdigest() == _sha256(content)


def test_names_inside_are_flat_and_apart(tmp_path: Path) -> None:
    assets = sample_assets()
    picture = {"kind": "figure", "alt": "x"}
    body = [picture | {"path": "a/b.png"}, picture | {"path": "a-b.png"}]
    version = {
        "title": "T",
        "date": "2026-08-27",
        "language": "en",
        "sections": [{"id": "s", "title": [{"kind": "text", "text": "S"}], "body": body}],
    }
    issue = Issue.model_validate({"id": "two", "versions": [version]})
    badge = assets["badge.png"]
    edition = make_edition(issue, {"a/b.png": badge, "a-b.png": badge}, language="en", theme=load_theme())
    assert [file.name for file in embedded_files(edition)] == ["_a-b.png", "a-b.png", "issue.json"]


@pytest.mark.parametrize("profile", ["screen", "press"])
def test_no_other_profile_carries_files(profile: str) -> None:
    with opened(pdf_of("specimen", profile=profile)) as pdf:
        assert not pdf.attachments
        assert "/AF" not in pdf.Root


def test_canonical_json_does_not_depend_on_how_the_issue_was_made() -> None:
    issue = all_blocks()
    assert issue_json(Issue.model_validate_json(issue_json(issue))) == issue_json(issue)


# --- Press ------------------------------------------------------------------------------------------------------


def test_a_press_file_claims_pdf_x_4_everywhere() -> None:
    with press() as pdf:
        packet = bytes(pdf.Root.Metadata.read_bytes())
        assert b"<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>" in packet
        assert pdf.pdf_version == "1.6"
        assert str(pdf.docinfo.Trapped) == "/False"
        assert "/ID" in pdf.trailer
        assert "/Encrypt" not in pdf.trailer
        assert "/Filter" not in pdf.Root.Metadata


def test_a_press_file_names_its_printing_condition() -> None:
    with press() as pdf:
        (intent,) = pdf.Root.OutputIntents
        assert intent.S == pikepdf.Name.GTS_PDFX
        assert str(intent.OutputConditionIdentifier) == "FOGRA39"
        assert intent.DestOutputProfile.N == 4
        assert bytes(intent.DestOutputProfile.read_bytes()) == ICC.read_bytes()


def test_the_bleed_is_three_millimeters_unless_named() -> None:
    with press() as pdf, press(bleed=5.0) as wide, press(bleed=0.0) as bare:
        for file, bleed in ((pdf, 3.0), (wide, 5.0), (bare, 0.0)):
            for page in file.pages:
                points = bleed * 72 / 25.4
                assert _box(page, "/BleedBox") == pytest.approx(_grown(_box(page, "/TrimBox"), points), abs=0.01)
                assert _box(page, "/MediaBox") == pytest.approx(_box(page, "/BleedBox"), abs=0.01)


def test_the_trimmed_page_is_the_paper() -> None:
    with press(paper="a5", bleed=3.0, marks=True) as pdf:
        left, bottom, right, top = _box(pdf.pages[0], "/TrimBox")
    assert (right - left, top - bottom) == pytest.approx((419.53, 595.28), abs=0.01)


def test_marks_stand_outside_the_bleed() -> None:
    with press(marks=True) as pdf:
        for page in pdf.pages:
            bleed, media = _box(page, "/BleedBox"), _box(page, "/MediaBox")
            marks = bytes(page.Contents[-1].read_bytes()).decode()
            points = [
                (float(x), float(y))
                for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+) (?=m|l|c|-?[\d.]+ -?[\d.]+ )", marks)
            ]
            assert len(points) > 40
            assert all(not _inside(point, bleed) for point in points)
            assert all(_inside(point, media) for point in points)


def test_crop_marks_are_in_line_with_the_trimmed_page() -> None:
    with press(marks=True) as pdf:
        left, bottom, right, top = _box(pdf.pages[0], "/TrimBox")
        marks = bytes(pdf.pages[0].Contents[-1].read_bytes()).decode()
    lines = [
        tuple(map(float, line))
        for line in re.findall(r"^([-\d.]+) ([-\d.]+) m ([-\d.]+) ([-\d.]+) l S$", marks, re.MULTILINE)
    ]
    upright = {x1 for x1, _, x2, _ in lines if x1 == x2}
    level = {y1 for _, y1, _, y2 in lines if y1 == y2}
    assert {round(left, 3), round(right, 3)} <= upright
    assert {round(bottom, 3), round(top, 3)} <= level


def test_marks_print_on_every_plate() -> None:
    with press(marks=True) as pdf:
        space = pdf.pages[0].Resources.ColorSpace.Registration
        assert list(space)[:2] == [pikepdf.Name.Separation, pikepdf.Name.All]


def test_nothing_is_drawn_in_bare_rgb() -> None:
    content = pdf_of("showcase", profile="press")
    with opened(content) as pdf:
        for stream in _streams(pdf):
            assert stream.get("/ColorSpace") != pikepdf.Name.DeviceRGB
            if stream.get("/Type") not in {pikepdf.Name.Metadata, pikepdf.Name.ObjStm} and "/Subtype" not in stream:
                assert not re.search(rb"(?m)^[\d.]+ [\d.]+ [\d.]+ (rg|RG)$", bytes(stream.read_bytes()))
        for group in (item.Group for item in _streams(pdf) if "/Group" in item):
            assert str(group.CS) != "/DeviceRGB"


def test_gradients_keep_their_profile_and_masks_are_gray() -> None:
    weasyprint = pytest.importorskip("weasyprint")
    profile = profile_of(specimen("en"), Options(profile="press"))
    style = "width:9em;height:3em;background:linear-gradient(red,blue)"
    html = f'<title>t</title><div style="{style}"></div><div style="{style.replace("blue", "transparent")}"></div>'
    document = weasyprint.HTML(string=html, base_url="about:blank").render(**profile.rendering)
    content = document.write_pdf(finisher=lambda _, pdf: profile.finish(pdf), **profile.writing())
    with opened(content) as pdf:
        shadings = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/ShadingType" in item]
        spaces = sorted(
            str(item.ColorSpace[0] if len(item.Function.Functions[0].C0) == 3 else item.ColorSpace)
            for item in shadings
        )
        assert spaces == ["/DeviceGray", "/ICCBased", "/ICCBased"]
        resources = [item.Resources for item in _streams(pdf) if "/Resources" in item]
        states = [state for item in resources for state in item.get("/ExtGState", {}).values()]
        masks = [state.SMask.G for state in states if "/SMask" in state]
        assert [str(mask.Group.CS) for mask in masks] == ["/DeviceGray"]


def test_the_text_is_solid_black() -> None:
    with press() as pdf:
        drawn = b"\n".join(bytes(part.read_bytes()) for part in pdf.pages[0].Contents)
    assert b"\n0 0 0 1 k\n" in drawn


def test_nothing_on_a_plate_can_be_clicked() -> None:
    with press() as pdf:
        assert all("/Annots" not in page for page in pdf.pages)
    with opened(pdf_of("specimen")) as pdf:
        assert any("/Annots" in page for page in pdf.pages)


def test_a_coarse_picture_is_reported_for_press_alone() -> None:
    codes = {
        profile: {notice.code for notice in made("specimen", profile=profile).notices}
        for profile in ("press", "screen")
    }
    assert "coarse-picture" in codes["press"]
    assert "coarse-picture" not in codes["screen"]


def test_a_press_file_is_clean_for_qpdf(tmp_path: Path) -> None:
    (tmp_path / "press.pdf").write_bytes(pdf_of("specimen", profile="press", marks=True))
    assert "No syntax or stream encoding errors" in run_tool("qpdf", "--check", tmp_path / "press.pdf")


@pytest.mark.parametrize("options", [{"bleed": 3.0}, {"marks": True}])
def test_bleed_and_marks_belong_to_press(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="bleed"):
        profile_of(specimen("zh"), Options(**options))


@pytest.mark.parametrize("icc", [b"", b"no profile"])
def test_a_wrong_profile_is_the_themes_fault(icc: bytes) -> None:
    with pytest.raises(ThemeError):
        Inks(icc)


@given(color=st.tuples(*[st.floats(0, 1)] * 3))
def test_no_color_asks_for_more_ink_than_the_paper_takes(color: tuple[float, float, float]) -> None:
    inks = _inks().of(*color)
    assert all(0 <= part <= 1 for part in inks)
    assert sum(inks) <= 3.03


@given(gray=st.integers(0, 255))
def test_a_gray_is_black_alone(gray: int) -> None:
    cyan, magenta, yellow, black = _inks().of(gray / 255, gray / 255, gray / 255)
    assert (cyan, magenta, yellow) == (0, 0, 0)
    assert 0 <= black <= 1


def test_white_is_paper_and_darker_grays_take_more_black() -> None:
    blacks = [_inks().of(gray / 255, gray / 255, gray / 255)[3] for gray in range(255, -1, -1)]
    assert blacks[0] == 0
    assert blacks[-1] == 1
    assert blacks == sorted(blacks)


# --- Reproducible -----------------------------------------------------------------------------------------------

EXPORT = """
import hashlib, sys
from exporter.writers import WRITERS, Options
from tests.samples import all_blocks, edition_of
for profile in ("archive", "screen", "press"):
    output = WRITERS["pdf"].write(edition_of(all_blocks(), "zh"), Options(profile=profile))
    print(hashlib.sha256(output.files[".pdf"]).hexdigest())
"""


def test_the_bytes_do_not_depend_on_folder_process_hash_seed_time_zone_or_locale(tmp_path: Path) -> None:
    places = [
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C", "LANG": "C"},
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Shanghai", "LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"},
    ]
    printed = []
    for number, place in enumerate(places):
        folder = tmp_path / str(number)
        folder.mkdir()
        environment = os.environ | place | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(
            [sys.executable, "-c", EXPORT], cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
        printed.append(done.stdout.split())
    here = [_sha256(pdf_of("specimen", profile=profile)) for profile in ("archive", "screen", "press")]
    assert printed == [here, here]


def test_names_are_those_of_rfc_9562() -> None:
    edition = edition_with()
    assert record_of(edition, seal="").identifier == uuid.uuid5(uuid.NAMESPACE_URL, "/small/en").urn


def test_no_file_holds_todays_date_or_a_random_number() -> None:
    packet = packet_of(pdf_of("specimen", profile="press")).decode()
    assert set(re.findall(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*?(?=<)", packet)) == {"2026-08-27T00:00:00Z"}
    versions = {uuid.UUID(text).version for text in re.findall(r"urn:uuid:([-0-9a-f]{36})", packet)}
    assert versions == {5}


# --- Looking into files -----------------------------------------------------------------------------------------


@functools.cache
def _inks() -> Inks:
    return Inks(ICC.read_bytes())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _streams(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Stream]:
    return (item for item in pdf.objects if isinstance(item, pikepdf.Stream))


def _elements(pdf: pikepdf.Pdf, tag: str | None = None) -> Iterator[pikepdf.Dictionary]:
    for item in pdf.objects:
        if (
            isinstance(item, pikepdf.Dictionary)
            and item.get("/Type") == "/StructElem"
            and tag in {None, str(item.S)}
        ):
            yield item


def _font_dictionaries(pdf: pikepdf.Pdf, kind: str) -> Iterator[pikepdf.Dictionary]:
    return (item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == kind)


def _box(page: pikepdf.Page, name: str) -> tuple[float, ...]:
    return tuple(float(side) for side in page[name])


def _grown(box: tuple[float, ...], by: float) -> tuple[float, ...]:
    left, bottom, right, top = box
    return (left - by, bottom - by, right + by, top + by)


def _inside(point: tuple[float, float], box: tuple[float, ...]) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]
