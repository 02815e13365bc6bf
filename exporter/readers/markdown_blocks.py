"""What each directive becomes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exporter.model import blocks
from exporter.model.inlines import LineBreak
from exporter.readers.findings import nearest
from exporter.readers.markdown import checked_width, table_in
from exporter.readers.markdown_directives import ADMONITIONS
from exporter.readers.markdown_inlines import check_math, check_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exporter.model import Block, Blocks, Inlines
    from exporter.notices import Place
    from exporter.readers.findings import Findings
    from exporter.readers.markdown import Markdown
    from exporter.readers.markdown_directives import Directive
    from exporter.readers.written import Written

_FORMATS = ("pdf", "email", "text")
_ALIGNMENTS = ("left", "right", "center", "decimal")


def directive_blocks(directive: Directive, markdown: Markdown) -> Blocks:
    """Return the blocks that a directive stands for."""
    made: Block | None
    match directive.name:
        case "figure":
            made = _figure(directive, markdown)
        case "table":
            made = _table(directive, markdown)
        case "csv-table":
            from exporter.readers.csv_tables import csv_table

            made = csv_table(directive, markdown)
        case "chart":
            return _chart(directive, markdown)
        case "quote":
            made = markdown.make(
                blocks.Quote,
                directive.place,
                children=markdown.nested(directive.body),
                attribution=line_option(directive, "attribution", markdown),
                source=line_option(directive, "source", markdown),
            )
        case "code":
            made = _code(directive, markdown)
        case "math":
            check_math(directive.body.strip(), directive.body.place(), markdown.findings)
            tex = directive.body.strip()
            made = (
                markdown.make(blocks.MathBlock, directive.place, tex=tex, id=_text(directive, "name"))
                if tex
                else None
            )
        case "only":
            formats = _formats(directive, markdown.findings)
            children = markdown.nested(directive.body)
            made = markdown.make(blocks.Only, directive.place, formats=formats, children=children)
        case "pagebreak":
            _empty(directive, markdown.findings)
            made = blocks.PageBreak().at(directive.place)
        case variant if variant in ADMONITIONS:
            made = markdown.make(
                blocks.Admonition,
                directive.place,
                variant=variant,
                title=line_option(directive, "title", markdown),
                children=markdown.nested(directive.body),
            )
        case name:
            raise AssertionError(f"the directive {name} has no block")
    return (made,) if made else ()


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
        findings.problem(
            f"{name} names {len(words)} columns where the table has {columns}", option.place()
        )
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


def _text(directive: Directive, name: str) -> str | None:
    option = directive.option(name)
    return str(option) if option is not None else None


def _figure(directive: Directive, markdown: Markdown) -> Block | None:
    if "alt" not in directive.options:
        markdown.findings.problem(
            "the figure has no alt text",
            directive.place,
            "add the option :alt: with what the picture says; leave it empty for a mere decoration",
        )
    check_path(directive.argument, "a figure", directive.argument.place(), markdown.findings)
    width = directive.option("width")
    return markdown.make(
        blocks.Figure,
        directive.place,
        path=str(directive.argument) or "?",
        alt=str(directive.options.get("alt", "")),
        caption=_caption(directive, markdown),
        id=_text(directive, "name"),
        width=checked_width(width, width.place(), markdown.findings) if width else None,
        align=_text(directive, "align"),
        credit=line_option(directive, "credit", markdown),
        source=line_option(directive, "source", markdown),
    )


def _caption(directive: Directive, markdown: Markdown) -> Inlines:
    caption: list[object] = []
    for block in markdown.nested(directive.body):
        if not isinstance(block, blocks.Paragraph):
            markdown.findings.problem(
                f"the body of {{{directive.name}}} is its caption and holds prose alone", block.place
            )
            continue
        caption += [LineBreak().at(block.place), *block.children] if caption else block.children
    return tuple(caption)  # type: ignore[arg-type]


def _table(directive: Directive, markdown: Markdown) -> Block | None:
    width = directive.option("width")
    table = table_in(
        markdown,
        directive.body,
        caption=markdown.inlines(directive.argument) if directive.argument else (),
        id=_text(directive, "name"),
        width=checked_width(width, width.place(), markdown.findings) if width else None,
        source=line_option(directive, "source", markdown),
        notes=line_option(directive, "notes", markdown),
    )
    if table is None:
        markdown.findings.problem(
            "the body of {table} is one pipe table and nothing else",
            directive.place,
            "begin with | head | head | and a line |---|---|; CSV goes into {csv-table}",
        )
        return None
    wanted = alignments(directive, len(table.columns), markdown.findings)
    columns = tuple(
        column.model_copy(update={"align": align}) if align else column
        for column, align in zip(table.columns, wanted, strict=True)
    )
    return table.model_copy(update={"columns": columns}).at(directive.place)


def _chart(directive: Directive, markdown: Markdown) -> Blocks:
    markdown.findings.problem(
        "charts are not drawn yet", directive.place, "use a {figure}, or a {csv-table} with its data"
    )
    if directive.argument:
        markdown.inlines(directive.argument)
    return ()


def _code(directive: Directive, markdown: Markdown) -> Block | None:
    lines = directive.options.get("lines")
    return markdown.make(
        blocks.CodeBlock,
        directive.place,
        text=str(directive.body),
        language=str(directive.argument) or None,
        caption=line_option(directive, "caption", markdown),
        id=_text(directive, "name"),
        # An option without a value is a switch, as in MyST.
        lines=lines is not None and (str(lines) or "true"),
    )


def _formats(directive: Directive, findings: Findings) -> tuple[str, ...]:
    formats = tuple(dict.fromkeys(listed(directive.argument)))
    for name in formats:
        if name not in _FORMATS:
            findings.problem(
                f"unknown format {name}", directive.argument.place(), nearest(name, _FORMATS)
            )
    return tuple(name for name in formats if name in _FORMATS) or _FORMATS


def _empty(directive: Directive, findings: Findings) -> None:
    place: Place = directive.body.place()
    if directive.body.strip():
        findings.problem(f"{{{directive.name}}} has no body", place)


