"""Pictures: decoded whole, normalized, refused with a reason; SVG made safe."""

from __future__ import annotations

import io
import re
import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageFile, PngImagePlugin

from exporter.readers import Limits, load
from exporter.readers.limits import LIMITS
from exporter.readers.pictures.normal import jpeg_without_metadata, normalized, png_without_metadata
from exporter.readers.pictures.svg import safe_svg
from exporter.readers.pictures.unusable import UnusableError
from tests.reading import HEAD, SVG, folder_problems, write

if TYPE_CHECKING:
    from pathlib import Path


def _bytes(image: Image.Image, form: str, **options: object) -> bytes:
    output = io.BytesIO()
    image.save(output, form, **options)
    return output.getvalue()


def _picture(mode: str = "RGB", size: tuple[int, int] = (30, 20)) -> Image.Image:
    image = Image.new("RGB", size, "#2060c0")
    image.paste((220, 30, 30), (0, 0, size[0] // 2, size[1] // 2))
    return image.convert(mode)


PNG = _bytes(_picture(), "PNG")


def _opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (PNG, "image/png"),
        (_bytes(_picture("P"), "PNG"), "image/png"),
        (_bytes(_picture("RGBA"), "PNG"), "image/png"),
        (_bytes(_picture("L"), "JPEG"), "image/jpeg"),
        (_bytes(_picture("P"), "GIF"), "image/gif"),
    ],
)
def test_what_every_edition_can_show_stays_as_it_was(content: bytes, media_type: str) -> None:
    safe, kind, width, height, removed = normalized(content, LIMITS)
    assert (safe, kind, width, height, removed) == (content, media_type, 30, 20, ())


@pytest.mark.parametrize("form", ["BMP", "TIFF", "WEBP", "AVIF"])
def test_other_forms_are_written_again(form: str) -> None:
    content = _bytes(_picture(), form)
    safe, kind, width, height, _ = normalized(content, LIMITS)
    assert kind in {"image/png", "image/jpeg"}
    assert (width, height) == (30, 20)
    red, blue = _opened(safe).convert("RGB").getpixel((3, 3)), _opened(safe).convert("RGB").getpixel((26, 16))
    assert isinstance(red, tuple)
    assert isinstance(blue, tuple)
    assert abs(red[0] - 220) < 25
    assert abs(blue[2] - 192) < 25
    assert normalized(content, LIMITS)[0] == safe


def test_sixteen_bits_become_eight_with_the_same_brightness() -> None:
    image = Image.new("I;16", (4, 4), 32768)
    safe, kind, *_ = normalized(_bytes(image, "PNG"), LIMITS)
    assert kind == "image/png"
    assert _opened(safe).mode == "L"
    assert abs(int(_opened(safe).getpixel((1, 1))) - 128) <= 1  # type: ignore[arg-type]


def test_cmyk_becomes_rgb() -> None:
    safe, kind, *_ = normalized(_bytes(_picture("CMYK"), "JPEG"), LIMITS)
    assert kind == "image/jpeg"
    assert _opened(safe).mode == "RGB"


def test_a_photograph_is_turned_upright_and_loses_its_metadata() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "SECRET-PLACE"
    content = _bytes(_picture(), "JPEG", exif=exif, quality=95)
    safe, _, width, height, _ = normalized(content, LIMITS)
    assert (width, height) == (20, 30)
    corner = _opened(safe).getpixel((17, 3))
    assert isinstance(corner, tuple)
    assert corner[0] > 180
    assert b"SECRET-PLACE" in content
    assert b"SECRET-PLACE" not in safe


def test_metadata_is_cut_out_of_a_jpeg_without_decoding() -> None:
    exif = Image.Exif()
    exif[0x010E] = "SECRET-PLACE"
    plain = _bytes(_picture(), "JPEG")
    marked = _bytes(_picture(), "JPEG", exif=exif, comment=b"SECRET")
    assert b"SECRET" not in jpeg_without_metadata(marked)
    assert _opened(jpeg_without_metadata(marked)).tobytes() == _opened(plain).tobytes()
    assert jpeg_without_metadata(plain) == plain


def test_metadata_is_cut_out_of_a_png_without_decoding() -> None:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Author", "SECRET")
    texts.add_itxt("XML:com.adobe.xmp", "SECRET")
    marked = _bytes(_picture(), "PNG", pnginfo=texts)
    assert png_without_metadata(marked) == PNG
    assert png_without_metadata(PNG) == PNG


