"""The e-mail edition beside Email.md, inkletter, npm's MJML and React Email, on the bundled issue.

    python benchmarks/mail.py [--repeat 9] [--parts DIR] [-l zh]

Installs the others into DIR (a temporary folder by default) with the ordinary clients, and says of each that
cannot be had that it is missing. Ours reads the issue's own source and makes page, message, pictures and text; the
others get the same content as plain Markdown, npm's MJML the MJML that ours compiles. Prints a Markdown table: the
median time of the repeats in a warm program, and what each page has, seen in headless Chromium at 360 px. Ends with
1 when ours is over its budget, scrolls, or lacks a part.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast
from unittest.mock import patch

import mjml
from plain_markdown import plain_markdown

from exporter.edition import Edition, make_edition
from exporter.readers import load
from exporter.theme import load_theme
from exporter.writers import Options, Output
from exporter.writers.email import write

ROOT: Final = Path(__file__).resolve().parent.parent
ISSUE: Final = ROOT / "issues" / "2026-08-27"
PICTURES: Final = "https://pictures.example/"
BUDGET: Final = 75_000
CLIP: Final = 102_000
NPM: Final = ("emailmd@0.3.5", "mjml@5.4.1", "@react-email/components@1.0.12", "react@19", "react-dom@19")
INKLETTER: Final = "inkletter==3.4.0"
INKLETTER_PROGRAM: Final = """
import importlib.metadata, json, statistics, sys, time
import inkletter
asked = json.load(sys.stdin)
times = []
for _ in range(asked["repeat"] + 1):
    start = time.perf_counter()
    page = inkletter.parse_markdown_to_html(asked["markdown"])
    text = inkletter.parse_markdown_to_text(asked["markdown"])
    times.append(time.perf_counter() - start)
version = importlib.metadata.version("inkletter")
json.dump({"version": version, "seconds": statistics.median(times[1:]), "html": page, "text": text}, sys.stdout)
"""
HEAD: Final = (
    "| program | time | HTML | Gmail | dark | wide tables stacked | 360 px | text part | remote faces | `lang` |",
    "| --- | ---: | ---: | --- | --- | --- | --- | --- | --- | --- |",
)
# A table with a head is one of numbers; where its cells are blocks or its head is gone, it is stacked.
MEASURE: Final = """<!doctype html><meta charset="utf-8"><body style="margin:0"><script>
const pages = PAGES, found = {};
function next() {
  const page = pages.shift();
  if (!page) { document.body.textContent = "RESULT" + JSON.stringify(found) + "END"; return; }
  const frame = document.createElement("iframe");
  frame.style = "width:360px;height:800px;border:0";
  frame.onload = () => {
    const inside = frame.contentDocument;
    const tables = [...inside.querySelectorAll("th")].map((th) => th.closest("table"));
    const wide = [...new Set(tables)].filter((table) => table.querySelector("tr").cells.length > 3);
    const display = (table) => frame.contentWindow.getComputedStyle(table.querySelector("td")).display;
    found[page.name] = {
      scroll: inside.documentElement.scrollWidth,
      tables: wide.length,
      stacked: wide.filter((table) => display(table) !== "table-cell").length,
    };
    frame.remove(); next();
  };
  frame.srcdoc = page.html;
  document.body.append(frame);
}
next();
</script>"""


@dataclass(frozen=True, slots=True)
class Made:
    """What a program made of the issue.

    Attributes:
        seconds: Median of the repeats, warm.
        page: Its HTML.
        text: Its text part, or None without one.
    """

    version: str
    seconds: float
    page: str
    text: str | None


def main() -> int:
    """Measure, print the table and tell whether ours keeps its promises."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--parts", type=Path)
    parser.add_argument("-l", "--language", default="zh")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="exporter-mail-") as temporary:
        parts = arguments.parts or Path(temporary)
        parts.mkdir(parents=True, exist_ok=True)
        ours, source, edition = our_own(arguments.language, arguments.repeat)
        asked = {
            "markdown": plain_markdown(edition, pictures=PICTURES),
            "mjml": source,
            "language": edition.tag,
            "repeat": arguments.repeat,
        }
        rivals = {"inkletter": inkletter(parts, asked), **npm_rivals(parts, asked)}
        pages = {"exporter": ours, **{name: made for name, made in rivals.items() if isinstance(made, Made)}}
        seen = in_chromium({name: made.page for name, made in pages.items()}, parts)
    print_table(pages, seen, {name: made for name, made in rivals.items() if isinstance(made, str)})
    mine = seen["exporter"]
    kept = len(ours.page.encode()) <= BUDGET and mine["scroll"] <= 360 and mine["stacked"] and dark(ours.page)
    return 0 if kept and ours.text else 1


