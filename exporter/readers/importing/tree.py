"""What an importer has understood: a small tree of blocks and inlines, before it is written as an issue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never


@dataclass(frozen=True, slots=True)
class Text:
    r"""Characters as the reader of the source saw them; ``\\n`` is a soft line break."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Code in a line."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link to an absolute address, or to an id of the same issue as ``#id``."""

    children: Prose
    target: str


@dataclass(frozen=True, slots=True)
class Styled:
    """Stressed or struck text."""

    style: Literal["strong", "emphasis", "strikethrough"]
    children: Prose


@dataclass(frozen=True, slots=True)
class Raw:
    """Markup of our own dialect that is copied, such as a formula or the mark of a footnote."""

    markdown: str
    plain: str


@dataclass(frozen=True, slots=True)
class Break:
    """A hard line break."""


Inline = Text | Code | Link | Styled | Raw | Break
Prose = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; its depth is the source's, which the outline turns into a level."""

    depth: int
    prose: Prose
    line: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    prose: Prose
    line: int


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list."""

    blocks: tuple[Block, ...]
    line: int
    checked: bool | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """A list; ``start`` is the number of its first item, None in a bulleted list."""

    items: tuple[Item, ...]
    line: int
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first row is its head."""

    rows: tuple[tuple[Prose, ...], ...]
    line: int
    alignments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fence:
    """A block of code."""

    text: str
    line: int
    language: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation."""

    blocks: tuple[Block, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the page."""

    line: int


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Source lines that are Markdown of our dialect already, such as a directive or a footnote."""

    markdown: str
    line: int


Block = Heading | Paragraph | Items | Grid | Fence | Quote | Rule | Verbatim
Blocks = tuple[Block, ...]


def text(value: str) -> Prose:
    """Return plain characters as prose."""
    return (Text(value),) if value else ()


def plain(prose: Prose) -> str:
    """Return the characters of prose without markup."""
    return "".join(_plain(node) for node in prose)


def merged(prose: Prose) -> Prose:
    """Return prose in which no text follows a text, no code a code, no style the same style."""
    result: list[Inline] = []
    for node in prose:
        match (result[-1] if result else None), node:
            case Text(before), Text(value):
                result[-1] = Text(before + value)
            case Code(before), Code(value):
                result[-1] = Code(before + value)
            case Styled(before_style, before_children), Styled(style, children) if before_style == style:
                result[-1] = Styled(style, merged((*before_children, *children)))
            case _:
                result.append(node)
    return tuple(result)


def cut(prose: Prose, count: int) -> Prose:
    """Return prose without its first characters, which may end inside styled text."""
    rest: list[Inline] = []
    for node in prose:
        length = len(_plain(node))
        if count >= length:
            count -= length
            continue
        rest.append(_cut(node, count) if count else node)
        count = 0
    if rest and isinstance(rest[0], Text):
        rest[0] = Text(rest[0].text.lstrip())
    return tuple(rest)


def _plain(node: Inline) -> str:
    match node:
        case Text(value) | Code(value) | Raw(_, value):
            return value
        case Link(children, _) | Styled(_, children):
            return plain(children)
        case Break():
            return "\n"
        case _:
            assert_never(node)


def _cut(node: Inline, count: int) -> Inline:
    match node:
        case Text(value):
            return Text(value[count:])
        case Code(value):
            return Code(value[count:])
        case Link(children, target):
            return Link(cut(children, count), target)
        case Styled(style, children):
            return Styled(style, cut(children, count))
        case Raw() | Break():
            return node
        case _:
            assert_never(node)
