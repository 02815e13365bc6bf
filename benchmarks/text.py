"""Our plain text beside that of Pandoc, w3m, html-to-text, inkletter and Sphinx, on the same issue.

``python benchmarks/text.py [-l zh] [--parts DIR]``. Pandoc and w3m are taken from the machine; the others from the
folder of parts: ``node_modules/html-to-text``, ``inkletter/bin/inkletter``, ``sphinx/bin/sphinx-build``. What is
missing is said; nothing is installed. It exits with 1 when ours has an overlong line, a forbidden start or end, a
divided address or a table out of line.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from plain_markdown import plain_markdown  # noqa: E402 - the benchmark's own folder comes first

from exporter.edition import make_edition  # noqa: E402
from exporter.model import plain, walk  # noqa: E402
from exporter.model.blocks import Table  # noqa: E402
from exporter.model.inlines import Link  # noqa: E402
from exporter.readers import load  # noqa: E402
from exporter.theme import load_theme  # noqa: E402
from exporter.typography.width import ambiguous_width, width  # noqa: E402
from exporter.writers.text import text_edition  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from exporter.edition import Edition

COLUMNS = 78
NO_START = set("，。、；：！？）》」』】〕”’…·,.;:!?)]}%")
NO_END = set("（《「『【〔“‘([{")
HTML_TO_TEXT = """
const { convert } = require("PARTS/html-to-text");
const tables = { selector: 'table', format: 'dataTable' };
process.stdout.write(convert(require('fs').readFileSync(0, 'utf8'), { wordwrap: 78, selectors: [tables] }));
"""


@dataclass(frozen=True)
class Score:
    overlong: int
    forbidden: int
    urls: str
    tables: str
    seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-l", "--language", default="zh")
    parser.add_argument("--parts", type=Path, default=Path())
    asked = parser.parse_args()
    loaded = load(ROOT / "issues" / "2026-08-27")
    edition = make_edition(loaded.issue, loaded.assets, language=asked.language, theme=load_theme("base"))
    markdown = plain_markdown(edition, pictures="https://shushu.example/")
    print(f"{'program':14} {'overlong':>8} {'forbidden':>9} {'URLs whole':>10} {'tables':>7} {'s':>6}")
    ours = score(edition, lambda: text_edition(edition, width=COLUMNS))
    show("exporter", ours)
    for name, (command, source) in rivals(markdown, asked.parts.absolute()).items():
        if shutil.which(command[0]) is None:
            print(f"{name:14} is missing: {command[0]}")
            continue
        show(name, score(edition, lambda command=command, source=source: run(command, source)))  # type: ignore[misc]
    show_sphinx(edition, markdown, asked.parts.absolute())
    clean = not ours.overlong and not ours.forbidden
    return 0 if clean and all(len(set(part.split("/"))) == 1 for part in (ours.urls, ours.tables)) else 1


def rivals(markdown: str, parts: Path) -> dict[str, tuple[list[str], str]]:
    from markdown_it import MarkdownIt

    html = f'<meta charset="utf-8">{MarkdownIt("commonmark").enable("table").render(markdown)}'
    markup = ["-f", "commonmark+pipe_tables", "-t", "plain", f"--columns={COLUMNS}"]
    return {
        "Pandoc plain": (["pandoc", *markup], markdown),
        "w3m": (["w3m", "-dump", "-T", "text/html", "-cols", str(COLUMNS), "-I", "UTF-8", "-O", "UTF-8"], html),
        "html-to-text": (["node", "-e", HTML_TO_TEXT.replace("PARTS", str(parts / "node_modules"))], html),
        "inkletter": ([str(parts / "inkletter" / "bin" / "inkletter"), "md2txt", "/dev/stdin"], markdown),
    }


def show_sphinx(edition: Edition, markdown: str, parts: Path) -> None:
    build = parts / "sphinx" / "bin" / "sphinx-build"
    if not build.exists() or shutil.which("pandoc") is None:
        print(f"{'Sphinx text':14} is missing: {build}")
        return
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        rst = run(["pandoc", "-f", "commonmark+pipe_tables", "-t", "rst"], markdown)
        (source / "index.rst").write_text(rst, encoding="utf-8")
        language = "zh_CN" if edition.language == "zh" else "en"
        (source / "conf.py").write_text(f"language = {language!r}\n", encoding="utf-8")

        def make() -> str:
            command = [str(build), "-q", "-E", "-b", "text", str(source), str(source / "out")]
            subprocess.run(command, capture_output=True, check=True)
            return (source / "out" / "index.txt").read_text(encoding="utf-8")

        show("Sphinx text", score(edition, make))


def run(command: list[str], source: str) -> str:
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def score(edition: Edition, make: Callable[[], str]) -> Score:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        text = make()
        times.append(time.perf_counter() - start)
    ambiguous = ambiguous_width(edition.tag)
    lines = [line.rstrip() for line in text.splitlines()]
    addresses = {node.target for node in walk(edition.version) if isinstance(node, Link)}
    whole = sum(address in text for address in addresses)
    tables = [node for node in walk(edition.version) if isinstance(node, Table) and len(node.rows) > 1]
    aligned = sum(is_aligned(table, lines, ambiguous) for table in tables)
    return Score(
        overlong=sum(width(line, ambiguous=ambiguous) > COLUMNS and "://" not in line for line in lines),
        forbidden=sum(map(is_forbidden, lines, ["", *lines])),
        urls=f"{whole}/{len(addresses)}",
        tables=f"{aligned}/{len(tables)}",
        seconds=statistics.median(times),
    )


def is_forbidden(line: str, before: str) -> bool:
    """Tell whether a line breaks where Chinese may not: by its first character, inside a paragraph, or its last."""
    words = line.strip()
    starts = bool(words) and words[0] in NO_START and bool(before.strip()) and not re.match(r"\.{2,}|:|%", words)
    return starts or (len(words) > 1 and words[-1] in NO_END)


def is_aligned(table: Table, lines: list[str], ambiguous: int) -> bool:
    """Tell whether each column of a table begins, ends or has its point at one display column in every row."""
    cells = [[plain(cell.children) for cell in row] for row in table.rows]
    starts = [positions(row, lines, ambiguous) for row in cells]
    if any(found is None for found in starts):
        return False
    for index in range(1, len(table.columns)):
        column = [(found[index], row[index]) for found, row in zip(starts, cells, strict=True) if found]
        shown = [(at, text) for at, text in column if text]
        begins = {at for at, _ in shown}
        ends = {at + width(text, ambiguous=ambiguous) for at, text in shown}
        points = {at + width(re.split(r"[.%]", text)[0], ambiguous=ambiguous) for at, text in shown if text != "—"}
        middles = {2 * at + width(text, ambiguous=ambiguous) for at, text in shown}
        if min(map(len, (begins, ends, points))) > 1 and max(middles) - min(middles) > 2:
            return False
    return True


def positions(row: list[str], lines: list[str], ambiguous: int) -> list[int] | None:
    """Return the display column of each cell's beginning on the line that holds the whole row, or None."""
    for line in lines:
        found, at = [], 0
        for cell in row:
            # A long cell may be wrapped: its beginning is enough, eight columns of it.
            beginning = cell[:8] if cell.isascii() else cell[:4]
            place = line.find(beginning, at)
            if place < 0:
                break
            found.append(width(line[:place], ambiguous=ambiguous))
            at = place + len(beginning)
        else:
            return found
    return None


def show(name: str, found: Score) -> None:
    print(
        f"{name:14} {found.overlong:8} {found.forbidden:9} {found.urls:>10} {found.tables:>7} {found.seconds:6.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