def our_own(language: str, repeat: int) -> tuple[Made, str, Edition]:
    """Return what ours makes, from the source on disk to the message, and the MJML on the way."""
    sources: list[str] = []
    compiler = mjml.mjml2html

    def compiled(source: str, **options: Any) -> str:
        sources.append(source)
        return compiler(source, **options)

    times: list[float] = []
    with patch.object(mjml, "mjml2html", compiled):
        for _ in range(repeat + 1):
            start = time.perf_counter()
            edition, output = exported(language)
            times.append(time.perf_counter() - start)
    # The page as the message has it: pictures by Content-ID, not inside.
    page = re.sub(r'src="data:[^"]*"', 'src="cid:picture@example.org"', output.files[".html"].decode())
    text = output.files[".txt"].decode()
    return Made("0.1", statistics.median(times[1:]), page, text), sources[-1], edition


def exported(language: str) -> tuple[Edition, Output]:
    loaded = load(ISSUE)
    edition = make_edition(loaded.issue, loaded.assets, language=language, theme=load_theme("base"))
    return edition, write(edition, Options(body="full"))


def inkletter(parts: Path, asked: dict[str, Any]) -> Made | str:
    """Return what inkletter makes, or why it cannot be had."""
    python = parts / "inkletter" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", parts / "inkletter"], check=True)
        done = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", INKLETTER],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            shutil.rmtree(parts / "inkletter")
            return f"{INKLETTER} cannot be installed: {last_line(done.stderr)}"
    done = subprocess.run(
        [python, "-c", INKLETTER_PROGRAM], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    return last_line(done.stderr) if done.returncode else made_of(json.loads(done.stdout))


def npm_rivals(parts: Path, asked: dict[str, Any]) -> dict[str, Made | str]:
    """Return what each program of npm makes, or why it cannot be had."""
    names = ("Email.md", "npm mjml", "React Email")
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return dict.fromkeys(names, "node and npm are missing")
    if not (parts / "node_modules").is_dir():
        (parts / "package.json").write_text('{"private": true}')
        done = subprocess.run(
            [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *NPM],
            cwd=parts,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            return dict.fromkeys(names, f"npm cannot install it: {last_line(done.stderr)}")
    program = shutil.copy(ROOT / "benchmarks" / "mail_rivals.mjs", parts)
    done = subprocess.run([node, program], input=json.dumps(asked), capture_output=True, text=True, check=True)
    return {
        name: made["missing"] if "missing" in made else made_of(made)
        for name, made in json.loads(done.stdout).items()
    }


def made_of(found: dict[str, Any]) -> Made:
    return Made(found["version"], found["seconds"], found["html"], found["text"])


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]


def in_chromium(pages: dict[str, str], folder: Path) -> dict[str, dict[str, int]]:
    """Return widths and tables of each page at 360 px."""
    listed = [
        {"name": name, "html": re.sub(r'src="(?:https?|cid):[^"]*"', "", page)} for name, page in pages.items()
    ]
    document = folder / "measure.html"
    document.write_text(MEASURE.replace("PAGES", json.dumps(listed).replace("</", "<\\/"), 1), encoding="utf-8")
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run(
        [*browser, "--virtual-time-budget=30000", "--dump-dom", document.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    result = re.search(r"RESULT(\{.*?\})END", done.stdout.rpartition("<body")[2], re.DOTALL)
    if result is None:
        raise SystemExit("Chromium measured nothing")
    return cast("dict[str, dict[str, int]]", json.loads(html.unescape(result[1])))


def dark(page: str) -> bool:
    """Tell whether a page has colors of its own for readers who asked for dark ones."""
    return "prefers-color-scheme: dark" in page or "prefers-color-scheme:dark" in page


def print_table(pages: dict[str, Made], seen: dict[str, dict[str, int]], missing: dict[str, str]) -> None:
    """Print the table in Markdown."""
    for line in HEAD:
        print(line)
    for name, made in pages.items():
        size, look = len(made.page.encode()), seen[name]
        lang = re.search(r'<html[^>]*\blang="([^"]*)"', made.page)
        cells = (
            f"{name} {made.version}",
            f"{made.seconds * 1000:.0f} ms",
            f"{size:,} B",
            "whole" if size <= CLIP else "clipped",
            yes(dark(made.page)),
            f"{look['stacked']} of {look['tables']}",
            "fits" if look["scroll"] <= 360 else f"{look['scroll']} px wide",
            f"{len(made.text.encode()):,} B" if made.text else "no",
            yes(bool(re.search(r"<link[^>]*https?:|@import|@font-face", made.page))),
            lang[1] if lang else "none",
        )
        print("| " + " | ".join(cells) + " |")
    for name, reason in missing.items():
        print(f"| {name} | not to be had: {reason} |" + " |" * 8)


def yes(answer: bool) -> str:  # noqa: FBT001 - the only argument
    return "yes" if answer else "no"


if __name__ == "__main__":
    sys.exit(main())
