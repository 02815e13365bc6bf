"""The digest of an issue: each entry by its sources and its point; cut between sections only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exporter.model import Entry, blocks

if TYPE_CHECKING:
    from exporter.model import Block, Body, Section, Version

_KEPT_FIELDS: Final = ("title", "source", "date", "contribution")


def digest_of(version: Version, *, sections: int) -> Version:
    """Return the version with its first sections in short; later sections are left to the contents list.

    An entry keeps what identifies it and its contribution, or its first paragraph where it names none; a section
    without entries keeps its first paragraph and the list that it introduces.

    Args:
        version: The whole version.
        sections: How many sections to keep.
    """
    return version.model_copy(
        update={
            "method": (),
            "lead": _short(version.lead),
            "sections": tuple(_short_section(section) for section in version.sections[:sections]),
        }
    )


def _short_section(section: Section) -> Section:
    return section.model_copy(update={"body": _short(section.body)})


def _short(body: Body) -> Body:
    entries = tuple(_short_entry(node) for node in body if isinstance(node, Entry))
    loose = _first(tuple(node for node in body if not isinstance(node, Entry)))
    return (*loose, *entries)


def _short_entry(entry: Entry) -> Entry:
    fields = tuple(field for field in entry.fields if field.name in _KEPT_FIELDS)
    named = any(field.name == "contribution" for field in fields)
    return entry.model_copy(update={"fields": fields, "body": () if named else _first(entry.body)})


def _first(content: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the first paragraph with the list that follows it at once, or the first list."""
    for index, node in enumerate(content):
        if isinstance(node, blocks.List):
            return (node,)
        if isinstance(node, blocks.Paragraph):
            following = content[index + 1 : index + 2]
            return (node, *(item for item in following if isinstance(item, blocks.List)))
    return ()
