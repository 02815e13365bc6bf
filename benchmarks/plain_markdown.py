"""An edition as the Markdown that every program reads: headings, lists, tables, quotes, code, pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from exporter.model import blocks, inlines
from exporter.model.issue import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exporter.edition import Edition
    from exporter.model.blocks import Block
    from exporter.model.inlines import Inline


def plain_markdown(edition: Edition, *, pictures: str) -> str:
    """Return the content of an edition; what Markdown lacks (captions, boxes, notes) is plain text."""
    version = edition.version
    parts = [f"# {edition.title}", _line(version.subtitle), *_blocks(version.summary, pictures)]
    for section in version.sections:
        parts += [f"# {_line(section.title)}", *_body(section.body, pictures)]
    for note in version.notes:
        parts += _blocks(note.children, pictures)
    return "\n\n".join(part for part in parts if part) + "\n"


def _body(body: Iterable[Block | Entry], pictures: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, Entry):
            yield f"## {_line(node.title)}"
            yield "\n".join(f"- **{field.name}** {_line(field.value)}" for field in node.fields)
            yield from _blocks(node.body, pictures)
        else:
            yield from _blocks((node,), pictures)


def _blocks(content: Iterable[Block], pictures: str) -> Iterator[str]:
    for node in content:
        match node:
            case blocks.Paragraph():
                yield _line(node.children)
            case blocks.Heading():
                yield f"{'#' * node.level} {_line(node.children)}"
            case blocks.List():
                yield "\n".join(_item(node, index, pictures) for index in range(len(node.items)))
            case blocks.DefinitionList():
                for item in node.items:
                    yield f"**{_line(item.term)}**"
                    for definition in item.definitions:
                        yield from _blocks(definition, pictures)
            case blocks.Figure():
                yield f"![{node.alt}]({pictures}{node.path})"
                yield _line((*node.caption, *node.source, *node.credit))
            case blocks.Table():
                yield _line(node.caption)
                yield _table(node)
                yield _line((*node.source, *node.notes))
            case blocks.Admonition() | blocks.Quote():
                yield _quoted("\n\n".join(_blocks(node.children, pictures)))
            case blocks.CodeBlock():
                yield f"```{node.language or ''}\n{node.text}\n```"
            case blocks.MathBlock():
                yield f"`{node.tex}`"
            case blocks.Only():
                if "email" in node.formats:
                    yield from _blocks(node.children, pictures)
            case blocks.ThematicBreak():
                yield "---"
            case blocks.Chart() | blocks.PageBreak():
                pass
            case _:
                assert_never(node)


def _item(node: blocks.List, index: int, pictures: str) -> str:
    mark = f"{node.start + index}. " if node.ordered else "- "
    text = "\n\n".join(_blocks(node.items[index].children, pictures))
    return mark + text.replace("\n", "\n" + " " * len(mark))


def _table(node: blocks.Table) -> str:
    head, *more = node.head or node.rows[:1]
    rows = (*more, *(node.rows if node.head else node.rows[1:]))
    lines = [head, *rows]
    cells = ["| " + " | ".join(_line(cell.children).replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join([cells[0], "|" + " --- |" * len(node.columns), *cells[1:]])


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _line(line: Iterable[Inline]) -> str:
    return "".join(map(_inline, line))


def _inline(node: Inline) -> str:
    match node:
        case inlines.Text():
            return node.text
        case inlines.Emphasis():
            return f"*{_line(node.children)}*"
        case inlines.Strong():
            return f"**{_line(node.children)}**"
        case inlines.Strikethrough():
            return f"~~{_line(node.children)}~~"
        case inlines.Code():
            return f"`{node.text}`"
        case inlines.Link():
            return f"[{_line(node.children)}]({node.target})"
        case inlines.Reference() | inlines.Span():
            return _line(node.children)
        case inlines.Math():
            return f"`{node.tex}`"
        case inlines.Image():
            return node.alt
        case inlines.NoteReference():
            return ""
        case inlines.LineBreak():
            return "  \n"
        case _:
            assert_never(node)
