"""CSV to tables: every cell is plain text, exactly the file's."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from exporter.model import blocks
from exporter.model.inlines import LineBreak, Text
from exporter.notices import Place
from exporter.readers.markdown.options import alignments, checked_width, for_columns, line_option, listed, widths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exporter.model import Inlines
    from exporter.model.inlines import Inline
    from exporter.readers.findings import Findings
    from exporter.readers.markdown import Markdown
    from exporter.readers.markdown.directives import Directive
    from exporter.readers.written import Written

_DELIMITERS = {"tab": "\t", r"\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
_DETECTED = (",", ";", "\t", "|")


def csv_table(directive: Directive, markdown: Markdown) -> blocks.Table | None:
    """Return the table of a csv-table directive, from its file or its body."""
    found = _text(directive, markdown)
    if found is None:
        return None
    text, origin = found
    delimiter = _delimiter(directive, text, markdown.findings)
    records = _records(text, delimiter, origin, directive, markdown)
    if records is None:
        return None
    wide = _width_of(records, origin, markdown.findings)
    if wide is None:
        return None
    heads = _count(directive, "header-rows", 1, len(records), markdown.findings)
    stubs = _count(directive, "stub-columns", 0, wide, markdown.findings)
    formats = _formats(directive, wide, markdown.findings)
    _check_cells(records[heads:], formats, origin, markdown.findings)
    width = directive.option("width")
    aligned = zip(
        alignments(directive, wide, markdown.findings),
        formats,
        widths(directive, wide, markdown.findings),
        strict=True,
    )
    rows = [_row(cells, origin.place(line)) for line, cells in records]
    return markdown.make(
        blocks.Table,
        directive.place,
        columns=tuple(blocks.Column(align=align, format=form, width=share) for align, form, share in aligned),
        head=tuple(rows[:heads]),
        rows=tuple(rows[heads:]),
        stub_columns=stubs,
        caption=markdown.inlines(directive.argument) if directive.argument else (),
        id=str(directive.options["name"]) if directive.option("name") else None,
        width=checked_width(width, width.place(), markdown.findings) if width else None,
        source=line_option(directive, "source", markdown),
        notes=line_option(directive, "notes", markdown),
        file=str(directive.options["file"]) if directive.option("file") else None,
    )


def csv_records(name: Written, directive: Directive, markdown: Markdown) -> list[tuple[int, list[str]]] | None:
    """Return the rows of a CSV file with their lines, all as wide as the head, or None after a report."""
    file = markdown.files.find(name, name.place(), what="the CSV file")
    text = markdown.files.text(file, str(name), name.place(), what="the CSV file") if file else None
    if text is None:
        return None
    origin = _Origin(markdown.files.label(str(name)), None)
    records = _records(text, detected(text), origin, directive, markdown)
    return records if records and _width_of(records, origin, markdown.findings) is not None else None


class _Origin:
    """Where a CSV stands: a file of its own, or the body of the directive."""

    def __init__(self, file: str, body: Written | None) -> None:
        self._file, self._body = file, body

    def place(self, line: int) -> Place:
        """Return the place of a 1-based line of the CSV."""
        return self._body.place(line - 1) if self._body is not None else Place(self._file, line)


def _text(directive: Directive, markdown: Markdown) -> tuple[str, _Origin] | None:
    name, encoding = directive.option("file"), directive.option("encoding")
    if name is None:
        if not directive.body.strip():
            markdown.findings.problem(
                "the table has no CSV", directive.place, "name a :file:, or write the CSV in the body"
            )
            return None
        if encoding:
            markdown.findings.problem("only a :file: has an encoding", encoding.place())
        return str(directive.body), _Origin("", directive.body)
    if directive.body.strip():
        markdown.findings.problem("the table has both a file and a body", directive.body.place())
    file = markdown.files.find(name, name.place(), what="the CSV file")
    if file is None:
        return None
    text = markdown.files.text(
        file, str(name), name.place(), encoding=_encoding(encoding, markdown.findings), what="the CSV file"
    )
    return None if text is None else (text, _Origin(markdown.files.label(str(name)), None))


def _encoding(option: Written | None, findings: Findings) -> str | None:
    import codecs

    if option is None:
        return None
    try:
        return codecs.lookup(option).name
    except LookupError:
        findings.problem(f"there is no encoding {option}", option.place(), "try utf-8, gb18030 or big5")
        return None


def _delimiter(directive: Directive, text: str, findings: Findings) -> str:
    option = directive.options.get("delimiter")
    if option is not None:
        delimiter = _DELIMITERS.get(option.lower(), str(option))
        if len(delimiter) == 1 and delimiter not in '"\r\n':
            return delimiter
        findings.problem(
            f"the delimiter {option or 'of nothing'} is not one character",
            option.place(),
            "write , or ; or tab",
        )
    return detected(text)


def detected(text: str) -> str:
    """Return the delimiter of a CSV: the one of ``, ; tab |`` that splits its first rows alike and widest."""
    sample = text[:20_000]
    best, score = ",", (False, 1)
    for delimiter in _DETECTED:
        try:
            rows = [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
        except csv.Error:
            continue
        rows = rows[:20] if len(text) <= len(sample) else rows[:20][:-1]
        wide = len(rows[0]) if rows else 1
        fits = (all(len(row) == wide for row in rows), wide)
        if wide > 1 and fits > score:
            best, score = delimiter, fits
    return best


def _records(
    text: str, delimiter: str, origin: _Origin, directive: Directive, markdown: Markdown
) -> list[tuple[int, list[str]]] | None:
    """Return the records that are not empty, each with the line where it begins."""
    records: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begin = 1
    try:
        for cells in reader:
            if cells:
                records.append((begin, cells))
            begin = reader.line_num + 1
            if len(records) > markdown.limits.rows:
                message = f"the CSV has more rows than the limit of {markdown.limits.rows}"
                markdown.findings.problem(message, origin.place(records[-1][0]))
                return None
    except csv.Error as error:
        reason = "a quotation mark is never closed" if "unexpected end" in str(error) else str(error)
        markdown.findings.problem(f"the CSV cannot be read: {reason}", origin.place(begin))
        return None
    if not records:
        markdown.findings.problem("the CSV is empty", directive.place)
        return None
    return records


def _width_of(records: list[tuple[int, list[str]]], origin: _Origin, findings: Findings) -> int | None:
    wide, ragged = len(records[0][1]), 0
    for line, cells in records:
        if len(cells) != wide:
            ragged += 1
            if ragged <= 20:
                findings.problem(f"the row has {len(cells)} cells where the first has {wide}", origin.place(line))
    return None if ragged else wide


def _count(directive: Directive, name: str, default: int, most: int, findings: Findings) -> int:
    option = directive.option(name)
    if option is None:
        return min(default, most)
    if not re.fullmatch(r"[0-9]{1,6}", option) or int(option) > most:
        findings.problem(f"{name} must be a whole number from 0 to {most}", option.place())
        return min(default, most)
    return int(option)


def _formats(directive: Directive, wide: int, findings: Findings) -> Sequence[str | None]:
    option = directive.option("format")
    if option is None:
        return [None] * wide
    # A number pattern holds commas (#,##0.00), so that spaces part the columns; names may have commas alone.
    words = [word.rstrip(",") for word in option.split()]
    if len(words) == 1 and all(word.isalpha() for word in option.split(",")):
        words = listed(option)
    return [
        _checked_format(form, option, findings) for form in for_columns(words, "format", option, wide, findings)
    ]


def _checked_format(form: str | None, option: Written, findings: Findings) -> str | None:
    from exporter.labels import check_format

    if form is None or (reason := check_format(form)) is None:
        return form
    findings.problem(reason, option.place(), "write text, integer, percent, date or a pattern such as #,##0.0")
    return None


def _check_cells(
    records: list[tuple[int, list[str]]], formats: Sequence[str | None], origin: _Origin, findings: Findings
) -> None:
    """Report cells that no locale can print as their column asks, the first twenty of them."""
    from exporter.errors import EditionError
    from exporter.labels import Labels

    if not any(form and form != "text" for form in formats):
        return
    labels, bad = Labels("en"), 0
    for line, cells in records:
        for cell, form in zip(cells, formats, strict=True):
            if not form or bad == 20:
                continue
            try:
                labels.format_cell(cell, form)
            except EditionError as error:
                bad += 1
                findings.problem(
                    f"{error.message}, but its column is printed as {form}", origin.place(line), error.hint
                )


def _row(cells: list[str], place: Place) -> blocks.Row:
    return tuple(blocks.Cell(children=_lines(cell.strip(), place)).at(place) for cell in cells)


def _lines(cell: str, place: Place) -> Inlines:
    if "\n" not in cell:
        return (Text(text=cell).at(place),) if cell else ()
    line: list[Inline] = []
    for part in cell.split("\n"):
        line += [LineBreak().at(place)] if line else []
        line += [Text(text=part.strip()).at(place)] if part.strip() else []
    return tuple(line)
