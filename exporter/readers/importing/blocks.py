"""Plain text as it was copied from a page → blocks: headings, paragraphs, lists, tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wcwidth import wcswidth

from exporter.readers.importing.fields import known_field, split_label
from exporter.readers.importing.lines import Line
from exporter.readers.importing.numbering import Style, bullet, item_number, number_mark
from exporter.readers.importing.tree import (
    Block,
    Blocks,
    Fence,
    Grid,
    Heading,
    Item,
    Items,
    Paragraph,
    Prose,
    Quote,
    Rule,
    text,
)

_HEADING = re.compile(r"(#{1,6})\s*([^#\s].*?)(?:\s+#+)?$")
_HASHTAGS = re.compile(r"#[^\s#]+(?:\s+#[^\s#]+)+$")
_FENCE = re.compile(r"(`{3,}|~{3,})\s*([\w+-]*)$")
_RULE = re.compile(r"([-=*_~—－─═])\s*(?:\1\s*){2,}$")
_UNDERLINE = re.compile(r"(={3,}|-{3,})$")
_DELIMITER_ROW = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?$")
_SENTENCE_END = "。！？；!?;，,"
WRAPPED_AT_MOST = 100
"""Columns: a line wider than this was not wrapped by a program that wraps text."""
DEPTH_AT_MOST = 10
"""Lists in lists and quotations in quotations; what is deeper joins the deepest."""
HEADING_AT_MOST = 120
"""Columns: a longer line that starts like a heading is a paragraph, unless it is marked as one."""


def read_blocks(lines: tuple[Line, ...]) -> Blocks:
    """Return the blocks of a pasted text."""
    marked = any(_HEADING.match(line.text) and not _HASHTAGS.match(line.text) for line in lines)
    return _Reader(lines, marked=marked, depth=0).blocks()


@dataclass(frozen=True, slots=True)
class _ItemLine:
    """A line that starts a list item."""

    indent: int
    number: int | None
    body: str
    line: int


def _item_line(line: Line) -> _ItemLine | None:
    if characters := bullet(line.text):
        return _ItemLine(line.indent, None, line.text[len(characters) :], line.number)
    if mark := item_number(line.text):
        return _ItemLine(line.indent, mark.number, mark.rest, line.number)
    return None


class _Reader:
    """Reads lines from the top: ``position`` is the line that comes next."""

    def __init__(self, lines: tuple[Line, ...], *, marked: bool, depth: int) -> None:
        self.lines = lines
        self.marked = marked
        self.depth = depth
        self.position = 0
        self.numbered = 0  # the last bare heading that was numbered like an entry

    def blocks(self) -> Blocks:
        found: list[Block] = []
        while self.position < len(self.lines):
            if not self.lines[self.position].text:
                self.position += 1
                continue
            found.extend(self._next())
        return tuple(found)

    def _next(self) -> Blocks:
        line = self.lines[self.position]
        if heading := self._heading():
            return (heading,)
        if found := _FENCE.match(line.text):
            return (self._fence(found[1], found[2]),)
        if _RULE.match(line.text):
            self.position += 1
            return (Rule(line.number),)
        if line.text.startswith(">"):
            return (self._quote(),)
        if grid := self._pipes() or self._tabs():
            return (grid,)
        if _item_line(line):
            return self._lists(-1)
        return self._paragraphs()

    def _heading(self) -> Heading | None:
        line = self.lines[self.position]
        found = _HEADING.match(line.text)
        if found and not _HASHTAGS.match(line.text):
            self.position += 1
            return Heading(len(found[1]), text(found[2]), line.number)
        under = self._text(1)
        if (found := _UNDERLINE.fullmatch(under)) and _width(line.text) <= HEADING_AT_MOST and self._alone():
            self.position += 2
            return Heading(1 if found[0][0] == "=" else 2, text(line.text), line.number)
        if not self.marked and self._bare_heading():
            self.position += 1
            return Heading(1, text(line.text), line.number)
        return None

    def _bare_heading(self) -> bool:
        """Say whether the line is a heading although nothing marks it: a short, numbered line on its own."""
        line = self.lines[self.position]
        mark = number_mark(line.text)
        if mark is None or _width(line.text) > HEADING_AT_MOST or line.text[-1] in _SENTENCE_END:
            return False
        following = self._following()
        label = split_label(following[len(bullet(following) or "") :])
        before_fields = label is not None and known_field(label[0]) is not None
        series = number_mark(following)
        in_list = series is not None and series.style == mark.style
        match mark.style:
            case Style.HAN | Style.PART | Style.HAN_PAREN | Style.WORD:
                return self._alone() and not in_list
            case Style.ARABIC | Style.PAREN | Style.CIRCLED:
                follows = mark.number == self.numbered + 1 and self._alone() and not self._text(1)
                found = before_fields or (self.numbered > 0 and follows and not in_list)
                self.numbered = mark.number if found else self.numbered
                return found
            case _:
                return False

    def _alone(self) -> bool:
        return self.position == 0 or not self.lines[self.position - 1].text

    def _text(self, ahead: int) -> str:
        index = self.position + ahead
        return self.lines[index].text if index < len(self.lines) else ""

    def _following(self) -> str:
        return next((line.text for line in self.lines[self.position + 1 :] if line.text), "")

    def _fence(self, mark: str, language: str) -> Fence:
        start = self.lines[self.position].number
        self.position += 1
        body: list[str] = []
        while self.position < len(self.lines):
            line = self.lines[self.position]
            self.position += 1
            if line.text.startswith(mark) and not line.text.strip(mark[0]):
                break
            body.append(line.raw)
        return Fence("\n".join(body), start, language)

    def _quote(self) -> Quote:
        start = self.lines[self.position].number
        inner: list[Line] = []
        while (current := self._text(0)).startswith(">"):
            rest = current[1:].removeprefix(" ") if self.depth < DEPTH_AT_MOST else current.lstrip("> \t")
            inner.append(Line(self.lines[self.position].number, rest))
            self.position += 1
        return Quote(_Reader(tuple(inner), marked=True, depth=self.depth + 1).blocks(), start)

    def _tabs(self) -> Grid | None:
        """Read the rows of a table copied from a page: lines with the same number of tabs between cells."""
        start = self.position
        columns = self._text(0).count("\t")
        if not columns or self._text(1).count("\t") != columns or _item_line(self.lines[start]):
            return None
        rows: list[tuple[Prose, ...]] = []
        while self._text(0).count("\t") == columns:
            rows.append(tuple(text(cell.strip()) for cell in self.lines[self.position].text.split("\t")))
            self.position += 1
        return Grid(tuple(rows), self.lines[start].number)

    def _pipes(self) -> Grid | None:
        start = self.position
        if "|" not in self._text(0) or not _DELIMITER_ROW.match(self._text(1)):
            return None
        rows: list[tuple[Prose, ...]] = []
        while "|" in self._text(0):
            if self.position != start + 1:
                cells = re.split(r"(?<!\\)\|", self._text(0).removeprefix("|").removesuffix("|"))
                rows.append(tuple(text(cell.strip().replace("\\|", "|")) for cell in cells))
            self.position += 1
        return Grid(tuple(rows), self.lines[start].number)

    def _lists(self, above: int) -> tuple[Items, ...]:
        """Read list items indented deeper than ``above``; a new kind or a jump of numbers starts a new list."""
        lists: list[Items] = []
        items: list[Item] = []
        start = expected = None
        first = 0
        base: int | None = None
        while (head := self._item_ahead()) and head.indent > above and (base is None or head.indent >= base):
            base = head.indent if base is None else base
            if items and head.number != expected:
                lists.append(Items(tuple(items), first, start))
                items = []
            if not items:
                first, start = head.line, head.number
            items.append(self._item(head))
            expected = None if head.number is None else head.number + 1
        return (*lists, Items(tuple(items), first, start))

    def _item_ahead(self) -> _ItemLine | None:
        """Return the item that comes next, over blank lines, and move to it."""
        position = self.position
        while position < len(self.lines) and not self.lines[position].text:
            position += 1
        if position == len(self.lines) or not (head := _item_line(self.lines[position])):
            return None
        here, self.position = self.position, position
        if self._heading_ahead():
            self.position = here
            return None
        return head

    def _heading_ahead(self) -> bool:
        position, numbered = self.position, self.numbered
        heading = self._heading()
        self.position, self.numbered = position, numbered
        return heading is not None

    def _item(self, head: _ItemLine) -> Item:
        self.position += 1
        words = [head.body]
        while self._continues(head.indent):
            words.append(self._text(0))
            self.position += 1
        blocks: list[Block] = [Paragraph(text("\n".join(words)), head.line)]
        while True:
            inner = self._item_ahead()
            if inner and inner.indent > head.indent and self.depth < DEPTH_AT_MOST:
                self.depth += 1
                blocks.extend(self._lists(head.indent))
                self.depth -= 1
            elif not inner and self._indented_paragraph(head.indent):
                blocks.append(self._next_in_item())
            else:
                return Item(tuple(blocks), head.line)

    def _next_in_item(self) -> Paragraph:
        while not self._text(0):
            self.position += 1
        line = self.lines[self.position]
        self.position += 1
        return Paragraph(text(line.text), line.number)

    def _indented_paragraph(self, indent: int) -> bool:
        ahead = next((line for line in self.lines[self.position :] if line.text), None)
        return ahead is not None and ahead.indent > indent and not _starts_block(ahead)

    def _continues(self, indent: int) -> bool:
        if self.position >= len(self.lines):
            return False
        line = self.lines[self.position]
        return bool(line.text) and line.indent > indent and not _item_line(line) and not _starts_block(line)

    def _paragraphs(self) -> tuple[Paragraph, ...]:
        run = [self.lines[self.position]]
        self.position += 1
        while self._text(0) and not self._interrupts():
            run.append(self.lines[self.position])
            self.position += 1
        return _unwrap(run)

    def _interrupts(self) -> bool:
        line = self.lines[self.position]
        table = "\t" in line.text and self._text(1).count("\t") == line.text.count("\t")
        return bool(_starts_block(line) or table or _item_line(line) or self._heading_ahead())


def _starts_block(line: Line) -> bool:
    heading = _HEADING.match(line.text) and not _HASHTAGS.match(line.text)
    return bool(heading or _FENCE.match(line.text) or _RULE.match(line.text) or line.text.startswith(">"))


def _unwrap(run: list[Line]) -> tuple[Paragraph, ...]:
    """Join the lines that a program wrapped: those where the next word would not have fitted."""
    limit = max(_width(line.text) for line in run)
    paragraphs: list[list[Line]] = [[run[0]]]
    for line in run[1:]:
        before = paragraphs[-1][-1]
        fits = _width(before.text) + 1 + _width(_first_word(line.text)) <= limit
        field = split_label(line.text)
        labeled = field is not None and known_field(field[0]) is not None
        if fits or labeled or not 40 <= limit <= WRAPPED_AT_MOST:
            paragraphs.append([line])
        else:
            paragraphs[-1].append(line)
    return tuple(Paragraph(text("\n".join(line.text for line in lines)), lines[0].number) for lines in paragraphs)


def _first_word(value: str) -> str:
    found = re.match(r"[!-~]+|.", value)
    return found[0] if found else ""


def _width(value: str) -> int:
    return max(wcswidth(value), len(value) if value.isascii() else 0)
