"""Markdown to inlines, blocks, entries and sections."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from exporter.model import Node, Note, plain
from exporter.readers.markdown.blocks import BlockReader
from exporter.readers.markdown.inlines import LineReader
from exporter.readers.markdown.language_marks import marked_body, marked_line
from exporter.readers.markdown.outline import OutlineReader
from exporter.readers.markdown.piece import Piece
from exporter.readers.markdown.pipe_tables import pipe_table
from exporter.readers.markdown.rules import parser
from exporter.readers.structured.validation import reasons
from exporter.readers.written import Written, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

    from exporter.model import Blocks, Body, Inlines, Section
    from exporter.model.blocks import Table
    from exporter.notices import Place
    from exporter.readers.files import Files
    from exporter.readers.findings import Findings
    from exporter.readers.limits import Limits

_ODD_BREAKS = re.compile("[\v\f\x1c-\x1e\x85]")

Made = TypeVar("Made", bound=Node)


class Markdown:
    """Reads Markdown; collects the footnotes and everything that is wrong on the way.

    Attributes:
        notes: The footnotes defined so far, in order.
        lost: Ids of blocks that could not be made: references to them are no further problem.
    """

    def __init__(self, findings: Findings, files: Files, limits: Limits, *, lost: set[str] | None = None) -> None:
        self.findings = findings
        self.files = files
        self.limits = limits
        self.notes: list[Note] = []
        self.lost: set[str] = set() if lost is None else lost
        self._depth = 0
        # Link definitions at the end of a document hold inside its directives too.
        self._definitions: dict[str, Any] = {}

    def inlines(self, text: str) -> Inlines:
        """Read a line of prose."""
        source = written(text)
        self._check_breaks(source)
        start = len(source) - len(source.lstrip())
        first = source.place_of(start)
        rows = ((first.line, first.column), *source.rows[source[:start].count("\n") + 1 :])
        stripped = Written(source.strip(), source.file, rows)
        line = self.line(stripped, self.tokens(stripped))
        return marked_line(line, source.language) if source.language else line

    def blocks(self, text: str) -> Blocks:
        """Read blocks; a heading keeps its level."""
        source = written(text)
        piece = self._piece(source)
        made = BlockReader(self, piece).blocks(piece.items)
        return marked_body(made, source.language) if source.language else made

    def body(self, text: str) -> Body:
        """Read the blocks and entries of a section."""
        source = written(text)
        body, sections = OutlineReader(self, self._piece(source)).read()
        for section in sections:
            self.findings.problem(
                f"a heading of level 1 ({plain(section.title)}) begins a section and cannot stand inside one",
                section.place,
                "write it as a section of its own, or with ##",
            )
        return marked_body(body, source.language) if source.language else body

    def document(self, text: Written) -> tuple[Body, tuple[Section, ...]]:
        """Read a whole issue: what stands before the first section, and the sections."""
        return OutlineReader(self, self._piece(text)).read()

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a line of prose."""
        (token,) = parser(self.limits.nesting).parseInline(str(text), self._definitions)
        return token.children or []

    def line(self, source: Written, tokens: Sequence[Token]) -> Inlines:
        """Read the tokens of a line."""
        return LineReader(source, self.findings, nesting=self.limits.nesting).read(tokens)

    def nested(self, source: Written) -> Blocks:
        """Read the blocks inside a directive."""
        with self.deeper(source.place()) as allowed:
            return self.blocks(source) if allowed else ()

    def table(self, text: Written, **fields: Any) -> Table | None:
        """Return the pipe table that a text consists of, or None."""
        piece = self._piece(text)
        alone = len(piece.items) == 1 and piece.items[0].kind == "table"
        return pipe_table(piece.items[0], BlockReader(self, piece), **fields) if alone else None

    def make(self, kind: type[Made], place: Place, **fields: Any) -> Made | None:
        """Make a node, or report why it cannot be made."""
        try:
            return kind(**fields).at(place)
        except ValidationError as error:
            for reason in reasons(error):
                self.findings.problem(reason, place)
            self.lost |= {str(fields.get("id"))}
            return None

    @contextlib.contextmanager
    def deeper(self, place: Place) -> Iterator[bool]:
        """Go into a block; the value tells whether the limit of nesting allows it, else it is reported."""
        self._depth += 1
        try:
            allowed = self._depth <= self.limits.nesting
            if not allowed:
                message = f"blocks are nested deeper than the limit of {self.limits.nesting}"
                self.findings.problem(message, place)
            yield allowed
        finally:
            self._depth -= 1

    def _piece(self, source: Written) -> Piece:
        self._check_breaks(source)
        return Piece(source, self.limits.nesting, self._definitions)

    def _check_breaks(self, source: Written) -> None:
        """Report line ends that only an escape in YAML or JSON can write, and no edition can show."""
        if match := _ODD_BREAKS.search(source):
            message = f"the control character U+{ord(match.group()):04X} stands in prose"
            self.findings.problem(message, source.place(), "begin a new line instead")
