"""Files beside an issue: found inside its folder alone, read once, decoded or refused."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import unquote

from exporter.assets import SourceFile
from exporter.errors import UsageError
from exporter.notices import Place
from exporter.readers.limits import size

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.readers.findings import Findings
    from exporter.readers.limits import Limits

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


class Files:
    """The folder of one issue, or of a publication.

    Attributes:
        root: The folder that no path may leave, resolved.
        sources: What was read, in order.
    """

    def __init__(self, folder: Path, findings: Findings, limits: Limits, *, root: Path | None = None) -> None:
        self.folder = folder
        self.root = (root or folder).resolve()
        self.sources: dict[str, SourceFile] = {}
        self._findings = findings
        self._limits = limits

    def find(self, path: str, place: Place, *, what: str = "the file") -> Path | None:
        """Return the file that an issue names, or report why there is none.

        A name matches in any Unicode normalization, and as percent-encoded in a Markdown link; never in another
        case. Symbolic links are followed and must end inside the root.
        """
        reason, hint = "", None
        for spelling in dict.fromkeys((path, unquote(path))):
            found, said, advice = self._search(spelling)
            if found is not None:
                return found
            reason, hint = (reason or said), (hint or advice)
        self._findings.problem(f"{what} {shown(path)} {reason}", place, hint)
        return None

    def read(self, file: Path, name: str, place: Place, *, limit: int, what: str = "the file") -> bytes | None:
        """Return the bytes of a file and record them as a source, or report why they cannot be read."""
        try:
            if file.stat().st_size > limit:
                found = size(file.stat().st_size)
                message = f"{what} {shown(name)} has {found}, more than the limit of {size(limit)}"
                self._findings.problem(message, place)
                return None
            content = file.read_bytes()
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            self._findings.problem(f"{what} {shown(name)} cannot be read: {reason}", place)
            return None
        self.record(name, content)
        return content

    def record(self, name: str, content: bytes) -> None:
        """Note what was read, for the manifest."""
        self.sources[name] = SourceFile(shown(name), hashlib.sha256(content).hexdigest(), len(content))

    def text(
        self, file: Path, name: str, place: Place, *, encoding: str | None = None, what: str = "the file"
    ) -> str | None:
        """Return the text of a file with line ends made LF, or report why it is none."""
        content = self.read(file, name, place, limit=self._limits.source_bytes, what=what)
        if content is None:
            return None
        return decode(content, self.label(name), self._findings, encoding=encoding)

    def label(self, name: str) -> str:
        """Return how messages name a file of this folder: as the user would from where the folder was named."""
        return shown(os.path.normpath(self.folder / name))

    def _search(self, path: str) -> tuple[Path | None, str, str | None]:
        if "\x00" in path or path.startswith(("/", "~")) or re.match(r"[A-Za-z]:[\\/]|\\\\", path):
            return None, "is not relative to the issue's folder", None
        here = self.folder
        for part in path.split("/"):
            if part in {"", "."}:
                continue
            if part == "..":
                here = here / ".."
                continue
            match, others = _entry(here, part)
            if match is None:
                close = [name for name in others if _folded(name) == _folded(part)]
                hint = f"there is {shown(close[0])}: upper and lower case differ" if close else None
                return None, "is not there", hint
            here = here / match
        resolved = here.resolve()
        if not resolved.is_relative_to(self.root):
            return None, "lies outside the issue's folder", "copy it into the folder"
        if resolved.is_dir():
            return None, "is a folder, not a file", None
        if not resolved.is_file():
            return None, "is no regular file", None
        return resolved, "", None


def decode(content: bytes, name: str, findings: Findings, *, encoding: str | None = None) -> str | None:
    """Return bytes as text with LF line ends and without a byte order mark, or report why they are none.

    Nothing is guessed: UTF-8 unless an encoding is asked for.

    Raises:
        UsageError: The encoding asked for does not exist.
    """
    try:
        wanted = codecs.lookup(encoding or "utf-8").name
    except LookupError as error:
        raise UsageError(f"there is no encoding {encoding}", hint="try utf-8, gb18030, big5 or utf-16") from error
    if not encoding and (mark := next((mark for mark in _MARKS if content.startswith(mark)), None)):
        kind = _MARKS[mark]
        findings.problem(
            f"the file is not UTF-8: it begins at byte 0 with the mark of {kind.upper()}",
            Place(name, 1, 1),
            f"read it with --encoding {kind}, or save it as UTF-8",
        )
        return None
    try:
        text = content.decode("utf-8-sig" if wanted == "utf-8" else wanted)
    except UnicodeError as error:
        _report_undecodable(content, name, wanted, error, findings)
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text if _plain(text, name, findings) else None


def shown(name: str | os.PathLike[str]) -> str:
    """Return a file's name fit for a message: bytes that are no text and control characters escaped."""
    text = os.fspath(name).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def _report_undecodable(content: bytes, name: str, encoding: str, error: UnicodeError, findings: Findings) -> None:
    start = error.start if isinstance(error, UnicodeDecodeError) else 0
    before = content[:start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    line, column = before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1
    if encoding != "utf-8":
        hint = "the encoding asked for is not the file's"
    elif "\ufffd" not in content[:start].decode("utf-8", "replace") and not before.isascii():
        hint = "the text before it is UTF-8, so a character is damaged there: write it again"
    else:
        hint = (
            "save the file as UTF-8, or name its encoding: --encoding gb18030 (Simplified) or "
            "--encoding big5 (Traditional Chinese)"
        )
    findings.problem(f"the file is not {encoding.upper()} from byte {start} on", Place(name, line, column), hint)


def _plain(text: str, name: str, findings: Findings) -> bool:
    """Report control characters, which no edition can print and which forge terminals and messages."""
    found = 0
    for match in _CONTROLS.finditer(text):
        start = match.start()
        line, column = text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1
        offset = len(text[:start].encode("utf-8", "surrogatepass"))
        what = "a NUL" if match.group() == "\x00" else f"the control character U+{ord(match.group()):04X}"
        findings.problem(f"{what} stands at byte {offset}", Place(name, line, column), "delete it")
        found += 1
        if found == 20:
            break
    return not found


def _entry(folder: Path, name: str) -> tuple[str | None, list[str]]:
    """Return the entry of a folder with a name in any normalization, and all entries when there is none."""
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError:
        return None, []
    if name in names:
        return name, []
    wanted = unicodedata.normalize("NFC", name)
    same = next((each for each in names if unicodedata.normalize("NFC", each) == wanted), None)
    return same, names


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
