"""Fields of entries: identifiers that are links without being written so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.model import inlines as nodes
from exporter.readers.addresses import identifiers
from exporter.readers.markdown.inlines import merged

if TYPE_CHECKING:
    from exporter.model import Inlines
    from exporter.model.inlines import Inline

LINKED_FIELDS = frozenset({"source", "code", "project", "model", "dataset"})


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
