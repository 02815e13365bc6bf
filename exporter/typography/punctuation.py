"""Adjacent full-width marks share one em: the empty half of one of them falls away (CLREQ §3.1.6.1, GB/T 15834)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter.model import inlines
from exporter.typography.breaks import ALLOW, JOIN
from exporter.typography.leaves import rewrite_leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.model.inlines import Inlines

HALF: Final = "half"
"""Class of a run of marks that are set half as wide."""
_CLOSING: Final = "，。、；：！？）》〉」』】〕”’"
_OPENING: Final = "（《〈「『【〔“‘"
_MARKS: Final = f"{ALLOW}{JOIN}"
# A closing mark loses the space behind it before any mark, an opening one the space before it behind another.
_SQUEEZED: Final = re.compile(
    f"(?:[{_CLOSING}](?=[{_MARKS}]*[{_CLOSING}{_OPENING}]))+"
    f"|(?:(?<=[{_OPENING}])|(?<=[{_OPENING}][{_MARKS}]))[{_OPENING}]+"
)


def squeeze_line(line: Inlines) -> Inlines:
    """Return a Chinese line with the marks that lose their empty half in spans of the class ``half``.

    Only inside one node: where two faces meet, pdftotext takes squeezed marks for the end of a column.
    """
    return rewrite_leaves(line, lambda node, _: tuple(_split(node)))


def _split(node: inlines.Text) -> Iterator[inlines.Inline]:
    last = 0
    for match in _SQUEEZED.finditer(node.text):
        if match.start() > last:
            yield inlines.Text(text=node.text[last : match.start()])
        yield inlines.Span(children=(inlines.Text(text=match[0]),), classes=(HALF,))
        last = match.end()
    if last == 0:
        yield node
    elif last < len(node.text):
        yield inlines.Text(text=node.text[last:])
