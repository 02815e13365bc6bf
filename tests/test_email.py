"""The e-mail edition: clean HTML on its byte budget, readable everywhere, the same bytes at every build."""

from __future__ import annotations

import dataclasses
import email
import email.policy
import html
import io
import itertools
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.edition import make_edition
from exporter.errors import EditionError, SourceError, ThemeError, WriterError
from exporter.model import Issue
from exporter.readers import load
from exporter.theme import load_theme
from exporter.writers import Options, Output
from exporter.writers.email import write
from exporter.writers.email_columns import needs_cards
from exporter.writers.email_page import anchor
from tests.conftest import ROOT, tool
from tests.samples import all_blocks, asset, edition_of, paragraph, row, sample_assets, text
from tests.strategies import assets_for, issues

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import EmailMessage
    from pathlib import Path

    from exporter.assets import Asset
    from exporter.edition import Edition

LANGUAGES = ("zh", "en")
FULL = Options(body="full")
SHOWCASE = ROOT / "issues" / "2026-08-27"
XHTML = "{http://www.w3.org/1999/xhtml}"


def issue_of(*body: dict[str, Any], language: str = "zh", **changes: Any) -> Issue:
    """Return a small issue whose only section holds the blocks."""
    plain = {
        "title": "试刊",
        "date": "2026-08-27",
        "language": language,
        "sections": [{"id": "s1", "title": [text("一")], "body": list(body)}],
    }
    return Issue.model_validate({"id": "trial", "versions": [plain | changes]})


def body_of(output: Output) -> str:
    """Return the HTML of the message; the ``.html`` beside it is the same with its pictures inside."""
    part = message_of(output.files[".eml"]).get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def page_of(issue: Issue, language: str = "zh", options: Options = FULL) -> str:
    return body_of(write(edition_of(issue, language), options))


def read(path: Path, language: str | None = None, options: Options = FULL) -> Output:
    loaded = load(path)
    wanted = language or loaded.issue.original.language
    return write(make_edition(loaded.issue, loaded.assets, language=wanted, theme=load_theme("base")), options)


def message_of(content: bytes) -> EmailMessage:
    message = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(message, email.message.EmailMessage)
    return message


def tree_of(page: str) -> ET.Element:
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"))
    tree: ET.Element = parser.parse(page)
    assert not parser.errors, [(place, code) for place, code, _ in parser.errors][:5]
    return tree


def elements(page: str, name: str) -> Iterator[ET.Element]:
    yield from tree_of(page).iter(XHTML + name)


def words(page: str) -> str:
    shown = re.sub(r"(?s)<head.*?</head>|<[^>]*>", "", page)
    return re.sub(r"\s+", " ", html.unescape(shown))


def full(content: str, *, entries: int) -> Edition:
    """Return an edition of the specimen's publication with long entries."""
    entry: dict[str, Any] = {
        "kind": "entry",
        "title": [text("条目")],
        "fields": [{"name": "contribution", "value": [text("一句话的贡献。")]}],
        "body": [paragraph(content)],
    }
    sections = [
        {"id": f"s{index}", "title": [text(f"第{index}部分")], "body": [entry | {"id": f"e{index}"}]}
        for index in range(entries)
    ]
    version = {"title": "长刊", "date": "2026-08-27", "language": "zh", "sections": sections}
    publication = all_blocks().publication
    return edition_of(Issue.model_validate({"id": "long", "publication": publication, "versions": [version]}))


@pytest.fixture(scope="module", params=LANGUAGES)
def specimen(request: pytest.FixtureRequest) -> tuple[str, Output]:
    return request.param, write(edition_of(all_blocks(), request.param), FULL)


@pytest.fixture(scope="module", params=LANGUAGES)
def showcase(request: pytest.FixtureRequest) -> tuple[str, Output]:
    return request.param, read(SHOWCASE, request.param, Options(body="auto"))


# The page


def test_the_page_parses_without_an_error(specimen: tuple[str, Output], showcase: tuple[str, Output]) -> None:
    for _, output in (specimen, showcase):
        tree_of(body_of(output))


