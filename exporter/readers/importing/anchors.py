"""Links inside a page (``#part``) → references to the ids that the issue gives its headings."""

from __future__ import annotations

import re
from urllib.parse import unquote

from exporter.notices import Notice, Place
from exporter.readers.importing.compose import map_prose
from exporter.readers.importing.outline import Head, Outline
from exporter.readers.importing.tree import Inline, Link, Prose, Styled, plain


def resolve_anchors(outline: Outline, *, file: str) -> tuple[Outline, tuple[Notice, ...]]:
    """Return the outline whose links inside the page lead to ids, or are text where nothing has the name."""
    ids = _ids(outline)
    unknown: dict[str, None] = {}

    def change(prose: Prose) -> Prose:
        return tuple(node for one in prose for node in _resolved(one, ids, unknown))

    changed = map_prose(outline, change, headings=True)
    if not unknown:
        return changed, ()
    names = ", ".join(list(unknown)[:5]) + (" …" if len(unknown) > 5 else "")
    return changed, (
        Notice(
            "import-link",
            f"links inside the page that lead nowhere are text now: {names}",
            Place(file),
            "write [text](#id) with an id of issue.md if they matter",
        ),
    )


def _resolved(node: Inline, ids: dict[str, str], unknown: dict[str, None]) -> Prose:
    match node:
        case Link(children, target) if target.startswith("#"):
            name = unquote(target[1:])
            if found := ids.get(name) or ids.get(name.lower()):
                return (Link(children, f"#{found}"),)
            unknown[target] = None
            return children
        case Styled(style, children):
            return (Styled(style, tuple(one for child in children for one in _resolved(child, ids, unknown))),)
        case _:
            return (node,)


def _ids(outline: Outline) -> dict[str, str]:
    """Return the ids by the names that a page may use: the id, and the heading's words as GitHub joins them."""
    heads = [part for part in outline if isinstance(part, Head) and part.id]
    names: dict[str, str] = {}
    for head in heads:
        words = plain(head.prose).strip().lower()
        number = f"{head.number}. " if head.number is not None else ""
        for spelled in (words, number + words):
            names.setdefault(re.sub(r"[^\w\- ]", "", spelled).replace(" ", "-"), head.id or "")
    return names | {head.id: head.id for head in heads if head.id}
