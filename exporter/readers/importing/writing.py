"""Writes an importer's tree as Markdown of our dialect."""

from __future__ import annotations

import re
from typing import assert_never

from exporter.readers.importing import dialect
from exporter.readers.importing.escaping import Surroundings, escape, escape_all, runs
from exporter.readers.importing.tree import (
    Block,
    Blocks,
    Break,
    Code,
    Fence,
    Grid,
    Heading,
    Inline,
    Item,
    Items,
    Link,
    Paragraph,
    Prose,
    Quote,
    Raw,
    Rule,
    Styled,
    Text,
    Verbatim,
    merged,
    plain,
)

_STYLES = {"strong": "**", "emphasis": "*", "strikethrough": "~~"}


def write_prose(prose: Prose, *, block: bool = True, heading: bool = False, cell: bool = False) -> str:
    """Return prose as one run of Markdown.

    Args:
        prose: The inlines.
        block: The result stands where a block may start, so its start is escaped too.
        heading: The result is a heading's text.
        cell: The result is a table's cell.
    """
    prose = merged(prose)
    written = _write_whole(prose, block=block, heading=heading, cell=cell)
    if all(isinstance(node, Text | Link) for node in prose):
        return written
    shown, _ = dialect.read_back(written)
    if "".join(shown.split()) == "".join(plain(prose).split()):
        return written
    # Delimiters that touch (*a***b**) cannot always be told apart: the words count more than their stress.
    return _write_whole(_unstyled(prose), block=block, heading=heading, cell=cell)


def write_text(value: str, *, block: bool = True, heading: bool = False, cell: bool = False) -> str:
    """Return plain text as Markdown."""
    return write_prose((Text(value),), block=block, heading=heading, cell=cell)


def write_blocks(blocks: Blocks) -> str:
    """Return blocks as Markdown, separated by blank lines."""
    written: list[str] = []
    previous: Block | None = None
    alternate = False
    for block in blocks:
        alternate = _follows_list(previous, block) and not alternate
        written.append(write_block(block, alternate=alternate))
        previous = block
    return "\n\n".join(written)


def write_block(block: Block, *, alternate: bool = False) -> str:
    """Return one block as Markdown; ``alternate`` takes the other list marker, which starts a new list."""
    match block:
        case Heading(depth, prose):
            return f"{'#' * depth} {write_prose(prose, heading=True)}"
        case Paragraph(prose):
            return write_prose(prose)
        case Items():
            return "\n".join(
                _item(item, _marker(block.start, index, alternate=alternate))
                for index, item in enumerate(block.items)
            )
        case Grid():
            return _grid(block)
        case Fence(content, _, language):
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", content)), default=0))
            return f"{fence}{language}\n{content}\n{fence}"
        case Quote(blocks):
            return "\n".join(f"> {line}".rstrip() for line in write_blocks(blocks).split("\n"))
        case Rule():
            return "---"
        case Verbatim(markdown):
            return markdown
        case _:
            assert_never(block)


def _follows_list(previous: Block | None, block: Block) -> bool:
    both = isinstance(previous, Items) and isinstance(block, Items)
    return both and (previous.start is None) == (block.start is None)  # type: ignore[union-attr] # both are lists


def _marker(start: int | None, index: int, *, alternate: bool) -> str:
    if start is None:
        return "*" if alternate else "-"
    return f"{start + index}{')' if alternate else '.'}"


def _item(item: Item, marker: str) -> str:
    task = {None: "", True: "[x] ", False: "[ ] "}[item.checked]
    body = write_blocks(item.blocks)
    if len(item.blocks) > 1 and isinstance(item.blocks[1], Items):
        first, rest = item.blocks[:1], item.blocks[1:]
        body = f"{write_blocks(first)}\n{write_blocks(rest)}"
    indent = " " * (len(marker) + 1)
    lines = body.split("\n")
    return "\n".join([f"{marker} {task}{lines[0]}", *(indent + line if line else "" for line in lines[1:])])