def test_outlook_and_the_others_each_see_balanced_tables(showcase: tuple[str, Output]) -> None:
    page = body_of(showcase[1])
    assert page.count("<!--[if") == page.count("<![endif]")
    outlook = re.sub(r"(?s)<!--\[if !mso\]><!-->.*?<!--<!\[endif\]-->", "", page)
    outlook = re.sub(r"<!--\[if [^\]]*\]>|<!\[endif\]-->", "", outlook)
    for document in (outlook, re.sub(r"(?s)<!--.*?-->", "", page)):
        open_elements: list[str] = []
        for match in re.finditer(r"<(/?)(table|tbody|thead|tr|td|th|div|p|a|ul|ol|li|h[1-6])\b[^>]*>", document):
            if match[1]:
                assert open_elements.pop() == match[2], match.start()
            else:
                open_elements.append(match[2])
        assert not open_elements


def test_no_comment_nests_in_a_conditional_whatever_the_text_holds() -> None:
    page = page_of(issue_of(paragraph("<!--[if mso]><p>MSO-ONLY</p><![endif]--> a -- b ]]> &amp; <b>")))
    assert (
        "&lt;!--[if mso]&gt;&lt;p&gt;MSO-ONLY&lt;/p&gt;&lt;![endif]--&gt; a -- b ]]&gt; &amp;amp; &lt;b&gt;" in page
    )
    tree_of(page)


def test_the_showcase_is_whole_and_under_its_budget(showcase: tuple[str, Output]) -> None:
    _, output = showcase
    assert len(body_of(output).encode()) <= 75_000
    assert [notice.code for notice in output.notices] == []


def test_nothing_is_loaded_from_elsewhere_and_nothing_runs(showcase: tuple[str, Output]) -> None:
    page = body_of(showcase[1])
    assert not re.findall(r"<(script|iframe|form|input|svg|section|details|link|object|video)\b", page)
    assert "@import" not in page
    assert "@font-face" not in page
    assert not re.findall(r"url\(|data:|javascript:|\son\w+=", page)
    assert all(image.startswith("cid:") for image in re.findall(r'src="([^"]*)"', page))


def test_every_picture_says_what_it_shows_and_how_large_it_is(specimen: tuple[str, Output]) -> None:
    pictures = list(elements(body_of(specimen[1]), "img"))
    assert len(pictures) == 4
    for picture in pictures:
        assert picture.get("alt") is not None
        assert 0 < int(picture.get("width", "0")) <= 592
        assert int(picture.get("height", "0")) > 0
    assert sum(1 for picture in pictures if picture.get("alt") == "") == 1


def test_the_page_and_its_foreign_runs_name_their_language() -> None:
    chinese = page_of(issue_of(paragraph("论文题为 Recursive Working Memory Evolution for Agents，作者未列。")))
    assert '<html lang="zh-Hans"' in chinese
    assert '<span lang="en">Recursive Working Memory Evolution for Agents</span>' in chinese
    english = page_of(issue_of(paragraph("The term 工作记忆 is translated."), language="en"), "en")
    assert '<html lang="en"' in english
    assert '<span lang="zh-Hans">工作记忆</span>' in english


def test_a_part_that_stands_in_for_a_missing_translation_names_its_language() -> None:
    issue = all_blocks()
    version = issue.versions[1].model_copy(update={"sections": ()})
    page = page_of(issue.model_copy(update={"versions": (issue.versions[0], version)}), "en")
    assert re.search(r'<div lang="zh-Hans"><h2[ >]', page)
    assert '<small class="muted" lang="en">untranslated</small>' in page


