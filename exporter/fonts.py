"""Which font files print a theme: found by family and weight among the theme's and the machine's, never guessed.

Pango and WeasyPrint are not needed here: ``exporter doctor`` and the manifest ask the same questions.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import os
import struct
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from exporter.errors import ThemeError, WriterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from exporter.theme import Theme

Script = Literal["latin", "han", "any"]

REGULAR: Final = 400
BOLD: Final = 700
_NORMAL_WIDTH: Final = 5
ROLES: Final = ("text", "heading", "code", "symbol")
"""Tables of ``[font]`` in theme.toml, each with families by script."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a font file.

    Attributes:
        family: Family name, the typographic one where the file has it.
        aliases: Every family name of the face.
        weight: 100–900, from OS/2.
        italic: Slanted.
        variable: Has an fvar table: WeasyPrint takes 8 to 25 s for one Chinese variable font.
        file: Where it lies.
        index: Its place in a collection.
    """

    family: str
    aliases: tuple[str, ...]
    weight: int
    italic: bool
    variable: bool
    file: Path
    index: int

    def sha256(self) -> str:
        """Return the digest of the file."""
        return _digest(self.file, self.file.stat().st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A face that prints a role.

    Attributes:
        role: ``text``, ``heading``, ``code`` or ``symbol``.
        script: Which letters it draws first.
        face: The face.
    """

    role: str
    script: Script
    face: Face


@dataclass(frozen=True, slots=True)
class Missing:
    """A face that the theme asks for and the machine lacks.

    Attributes:
        role: The role that lacks it.
        script: The letters that lack it.
        families: Names it may have.
        weight: Weight wanted.
        reason: Why: not installed, or refused.
    """

    role: str
    script: Script
    families: tuple[str, ...]
    weight: int
    reason: str

    def __str__(self) -> str:
        name = "Bold" if self.weight == BOLD else "Regular"
        return f"{self.families[0]} {name} ({self.role}, {self.script}): {self.reason}"


@dataclass(frozen=True, slots=True)
class FontPlan:
    """The faces that print a theme on this machine.

    Attributes:
        chosen: Every face, in the order of the roles.
        missing: What the theme asks for in vain.
    """

    chosen: tuple[Chosen, ...]
    missing: tuple[Missing, ...]

    @property
    def essential(self) -> tuple[Missing, ...]:
        """Return what no page can be printed without: a regular face of a role."""
        return tuple(item for item in self.missing if item.weight == REGULAR)

    def family(self, role: str, script: Script) -> str:
        """Return the family name that prints a role's script; the theme's first where there is none."""
        for item in self.chosen:
            if item.role == role and item.script == script:
                return item.face.family
        return next((item.families[0] for item in self.missing if (item.role, item.script) == (role, script)), "")

    def face(self, role: str, script: Script) -> Face | None:
        """Return the upright regular face that prints a role's script, or None where it is missing."""
        for item in self.chosen:
            face = item.face
            if (item.role, item.script, face.weight, face.italic) == (role, script, REGULAR, False):
                return face
        return None

    @property
    def files(self) -> tuple[Path, ...]:
        """Return the chosen files, each once, sorted."""
        return tuple(sorted({item.face.file for item in self.chosen}))

    @property
    def families(self) -> tuple[str, ...]:
        """Return the chosen families, each once, in the order of the roles."""
        return tuple(dict.fromkeys(item.face.family for item in self.chosen))


def find_fonts(theme: Theme) -> FontPlan:
    """Choose the faces of a theme: per role and script the first family that the machine has.

    The theme's own ``fonts`` folders come before the machine's. A family counts when its Regular is a static font;
    its Bold and, for Latin text, its italics come with it.

    Raises:
        ThemeError: The theme names no families for a role.
    """
    faces = _faces(tuple(folder / "fonts" for folder in theme.folders) + font_folders())
    chosen: list[Chosen] = []
    missing: list[Missing] = []
    for role in ROLES:
        wanted = theme.token(f"font.{role}")
        scripts: tuple[Script, ...] = ("any",) if role == "symbol" else ("latin", "han")
        for script in scripts:
            families = wanted.get(script)
            if not families:
                raise ThemeError(f"theme {theme.name!r} names no {script} family in [font.{role}]")
            here, lacking = _choose(role, script, tuple(families), faces)
            chosen += here
            missing += lacking
    return FontPlan(tuple(chosen), tuple(missing))


def font_folders() -> tuple[Path, ...]:
    """Return where fonts are installed: the user's folders, then the system's."""
    home = Path.home()
    shared = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    user = [shared / "fonts", home / ".fonts"]
    if sys.platform == "darwin":
        user = [home / "Library/Fonts"]
        return (*user, Path("/Library/Fonts"), Path("/System/Library/Fonts"), Path("/opt/homebrew/share/fonts"))
    return (*user, Path("/usr/local/share/fonts"), Path("/usr/share/fonts"))


@contextlib.contextmanager
def only_fonts(plan: FontPlan) -> Iterator[None]:
    """Let fontconfig see the plan's families alone while the body makes its font map.

    The folders of the files are read, and every family in them that was not chosen is rejected, so that no other
    national variant and no font of the machine stands in for one of the theme's. The one place that sets
    ``FONTCONFIG_FILE``.
    """
    with tempfile.TemporaryDirectory(prefix="exporter-fonts-") as folder:
        path = Path(folder) / "fonts.conf"
        path.write_text(_configuration(plan), encoding="utf-8")
        before = os.environ.get("FONTCONFIG_FILE")
        os.environ["FONTCONFIG_FILE"] = str(path)
        try:
            yield
        finally:
            if before is None:
                del os.environ["FONTCONFIG_FILE"]
            else:
                os.environ["FONTCONFIG_FILE"] = before


