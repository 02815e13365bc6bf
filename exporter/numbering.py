"""Numbers, targets, references, footnotes and contents: everything of an edition that counts or points."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from exporter.errors import EditionError
from exporter.model import blocks, inlines
from exporter.model.issue import Entry, Section
from exporter.model.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from exporter.labels import Labels
    from exporter.model import Body, Inlines, Node, Note, Version
    from exporter.notices import Place

Series = Literal["figure", "table", "chart", "code", "equation"]


@dataclass(frozen=True, slots=True)
class Number:
    """The number of a figure, table, chart, code block or equation.

    Attributes:
        series: Which series it counts in.
        value: 1-based number in that series.
        label: As its caption begins: ``图 1``, ``Figure 1``.
        reference: As a sentence refers to it.
    """

    series: Series
    value: int
    label: str
    reference: str


@dataclass(frozen=True, slots=True)
class Target:
    """Something a reference may point to: an anchor with its kind and how it is called."""

    id: str
    kind: Literal["section", "entry", "heading", "span"] | Series
    title: Inlines


@dataclass(frozen=True, slots=True)
class ContentsItem:
    """A line of the contents list.

    Attributes:
        id: Anchor of the section or entry.
        title: Heading, without footnote marks and links.
        number: Number of the entry, or None.
        children: The entries of a section.
    """

    id: str
    title: Inlines
    number: int | None
    children: tuple[ContentsItem, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberedNote:
    """A footnote with its number, in the order of the first marks."""

    number: int
    note: Note


def _series(block: Node) -> Series | None:
    match block:
        case blocks.Figure():
            return "figure"
        case blocks.Table():
            return "table"
        case blocks.Chart():
            return "chart"
        case blocks.CodeBlock():
            return "code"
        case blocks.MathBlock():
            return "equation"
        case _:
            return None


def _body_nodes(version: Version) -> Iterator[Node]:
    for part in (version.summary, version.method, version.lead, version.sections, version.notes):
        yield from walk(part)


def block_numbers(version: Version, labels: Labels) -> Iterator[tuple[str, Number]]:
    """Yield the number of each block that has an id, each series counted in reading order."""
    counters: dict[str, Iterator[int]] = {}
    for node in _body_nodes(version):
        series = _series(node)
        if series is None or not (identifier := getattr(node, "id", None)):
            continue
        # A chart is a figure to its reader: both count in one series.
        counted: Series = "figure" if series == "chart" else series
        value = next(counters.setdefault(counted, itertools.count(1)))
        label, reference = labels.numbered(counted, value), labels.reference(counted, value)
        yield identifier, Number(counted, value, label, reference)


def entry_numbers(version: Version) -> Iterator[tuple[str, int]]:
    """Yield the number of each entry: its own, else one more than the last, as an ordered list counts."""
    last = 0
    for node in _body_nodes(version):
        if isinstance(node, Entry) and node.id is not None:
            if node.number is None and not version.numbering:
                continue
            last = last + 1 if node.number is None else node.number
            yield node.id, last


def targets_of(version: Version, numbers: Mapping[str, Number]) -> Iterator[Target]:
    """Yield everything that a reference may name, with how it is called."""
    for node in _body_nodes(version):
        identifier: str | None = getattr(node, "id", None)
        if not identifier:
            continue
        if identifier in numbers and _series(node):
            number = numbers[identifier]
            yield Target(identifier, number.series, (inlines.Text(text=number.reference),))
        elif isinstance(node, Section):
            yield Target(identifier, "section", _bare(node.title))
        elif isinstance(node, Entry):
            yield Target(identifier, "entry", _bare(node.title))
        elif isinstance(node, blocks.Heading):
            yield Target(identifier, "heading", _bare(node.children))
        elif isinstance(node, inlines.Span):
            yield Target(identifier, "span", _bare(node.children))


def _bare(line: Inlines) -> Inlines:
    """Return a heading as another place may quote it: no links within links, no footnote marks twice."""
    result: list[inlines.Inline] = []
    for node in line:
        match node:
            case inlines.NoteReference():
                continue
            case inlines.Link() | inlines.Reference():
                result.extend(_bare(node.children))
            case inlines.Span():
                result.append(node.model_copy(update={"children": _bare(node.children), "id": None}))
            case inlines.Emphasis() | inlines.Strong() | inlines.Strikethrough():
                result.append(node.model_copy(update={"children": _bare(node.children)}))
            case _:
                result.append(node)
    return tuple(result)


def resolved(line: Inlines, targets: Mapping[str, Target]) -> Inlines:
    """Return the line with each empty reference filled with what its target is called.

    Raises:
        EditionError: A reference names nothing.
    """
    return tuple(_resolve(node, targets) for node in line)


def _resolve(node: inlines.Inline, targets: Mapping[str, Target]) -> inlines.Inline:
    children = getattr(node, "children", None)
    if children is None:
        return node
    if isinstance(node, inlines.Reference) and not children:
        target = targets.get(node.target)
        if target is None:
            raise EditionError(f"nothing is called {node.target!r}{at(node.place)}")
        return node.model_copy(update={"children": target.title})
    new = resolved(children, targets)
    return node if new == children else node.model_copy(update={"children": new})


def cited_notes(version: Version) -> tuple[tuple[NumberedNote, ...], dict[str, int]]:
    """Return the cited footnotes in the order of their first marks, and their numbers by id.

    A note that only another note cites follows those that the text cites.

    Raises:
        EditionError: A mark has no note.
    """
    by_id = {note.id: note for note in version.notes}
    order: dict[str, int] = {}
    pending = [version.summary, version.method, version.lead, version.sections]
    while pending:
        for node in walk(pending.pop(0)):
            if isinstance(node, inlines.NoteReference) and node.note not in order:
                order[node.note] = len(order) + 1
                if node.note not in by_id:
                    raise EditionError(f"the footnote [^{node.note}] is not defined{at(node.place)}")
                pending.append(by_id[node.note].children)
    return tuple(NumberedNote(number, by_id[name]) for name, number in order.items()), order


def contents_of(version: Version, numbers: Mapping[str, int]) -> tuple[ContentsItem, ...]:
    """Return the contents: sections with their entries, and entries before the first section."""

    def entries(body: Body) -> tuple[ContentsItem, ...]:
        return tuple(
            ContentsItem(node.id, _bare(node.title), numbers.get(node.id))
            for node in body
            if isinstance(node, Entry) and node.id
        )

    return (
        *entries(version.lead),
        *(
            ContentsItem(section.id, _bare(section.title), None, entries(section.body))
            for section in version.sections
            if section.id
        ),
    )


def at(place: Place | None) -> str:
    """Return the place as the end of a message, or nothing."""
    return f" ({place})" if place else ""
