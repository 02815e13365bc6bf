"""What each directive becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.model import blocks
from exporter.model.inlines import LineBreak
from exporter.readers.findings import nearest
from exporter.readers.markdown.charts import chart
from exporter.readers.markdown.csv_tables import csv_table
from exporter.readers.markdown.directives import ADMONITIONS
from exporter.readers.markdown.inlines import check_math, check_path
from exporter.readers.markdown.options import alignments, checked_width, line_option, listed

if TYPE_CHECKING:
    from exporter.model import Block, Blocks, Inlines
    from exporter.notices import Place
    from exporter.readers.findings import Findings
    from exporter.readers.markdown import Markdown
    from exporter.readers.markdown.directives import Directive

_FORMATS = ("pdf", "email", "text")


def directive_blocks(directive: Directive, markdown: Markdown) -> Blocks:
    """Return the blocks that a directive stands for."""
    made: Block | None
    match directive.name:
        case "figure":
            made = _figure(directive, markdown)
        case "table":
            made = _table(directive, markdown)
        case "csv-table":
            made = csv_table(directive, markdown)
        case "chart":
            made = chart(directive, markdown)
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
    table = markdown.table(
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
    aligned: blocks.Table = table.model_copy(update={"columns": columns})
    return aligned.at(directive.place)


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
            findings.problem(f"unknown format {name}", directive.argument.place(), nearest(name, _FORMATS))
    return tuple(name for name in formats if name in _FORMATS) or _FORMATS


def _empty(directive: Directive, findings: Findings) -> None:
    place: Place = directive.body.place()
    if directive.body.strip():
        findings.problem(f"{{{directive.name}}} has no body", place)
