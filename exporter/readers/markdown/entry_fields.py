"""Fields of entries: identifiers that are links without being written so."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from exporter.model import inlines as nodes
from exporter.readers.addresses import identifiers
from exporter.readers.markdown.inlines import merged

if TYPE_CHECKING:
    from exporter.model import Inlines
    from exporter.model.inlines import Inline

KNOWN_FIELDS = (
    *("category", "title", "source", "date", "venue", "authors", "code", "model", "dataset", "project"),
    *("contribution", "rating", "license"),
)
"""Fields that have a label in the catalogues, SOURCE_FORMAT.md "Entry"."""

LINKED_FIELDS = frozenset({"source", "code", "project", "model", "dataset"})


def misspelled(name: str) -> str | None:
    """Return the known field that a name was probably meant to be, when it is none of them."""
    close = difflib.get_close_matches(name.lower(), KNOWN_FIELDS, n=1, cutoff=0.8)
    return close[0] if close and name not in KNOWN_FIELDS else None


def linked(name: str, value: Inlines) -> Inlines:
    """Return a field's value with bare ``arXiv:…``, ``doi:…`` and ``github:…`` made links."""
    if name not in LINKED_FIELDS:
        return value
    result: list[Inline] = []
    for node in value:
        if not isinstance(node, nodes.Text):
            result.append(node)
            continue
        for shown, target in identifiers(node.text):
            text = nodes.Text(text=shown).at(node.place)
            result.append(nodes.Link(target=target, children=(text,)).at(node.place) if target else text)
    return merged(result)