def test_the_resolution_that_a_file_claims_does_not_set_its_size() -> None:
    assert normalized(_bytes(_picture(), "PNG", dpi=(1, 1)), LIMITS)[2:4] == (30, 20)


def test_the_type_comes_from_the_content(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + "![图](a.png)\n", "a.png": _bytes(_picture(), "JPEG")})
    asset = load(tmp_path).assets["a.png"]
    assert (asset.media_type, asset.width, asset.height) == ("image/jpeg", 30, 20)


def _bomb() -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"<html><body>not found</body></html>", "is an HTML page, not a picture"),
        (b"%PDF-1.7", "is a PDF, not a picture"),
        (b"hello", "is no picture that is known"),
        (_bytes(_picture(size=(300, 200)), "PNG")[:400], "is damaged: "),
        (_bytes(_picture(size=(300, 200)), "JPEG")[:900], "is damaged: it ends too early"),
        (_bytes(_picture(size=(300, 200)), "WEBP")[:60], "is "),
        (PNG[:20] + b"\xff\xff" + PNG[22:], "is "),
        (_bomb(), "is over the limit of 50 megapixels"),
        (b"<svg", "is no well-formed SVG"),
        (b"<?xml version='1.0'?><html/>", "is XML, but no SVG"),
    ],
)
def test_a_picture_that_cannot_be_used_is_a_problem_with_line_path_and_reason(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    write(tmp_path, {"issue.md": HEAD + "前。\n\n![图](a.png)\n", "a.png": content})
    (problem,) = folder_problems(tmp_path)
    assert problem.startswith(f"issue.md:8:1 the picture a.png {reason}")


def test_a_missing_picture_and_a_folder_are_problems(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + "![图](a.png)\n\n![图](dir.png)\n", "dir.png/x": ""})
    assert folder_problems(tmp_path) == [
        "issue.md:6:1 the picture a.png is not there",
        "issue.md:8:1 the picture dir.png is a folder, not a file",
    ]


def test_limits_of_pictures_are_settings_named_in_the_message(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + "![图](a.png)\n", "a.png": _bytes(_picture(size=(2000, 1000)), "PNG")})
    assert folder_problems(tmp_path, limits=Limits(picture_pixels=1_000_000)) == [
        "issue.md:6:1 the picture a.png has 2 megapixels, more than the limit of 1"
    ]
    assert "more than the limit of 1 KiB" in folder_problems(tmp_path, limits=Limits(picture_bytes=1024))[0]


def test_a_picture_used_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + "![图](a.png)\n\n前![图](a.png)后\n", "a.png": PNG})
    loaded = load(tmp_path)
    assert list(loaded.assets) == ["a.png"]
    assert [source.path for source in loaded.sources] == ["issue.md", "a.png"]


def _safe(body: str, attributes: str = 'viewBox="0 0 40 20"') -> tuple[str, tuple[str, ...]]:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>{body}</svg>'
    content, _, _, removed = safe_svg(text.encode(), LIMITS)
    return content.decode(), removed


@pytest.mark.parametrize(
    ("body", "gone", "removed"),
    [
        ("<script>alert(1)</script>", "alert", ("<script>",)),
        ('<rect onclick="alert(1)" width="1" height="1"/>', "alert", ("onclick",)),
        (
            '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
            "foreign",
            ("<foreignObject>",),
        ),
        ('<image href="http://127.0.0.1/a.png"/>', "127", ("<image>",)),
        ('<image xlink:href="file:///etc/hostname"/>', "etc", ("<image>",)),
        ('<use href="http://127.0.0.1/a.svg#x"/>', "127", ("outside references",)),
        ("<style>@import url(http://127.0.0.1/a.css);</style>", "127", ("outside references in a style",)),
        ("<style>p{fill:u\\72l(http://127.0.0.1)}</style>", "127", ("outside references in a style",)),
        ('<rect style="fill:url(http://127.0.0.1)"/>', "127", ("outside references",)),
        ("<rect fill=\"url( '//127.0.0.1/#a' )\"/>", "127", ("outside references",)),
        ('<a href="javascript:alert(1)"><text>x</text></a>', "javascript", ("outside references",)),
        ('<animate attributeName="href" to="javascript:x"/>', "javascript", ("<animate>",)),
        ('<set attributeName="onclick" to="x"/>', "onclick", ("<set>",)),
        ('<feImage href="http://127.0.0.1"/>', "127", ("<feImage>",)),
        ("<metadata>x</metadata><!-- c --><?p i?>", "metadata", ()),
        ('<x:y xmlns:x="urn:x" a="b"/>', "urn", ()),
    ],
)
def test_what_is_not_static_is_taken_out_of_an_svg(body: str, gone: str, removed: tuple[str, ...]) -> None:
    text, found = _safe(f'{body}<text x="1">可见</text>')
    assert gone not in text
    assert "可见" in text
    assert found == removed


