"""Options of directives that several of them share: lines of prose, columns, widths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exporter.readers.findings import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exporter.model import Inlines
    from exporter.notices import Place
    from exporter.readers.findings import Findings
    from exporter.readers.markdown import Markdown
    from exporter.readers.markdown.directives import Directive
    from exporter.readers.written import Written

_ALIGNMENTS = ("left", "right", "center", "decimal")


def line_option(directive: Directive, name: str, markdown: Markdown) -> Inlines:
    """Return an option that holds a line of prose."""
    text = directive.option(name)
    return markdown.inlines(text) if text else ()


def alignments(directive: Directive, columns: int, findings: Findings) -> Sequence[str | None]:
    """Return the alignment of each column that the option ``align`` gives; one word holds for all."""
    option = directive.option("align")
    if option is None:
        return [None] * columns
    words = listed(option)
    for word in words:
        if word not in _ALIGNMENTS:
            findings.problem(f"unknown alignment {word}", option.place(), nearest(word, _ALIGNMENTS))
            return [None] * columns
    return for_columns(words, "align", option, columns, findings)


def for_columns(
    words: list[str], name: str, option: Written, columns: int, findings: Findings
) -> Sequence[str | None]:
    """Return one word a column; report when there are more or fewer."""
    if len(words) == 1:
        return words * columns
    if len(words) != columns:
        findings.problem(f"{name} names {len(words)} columns where the table has {columns}", option.place())
        return [None] * columns
    return words


def listed(option: str) -> list[str]:
    """Split an option at commas, or at spaces when it has none."""
    parts = option.split(",") if "," in option else option.split()
    return [part.strip() for part in parts]


def widths(directive: Directive, columns: int, findings: Findings) -> Sequence[float | None]:
    """Return the relative width of each column that the option ``widths`` gives."""
    option = directive.option("widths")
    if option is None or option == "auto":
        return [None] * columns
    words = for_columns(listed(option), "widths", option, columns, findings)
    result: list[float | None] = []
    for word in words:
        number = (word or "").removesuffix("%")
        if word is not None and not (re.fullmatch(r"\d{1,6}(\.\d{1,6})?", number) and float(number) > 0):
            findings.problem(f"the width {word} is no number above 0", option.place())
            return [None] * columns
        result.append(float(number) if word is not None else None)
    return result


def checked_width(width: str | None, place: Place, findings: Findings) -> str | None:
    """Return a width that is a share or a length, or report that it is none."""
    if width is not None and not re.fullmatch(r"\d+(\.\d+)?(%|mm|cm|in|pt|px|em|rem)", width):
        findings.problem(
            f"the width {width} is neither a share nor a length", place, "write 60% or 80mm, for example"
        )
        return None
    return width
