"""Kinds × writers × languages: whatever the model can hold is in every edition, and a gap is named."""

from __future__ import annotations

import functools
import re
import subprocess
import unicodedata
from pathlib import Path
from typing import Any, get_args

import pytest

from exporter.labels import check_catalogues
from exporter.model.blocks import Block
from exporter.model.inlines import Inline
from exporter.model.issue import Issue
from exporter.writers import WRITERS, Options
from tests.conftest import tool
from tests.samples import PUBLICATION, edition_of, paragraph, text

LANGUAGES = ("zh", "en")
FORMATS = tuple(WRITERS)

# Each kind with a node that holds words found nowhere else, and those words. A chart waits for its own issue: the
# reader reports it with line and column, so no edition is ever silent about one.
WAITING = {"chart"}
INLINES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "text": (text("plainword"), ("plainword",)),
    "emphasis": ({"kind": "emphasis", "children": [text("emphasisword")]}, ("emphasisword",)),
    "strong": ({"kind": "strong", "children": [text("strongword")]}, ("strongword",)),
    "strikethrough": ({"kind": "strikethrough", "children": [text("struckword")]}, ("struckword",)),
    "code": ({"kind": "code", "text": "codeword()"}, ("codeword()",)),
    "link": (
        {"kind": "link", "target": "https://example.org/linktarget", "children": [text("linkword")]},
        ("linkword",),
    ),
    "reference": ({"kind": "reference", "target": "sec", "children": [text("refword")]}, ("refword",)),
    "note-reference": ({"kind": "note-reference", "note": "n"}, ("noteword",)),
    "math": ({"kind": "math", "tex": r"\alpha+\omega"}, ("α + ω",)),
    "image": ({"kind": "image", "path": "badge.png", "alt": "imagealtword"}, ("imagealtword",)),
    "line-break": ({"kind": "line-break"}, ()),
    "span": ({"kind": "span", "language": "en", "children": [text("spanword")]}, ("spanword",)),
}
BLOCKS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "paragraph": (paragraph("paragraphword"), ("paragraphword",)),
    "heading": ({"kind": "heading", "level": 2, "id": "h", "children": [text("headingword")]}, ("headingword",)),
    "list": (
        {
            "kind": "list",
            "ordered": True,
            "start": 7,
            "items": [
                {"children": [paragraph("itemword")]},
                {"children": [paragraph("taskword")], "checked": True},
            ],
        },
        ("itemword", "taskword", "7"),
    ),
    "definition-list": (
        {
            "kind": "definition-list",
            "items": [{"term": [text("termword")], "definitions": [[paragraph("meaningword")]]}],
        },
        ("termword", "meaningword"),
    ),
    "figure": (
        {
            "kind": "figure",
            "path": "scores.svg",
            "alt": "figurealtword",
            "id": "fig",
            "caption": [text("captionword")],
            "credit": [text("creditword")],
            "source": [text("figsourceword")],
        },
        ("captionword", "creditword", "figsourceword", "figurealtword"),
    ),
    "table": (
        {
            "kind": "table",
            "id": "tab",
            "caption": [text("tablecaptionword")],
            "columns": [{}, {"align": "decimal"}],
            "head": [[{"children": [text("headword")]}, {"children": [text("numberhead")]}]],
            "rows": [[{"children": [text("cellword")]}, {"children": [text("12.75")]}]],
            "notes": [text("tablenoteword")],
            "source": [text("tablesourceword")],
        },
        ("tablecaptionword", "headword", "numberhead", "cellword", "12.75", "tablenoteword", "tablesourceword"),
    ),
    "admonition": (
        {
            "kind": "admonition",
            "variant": "tip",
            "title": [text("tiptitleword")],
            "children": [paragraph("tipword")],
        },
        ("tiptitleword", "tipword"),
    ),
    "quote": (
        {
            "kind": "quote",
            "children": [paragraph("quoteword")],
            "attribution": [text("speakerword")],
            "source": [text("bookword")],
        },
        ("quoteword", "speakerword", "bookword"),
    ),
    "code-block": (
        {
            "kind": "code-block",
            "text": "listingword = 1\n  indented",
            "language": "python",
            "id": "lst",
            "caption": [text("listingcaption")],
        },
        ("listingword = 1", "indented", "listingcaption"),
    ),
    "math-block": ({"kind": "math-block", "tex": r"\beta=\gamma^2", "id": "eq"}, ("β = γ²",)),
    "only": (
        {"kind": "only", "formats": ["pdf", "email", "text"], "children": [paragraph("onlyword")]},
        ("onlyword",),
    ),
    "page-break": ({"kind": "page-break"}, ()),
    "thematic-break": ({"kind": "thematic-break"}, ()),
}
FRONT = (
    "titleword",
    "subtitleword",
    "summaryword",
    "methodword",
    "tagword",
    "authorword",
    "coverageword",
    "leadword",
    "sectionword",
    "entryword",
    "fieldvalueword",
    "ownfieldname",
    "ownfieldvalue",
)


