"""Pairing a translation with its original, which stands in for what the translation lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from exporter.model.issue import Entry, Section
from exporter.model.walk import plain
from exporter.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exporter.model import Version
    from exporter.model.blocks import Block

Part = TypeVar("Part", Section, Entry)


def paired(original: Version, version: Version) -> tuple[Version, tuple[Notice, ...]]:
    """Return the version completed from its original, and a notice for each part that it lacks.

    Sections pair by id, or by position when both versions have as many; entries likewise inside their section.
    """
    if version is original:
        return version, ()
    notices: list[Notice] = []
    sections: list[Section] = []
    pairs = _pairs(original.sections, version.sections)
    for old, new in pairs:
        if new is not None and old is not None:
            sections.append(_section(old, new, original, version, notices))
        elif new is not None:
            sections.append(new)
        elif old is not None:
            notices.append(_missing("section", plain(old.title), old, version))
            sections.append(old.model_copy(update={"language": original.language}))
    known = {note.id for note in version.notes}
    notes = (*version.notes, *(note for note in original.notes if note.id not in known))
    return version.model_copy(update={"sections": tuple(sections), "notes": notes}), tuple(notices)


def _section(old: Section, new: Section, original: Version, version: Version, notices: list[Notice]) -> Section:
    old_entries = [node for node in old.body if isinstance(node, Entry)]
    new_entries = [node for node in new.body if isinstance(node, Entry)]
    body: list[Block | Entry] = list(new.body)
    after: Entry | None = None
    for mine, theirs in _pairs(old_entries, new_entries):
        if theirs is not None or mine is None:
            after = theirs
            continue
        notices.append(_missing("entry", plain(mine.title), mine, version))
        stand_in = mine.model_copy(update={"language": original.language})
        body.insert(_index(body, after) + 1 if after else _first_entry(body), stand_in)
        after = stand_in
    return new.model_copy(update={"body": tuple(body)})


def _index(body: Sequence[Block | Entry], wanted: Entry) -> int:
    return next(index for index, node in enumerate(body) if node is wanted)


def _first_entry(body: Sequence[Block | Entry]) -> int:
    return next((index for index, node in enumerate(body) if isinstance(node, Entry)), len(body))


def _pairs(old: Sequence[Part], new: Sequence[Part]) -> list[tuple[Part | None, Part | None]]:
    """Return the parts of the translation in its order, what it lacks behind what came before it."""
    if len(old) == len(new):
        return list(zip(old, new, strict=True))
    by_id = {node.id: node for node in old}
    result: list[tuple[Part | None, Part | None]] = [(by_id.get(node.id), node) for node in new]
    present = {node.id for node in new}
    for index, node in enumerate(old):
        if node.id not in present:
            before = old[index - 1] if index else None
            result.insert(1 + next((at for at, pair in enumerate(result) if pair[0] is before), -1), (node, None))
    return result


def _missing(what: str, title: str, node: Section | Entry, version: Version) -> Notice:
    return Notice(
        "missing-translation",
        f"the {version.language} version lacks the {what} {title!r}: the original stands in for it",
        node.place,
        hint=f"translate it in issue.{version.language}.md under the id {node.id!r}",
    )