def test_outlook_gets_a_chinese_stack_and_apple_its_own(showcase: tuple[str, Output]) -> None:
    page = body_of(showcase[1])
    outlook = re.search(r"<!--\[if mso\]><style>(.*?)</style><!\[endif\]-->", page)
    assert outlook
    assert "Microsoft YaHei" in outlook[1]
    stack = re.search(r'class="content" style="[^"]*font-family:([^;"]*)', page)
    assert stack
    for family in ("-apple-system", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC"):
        assert family in stack[1]


def test_no_family_needs_quotation_marks() -> None:
    stacks = [stack for fonts in load_theme("base").token("mail.font").values() for stack in fonts.values()]
    names = [name for stack in stacks for name in stack.split(",")]
    assert [name for name in names if not re.fullmatch(r"-?[A-Za-z]+( [A-Za-z]+)*(-[a-z]+)*", name)] == []


def test_dark_mode_is_declared_in_all_three_ways(showcase: tuple[str, Output]) -> None:
    page = body_of(showcase[1])
    assert '<meta name="color-scheme" content="light dark"' in page
    assert '<meta name="supported-color-schemes" content="light dark"' in page
    assert "@media (prefers-color-scheme: dark)" in page
    assert "[data-ogsc]" in page


@pytest.mark.parametrize("scheme", ["color", "mail.dark"])
def test_text_colors_have_enough_contrast(scheme: str) -> None:
    colors = load_theme("base").token(scheme)

    def luminance(color: str) -> float:
        parts = [int(color[index : index + 2], 16) / 255 for index in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for ground in ("ground", "panel"):
        for ink in ("ink", "muted", "accent"):
            light, dark = sorted((luminance(colors[ground]), luminance(colors[ink])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, f"{ink} on {ground}"


def test_the_preheader_is_the_summary_and_hidden_from_outlook_too(specimen: tuple[str, Output]) -> None:
    page = body_of(specimen[1])
    hidden = re.search(r'<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">([^<]*)</div>', page)
    assert hidden
    assert 10 < len(hidden[1]) <= 110


def test_every_anchor_is_unique_and_every_link_inside_has_a_target(
    specimen: tuple[str, Output], showcase: tuple[str, Output]
) -> None:
    for _, output in (specimen, showcase):
        page = body_of(output)
        ids = re.findall(r'\bid="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        inside = set(re.findall(r'href="#([^"]+)"', page))
        assert inside
        assert inside <= set(ids)
        assert all(identifier.isascii() for identifier in ids)


def test_footnotes_are_gathered_with_ways_back(specimen: tuple[str, Output]) -> None:
    page = body_of(specimen[1])
    assert page.count('href="#fn-1"') == 2
    assert page.count('id="fnref-1"') == 1
    assert page.count('id="fn-1"') == 1
    assert page.count('href="#fnref-1"') == 1


def test_a_chinese_id_becomes_an_anchor_that_every_program_keeps() -> None:
    assert anchor("recuris") == "recuris"
    assert re.fullmatch(r"a-[0-9a-f]{10}", anchor("第一部分"))
    assert anchor("第一部分") != anchor("第二部分")
    page = page_of(
        issue_of(
            paragraph({"kind": "reference", "target": "小节"}),
            {"kind": "heading", "level": 2, "id": "小节", "children": [text("小节")]},
        )
    )
    assert f'href="#{anchor("小节")}"' in page
    assert f'id="{anchor("小节")}"' in page


def test_a_reference_to_what_mail_does_not_show_is_text() -> None:
    hidden = {"kind": "heading", "level": 2, "id": "only-print", "children": [text("纸上的小节")]}
    page = page_of(
        issue_of(
            {"kind": "only", "formats": ["pdf"], "children": [hidden]},
            paragraph({"kind": "reference", "target": "only-print"}),
        )
    )
    assert "纸上的小节" in page
    assert "only-print" not in page


def test_headings_descend_without_a_gap(specimen: tuple[str, Output]) -> None:
    levels = [int(level) for level in re.findall(r"<h([1-6])", body_of(specimen[1]))]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_content_is_never_a_template() -> None:
    issue = issue_of(paragraph("{{ 7*7 }} {% raw %} {# 注释 #} ${{ secrets.X }} {0} %(name)s"), title="{{ 7*7 }}")
    page = words(page_of(issue))
    assert "{{ 7*7 }} {% raw %} {# 注释 #} ${{ secrets.X }} {0} %(name)s" in page
    assert "49" not in page


def test_control_characters_do_not_stop_the_compiler() -> None:
    assert "前后" in page_of(issue_of(paragraph("前\x01\x08\x7f后")))


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=60))
def test_alternate_text_in_any_script_reaches_the_reader_as_it_was(alt: str) -> None:
    page = page_of(issue_of({"kind": "figure", "path": "badge.png", "alt": alt}))
    assert (next(elements(page, "img")).get("alt") or "").split() == alt.split()


def test_chinese_stress_is_no_slanted_type() -> None:
    stressed = paragraph({"kind": "emphasis", "children": [text("着重")]})
    assert "font-style:normal" in page_of(issue_of(stressed))
    assert "font-style:normal" not in page_of(issue_of(stressed, language="en"), "en")


# Tables


def table_of(head: list[str], *rows: list[str], **changes: Any) -> dict[str, Any]:
    columns = [{"align": None}] * len(head)
    return {
        "kind": "table",
        "columns": columns,
        "head": [row(*head)],
        "rows": [row(*cells) for cells in rows],
    } | changes


WIDE = table_of(
    ["站点", *[f"{month}月" for month in range(1, 8)], "DOI"],
    ["河口1号站", "36,845", "64,537", "91,350", "89,864", "12,973", "29,978", "17,714", "10.99999/" + "abcdef" * 5],
    columns=[{}, *[{"align": "right"}] * 7, {}],
    stub_columns=1,
)


def test_head_cells_say_what_they_head() -> None:
    page = page_of(issue_of(WIDE))
    cells = list(elements(page, "th"))
    assert [cell.get("scope") for cell in cells] == ["col"] * 9 + ["row"]


def test_a_wide_table_has_the_labels_of_its_cards_hidden_until_a_phone_shows_them() -> None:
    page = page_of(issue_of(WIDE))
    keys = [element for element in elements(page, "span") if element.get("class") == "key"]
    assert [key.text for key in keys] == [*[f"{month} 月" for month in range(1, 8)], "DOI"]
    assert all("display:none" in (key.get("style") or "") for key in keys)
    assert re.search(r"@media \(max-width: 480px\) \{[^@]*\.cards \.key \{ display: table-cell", page)


def test_a_narrow_table_stays_a_table_on_a_phone() -> None:
    page = page_of(issue_of(table_of(["设置", "EM"], ["甲", "12.5"])))
    assert 'class="rows"' in page
    assert 'class="key"' not in page


def test_a_number_with_its_unit_never_breaks() -> None:
    page = page_of(issue_of(table_of(["量", "值"], ["长度", "1 200 km"], ["速度", "12.5"])))
    assert 'nowrap="nowrap">1 200 km' in page


def test_decimals_are_brought_in_line_by_blanks_as_wide_as_digits() -> None:
    cells = table_of(["值"], ["12.55"], ["-7"], ["3.1"], ["—"], columns=[{"align": "decimal"}])
    shown = [
        element.text for element in elements(page_of(issue_of(cells)), "td") if element.get("align") == "right"
    ]
    assert shown == ["12.55", "-7\u2007\u2007\u2008", "3.1\u2007", "—"]


@given(
    st.lists(st.sampled_from(["短", "一个更长的单元格", "36,845", "word", "longer-word"]), min_size=1, max_size=14)
)
def test_more_columns_never_make_a_table_narrower(cells: list[str]) -> None:
    from exporter.model import blocks

    one = blocks.Table.model_validate(table_of(cells, cells))
    two = blocks.Table.model_validate(table_of([*cells, "又一列"], [*cells, "又一格"]))
    assert needs_cards(two) or not needs_cards(one)


# Pictures


def test_pictures_are_parts_of_the_message_once_each(specimen: tuple[str, Output]) -> None:
    _, output = specimen
    page = body_of(output)
    parts = [part for part in message_of(output.files[".eml"]).walk() if part["content-id"]]
    identifiers = [part["content-id"].strip("<>") for part in parts]
    assert len(set(identifiers)) == len(identifiers) == 3
    assert set(re.findall(r'src="cid:([^"]+)"', page)) == set(identifiers)
    assert all(part.get_content_disposition() == "inline" for part in parts)
    assert all(part.get_content_type() == "image/png" for part in parts)


def test_hosted_pictures_are_files_beside_the_page_and_no_parts() -> None:
    output = write(edition_of(all_blocks()), Options(body="full", hosted_images="https://img.shushu.example/2026/"))
    sources = set(re.findall(r'src="([^"]+)"', body_of(output)))
    pictures = {ending for ending in output.files if ending not in {".html", ".eml", ".txt"}}
    assert sources == {f"https://img.shushu.example/2026/specimen.zh{ending}" for ending in pictures}
    assert len(pictures) == 3
    assert [part.get_content_type() for part in message_of(output.files[".eml"]).walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]


def test_pictures_cannot_be_hosted_at_what_is_no_web_address() -> None:
    with pytest.raises(WriterError, match="web address"):
        write(edition_of(all_blocks()), Options(body="full", hosted_images="img.shushu.example"))


def picture_part(content: bytes, media_type: str, name: str = "图.bin", width: int = 60, height: int = 40) -> Any:
    from PIL import Image

    issue = issue_of({"kind": "figure", "path": name, "alt": "图"})
    edition = make_edition(
        issue, {name: asset(name, content, media_type, width, height)}, language="zh", theme=load_theme("base")
    )
    message = message_of(write(edition, FULL).files[".eml"])
    part = next(part for part in message.walk() if part["content-id"])
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return part, Image.open(io.BytesIO(payload)), payload


def encoded(image: Any, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def test_a_plain_picture_passes_byte_for_byte() -> None:
    from PIL import Image

    content = encoded(Image.new("RGB", (60, 40), "#1f5f8b"), "PNG")
    part, _, payload = picture_part(content, "image/png")
    assert payload == content
    assert part.get_filename().isascii()


def test_a_wide_picture_is_drawn_smaller_and_keeps_its_shape() -> None:
    from PIL import Image

    content = encoded(Image.new("RGB", (3000, 1500), "#1f5f8b"), "JPEG")
    part, image, _ = picture_part(content, "image/jpeg", width=3000, height=1500)
    assert image.size == (1184, 592)
    assert part.get_content_type() == "image/jpeg"


@pytest.mark.parametrize(
    ("kind", "media_type"), [("WEBP", "image/webp"), ("TIFF", "image/tiff"), ("BMP", "image/bmp")]
)
def test_what_mail_programs_do_not_show_becomes_png_or_jpeg(kind: str, media_type: str) -> None:
    from PIL import Image

    part, image, _ = picture_part(encoded(Image.new("RGB", (60, 40), "#b3261e"), kind), media_type)
    assert part.get_content_type() in {"image/png", "image/jpeg"}
    assert image.size == (60, 40)


def test_a_rotated_picture_stands_upright() -> None:
    from PIL import Image

    exif = Image.Exif()
    exif[0x0112] = 6
    content = encoded(Image.new("RGB", (60, 40), "#b3261e"), "JPEG", exif=exif)
    _, image, _ = picture_part(content, "image/jpeg", width=40, height=60)
    assert image.size == (40, 60)
    assert image.getexif().get(0x0112, 1) == 1


def test_a_transparent_picture_gets_a_light_ground() -> None:
    from PIL import Image

    content = encoded(Image.new("RGBA", (60, 40), (0, 0, 0, 0)), "PNG")
    _, image, _ = picture_part(content, "image/png")
    assert not image.has_transparency_data
    assert image.convert("RGB").getpixel((5, 5)) == (255, 255, 255)


def test_chinese_lettering_in_a_drawing_is_drawn_not_boxed() -> None:
    from exporter.pictures import draw_svg, faces_of

    faces = faces_of(load_theme("base"))

    def drawn(lettering: str) -> bytes:
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" viewBox="0 0 80 40">'
            f'<text x="4" y="30" font-size="28" font-family="No Such Face">{lettering}</text></svg>'
        )
        return draw_svg(svg.encode(), width=160, faces=faces)

    # Two characters that no face has would look alike; these have different strokes.
    assert len({drawn("漢"), drawn("鼠"), drawn("\U0010fffd"), drawn("")}) >= 3
    assert drawn("漢") != drawn("鼠")


def test_a_machine_without_chinese_fonts_letters_drawings_with_the_theme_s_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exporter import fonts
    from exporter.pictures import draw_svg, faces_of

    monkeypatch.setattr(fonts, "font_folders", lambda: (tmp_path,))
    theme = load_theme("base")
    faces = faces_of(theme)
    plan = fonts.find_fonts(theme)
    assert (faces.sans, faces.serif) == (plan.family("heading", "latin"), plan.family("text", "latin"))
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><text x="4" y="30">{}</text></svg>'
    assert draw_svg(svg.format("A").encode(), width=160, faces=faces) != draw_svg(
        svg.format("").encode(), width=160, faces=faces
    )


def test_a_drawing_that_cannot_be_read_is_an_error_with_its_name() -> None:
    broken = {"图.svg": asset("图.svg", b"<svg", "image/svg+xml", 10, 10)}
    issue = issue_of({"kind": "figure", "path": "图.svg", "alt": "图"})
    with pytest.raises(WriterError, match=r"图\.svg"):
        write(make_edition(issue, broken, language="zh", theme=load_theme("base")), FULL)


def test_a_logo_stands_in_the_masthead_with_its_name() -> None:
    edition = edition_of(all_blocks())
    assert edition.publication
    publication = edition.publication.model_copy(update={"logo": "logo.svg"})
    logo: Asset = dataclasses.replace(sample_assets()["scores.svg"], path="logo.svg")
    assets = {**edition.assets, "publication:logo.svg": logo}
    page = body_of(write(dataclasses.replace(edition, publication=publication, assets=assets), FULL))
    picture = next(elements(page, "img"))
    assert picture.get("alt") == "鼠鼠研究站标志"
    assert int(picture.get("height", "0")) <= 48


def test_heavy_pictures_are_a_notice() -> None:
    import random

    from PIL import Image

    noise = Image.frombytes("RGB", (1000, 800), random.Random(1).randbytes(2_400_000))  # noqa: S311 - noise
    assets = {"n.png": asset("n.png", encoded(noise, "PNG"), "image/png", 500, 400)}
    issue = issue_of({"kind": "figure", "path": "n.png", "alt": "噪声"})
    output = write(make_edition(issue, assets, language="zh", theme=load_theme("base")), FULL)
    assert "heavy-pictures" in [notice.code for notice in output.notices]


# Formulas


def test_a_flat_formula_is_characters_and_a_stacked_one_a_picture_with_both_readings() -> None:
    flat = page_of(issue_of({"kind": "math-block", "tex": r"E = mc^2"}))
    assert '<span class="tex">E = mc²</span>' in flat
    assert "<img" not in flat
    stacked = page_of(issue_of({"kind": "math-block", "tex": r"\frac{\eta(t)}{\lVert W\rVert}"}))
    picture = next(elements(stacked, "img"))
    assert picture.get("alt") == "η(t)/‖W‖"
    assert picture.get("title") == r"\frac{\eta(t)}{\lVert W\rVert}"


# Budget and digest

LONG = "研究者报告了一种方法，它把工作记忆与经验记忆分开。" * 160


def test_a_message_over_the_budget_is_a_notice_with_its_size() -> None:
    output = write(full(LONG, entries=8), FULL)
    size = len(body_of(output).encode())
    assert size > 75_000
    assert [notice.code for notice in output.notices] == ["over-budget"]
    assert f"{size:,}" in output.notices[0].message


def test_auto_falls_back_to_the_digest_and_says_both_sizes() -> None:
    edition = full(LONG, entries=8)
    whole, output = write(edition, FULL), write(edition, Options(body="auto"))
    assert len(body_of(output).encode()) <= 75_000
    (notice,) = output.notices
    assert notice.code == "over-budget"
    for size in (len(body_of(whole).encode()), len(body_of(output).encode())):
        assert f"{size:,}" in notice.message


def test_auto_without_an_online_address_stays_whole_and_says_why() -> None:
    edition = full(LONG, entries=8)
    edition = dataclasses.replace(edition, email=edition.email.model_copy(update={"base_url": None}))
    output = write(edition, Options(body="auto"))
    assert len(body_of(output).encode()) > 75_000
    (notice,) = output.notices
    assert "base_url" in (notice.hint or "")


def test_a_digest_that_was_asked_for_but_has_no_address_says_so() -> None:
    issue = all_blocks("zh").model_copy(update={"publication": None})
    codes = [notice.code for notice in write(edition_of(issue), Options(body="digest")).notices]
    assert "no-online-address" in codes


def test_a_digest_keeps_each_entry_in_short_and_links_to_the_whole() -> None:
    page = body_of(write(full(LONG, entries=3), Options(body="digest")))
    assert LONG[:100] not in page
    assert page.count("一句话的贡献。") == 3
    for index in range(3):
        assert f'href="https://shushu.example/archive/long#e{index}"' in page


def test_a_digest_is_cut_between_sections_and_the_contents_still_name_them_all() -> None:
    edition = full(LONG, entries=200)
    output = write(edition, Options(body="digest"))
    page = body_of(output)
    assert len(page.encode()) <= 75_000
    shown = [int(index) for index in re.findall(r'id="s(\d+)"', page)]
    assert shown == list(range(len(shown)))
    assert 10 < len(shown) < 200
    assert 'href="https://shushu.example/archive/long#s199"' in page
    assert page.count("一句话的贡献。") == len(shown)


def test_the_plain_part_of_a_digest_stays_whole() -> None:
    edition = full(LONG, entries=3)
    assert write(edition, Options(body="digest")).files[".txt"] == write(edition, FULL).files[".txt"]


# The whole


def test_equal_editions_give_equal_bytes() -> None:
    assert write(edition_of(all_blocks()), FULL) == write(edition_of(all_blocks()), FULL)


def test_the_message_carries_the_page_and_the_text(specimen: tuple[str, Output]) -> None:
    _, output = specimen
    message = message_of(output.files[".eml"])
    page = message.get_body(("html",))
    plain = message.get_body(("plain",))
    assert page is not None
    assert plain is not None
    assert "arXiv:2608.24876" in plain.get_content()
    for sources, kind in ((output.files[".html"].decode(), "data:image/"), (page.get_content(), "cid:")):
        assert {source.startswith(kind) for source in re.findall(r'src="([^"]+)"', sources)} == {True}


def test_a_template_that_does_not_compile_is_an_error_that_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    (folder / "email").mkdir(parents=True)
    (folder / "theme.toml").write_text('name = "broken"\nextends = "base"\n')
    (folder / "email" / "issue.mjml.j2").write_text("<mjml><mj-body><mj-section></mj-body></mjml>")
    theme = load_theme(str(folder))
    with pytest.raises(ThemeError, match=r"email/issue\.mjml\.j2"):
        write(dataclasses.replace(edition_of(all_blocks()), theme=theme), FULL)


def test_a_chart_that_cannot_be_drawn_is_an_error() -> None:
    chart = {"kind": "chart", "spec": "{}", "alt": "图"}
    with pytest.raises(WriterError, match="chart"):
        page_of(issue_of(chart))


def test_mail_and_text_never_load_the_print_engine() -> None:
    program = (
        "import sys\n"
        "from tests.samples import all_blocks, edition_of\n"
        "from exporter.writers import WRITERS, Options\n"
        "edition = edition_of(all_blocks())\n"
        "for name in ('email', 'text'): WRITERS[name].write(edition, Options())\n"
        "assert 'weasyprint' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@settings(max_examples=30)
@given(issues(languages=["zh"]))
def test_any_valid_issue_becomes_a_clean_page_and_a_message(issue: Issue) -> None:
    edition = make_edition(issue, assets_for(issue), language="zh", theme=load_theme("base"))
    output = write(edition, FULL)
    tree_of(body_of(output))
    assert output.files[".eml"].partition(b"\r\n\r\n")[0].isascii()
    assert not re.search(rb"(?<!\r)\n", output.files[".eml"])
    assert max(map(len, output.files[".eml"].split(b"\r\n"))) <= 998


# The handed cases


def check_message(shared: Path, tmp_path: Path, content: bytes, *subject: str) -> str:
    path = tmp_path / "message.eml"
    path.write_bytes(content)
    checker = shared / "cases" / "checks" / "check_eml.py"
    done = subprocess.run([sys.executable, checker, path, *subject], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("case", ["B02", "B03", "B04", "B05", "C05", "C06", "C07", "C10", "E08"])
def test_the_message_of_a_handed_case_passes_its_checker(case: str, shared: Path, tmp_path: Path) -> None:
    output = read(shared / "cases" / "inputs" / case)
    tree_of(body_of(output))
    assert "NOTE bare LF" not in check_message(shared, tmp_path, output.files[".eml"])


def test_the_showcase_passes_the_handed_checker(showcase: tuple[str, Output], shared: Path, tmp_path: Path) -> None:
    _, output = showcase
    check_message(shared, tmp_path, output.files[".eml"], str(message_of(output.files[".eml"])["subject"]))


def test_b02_raw_markup_reaches_no_reader(shared: Path) -> None:
    page = body_of(read(shared / "cases" / "inputs" / "B02"))
    assert "END-B02" in page
    assert not re.findall(r"<(script|form|iframe|input)\b", page)
    assert not [
        element for element in tree_of(page).iter() if any(name.startswith("on") for name in list(element.attrib))
    ]
    assert not [link for link in elements(page, "a") if (link.get("href") or "").startswith("javascript:")]


def test_b03_a_message_that_gmail_would_clip_is_a_notice(shared: Path) -> None:
    output = read(shared / "cases" / "inputs" / "B03")
    assert "over-budget" in [notice.code for notice in output.notices]
    assert "END-B03" in body_of(output)


def test_b05_the_head_names_language_and_schemes(shared: Path) -> None:
    page = body_of(read(shared / "cases" / "inputs" / "B05"))
    assert '<html lang="zh-Hans"' in page
    assert "Ubuntu" not in page
    picture = next(elements(page, "img"))
    assert picture.get("width")
    assert picture.get("height")
    assert "background-color:#ffffff" in (picture.get("style") or "")


def test_c02_an_undeliverable_address_is_refused_by_name(shared: Path) -> None:
    with pytest.raises(EditionError, match="用户@"):
        read(shared / "cases" / "inputs" / "C02")


@pytest.mark.parametrize("name", ["issue.md", "issue_nel.md"])
def test_c03_a_forged_header_is_refused_before_any_writer(name: str, shared: Path) -> None:
    with pytest.raises(SourceError, match="single line"):
        read(shared / "cases" / "inputs" / "C03" / name)


def test_c05_a_picture_used_twice_is_one_part_and_an_unused_one_none(shared: Path) -> None:
    message = message_of(read(shared / "cases" / "inputs" / "C05").files[".eml"])
    parts = [part for part in message.walk() if part["content-id"]]
    assert len(parts) == 1
    assert "unused" not in (parts[0].get_filename() or "")


def test_c10_date_and_identifier_come_from_the_publication(shared: Path) -> None:
    message = message_of(read(shared / "cases" / "inputs" / "C10").files[".eml"])
    assert message["date"] == "Mon, 07 Sep 2026 08:00:00 +0800"
    assert message["message-id"].endswith("@example.org>")


def test_f02_the_date_in_the_subject_is_the_date_in_the_text(shared: Path) -> None:
    for language, day in (("zh", "2026年8月27日"), ("en", "August 27, 2026")):
        edition = edition_of(all_blocks(), language)
        settings_ = edition.email.model_copy(update={"subject": "{title} {date}"})
        output = write(dataclasses.replace(edition, email=settings_), FULL)
        assert str(message_of(output.files[".eml"])["subject"]).endswith(day)
        assert day in words(body_of(output))


# A browser's word

MEASURE = """<!doctype html><meta charset="utf-8"><body style="margin:0"><script>
const pages = %s, found = {};
function next() {
  const item = pages.pop();
  if (!item) { document.body.textContent = 'RESULT' + JSON.stringify(found) + 'END'; return; }
  const frame = document.createElement('iframe');
  frame.style = `width:${item.width}px;height:600px;border:0`;
  frame.onload = () => {
    const root = frame.contentDocument.documentElement;
    const outside = [...frame.contentDocument.querySelectorAll('body *')].filter(element =>
      element.getBoundingClientRect().right > item.width + 1 && !element.closest('.scroll, pre'));
    const narrow = [...frame.contentDocument.querySelectorAll('td, th')].filter(element =>
      element.textContent.trim().length > 2 && element.offsetWidth > 0 && element.offsetWidth < 30);
    found[item.name] = [root.scrollWidth, outside.length, narrow.length];
    frame.remove(); next();
  };
  frame.srcdoc = item.html;
  document.body.append(frame);
}
next();
</script>"""


def test_nothing_is_wider_than_a_phone(shared: Path, tmp_path: Path) -> None:
    sources = {
        "showcase.zh": read(SHOWCASE, "zh"),
        "showcase.en": read(SHOWCASE, "en"),
        "specimen": write(edition_of(all_blocks()), FULL),
        "B04": read(shared / "cases" / "inputs" / "B04"),
        "C06": read(shared / "cases" / "inputs" / "C06"),
    }
    pages = []
    for name, output in sources.items():
        page = re.sub(r'src="cid:[^"]*"', 'src="about:blank"', body_of(output))
        for width in (360, 640):
            pages.append({"name": f"{name} {width}", "html": page, "width": width})
            bare = re.sub(r"(?s)<style.*?</style>", "", page)
            pages.append({"name": f"{name} {width} without style", "html": bare, "width": width})
    document = tmp_path / "measure.html"
    document.write_text(MEASURE % json.dumps(pages).replace("</", "<\\/"), encoding="utf-8")
    browser = [
        tool("chromium"),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    done = subprocess.run(
        [*browser, "--virtual-time-budget=20000", "--dump-dom", document.as_uri()],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    result = re.search(r"RESULT(\{.*?\})END", done.stdout)
    assert result, done.stderr[-500:]
    found = json.loads(html.unescape(result[1]))
    assert len(found) == len(pages)
    for name, (width, outside, narrow) in found.items():
        assert width <= int(name.split()[1]), f"{name} scrolls sideways: {width}"
        assert outside == 0, f"{name}: {outside} elements stick out"
        assert narrow == 0, f"{name}: {narrow} cells are crushed"
