"""The structure tree of a tagged PDF: what WeasyPrint 70 leaves out of it.

WeasyPrint writes no language below the document's, describes a link by its address, puts the annotation of a link's
pseudo-element under the tag of whatever stands around it, and knows no formulas, code and notes. A private function
of it is wrapped: the exact version is pinned, and a test watches its signature.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from exporter.writers.pdf_metadata import printable

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def complete_structure() -> Iterator[None]:
    """Complete the structure of every document written meanwhile."""
    from weasyprint.pdf import tags

    original = tags._build_box_tree  # noqa: SLF001 - the only place where a box and its structure element meet

    def completed(box: Any, *arguments: Any) -> Iterator[Any]:
        box = getattr(box, "_box", box)  # what stands for an absolutely positioned box
        for element in original(box, *arguments):
            if box.element is not None and box.element_tag not in {"html", "body"}:
                _complete(element, box)
            yield element

    tags._build_box_tree = completed  # noqa: SLF001
    try:
        yield
    finally:
        tags._build_box_tree = original  # noqa: SLF001


def _complete(element: Any, box: Any) -> None:
    import pydyf

    if language := box.element.get("lang"):
        element["Lang"] = pydyf.String(language)
    classes = (box.element.get("class") or "").split()
    match element["S"], box.element_tag:
        case "/Figure", "img" if "formula" in classes:
            element["S"] = "/Formula"
        case "/NonStruct", "code" | "pre":
            element["S"] = "/Code"
        case "/Span", "span" if "footnote" in classes:
            # PDF/UA-1, 7.9: each note has a key of its own, each part of a note that goes on as well.
            element |= {"S": "/Note", "ID": pydyf.String(f"note-{element.number}")}
    if box.link_annotation:
        # PDF/UA-1, 7.18.5: a link annotation lies in a Link element and says in words what it is.
        element["S"] = "/Link"
        words = " ".join("".join(box.element.itertext()).split())
        if words:
            box.link_annotation["Contents"] = pydyf.String(printable(words))
