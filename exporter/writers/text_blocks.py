"""Blocks as pieces of plain text: lists, figures, code, formulas and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from exporter.charts import table_of
from exporter.math import linear
from exporter.model import blocks
from exporter.typography.spacing import space_for
from exporter.typography.width import graphemes, padded, printable, widest, width, written
from exporter.typography.wrap import wrap
from exporter.writers.text_lines import line_text
from exporter.writers.text_pieces import BLANK, QUOTE, Piece, apart, inside, line
from exporter.writers.text_tables import table_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from exporter.model import Block, Inlines
    from exporter.writers.text_lines import Setting
    from exporter.writers.text_pieces import Pieces

INDENT: Final = "    "
UNDERLINES: Final = {1: "=", 2: "-", 3: "~"}
"""What underlines a heading of a level; deeper ones are underlined by dots."""

_TAB: Final = 4
_BREAK: Final = "* * *"
_FOLDED: Final = r"NOTE: '\' line wrapping per RFC 8792"


def blocks_pieces(nodes: Iterable[Block], setting: Setting, *, tight: bool = False) -> Pieces:
    """Return blocks with a blank line between them; in a tight list item, none before a list."""
    result: list[Piece] = []
    for node in nodes:
        pieces = block_pieces(node, setting)
        if pieces and result and not (tight and isinstance(node, blocks.List)):
            result.append(BLANK)
        result += pieces
    return tuple(result)


def block_pieces(node: Block, setting: Setting) -> Pieces:
    """Return one block."""
    match node:
        case blocks.Paragraph():
            text = line_text(node.children, setting)
            return (Piece(text),) if text else ()
        case blocks.Heading():
            return heading_pieces(line_text(node.children, setting), node.level, setting)
        case blocks.List():
            return _list(node, setting)
        case blocks.DefinitionList():
            return _definitions(node, setting)
        case blocks.Figure():
            return _figure(node, setting)
        case blocks.Table():
            return _table(node, setting)
        case blocks.Chart():
            return _chart(node, setting)
        case blocks.Admonition():
            return _admonition(node, setting)
        case blocks.Quote():
            return _quote(node, setting)
        case blocks.CodeBlock():
            return _code(node, setting)
        case blocks.MathBlock():
            return _math(node, setting)
        case blocks.Only():
            return blocks_pieces(node.children, setting) if "text" in node.formats else ()
        case blocks.PageBreak():
            return ()
        case blocks.ThematicBreak():
            room = min(setting.room, 70)
            return (line(padded(_BREAK, room, "center").rstrip(" ")),)
        case _:
            assert_never(node)


def heading_pieces(text: str, level: int, setting: Setting, *, over: bool = False) -> Pieces:
    """Return a heading underlined for its level, and with a line over it too when it is the title."""
    rows = [each for part in text.split("\n") for each in wrap(part, setting.room, ambiguous=setting.ambiguous)]
    # Never two hyphens alone: with a space that a program adds they would begin a signature.
    size = max(3, min(setting.room, widest(rows, ambiguous=setting.ambiguous)))
    rule = line(UNDERLINES.get(level, ".") * size)
    return (*((rule,) if over else ()), *map(line, rows), rule)


# Lists


def _list(node: blocks.List, setting: Setting) -> Pieces:
    numbers = [f"{node.start + index}." for index in range(len(node.items))]
    marker = max(map(len, numbers)) if node.ordered else 1
    tight = node.tight and all(
        isinstance(child, blocks.Paragraph | blocks.List) for item in node.items for child in item.children
    )
    result: list[Pieces] = []
    for item, number in zip(node.items, numbers, strict=True):
        sign = number.rjust(marker) if node.ordered else "-"
        if item.checked is not None:
            box = "☑" if item.checked else "☐"
            sign = f"{sign} {box}" if node.ordered else box
        first = f"{setting.indent}{sign} "
        rest = " " * width(first, ambiguous=setting.ambiguous)
        children = blocks_pieces(item.children, setting.within(first), tight=tight)
        result.append(inside(children or (Piece(""),), first, rest))
    return apart(result, blanks=0 if tight else 1)


def _definitions(node: blocks.DefinitionList, setting: Setting) -> Pieces:
    inner = setting.within(INDENT)
    result: list[Pieces] = []
    airy = any(len(each) > 1 for item in node.items for each in item.definitions)
    for item in node.items:
        term = Piece(line_text(item.term, setting))
        each = (inside(blocks_pieces(body, inner), INDENT, INDENT) for body in item.definitions)
        result.append((term, *apart(each, blanks=1 if airy else 0)))
    return apart(result, blanks=1 if airy else 0)


# Figures and tables


def _figure(node: blocks.Figure, setting: Setting) -> Pieces:
    """Return what a picture says; a decoration without a word has nothing to say."""
    caption, alt = line_text(node.caption, setting), _flat(space_for(node.alt, setting.edition.tag))
    if not (caption or alt or node.id):
        return ()
    labels = setting.edition.labels
    number = setting.edition.numbers.get(node.id or "")
    shown = caption or alt
    lines = [f"[{number.label if number else labels('image')}] {shown}".rstrip()]
    if alt and alt != written(shown):
        lines.append(labels("label-value", label=labels("alt-text"), value=alt))
    lines.append(labels("label-value", label=labels("figure-file"), value=printable(node.path)))
    lines += _labeled_lines((("credit", node.credit), ("source", node.source)), setting)
    return inside((Piece(text, "", "  ") for text in lines), "", INDENT)


def _chart(node: blocks.Chart, setting: Setting) -> Pieces:
    """Return what a chart says, and the data that it shows as a table."""
    labels = setting.edition.labels
    number = setting.edition.numbers.get(node.id or "")
    caption, alt = line_text(node.caption, setting), _flat(space_for(node.alt, setting.edition.tag))
    lines = [f"[{number.label if number else labels('chart')}] {caption or alt}".rstrip()]
    if alt and alt != written(caption or alt):
        lines.append(labels("label-value", label=labels("alt-text"), value=alt))
    lines += _labeled_lines((("credit", node.credit), ("source", node.source)), setting)
    said = inside((Piece(text, "", "  ") for text in lines), "", INDENT)
    table = table_of(node)
    if table is None:
        return said
    return (*said, BLANK, Piece(labels("chart-values")), BLANK, *table_pieces(table, setting))


def _table(node: blocks.Table, setting: Setting) -> Pieces:
    caption = _caption(node.id, node.caption, setting)
    rows = table_pieces(node, setting)
    notes = _labeled_lines((("table-notes", node.notes), ("source", node.source)), setting)
    return (*caption, *rows, *(Piece(text, "", INDENT) for text in notes))


def _caption(identifier: str | None, caption: Inlines, setting: Setting) -> Pieces:
    number = setting.edition.numbers.get(identifier or "")
    text = line_text(caption, setting)
    if not number:
        return (Piece(text),) if text else ()
    return (Piece(f"{number.label}\N{NO-BREAK SPACE} {text}" if text else number.label, "", INDENT),)


def _labeled_lines(values: Sequence[tuple[str, Inlines]], setting: Setting) -> Iterator[str]:
    labels = setting.edition.labels
    for key, value in values:
        if text := line_text(value, setting):
            yield labels("label-value", label=labels(key), value=text)


# Remarks and quotations


def _admonition(node: blocks.Admonition, setting: Setting) -> Pieces:
    head = f"[{setting.edition.labels(node.variant)}] {line_text(node.title, setting)}".rstrip()
    body = blocks_pieces(node.children, setting.within(INDENT))
    return (Piece(head, "", INDENT), *inside(body, INDENT, INDENT))


def _quote(node: blocks.Quote, setting: Setting) -> Pieces:
    labels = setting.edition.labels
    body = blocks_pieces(node.children, setting.within("> "))
    name, source = line_text(node.attribution, setting), line_text(node.source, setting)
    if name and source:
        body += (Piece(labels("quote-attribution-source", name=name, source=source), "", INDENT),)
    elif name or source:
        body += (Piece(labels("quote-attribution", name=name or source), "", INDENT),)
    return inside(body, QUOTE, QUOTE)


# Code and formulas


def _code(node: blocks.CodeBlock, setting: Setting) -> Pieces:
    """Return a listing as it is, but for tabs, which become columns, and lines that are wider than the page.

    Those are folded with a backslash as RFC 8792 folds them, and a remark says so, as it demands.
    """
    rows = [printable(row.expandtabs(_TAB)).rstrip(" ") for row in node.text.split("\n")]
    gutter = len(str(len(rows))) + 2 if node.lines else 0
    most = widest(rows, ambiguous=setting.ambiguous) + gutter
    # A listing that is nearly too wide moves out before it is folded.
    indent = next((each for each in (INDENT, "  ", "") if most <= setting.room - len(each)), INDENT)
    room = setting.within(indent).room - gutter
    caption = _caption(node.id, node.caption, setting)
    body: list[Piece] = []
    for number, row in enumerate(rows, 1):
        mark = str(number).rjust(gutter - 2) + "  " if gutter else ""
        first, *others = folded(row, room, ambiguous=setting.ambiguous)
        body += (Piece(text, indent, indent, verbatim=True) for text in (mark + first, *_after(others, gutter)))
    if most - gutter > room:
        body.insert(0, Piece(setting.edition.labels("code-folded", note=_FOLDED), indent, indent))
    return (*caption, *body)


def _after(rows: Iterable[str], gutter: int) -> Iterator[str]:
    return (" " * gutter + row for row in rows)


def folded(row: str, columns: int, *, ambiguous: int = 1) -> tuple[str, ...]:
    r"""Return a line of code as lines of at most so many columns, each but the last ending in ``\`` (RFC 8792 §7).

    The space before a continuation is no part of the code, so that no line is cut before a space.
    """
    lines: list[str] = []
    hang = min(len(row) - len(row.lstrip(" ")) + _TAB, columns // 3)
    before = ""
    while width(before + row, ambiguous=ambiguous) > columns:
        units = list(graphemes(row))
        cut = _code_cut(units, columns - len(before) - 1, ambiguous)
        if not cut:
            break
        lines.append(f"{before}{''.join(units[:cut])}\\")
        row, before = "".join(units[cut:]), " " * hang
    return (*lines, before + row)


def _code_cut(units: Sequence[str], columns: int, ambiguous: int) -> int:
    """Return how many characters stand before the fold, after a space if one is near; 0 for an unbroken run."""
    used, fits, spaced = 0, 0, 0
    for index, unit in enumerate(units):
        used += width(unit, ambiguous=ambiguous)
        if used > columns:
            break
        following = units[index + 1] if index + 1 < len(units) else ""
        if following == " " or not "".join(units[: index + 1]).strip(" "):
            continue
        fits = index + 1
        spaced = fits if unit == " " else spaced
    return spaced if spaced * 2 > fits else fits


def _math(node: blocks.MathBlock, setting: Setting) -> Pieces:
    """Return a formula, indented, its number at the right edge where both fit in one line."""
    text = printable(linear(node.tex))
    number = setting.edition.numbers.get(node.id or "")
    mark = f"({number.value})" if number else ""
    room = setting.within(INDENT).room
    used = width(text, ambiguous=setting.ambiguous)
    if not mark:
        return (Piece(text, INDENT, INDENT * 2),)
    if used + 2 + len(mark) <= room:
        return (Piece(text + mark.rjust(room - used), INDENT, INDENT, verbatim=True),)
    return (Piece(f"{text}\N{NO-BREAK SPACE} {mark}", INDENT, INDENT * 2),)


def _flat(text: str) -> str:
    return " ".join(printable(text).split(" ")).strip()