def test_what_is_static_stays() -> None:
    body = (
        '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>'
        '<rect fill="url(#g)" style="stroke:url(\'#g\')" width="4" height="4"/><use xlink:href="#g" transform="scale(2)"/>'
        '<style>text{font-family:"Noto Sans"}</style><text xml:lang="zh">甲<tspan dy="2">乙</tspan>丙</text>'
    )
    text, removed = _safe(body)
    assert removed == ()
    for part in (
        "url(#g)",
        "url('#g')",
        'href="#g"',
        "scale(2)",
        "Noto Sans",
        'xml:lang="zh"',
        "丙",
        "linearGradient",
    ):
        assert part in text
    assert safe_svg(text.encode(), LIMITS)[0].decode() == text


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="120" height="60"', (120, 60)),
        ('viewBox="0 0 400 200"', (400, 200)),
        ('width="200" viewBox="0 0 400 200"', (200, 100)),
        ('height="50mm" viewBox="0 0 400 200"', (378, 189)),
        ('width="100%" height="100%" viewBox="0,0,400,200"', (400, 200)),
        ('width="72pt" height="36pt"', (96, 48)),
        ('viewBox="0 0 100000 50000"', (4096, 2048)),
    ],
)
def test_the_size_of_an_svg_is_its_own_or_that_of_its_view_box(attributes: str, size: tuple[int, int]) -> None:
    content = f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}><rect width="1" height="1"/></svg>'.encode()
    safe, width, height, _ = safe_svg(content, LIMITS)
    assert (width, height) == size
    assert re.search(r'viewBox="[^"]+"', safe.decode())


ENTITY = '<!DOCTYPE svg [<!ENTITY x "y">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><text>&x;</text></svg>'
OUTSIDE = (
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><text>&x;</text></svg>'
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ENTITY, "declares XML entities"),
        (OUTSIDE, "declares XML entities"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>', "has no size"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">' + "<g>" * 300 + "</g>" * 300 + "</svg>",
            "is nested deeper",
        ),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g id="a"><use href="#a"/></g></svg>',
            "draws itself",
        ),
        ('<svg xmlns="urn:x" viewBox="0 0 1 1"/>', "is XML, but no SVG"),
    ],
)
def test_an_svg_that_cannot_be_made_safe_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(UnusableError, match=reason):
        safe_svg(text.encode(), LIMITS)


def test_nested_uses_are_counted_not_drawn() -> None:
    groups = "".join(
        f'<g id="g{n}">{f"<use href={chr(34)}#g{n - 1}{chr(34)}/>" * 10 if n else "<rect/>"}</g>' for n in range(9)
    )
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><defs>{groups}</defs><use href="#g8"/></svg>'
    with pytest.raises(UnusableError, match="more than the limit of 10,000"):
        safe_svg(text.encode(), LIMITS)


def test_a_doctype_without_entities_is_accepted() -> None:
    doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    assert safe_svg(f"{doctype}{SVG}".encode(), LIMITS)[1:3] == (40, 20)


def test_what_is_taken_out_of_an_svg_is_a_notice_of_the_issue(tmp_path: Path) -> None:
    svg = SVG.replace("<rect", "<script>x</script><rect")
    write(tmp_path, {"issue.md": HEAD + "![图](a.svg)\n", "a.svg": svg})
    loaded = load(tmp_path)
    assert [(notice.code, notice.message) for notice in loaded.notices] == [
        ("svg-reduced", "the picture a.svg is drawn without <script>")
    ]
    assert b"script" not in loaded.assets["a.svg"].content


def test_a_truncated_picture_is_refused_also_after_a_pdf_was_made(tmp_path: Path) -> None:
    Image.effect_noise((64, 64), 60).save(tmp_path / "x.png")
    content = (tmp_path / "x.png").read_bytes()
    before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, True  # as WeasyPrint sets it
    try:
        with pytest.raises(UnusableError, match="too early"):
            normalized(content[: len(content) // 2], LIMITS)
        assert ImageFile.LOAD_TRUNCATED_IMAGES
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before