def advance(plan: FontPlan, role: str, script: Script, char: str) -> float:
    """Return how wide a character is in the regular face of a role, in em; half an em where it is not known."""
    from fontTools.ttLib import TTFont

    face = plan.face(role, script)
    if face is not None:
        with TTFont(face.file, fontNumber=face.index, lazy=True) as font:
            glyph = font.getBestCmap().get(ord(char))
            return float(font["hmtx"][glyph][0] / font["head"].unitsPerEm) if glyph else 0.5
    return 0.5


def require(plan: FontPlan) -> None:
    """Stop when a regular face is missing: boxes would be printed.

    Raises:
        WriterError: It names what is missing and how to get it.
    """
    if plan.essential:
        raise WriterError(
            "fonts are missing: " + "; ".join(str(item) for item in plan.essential),
            hint="on Debian: apt install fonts-noto-cjk fonts-dejavu-core; exporter doctor says more",
        )


def _choose(
    role: str, script: Script, families: tuple[str, ...], faces: Sequence[Face]
) -> tuple[list[Chosen], list[Missing]]:
    """Return the faces of one role and script, and what it lacks."""
    refused = "not installed"
    for family in families:
        found = [face for face in faces if family in face.aliases]
        static = [face for face in found if not face.variable]
        if found and not static:
            refused = (
                f"{found[0].file.name} is a variable font, which takes tens of seconds and prints no real bold"
            )
        if _face(static, REGULAR, italic=False) is None:
            continue
        wanted = [(REGULAR, False), (BOLD, False), *([(REGULAR, True), (BOLD, True)] if script == "latin" else [])]
        here = [face for weight, italic in wanted if (face := _face(static, weight, italic=italic))]
        bold = any(face.weight == BOLD and not face.italic for face in here) or role == "symbol"
        return (
            [Chosen(role, script, dataclasses.replace(face, family=family)) for face in here],
            [] if bold else [Missing(role, script, families, BOLD, f"{family} has no Bold here")],
        )
    return [], [Missing(role, script, families, REGULAR, refused)]


def _face(faces: Sequence[Face], weight: int, *, italic: bool) -> Face | None:
    return next((face for face in faces if face.weight == weight and face.italic == italic), None)


@functools.lru_cache(maxsize=8)
def _faces(folders: tuple[Path, ...]) -> tuple[Face, ...]:
    """Return every face below the folders, those of the first folder first, by name within one."""
    found: list[Face] = []
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.suffix.lower() in {".ttf", ".otf", ".ttc", ".otc"}:
                with contextlib.suppress(OSError, struct.error, ValueError):
                    found.extend(_read(path))
    return tuple(found)


def _read(path: Path) -> Iterator[Face]:
    """Yield the faces of a font file from its directory, name and OS/2 tables (OpenType 1.9, Font File)."""
    with path.open("rb") as file:

        def take(offset: int, layout: str) -> tuple[int, ...]:
            file.seek(offset)
            return struct.unpack(layout, file.read(struct.calcsize(layout)))

        file.seek(0)
        if file.read(4) == b"ttcf":
            (count,) = take(8, ">I")
            starts = take(12, f">{min(count, 64)}I")
        else:
            starts = (0,)
        for index, start in enumerate(starts):
            (tables,) = take(start + 4, ">H")
            where: dict[bytes, tuple[int, int]] = {}
            for number in range(tables):
                file.seek(start + 12 + 16 * number)
                tag, _, offset, length = struct.unpack(">4sIII", file.read(16))
                where[tag] = (offset, length)
            if b"name" not in where or b"OS/2" not in where:
                continue
            file.seek(where[b"name"][0])
            names = _names(file.read(where[b"name"][1]))
            weight, width = take(where[b"OS/2"][0] + 4, ">HH")
            (selection,) = take(where[b"OS/2"][0] + 62, ">H")
            if names and width == _NORMAL_WIDTH:
                yield Face(names[0], names, weight, bool(selection & 1), b"fvar" in where, path, index)


def _names(table: bytes) -> tuple[str, ...]:
    """Return the family names of a name table, the typographic ones (id 16) first."""
    count, strings = struct.unpack(">HH", table[2:6])
    found: dict[int, list[str]] = {16: [], 1: []}
    for number in range(count):
        platform, _, _, name, length, offset = struct.unpack(">6H", table[6 + 12 * number : 18 + 12 * number])
        if platform == 3 and name in found:
            found[name].append(table[strings + offset : strings + offset + length].decode("utf-16-be"))
    return tuple(dict.fromkeys([*found[16], *found[1]]))


def _configuration(plan: FontPlan) -> str:
    from xml.sax.saxutils import escape

    folders = "".join(f"<dir>{escape(str(path))}</dir>" for path in sorted({file.parent for file in plan.files}))
    accepted = "".join(
        f'<pattern><patelt name="family"><string>{escape(face.family)}</string></patelt>'
        f'<patelt name="file"><string>{escape(str(face.file))}</string></patelt></pattern>'
        for face in dict.fromkeys(item.face for item in plan.chosen)
    )
    caches = '<cachedir>/var/cache/fontconfig</cachedir><cachedir prefix="xdg">fontconfig</cachedir>'
    return (
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>'
        f"{folders}{caches}<selectfont><acceptfont>{accepted}</acceptfont>"
        '<rejectfont><pattern><patelt name="scalable"><bool>true</bool></patelt></pattern>'
        '<pattern><patelt name="scalable"><bool>false</bool></patelt></pattern></rejectfont></selectfont>'
        "</fontconfig>\n"
    )


@functools.lru_cache(maxsize=64)
def _digest(path: Path, _modified: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
