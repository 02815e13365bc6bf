"""Ids: made where an author gave none, and every reference and footnote mark checked against them."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, TypeVar

from exporter.model import Entry, Node, Section, Version, blocks, inlines, plain, walk
from exporter.readers.findings import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exporter.notices import Place
    from exporter.readers.findings import Findings

_SERIES = {blocks.Figure: "figure", blocks.Table: "table", blocks.Chart: "chart", blocks.CodeBlock: "code"}

Tree = TypeVar("Tree", bound=Node)


def with_ids(version: Version) -> Version:
    """Return the version with an id on every section, entry, heading and numbered block.

    Headings get a slug of their text (``小节 一`` → ``小节-一``, the next ``小节-一-1``), captioned blocks
    ``figure-1``, ``table-1``, ``code-1`` by their number. No id that an author gave is taken.
    """
    return _Naming(set(explicit_ids(version))).name(version)


def explicit_ids(version: Version) -> Iterator[str]:
    """Yield the ids that nodes of a version have, in reading order."""
    for node in walk(version):
        if not isinstance(node, Version) and (name := _id_of(node)):
            yield name


def check_ids(version: Version, findings: Findings) -> None:
    """Report ids that stand twice. To be called before ids are made."""
    seen: dict[str, Place | None] = {}
    for node in walk(version):
        name = _id_of(node)
        if not name:
            continue
        if name in seen:
            first = seen[name]
            findings.problem(f"the id {name} stands twice: {_line(first)} and {_line(node.place)}", node.place)
        else:
            seen[name] = node.place


def check_references(version: Version, findings: Findings, *, others: Iterable[str] = ()) -> None:
    """Report references to no id, marks of no footnote, and footnotes without a mark.

    Args:
        version: The version, with all ids.
        findings: Where the findings go.
        others: Ids that the original has and that stand in where the version lacks a part.
    """
    nodes = tuple(walk(version))
    ids = dict.fromkeys((*filter(None, map(_id_of, nodes)), *others))
    notes = {note.id: note for note in version.notes}
    marked: set[str] = set()
    for node in nodes:
        if isinstance(node, inlines.Reference) and node.target not in ids:
            findings.problem(
                f"the reference #{node.target} leads to no id", node.place, nearest(node.target, ids, what="ids")
            )
        elif isinstance(node, inlines.NoteReference):
            marked.add(node.note)
            if node.note not in notes:
                findings.problem(
                    f"the footnote [^{node.note}] is not defined",
                    node.place,
                    nearest(node.note, notes, what="footnotes") or f"add a line [^{node.note}]: with its text",
                )
    for name, note in notes.items():
        if name not in marked:
            findings.notice("unused-note", f"no mark leads to the footnote [^{name}]", note.place)


def slug(text: str) -> str:
    """Return a text as an id: NFC, lower case, letters and digits of any script, hyphens for spaces."""
    text = unicodedata.normalize("NFC", text).lower().strip()
    kept = (
        char if char in "-_" or unicodedata.category(char)[0] in "LNM" else "-" if char.isspace() else ""
        for char in text
    )
    return "-".join(part for part in "".join(kept).split("-") if part)[:80].rstrip("-")


class _Naming:
    """Gives names in reading order."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._repeats: dict[str, int] = {}
        self._counts = dict.fromkeys(_SERIES.values(), 0)

    def name(self, node: Tree) -> Tree:
        """Return the node with ids on itself and below."""
        changed: dict[str, Any] = {}
        if (made := self._id(node)) is not None:
            changed["id"] = made
        for key, value in node.__dict__.items():
            if isinstance(value, tuple) and (new := self._below(value)) is not value:
                changed[key] = new
        return node.model_copy(update=changed) if changed else node

    def _below(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        if not value or type(value[0]).__module__ == inlines.__name__:
            return value
        new = tuple(
            self.name(item) if isinstance(item, Node) else self._below(item) if isinstance(item, tuple) else item
            for item in value
        )
        return value if all(a is b for a, b in zip(new, value, strict=True)) else new

    def _id(self, node: Node) -> str | None:
        match node:
            case Section() | Entry():
                return None if node.id else self._free(slug(plain(node.title)) or "part")
            case blocks.Heading():
                return None if node.id else self._free(slug(plain(node.children) or node.label or "") or "part")
            case blocks.Figure() | blocks.Table() | blocks.Chart() | blocks.CodeBlock():
                if not (node.caption or node.id):
                    return None
                series = _SERIES[type(node)]
                self._counts[series] += 1
                return None if node.id else self._free(f"{series}-{self._counts[series]}")
        return None

    def _free(self, wanted: str) -> str:
        name, count = wanted, self._repeats.get(wanted, 0)
        while name in self._taken:
            count += 1
            name = f"{wanted}-{count}"
        self._repeats[wanted] = count
        self._taken.add(name)
        return name


def _id_of(node: Node) -> str | None:
    return getattr(node, "id", None) if isinstance(node, _NAMED) else None


_NAMED = (
    Section,
    Entry,
    blocks.Heading,
    blocks.Figure,
    blocks.Table,
    blocks.Chart,
    blocks.CodeBlock,
    blocks.MathBlock,
    inlines.Span,
)


def _line(place: Place | None) -> str:
    return f"in line {place.line}" if place and place.line else "somewhere"
