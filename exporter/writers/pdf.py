"""The print edition: Edition → PDF by WeasyPrint, with every finding of the renderer reported."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exporter.errors import WriterError
from exporter.fonts import advance, find_fonts, require
from exporter.model import inlines
from exporter.model.walk import walk
from exporter.notices import Notice, Place
from exporter.writers import Output
from exporter.writers.pdf_blocks import BlockWriter
from exporter.writers.pdf_document import html_of
from exporter.writers.pdf_measures import measures_of
from exporter.writers.pdf_profiles import profile_of
from exporter.writers.pdf_render import EDITION, Printed, print_html
from exporter.writers.pdf_text import Prose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.edition import Edition
    from exporter.writers import Options


def write(edition: Edition, options: Options) -> Output:
    """Write the print edition.

    Raises:
        UsageError: Bleed or marks without the press profile.
        WriterError: Fonts or Pango are missing, a picture cannot be drawn, or a block cannot be printed.
        ThemeError: A template, token or family is missing.
    """
    profile = profile_of(edition, options)
    plan = find_fonts(edition.theme)
    require(plan)
    publication = edition.publication.paper if edition.publication else None
    measures = measures_of(edition.theme, options.paper or edition.version.paper or publication)
    addresses = {path: f"{EDITION}picture/{index}" for index, path in enumerate(sorted(edition.assets))}
    prose = Prose(edition, addresses.__getitem__, measures.size, long=max(10, measures.em * 6 // 10))
    writer = BlockWriter(
        edition,
        prose,
        measures,
        edition.tag,
        digit=advance(plan, "text", "latin", "0"),
        point=advance(plan, "text", "latin", "."),
    )
    prose.body = writer.note
    html = html_of(edition, writer, plan)
    files = {addresses[path]: (asset.content, asset.media_type) for path, asset in edition.assets.items()}
    files |= {name: (drawing.svg.encode(), "image/svg+xml") for name, drawing in prose.drawings.items()}
    files |= {name: (asset.content, asset.media_type) for name, asset in prose.charts.items()}

    def theme_file(name: str) -> bytes | None:
        path = edition.theme.file(name) if ".." not in name.split("/") else None
        return path.read_bytes() if path else None

    printed = print_html(
        html,
        profile=profile,
        plan=plan,
        files=files,
        theme_file=theme_file,
        justified=bool(edition.theme.token("print.justify")),
    )
    missing = tuple(Notice("missing-face", str(item)) for item in plan.missing)
    return Output({".pdf": printed.content}, (*missing, *writer.notices, *_findings(printed, edition)))


def _findings(printed: Printed, edition: Edition) -> Iterator[Notice]:
    if printed.refused:
        raise WriterError(
            f"a picture or the theme refers to {printed.refused[0]}: only the edition's own files are read",
            hint="put the file into the issue's folder and refer to it there",
        )
    for page, text in printed.outside:
        yield Notice("outside-page", f"text leaves page {page}: {text!r}", hint="give it room or break it")
    for page, address, density in printed.coarse:
        path = _picture_in(address, edition)
        yield Notice(
            "coarse-picture",
            f"{path or address} has {density} pixels an inch on page {page}: it will look coarse in print",
            hint="give it at least 200 pixels an inch, or show it smaller",
        )
    slow, told = "Using fontTools instead of HarfBuzz-Subset", printed.log
    if any(line.startswith(slow) for line in told):
        yield Notice(
            "no-harfbuzz-subset",
            "libharfbuzz-subset is missing: printing takes many times as long and its bytes vary",
            hint="on Debian: apt install libharfbuzz-subset0",
        )
    # Every missing glyph is told by itself.
    for line in (line for line in told if not line.startswith((slow, "Too many glyphs missing"))):
        yield _finding(line, edition)


def _finding(line: str, edition: Edition) -> Notice:
    if match := re.search(r'\.notdef glyph .*: "(.+)" \(U\+([0-9A-F]+)\)$', line, re.DOTALL):
        char = chr(int(match[2], 16))
        return Notice(
            "missing-glyph",
            f"no font of the theme has {char!r} (U+{match[2]}): a box is printed",
            _place_of(char, edition),
            hint="write it in other words, or give the theme a symbol font that has it",
        )
    if line.startswith(("Failed to load image", "Failed to render SVG", "Failed to load inline SVG")):
        path = _picture_in(line, edition)
        raise WriterError(f"a picture cannot be drawn: {path or line}", hint="save it again as PNG or plain SVG")
    if match := re.search(r"No anchor #(\S+) for internal URI", line):
        return Notice("missing-anchor", f"a link leads to {match[1]!r}, which is nowhere in print")
    return Notice("renderer", f"WeasyPrint: {line}")


def _picture_in(line: str, edition: Edition) -> str | None:
    match = re.search(r"/picture/(\d+)", line)
    return sorted(edition.assets)[int(match[1])] if match else None


def _place_of(char: str, edition: Edition) -> Place | None:
    """Return where a character stands in the source: its own line's place, or its block's."""
    last: Place | None = None
    for node in walk(edition.version):
        last = node.place or last
        text = getattr(node, "text", None)
        if isinstance(text, str) and char in text and (node.place or isinstance(node, inlines.Text | inlines.Code)):
            return node.place or last
    return None
