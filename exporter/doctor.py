"""What this machine lacks for a Chinese PDF to come out right, and the command that mends it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exporter.toolchain import library_version, load_library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.theme import Theme

# WeasyPrint 70 asks for Pango 1.44; below 1.50 the line breaking of Chinese differs from what was measured.
_LEAST: Final = {"pango": (1, 50), "harfbuzz": (6, 0)}
_PARTS: Final[dict[str, dict[str, str]]] = {
    "pango": {
        "apt-get": "apt-get install libpango-1.0-0 libpangoft2-1.0-0",
        "dnf": "dnf install pango",
        "brew": "brew install pango",
    },
    "harfbuzz": {
        "apt-get": "apt-get install libharfbuzz0b",
        "dnf": "dnf install harfbuzz",
        "brew": "brew install harfbuzz",
    },
    "harfbuzz-subset": {
        "apt-get": "apt-get install libharfbuzz-subset0",
        "dnf": "dnf install harfbuzz",
        "brew": "brew install harfbuzz",
    },
    "han": {
        "apt-get": "apt-get install fonts-noto-cjk",
        "dnf": "dnf install google-noto-serif-cjk-ttc google-noto-sans-cjk-ttc",
        "brew": "brew install --cask font-noto-serif-cjk-sc font-noto-sans-cjk-sc",
    },
    "symbol": {
        "apt-get": "apt-get install fonts-dejavu-core",
        "dnf": "dnf install dejavu-sans-fonts",
        "brew": "brew install --cask font-dejavu",
    },
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check.

    Attributes:
        what: What was looked at.
        found: What was found.
        passed: Whether a Chinese PDF comes out right with it.
        mend: What to do when it does not.
    """

    what: str
    found: str
    passed: bool
    mend: str | None = None


def examine(theme: Theme, output: Path) -> Iterator[Finding]:
    """Yield the outcome of every check, in the order in which a person would mend them.

    Args:
        theme: The theme whose faces are looked for.
        output: Folder that editions are written to.
    """
    yield _python()
    yield from (_library(name) for name in _LEAST)
    yield _subset()
    yield from _fonts(theme)
    yield _writable(output)
    yield _writable(Path(tempfile.gettempdir()))
    yield _encoding()


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("Python", version, sys.version_info >= (3, 11), "install Python 3.11 or newer")


def _library(name: str) -> Finding:
    version = library_version(name)
    least = _LEAST[name]
    wanted = ".".join(map(str, least))
    if version is None:
        return Finding(name, "missing", passed=False, mend=_command(name))
    numbers = tuple(int(part) for part in version.split(".")[:2])
    return Finding(name, version, numbers >= least, f"{_command(name)} (at least {wanted})")


def _subset() -> Finding:
    present = load_library("harfbuzz-subset") is not None
    # Without it WeasyPrint subsets with fontTools: 10 s instead of 0.4 s for ten pages, and the bytes vary.
    return Finding("harfbuzz-subset", "present" if present else "missing", present, _command("harfbuzz-subset"))


def _fonts(theme: Theme) -> Iterator[Finding]:
    from exporter.fonts import find_fonts

    plan = find_fonts(theme)
    for chosen in plan.chosen:
        face = chosen.face
        style = f"{face.weight}{' italic' if face.italic else ''}"
        yield Finding(
            f"font {chosen.role} ({chosen.script}) {style}", f"{face.family} — {face.file.name}", passed=True
        )
    for missing in plan.missing:
        script = "symbol" if missing.role == "symbol" else missing.script
        mend = _command(script) if script in _PARTS else "install it, or take the shipped theme as it is"
        yield Finding(
            f"font {missing.role} ({missing.script}) {missing.weight}",
            f"missing: {' or '.join(missing.families)}; {missing.reason}",
            passed=False,
            mend=mend,
        )


def _writable(folder: Path) -> Finding:
    """Try to write where an edition would be: in the folder, or in the nearest one above that exists."""
    nearest = next((one for one in (folder, *folder.absolute().parents) if one.exists()), folder)
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Finding(
            f"writing to {folder}", reason, passed=False, mend="make it writable, or choose another with -o"
        )
    return Finding(f"writing to {folder}", "possible", passed=True)


def _encoding() -> Finding:
    # Streams escape what they cannot show, so a terminal of another encoding is no obstacle, only hard to read.
    encoding = (getattr(sys.stderr, "encoding", None) or "unknown").lower()
    readable = encoding.replace("-", "") in {"utf8", "gb18030", "gbk", "big5"}
    found = encoding if readable else f"{encoding}: messages show Chinese as escapes; set LANG=C.UTF-8"
    return Finding("terminal encoding", found, passed=True)


def _command(part: str) -> str:
    commands = _PARTS[part]
    for tool, command in commands.items():
        if shutil.which(tool):
            return command if tool == "brew" else f"sudo {command}"
    return " or ".join(commands.values())
