"""The print edition beside plain WeasyPrint and Typst: bytes, pages and seconds of cold processes.

    python benchmarks/print.py [--repeat 5] [--profile archive --profile screen] [--typst PYTHON] ISSUE …

An issue is a folder, or a pasted briefing that ``exporter import`` reads. Plain WeasyPrint is its own command on
the HTML that the print edition is made from, in the same PDF variant, with the same fonts and attachments. Typst
(``pip install typst==0.15.2``, into any environment: PYTHON is that one's interpreter) sets the same text in the
same faces, tagged, in the same standards. The programs take turns, so that a ratio compares runs of one minute.
Ends with 1 if a target is missed: 55 % of plain WeasyPrint's bytes, fewer than Typst's, 1.3 times the bare
``weasyprint`` command's wall time, 0.3 of the import of WeasyPrint for ``--help``.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import pikepdf
import pypdfium2
from typst_markup import Markup

from exporter.edition import make_edition
from exporter.fonts import find_fonts, only_fonts
from exporter.readers import load
from exporter.theme import load_theme
from exporter.writers import Options, pdf
from exporter.writers.pdf_profiles import Profile, profile_of
from exporter.writers.pdf_render import EDITION, THEME

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from exporter.edition import Edition
    from exporter.fonts import FontPlan

ROOT: Final = Path(__file__).resolve().parent.parent
SHARE, SLOWER, HELP, SAME_TEXT = 0.55, 1.3, 0.3, 0.95
ENDINGS: Final = {"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
TYPST: Final = (
    "import sys, typst; folder, standards, *fonts = sys.argv[1:]; typst.compile(folder + '/issue.typ',"
    " output=folder + '/typst.pdf', pdf_standards=standards.split(','), font_paths=fonts, ignore_system_fonts=True)"
)


@dataclass(slots=True)
class Program:
    """One of the programs compared.

    Attributes:
        name: As the table has it.
        command: What is run.
        output: The file that it writes.
        environment: Over this process's.
        wall: Seconds by the clock, run by run.
        cpu: Seconds of the processor, run by run.
    """

    name: str
    command: list[str]
    output: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Run it once in a process of its own."""
        start = time.perf_counter()
        with subprocess.Popen(
            self.command,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as process:
            said = process.stderr.read() if process.stderr else b""
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.wall.append(time.perf_counter() - start)
        self.cpu.append(usage.ru_utime + usage.ru_stime)
        if process.returncode:
            sys.exit(f"{self.name} failed: {said.decode(errors='replace')}")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("issues", nargs="*", type=Path, default=[ROOT / "issues" / "2026-08-27"])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--profile", action="append", choices=["archive", "screen"])
    parser.add_argument("--typst", default=sys.executable, metavar="PYTHON")
    options = parser.parse_args()
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(options.issues):
            issue = imported(path, Path(folder) / str(number))
            for profile in options.profile or ["archive", "screen"]:
                place = Path(folder) / f"{number}-{profile}"
                missed += compared(issue, place, profile, options, own=path.is_dir())
        missed += start_up(options.issues[0], Path(folder), options.repeat)
    print("\n".join(["", *(f"missed: {line}" for line in missed)]) if missed else "\nevery target is met")
    return int(bool(missed))


def imported(path: Path, folder: Path) -> Path:
    """Return the issue's folder; a pasted briefing becomes one."""
    if path.is_dir():
        return path
    subprocess.run([*exporter("import"), str(path), "-o", str(folder)], check=True, capture_output=True)
    return folder


def exporter(command: str) -> list[str]:
    """Return how a command of ours is started."""
    return [sys.executable, "-m", "exporter", command]


def compared(issue: Path, folder: Path, profile: str, options: Any, *, own: bool) -> list[str]:
    """Print the table of one issue in one profile, and return the targets that were missed."""
    folder.mkdir()
    loaded = load(issue)
    theme = load_theme(loaded.issue.original.theme or "base", near=loaded.folder)
    language = loaded.issue.original.language
    edition = make_edition(loaded.issue, loaded.assets, language=language, theme=theme)
    settled, plan = profile_of(edition, Options(profile=profile)), find_fonts(theme)  # type: ignore[arg-type]
    ours = Program(
        "exporter pdf",
        [*exporter("pdf"), str(issue), "-l", language, "--profile", profile, "-o", str(folder / "ours.pdf")],
        folder / "ours.pdf",
    )
    with only_fonts(plan):
        plain = dumped(edition, settled, folder)
        plain.environment = {"FONTCONFIG_FILE": os.environ["FONTCONFIG_FILE"]}
        programs = [ours, plain]
        if subprocess.run([options.typst, "-c", "import typst"], check=False, capture_output=True).returncode:
            print("typst is not installed: pip install typst==0.15.2, then --typst PYTHON", file=sys.stderr)
        else:
            programs.append(typst(edition, settled, plan, folder, options.typst))
        in_turn(programs, options.repeat)
    what = "The bundled issue" if own else "A pasted briefing"
    print(f"\n{what}, `{profile}`, {language}, {options.repeat} runs each:\n")
    print("| program | bytes | of them attached | pages | wall s | CPU s | Han |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for program in programs:
        print(row(program))
    return list(targets(programs, f"{what}, {profile}"))


def dumped(edition: Edition, profile: Profile, folder: Path) -> Program:
    """Write what WeasyPrint is given in a print run as files, and return the command that prints them."""
    with mock.patch.object(pdf, "print_html", side_effect=Caught) as print_html, contextlib.suppress(Caught):
        pdf.write(edition, Options(profile=profile.name))
    (html,), given = print_html.call_args
    for address, (content, media_type) in given["files"].items():
        name = hashlib.sha256(address.encode()).hexdigest()[:12] + ENDINGS[media_type]
        (folder / name).write_bytes(content)
        html = html.replace(f'"{address}"', f'"../{name}"')
    (folder / "pdf").mkdir()
    (folder / "pdf" / "issue.html").write_text(html, encoding="utf-8")
    (folder / "profile.css").write_text(given["profile"].css, encoding="utf-8")
    if EDITION in html or THEME in html:
        sys.exit("the HTML refers to a file that was not written")
    command = [sys.executable, "-m", "weasyprint", str(folder / "pdf" / "issue.html"), str(folder / "plain.pdf")]
    command += ["--pdf-variant", profile.standard, "--pdf-tags", "-s", str(folder / "profile.css"), "-q"]
    for file in profile.files:
        (folder / file.name).write_bytes(file.content)
        command += ["-a", str(folder / file.name), "--attachment-relationship", file.relationship]
    return Program("weasyprint, plain", command, folder / "plain.pdf")


class Caught(Exception):  # noqa: N818 - no error: it ends the print run once its arguments are known
    """Raised in place of printing."""

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()


def typst(edition: Edition, profile: Profile, plan: FontPlan, folder: Path, python: str) -> Program:
    """Write the edition as Typst markup, and return the command that prints it."""
    pictures = {path: f"picture-{number}{ENDINGS[asset.media_type]}" for number, (path, asset) in numbered(edition)}
    for path, name in pictures.items():
        (folder / name).write_bytes(edition.assets[path].content)
    markup = Markup(edition, plan, profile, pictures)
    (folder / "issue.typ").write_text(markup.document(), encoding="utf-8")
    for name, svg in markup.drawings.items():
        (folder / name).write_text(svg, encoding="utf-8")
    standards = f"{profile.standard.removeprefix('pdf/')},ua-1"
    fonts = sorted({str(path.parent) for path in plan.files})
    return Program("Typst", [python, "-c", TYPST, str(folder), standards, *fonts], folder / "typst.pdf")


def numbered(edition: Edition) -> Iterable[tuple[int, tuple[str, Any]]]:
    """Return the pictures with numbers."""
    return enumerate(sorted(edition.assets.items()))


def in_turn(programs: list[Program], repeat: int) -> None:
    """Run the programs one after another, one round that is not counted first."""
    for _ in range(repeat + 1):
        for program in programs:
            program.run()
    for program in programs:
        del program.wall[0], program.cpu[0]


def row(program: Program) -> str:
    """Return a program's line of the table."""
    content = program.output.read_bytes() if program.output else b""
    with pikepdf.open(io.BytesIO(content)) as document:
        attached = sum(
            len(stream.read_raw_bytes())
            for stream in document.objects
            if isinstance(stream, pikepdf.Stream) and stream.get("/Type") == "/EmbeddedFile"
        )
        pages = len(document.pages)
    wall, cpu = statistics.median(program.wall), statistics.median(program.cpu)
    han = han_of(content)
    return f"| {program.name} | {len(content):,} | {attached:,} | {pages} | {wall:.2f} | {cpu:.2f} | {han:,} |"


def han_of(content: bytes) -> int:
    """Return how many Han characters a file shows, as a sign that the texts are the same."""
    with pypdfium2.PdfDocument(content) as document:
        text = "".join(page.get_textpage().get_text_range() for page in document)
    return sum("\u4e00" <= char <= "\u9fff" for char in text)


def targets(programs: list[Program], what: str) -> Iterable[str]:
    """Yield the targets that were missed, after a line that says how near each is."""
    ours, plain, *rest = programs
    sizes = [program.output.stat().st_size if program.output else 0 for program in programs]
    share, slower = sizes[0] / sizes[1], ratio(ours, plain)
    said = f"{share:.0%} of plain WeasyPrint's bytes in {slower:.2f} times its wall time"
    if share > SHARE:
        yield f"{what}: {share:.0%} of plain WeasyPrint's bytes"
    if slower > SLOWER:
        yield f"{what}: {slower:.2f} times plain WeasyPrint's time"
    for other, size in zip(rest, sizes[2:], strict=True):
        said += f"; {sizes[0] / size:.0%} of {other.name}'s bytes"
        if sizes[0] >= size:
            yield f"{what}: larger than {other.name}'s file"
        counts = [han_of(program.output.read_bytes()) for program in (ours, other) if program.output]
        if min(counts) < SAME_TEXT * max(counts):
            yield f"{what}: {other.name} does not print the same text ({counts[0]} and {counts[1]} Han)"
    print(f"\nOurs: {said}.")


def ratio(ours: Program, other: Program) -> float:
    """Return the median of the ratios of runs that followed each other."""
    return statistics.median(own / theirs for own, theirs in zip(ours.wall, other.wall, strict=True))


def start_up(issue: Path, folder: Path, repeat: int) -> list[str]:
    """Print what the other commands take, cold, beside the import of WeasyPrint."""
    source = imported(issue, folder / "start")
    programs = [
        Program("`python -c 'import weasyprint'`", [sys.executable, "-c", "import weasyprint"]),
        Program("`exporter --help`", exporter("--help")),
        Program("`exporter text`", [*exporter("text"), str(source), "-o", str(folder / "cold.txt")]),
        Program("`exporter email`", [*exporter("email"), str(source), "-o", str(folder / "cold.eml")]),
    ]
    in_turn(programs, repeat)
    print("\n| command | wall s | CPU s | of WeasyPrint's import |\n| --- | ---: | ---: | ---: |")
    for program in programs:
        times = (statistics.median(program.wall), statistics.median(program.cpu), ratio(program, programs[0]))
        print(f"| {program.name} | {times[0]:.2f} | {times[1]:.2f} | {times[2]:.2f} |")
    slow = ratio(programs[1], programs[0])
    return [f"--help takes {slow:.2f} of the import of WeasyPrint"] if slow >= HELP else []


if __name__ == "__main__":
    sys.exit(main())
