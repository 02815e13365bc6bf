"""The structure tree of a tagged PDF: what WeasyPrint 70 leaves out of it, and what it need not hold.

WeasyPrint writes no language below the document's, describes a link by its address, puts the annotation of a link's
pseudo-element under the tag of whatever stands around it, and knows no formulas, code and notes. It writes an
element for every run of every line, some 200 a page, that says nothing. Private functions of it are wrapped: the
exact version is pinned, and a test watches their signatures.
"""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from exporter.writers.pdf_metadata import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HOLD_TEXT: Final = frozenset(
    {f"/H{level}" for level in range(1, 7)}
    | {"/P", "/Lbl", "/LBody", "/TH", "/TD", "/Span", "/Link", "/Code", "/Note"}
)
"""Elements that content may lie in as it is; those that only group others must not (ISO 32000-1, 14.8.4.2)."""
_BARE: Final = frozenset({"Type", "S", "K", "Pg", "P"})


@contextlib.contextmanager
def complete_structure() -> Iterator[None]:
    """Complete the structure of every document written meanwhile."""
    import weasyprint.pdf
    from weasyprint.pdf import tags

    original = tags._build_box_tree  # noqa: SLF001 - the only place where a box and its structure element meet
    add_tags = weasyprint.pdf.add_tags

    def completed(box: Any, *arguments: Any) -> Iterator[Any]:
        box = getattr(box, "_box", box)  # what stands for an absolutely positioned box
        for element in original(box, *arguments):
            if box.element is not None and box.element_tag not in {"html", "body"}:
                _complete(element, box)
            yield element

    def added(pdf: Any, *arguments: Any) -> None:
        start = len(pdf.objects)
        # pydyf lists all pages anew whenever the page of one element is asked for.
        same = SimpleNamespace(add_object=pdf.add_object, catalog=pdf.catalog, page_references=pdf.page_references)
        add_tags(same, *arguments)
        _fill_bodies(pdf, start)
        _dissolve_spans(pdf, start)

    tags._build_box_tree = completed  # noqa: SLF001
    weasyprint.pdf.add_tags = added
    try:
        yield
    finally:
        tags._build_box_tree = original  # noqa: SLF001
        weasyprint.pdf.add_tags = add_tags


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


def _fill_bodies(pdf: Any, start: int) -> None:
    """Put what an item of a list holds beside its mark into a body (PDF/UA-1, 7.2; ISO 32000-1, 14.8.4.3.3).

    WeasyPrint makes one only of text that stands in the item without a paragraph.
    """
    import pydyf

    tree = {item.reference: item for item in pdf.objects[start:]}
    for item in list(tree.values()):
        if item.get("S") != "/LI":
            continue
        loose = [kid for kid in item["K"] if tree[kid]["S"] not in {"/Lbl", "/LBody", "/L"}]
        if not loose:
            continue
        body = pydyf.Dictionary(
            {
                "Type": "/StructElem",
                "S": "/LBody",
                "K": pydyf.Array(loose),
                "Pg": item["Pg"],
                "P": item.reference,
            }
        )
        pdf.add_object(body)
        item["K"][:] = [*(kid for kid in item["K"] if kid not in loose), body.reference]
        for kid in loose:
            tree[kid]["P"] = body.reference


def _dissolve_spans(pdf: Any, start: int) -> None:
    """Give the content of spans that say nothing to the elements around them.

    Args:
        pdf: The document.
        start: The number of its first object that belongs to the structure; all that follow do.
    """
    tree = pdf.objects[start:]
    elements = {item.reference: item for item in tree}
    above: dict[bytes, bytes] = {}
    # A child comes after its parent: from the end, it is settled before its parent is.
    for item in reversed(tree):
        if item.get("S") in _HOLD_TEXT:
            item["K"][:] = [part for kid in item["K"] for part in _dissolved(item, kid, elements, above)]
    kept = [item for item in tree if item.reference not in above]
    before = [item.reference for item in kept]
    for number, item in enumerate(kept, start):
        item.number = number
    names = dict(zip(before, (item.reference for item in kept), strict=True))
    for name in reversed(above):
        # A parent is entered after its children.
        names[name] = names[above[name]]
    pdf.objects[start:] = kept
    for item in kept:
        _rename(item, names)
    pdf.catalog["StructTreeRoot"] = names[pdf.catalog["StructTreeRoot"]]


def _dissolved(item: Any, kid: Any, elements: Mapping[bytes, Any], above: dict[bytes, bytes]) -> list[Any]:
    """Return a child of an element, or what is in the child where it is a span that says nothing."""
    span = elements.get(kid) if isinstance(kid, bytes) else None
    if span is None or span.get("S") != "/Span" or not _BARE.issuperset(span):
        return [kid]
    if span["Pg"] != item["Pg"] or not all(isinstance(part, int) for part in span["K"]):
        return [kid]
    above[kid] = item.reference
    return list(span["K"])


def _rename(value: Any, names: Mapping[bytes, bytes]) -> None:
    """Rewrite the references in a dictionary or an array."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, bytes):
            value[key] = names.get(part, part)
        elif isinstance(part, dict | list):
            _rename(part, names)
