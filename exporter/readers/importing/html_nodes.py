"""What the nodes of an HTML page are."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from exporter.readers.importing.fields import known_field

if TYPE_CHECKING:
    from bs4 import Tag

BLOCKS = frozenset(
    str.split(
        """
        address article aside blockquote body center dd details div dl dt fieldset figcaption
        figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary
        table tbody td tfoot th thead tr ul caption
        """
    )
)


def attribute(tag: Tag | None, name: str) -> str:
    """Return an attribute as text, or nothing."""
    value = tag.get(name) if tag is not None else None
    return value if isinstance(value, str) else " ".join(value or ())


def is_tag(node: object) -> TypeGuard[Tag]:
    """Say whether a node is an element."""
    from bs4 import Tag

    return isinstance(node, Tag)


def is_text(node: object) -> bool:
    """Say whether a node is text that is shown."""
    from bs4.element import NavigableString, PreformattedString

    return isinstance(node, NavigableString) and not isinstance(node, PreformattedString)


def is_block(node: object) -> TypeGuard[Tag]:
    """Say whether a node is an element that stands on lines of its own."""
    return is_tag(node) and node.name in BLOCKS


def is_field_list(tag: Tag) -> bool:
    """Say whether a definition list names fields of an entry."""
    return any(known_field(term.get_text().strip().rstrip(":：")) for term in tag.find_all("dt"))
