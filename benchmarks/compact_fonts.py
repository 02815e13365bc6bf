"""Time and size of compact fonts, on the bundled issue set as plain paragraphs in the faces of the print edition.

    python benchmarks/compact_fonts.py [--repeat 5] [source.md]

Prints the median of the repeats beside plain WeasyPrint, and what fontTools' subsetter takes for the same fonts.
Ends with 1 if the file is larger than 55 % of the plain one or compacting takes more than 0.3 s.
"""

from __future__ import annotations

import argparse
import html
import io
import itertools
import re
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pydyf
import weasyprint
from fontTools import subset
from fontTools.ttLib import TTFont

from exporter.writers.pdf_compact import compact_fonts

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT: Final = Path(__file__).resolve().parent.parent
FACES: Final = {400: "SourceSerif4_400Regular.ttf", 700: "SourceSerif4_700Bold.ttf"}
STYLE: Final = "".join(
    f"@font-face {{ font-family: Serif; font-weight: {weight};"
    f" src: url({(ROOT / 'themes' / 'base' / 'fonts' / file).as_uri()}) }}"
    for weight, file in FACES.items()
) + (
    "@page { size: A4; margin: 22mm } body { font: 10pt/1.6 Serif, 'Noto Serif CJK SC' } p { margin: 0 0 .4em }"
    " h2 { font: bold 13pt 'Noto Sans CJK SC' }"
)
LARGEST: Final = 0.55
SLOWEST: Final = 0.3


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds and bytes of one file.

    Attributes:
        drawn: Seconds to draw the pages and subset the fonts.
        compacted: Seconds to compact the fonts.
        written: Seconds to write the file.
        size: Its bytes.
    """

    drawn: float
    compacted: float
    written: float
    size: int


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", nargs="?", type=Path, default=ROOT / "issues" / "2026-08-27" / "issue.md")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    start = time.perf_counter()
    document = weasyprint.HTML(string=page(options.source.read_text(encoding="utf-8"))).render()
    laid_out = time.perf_counter() - start
    plain = [run(document, lambda _: None) for _ in range(options.repeat)]
    compact = [run(document, report) for _ in range(options.repeat)]
    print(f"{len(document.pages)} pages, laid out in {laid_out:.2f} s (once)\n")
    print("| | draw, subset s | compact s | write s | bytes |\n| --- | ---: | ---: | ---: | ---: |")
    for name, runs in (("plain", plain), ("compact", compact)):
        print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in medians(runs)) + f" | {runs[0].size:,} |")
    ratio, seconds = compact[0].size / plain[0].size, medians(compact)[1]
    print(
        f"\n{ratio:.0%} of the plain file; fontTools' subsetter: {by_subsetter(document):.2f} s for the same fonts"
    )
    return int(ratio > LARGEST or seconds > SLOWEST)


def page(source: str) -> str:
    """Return the paragraphs of a Markdown file as HTML, marks and all."""
    parts = (part.strip() for part in re.split(r"\n\s*\n", source))
    body = "".join(
        f"<h2>{html.escape(part.lstrip('# '))}</h2>" if part.startswith("#") else paragraph(part) for part in parts
    )
    return f"<html lang=zh-Hans><title>Benchmark</title><style>{STYLE}</style><body>{body}"


def paragraph(part: str) -> str:
    """Return a paragraph with its bold words."""
    return "<p>" + re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(part)) + "</p>"


def report(pdf: pydyf.PDF) -> None:
    """Compact, and print what was left alone."""
    for reason in compact_fonts(pdf):
        print(f"left alone: {reason}")


def run(document: weasyprint.Document, finish: Callable[[pydyf.PDF], None]) -> Run:
    """Write the document once."""
    moments = [time.perf_counter()]

    def finisher(_: weasyprint.Document, pdf: pydyf.PDF) -> None:
        moments.append(time.perf_counter())
        finish(pdf)
        moments.append(time.perf_counter())

    content = document.write_pdf(finisher=finisher, pdf_tags=True)
    moments.append(time.perf_counter())
    drawn, compacted, written = (after - before for before, after in itertools.pairwise(moments))
    return Run(drawn, compacted, written, len(content))


def medians(runs: list[Run]) -> tuple[float, float, float]:
    """Return the median seconds of each step."""
    steps = zip(*((item.drawn, item.compacted, item.written) for item in runs), strict=True)
    drawn, compacted, written = (statistics.median(step) for step in steps)
    return drawn, compacted, written


def by_subsetter(document: weasyprint.Document) -> float:
    """Return the seconds that fontTools takes to subset the embedded CFF fonts to the glyphs that hold anything."""
    files: list[bytes] = []

    def collect(_: weasyprint.Document, pdf: pydyf.PDF) -> None:
        streams = (item for item in pdf.objects if isinstance(item, pydyf.Stream))
        files.extend(item.stream[0] for item in streams if item.extra.get("Subtype") == "/OpenType")

    document.write_pdf(finisher=collect)
    start = time.perf_counter()
    for content in files:
        font = TTFont(io.BytesIO(content), lazy=True)
        outlines = font["CFF "].cff.topDictIndex[0].CharStrings
        used = [name for name in font.getGlyphOrder() if len(outlines[name].bytecode or b"") > 1]
        subsetter = subset.Subsetter(subset.Options(drop_tables=["VORG", "vhea", "vmtx"]))
        subsetter.populate(glyphs=used)
        subsetter.subset(font)
        font.save(io.BytesIO())
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
