"""Lines of prose as plain text, and the numbered references that their links and footnotes become.

Links and footnotes count in one series over the whole edition, in reading order, so that ``[7]`` means one thing
and nothing is missing between ``[1]`` and the last. They are gathered at the end of the section that cites them:
an address once for each section, a footnote where its first mark stands. An address that is its own text stays in
the text, percent-encoded as it must be to work when it is clicked; between ``<`` and ``>`` (RFC 3986, appendix C)
where Chinese text touches it. Nothing marks emphasis: plain text has no type, and marks that the author did not
write would only be in the way.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import urllib.parse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, assert_never

from exporter.errors import WriterError
from exporter.math import linear
from exporter.model import inlines
from exporter.model.walk import plain
from exporter.numbering import at
from exporter.typography.spacing import space_for
from exporter.typography.width import GLUE_SPACE, JOINER, printable, width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.edition import Edition
    from exporter.model import Inline, Inlines, Note

_WHOLE_CODE: Final = 30
"""Columns up to which code inside a line is not divided at its spaces."""

_OPEN, _CLOSE = "\ufdd2", "\ufdd3"  # around an address in the text; noncharacters, so that no source has them


@dataclass(frozen=True, slots=True)
class Cited:
    """What a reference mark stands for.

    Attributes:
        number: Its number.
        what: A link, or a footnote.
    """

    number: int
    what: inlines.Link | Note


@dataclass(slots=True)
class References:
    """Counts the references of an edition while its text is set, and gives those of a section at its end."""

    edition: Edition
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _links: dict[str, int] = field(default_factory=dict)
    _notes: dict[str, int] = field(default_factory=dict)
    _pending: list[Cited] = field(default_factory=list)

    def of_link(self, link: inlines.Link) -> int:
        """Return the number of a link, a new one when its address is new to the section."""
        if link.target not in self._links:
            self._links[link.target] = self._cite(link)
        return self._links[link.target]

    def of_note(self, mark: inlines.NoteReference) -> int:
        """Return the number of a footnote."""
        if mark.note not in self._notes:
            note = next((item.note for item in self.edition.notes if item.note.id == mark.note), None)
            if note is None:
                raise WriterError(f"the footnote [^{mark.note}] is not defined{at(mark.place)}")
            self._notes[mark.note] = self._cite(note)
        return self._notes[mark.note]

    def gathered(self) -> Iterator[Cited]:
        """Yield what the section cites; setting a footnote may cite more, which comes too."""
        while self._pending:
            yield self._pending.pop(0)
        self._links.clear()

    def _cite(self, what: inlines.Link | Note) -> int:
        number = next(self._numbers)
        self._pending.append(Cited(number, what))
        return number


@dataclass(frozen=True, slots=True)
class Setting:
    """What setting a part of the edition needs.

    Attributes:
        edition: The edition.
        references: The references met so far.
        room: Columns for what is not wrapped later: tables, code, rules.
        ambiguous: Columns of a character of ambiguous width (UAX #11).
        indent: Indentation of lists; none where they are inside something already.
    """

    edition: Edition
    references: References
    room: int
    ambiguous: int
    indent: str = "  "

    def within(self, prefix: str) -> Setting:
        """Return the setting of what stands behind a prefix."""
        room = max(16, self.room - width(prefix, ambiguous=self.ambiguous))
        return dataclasses.replace(self, room=room, indent="")


def line_text(prose: Inlines, setting: Setting) -> str:
    """Return a line of prose as text to be wrapped; hard line breaks are line feeds."""
    text = "".join(_text(node, setting) for node in prose)
    text = re.sub(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}(?=[^\\s\x00-\x7f])", r"<\1>", text)
    return text.replace(_OPEN, "").replace(_CLOSE, "").strip(" ")


def _text(node: Inline, setting: Setting) -> str:
    labels = setting.edition.labels
    match node:
        case inlines.Text():
            return printable(node.text)
        case inlines.Emphasis() | inlines.Strong() | inlines.Span() | inlines.Reference():
            return "".join(_text(child, setting) for child in node.children)
        case inlines.Strikethrough():
            return labels("struck", text="".join(_text(child, setting) for child in node.children))
        case inlines.Code():
            return _code(node.text, setting)
        case inlines.Link():
            return _link(node, setting)
        case inlines.NoteReference():
            return JOINER + labels("footnote-mark", number=setting.references.of_note(node))
        case inlines.Math():
            return printable(linear(node.tex))
        case inlines.Image():
            alt = printable(space_for(node.alt, setting.edition.tag))
            return f"[{labels('label-value', label=labels('image'), value=alt)}]" if alt else ""
        case inlines.LineBreak():
            return "\n"
        case _:
            assert_never(node)


def _code(text: str, setting: Setting) -> str:
    """Return code with its spaces kept: all of them glued in a short run, double ones in any."""
    text = printable(text)
    if width(text, ambiguous=setting.ambiguous) <= _WHOLE_CODE:
        return text.replace(" ", GLUE_SPACE)
    return re.sub(" {2,}", lambda match: GLUE_SPACE * len(match.group()), text)


def _link(link: inlines.Link, setting: Setting) -> str:
    shown = plain(link.children).strip()
    if link.target.startswith("mailto:") and shown == link.target.removeprefix("mailto:"):
        return printable(shown)
    if not shown or _address(shown) == _address(link.target):
        return f"{_OPEN}{link.target}{_CLOSE}"
    text = "".join(_text(child, setting) for child in link.children)
    mark = setting.edition.labels("link-mark", number=setting.references.of_link(link))
    tight = setting.edition.tag.startswith("zh") and not text[-1:].isascii()
    return text + (JOINER if tight else GLUE_SPACE) + mark


def _address(text: str) -> str:
    """Return an address in one form, whether it is written encoded or not, with its scheme or without."""
    bare = re.sub(r"^(https?://|mailto:)", "", text.strip(), flags=re.IGNORECASE).rstrip("/")
    host, slash, path = bare.partition("/")
    try:
        host = host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        host = host.lower()
    return host + slash + urllib.parse.unquote(path)