def kinds_of(union: Any) -> set[str]:
    return {node.model_fields["kind"].default for node in get_args(union)}


def issue(language: str) -> Issue:
    version = {
        "title": "titleword",
        "subtitle": [text("subtitleword")],
        "date": "2026-08-27",
        "language": language,
        "summary": [paragraph("summaryword")],
        "method": [paragraph("methodword")],
        "tags": ["tagword"],
        "authors": [{"name": "authorword"}],
        "coverage": {"note": [text("coverageword")]},
        "number": "4711",
        "volume": "37",
        "kind": "daily",
        "rating": 3.5,
        "lead": [paragraph("leadword")],
        "sections": [
            {
                "id": "sec",
                "title": [text("sectionword")],
                "body": [
                    *(node for node, _ in BLOCKS.values()),
                    {
                        "kind": "entry",
                        "id": "ent",
                        "title": [text("entryword")],
                        "fields": [
                            {"name": "title", "value": [text("fieldvalueword")]},
                            {"name": "ownfieldname", "value": [text("ownfieldvalue")]},
                        ],
                        "body": [paragraph(node, " ") for node, _ in INLINES.values()],
                    },
                ],
            }
        ],
        "notes": [{"id": "n", "children": [paragraph("noteword")]}],
    }
    return Issue.model_validate({"id": "complete", "publication": PUBLICATION, "versions": [version]})


@functools.cache
def shown(language: str, name: str) -> str:
    """What a reader of the edition finds: the page's text, the message's, the file's; alternates included."""
    output = WRITERS[name].write(edition_of(issue(language), language), Options())  # type: ignore[index]
    content = output.files[WRITERS[name].endings[0]]  # type: ignore[index]
    if name == "pdf":
        found = _pdf_text(content)
    elif name == "email":
        page = content.decode()
        alternates = " ".join(re.findall(r'alt="([^"]*)"', page))
        body = re.sub(r"<(style|head)\b.*?</\1>", "", page, flags=re.DOTALL)
        found = re.sub(r"<[^>]+>", "", body) + alternates
    else:
        found = content.decode()
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", found))


def _pdf_text(content: bytes) -> str:
    import tempfile

    import pikepdf

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.pdf"
        path.write_bytes(content)
        text_layer = subprocess.run(
            [tool("pdftotext"), str(path), "-"], capture_output=True, text=True, check=True
        ).stdout
        with pikepdf.open(path) as pdf:
            alternates = [
                str(item["/Alt"]) for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/Alt" in item
            ]
    return text_layer + " ".join(alternates)


@pytest.mark.parametrize(("union", "samples"), [(Inline, INLINES), (Block, BLOCKS)], ids=["inlines", "blocks"])
def test_every_kind_of_the_model_has_a_sample(union: Any, samples: dict[str, Any]) -> None:
    assert kinds_of(union) - WAITING == set(samples)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", [*INLINES, *BLOCKS])
def test_every_kind_is_in_every_edition(kind: str, name: str, language: str) -> None:
    _, words = {**INLINES, **BLOCKS}[kind]
    found = shown(language, name).replace(" ", "")
    missing = [word for word in words if word.replace(" ", "") not in found]
    assert not missing, f"{kind} in {name} ({language}): {missing}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FORMATS)
def test_the_front_matter_is_in_every_edition(name: str, language: str) -> None:
    found = shown(language, name)
    missing = [word for word in (*FRONT, "4711", "37", "3.5") if word not in found]
    assert not missing, f"{name} ({language}): {missing}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_printed_twice(name: str, language: str) -> None:
    found = shown(language, name)
    once = [
        words[0]
        for kind, (_, words) in BLOCKS.items()
        if words and kind not in {"figure", "table", "heading", "code-block"}
    ]
    assert [word for word in once if found.count(word) != 1] == []


def test_the_catalogues_are_complete() -> None:
    assert check_catalogues() == ()