def _grid(grid: Grid) -> str:
    width = max(len(row) for row in grid.rows)
    marks = {"left": ":---", "right": "---:", "center": ":---:"}
    alignments = [*grid.alignments, *([""] * width)][:width]
    rows = [[write_prose(cell, cell=True) for cell in row] for row in grid.rows]
    written = ["| " + " | ".join([*row, *([""] * (width - len(row)))]) + " |" for row in rows]
    written.insert(1, "| " + " | ".join(marks.get(alignment, "---") for alignment in alignments) + " |")
    return "\n".join(written)


def _write_whole(prose: Prose, *, block: bool, heading: bool, cell: bool) -> str:
    styled = any(isinstance(node, Styled) for node in prose)
    counts = tuple(
        (mark, count + 2 * styled) for mark, count in runs("".join(_texts(prose)))
    )  # a styled neighbor may pair with any lone delimiter
    return _write(
        prose,
        Surroundings(runs=counts, block=block and not heading and not cell, heading=heading, cell=cell),
    )


def _unstyled(prose: Prose) -> Prose:
    """Return prose without stress and code marks; links and formulas stay."""
    return merged(
        tuple(
            one
            for node in prose
            for one in (
                _unstyled(node.children)
                if isinstance(node, Styled)
                else (Text(node.text),)
                if isinstance(node, Code)
                else (node,)
            )
        )
    )


def _texts(prose: Prose) -> list[str]:
    return [
        value
        for node in prose
        for value in (
            [node.text]
            if isinstance(node, Text)
            else _texts(node.children)
            if isinstance(node, Link | Styled)
            else []
        )
    ]


def _write(prose: Prose, around: Surroundings) -> str:
    written = ""
    for index, node in enumerate(prose):
        after = _opening(prose[index + 1]) if index + 1 < len(prose) else around.after
        here = Surroundings(
            before=written[-1] if written else around.before,
            after=after,
            runs=around.runs,
            block=around.block,
            heading=around.heading,
            cell=around.cell,
        )
        if isinstance(node, Text) and written.endswith("\n"):
            node = Text(node.text.lstrip())  # noqa: PLW2901 - white space after a line break shows nothing
        written += _inline(node, here)
    return written


def _opening(node: Inline) -> str:
    match node:
        case Text(value):
            return value[:1]
        case Code():
            return "`"
        case Link(children, target):
            return "<" if _bare(children, target) else "["
        case Styled(style):
            return _STYLES[style][0]
        case Raw(markdown):
            return markdown[:1]
        case Break():
            return "\\"
        case _:
            assert_never(node)


def _inline(node: Inline, around: Surroundings) -> str:
    match node:
        case Text(value):
            return _checked(value, around)
        case Code(value):
            return _code(value, cell=around.cell)
        case Link(children, target):
            inner = Surroundings("[", "]", around.runs, block=False, cell=around.cell)
            return (
                f"<{target}>" if _bare(children, target) else f"[{_write(children, inner)}]({_destination(target)})"
            )
        case Styled(style, children):
            mark = _STYLES[style]
            inner = Surroundings(mark[0], mark[0], around.runs, block=False, cell=around.cell)
            return f"{mark}{_write(children, inner)}{mark}"
        case Raw(markdown):
            return markdown
        case Break():
            return " " if around.heading or around.cell else "\\\n"
        case _:
            assert_never(node)


def _checked(value: str, around: Surroundings) -> str:
    """Escape by rule, read the result back, and escape everything if the rules were wrong."""
    written = escape(value, around)
    shown, only_text = dialect.read_back(written.strip())
    wanted = " ".join(value.split())
    if (only_text and " ".join(shown.split()) == wanted) or around.cell or "://" in value or "@" in value:
        return written
    return escape_all(value)


def _bare(children: Prose, target: str) -> bool:
    return plain(children) == target and re.fullmatch(r"https?://[^\s<>\\|`*_\[\]]+", target) is not None


def _destination(target: str) -> str:
    encoded = re.sub(r"[\s<>\\()|`]", lambda found: f"%{ord(found[0]):02X}", target)
    return encoded or "#"


def _code(value: str, *, cell: bool) -> str:
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", value)), default=0))
    pad = " " if value.startswith("`") or value.endswith("`") or not value.strip() else ""
    written = f"{ticks}{pad}{value}{pad}{ticks}".replace("\n", " ")
    return written.replace("|", "\\|") if cell else written
