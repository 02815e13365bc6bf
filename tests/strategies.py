"""Hypothesis strategies for valid issues: every kind of node, texts that provoke, references that resolve."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from exporter.assets import Asset
from exporter.model import (
    Address,
    EmailSettings,
    Entry,
    Issue,
    Note,
    Publication,
    Section,
    Version,
    plain,
    walk,
)
from exporter.model import (
    blocks as block_nodes,
)
from exporter.model import (
    inlines as inline_nodes,
)
from exporter.model.issue import Author, Coverage, EntryField
from exporter.readers.ids import explicit_ids, with_ids

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy

PATHS = ("figures/plot.png", "figures/照片 一.jpg", "drawing.svg")
"""Pictures that the issues refer to; ``assets_for`` makes them."""

FORMULAS = (r"E = mc^2", r"\frac{1}{2}", r"\eta_t = \eta_0 / \sqrt{t}", r"a < b \& c", "x")
"""Formulas that can be set."""

_WORDS = (
    *("强调", "测量：", "“引号”", "（括号）", "……", "——", "2026年", "、", "。", "㐂", "漢字", "かな"),
    *("word", "a_b", "*star*", "**", "[link](x)", "`code`", "<b>", "</p>", "&amp;", "&", '"', "'", "{{ 7*7 }}"),
    *("{% raw %}", "$5", "|", "\\", "#", "- ", "1. ", "> ", "---", ":::", "From ", ".", "-- ", "%(name)s", "=1+1"),
    *("🧪", "👩‍🔬", "é", "Ω", "τ²", "63.7%", "±", "−1", "don’t", "C++", " ", "  ", "https://example.org/a_(b)"),
)
_LETTERS = st.characters(
    codec="utf-8", categories=("Lu", "Ll", "Nd", "Po", "Sm"), max_codepoint=0x24F
) | st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5)

_HOSTS = ("https://example.org/a?b=1&c=%E6%B2%B3", "http://xn--fsqu00a.example/", "mailto:news@example.org")


def texts(*, max_size: int = 6) -> SearchStrategy[str]:
    """Return one-line printable texts with Han, emoji and markup characters; never empty."""
    parts = st.lists(
        st.sampled_from(_WORDS) | st.text(_LETTERS, min_size=1, max_size=6), min_size=1, max_size=max_size
    )
    return parts.map("".join)


def lines() -> SearchStrategy[str]:
    """Return texts for plain fields: with something beside white space, and none at their ends."""
    return texts().map(str.strip).filter(bool)


@st.composite
def inlines(draw: DrawFn, *, depth: int = 2, notes: Sequence[str] = (), targets: Sequence[str] = ()) -> Any:
    """Return a line of prose.

    Args:
        draw: Hypothesis' own.
        depth: How deep inline nodes nest.
        notes: Names of footnotes that may be marked.
        targets: Ids that may be referred to.
    """
    kinds = ["text", "text", "text", "code", "math", "line-break", "image"]
    kinds += ["note"] if notes else []
    kinds += ["reference"] if targets else []
    kinds += ["emphasis", "strong", "strikethrough", "link", "span"] if depth else []
    below = inlines(depth=depth - 1, notes=notes, targets=targets) if depth else st.nothing()
    line: list[Any] = []
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4)):
        match kind:
            case "text":
                line.append(inline_nodes.Text(text=draw(texts())))
            case "code":
                line.append(inline_nodes.Code(text=draw(texts(max_size=2))))
            case "math":
                line.append(inline_nodes.Math(tex=draw(st.sampled_from(FORMULAS))))
            case "line-break":
                line.append(inline_nodes.LineBreak())
            case "image":
                line.append(inline_nodes.Image(path=draw(st.sampled_from(PATHS)), alt=draw(lines())))
            case "note":
                line.append(inline_nodes.NoteReference(note=draw(st.sampled_from(list(notes)))))
            case "reference":
                text = draw(st.just(()) | inlines(depth=0))
                line.append(inline_nodes.Reference(target=draw(st.sampled_from(list(targets))), children=text))
            case "link":
                target = draw(st.sampled_from(_HOSTS))
                line.append(inline_nodes.Link(target=target, children=draw(inlines(depth=0))))
            case "span":
                language = draw(st.sampled_from(("en", "zh-Hans", "ja")))
                line.append(inline_nodes.Span(children=draw(below), language=language))
            case _:
                node = {
                    "emphasis": inline_nodes.Emphasis,
                    "strong": inline_nodes.Strong,
                    "strikethrough": inline_nodes.Strikethrough,
                }[kind]
                line.append(node(children=draw(below)))
    return tuple(line)


def titles() -> SearchStrategy[Any]:
    """Return lines of prose that print something."""
    return inlines(depth=1).filter(lambda line: bool(plain(line).strip()))


@st.composite
def blocks(draw: DrawFn, *, depth: int = 2, notes: Sequence[str] = (), targets: Sequence[str] = ()) -> Any:
    """Return blocks of every kind but charts, which are not drawn yet."""
    prose = inlines(notes=notes, targets=targets)
    simple = st.one_of(
        st.builds(block_nodes.Paragraph, children=prose),
        st.builds(block_nodes.Heading, level=st.integers(3, 6), children=titles()),
        st.builds(
            block_nodes.Figure,
            path=st.sampled_from(PATHS),
            alt=lines() | st.just(""),
            caption=st.just(()) | prose,
            width=st.sampled_from((None, "60%", "40mm")),
            align=st.sampled_from((None, "left", "center", "right")),
            credit=st.just(()) | inlines(depth=0),
            source=st.just(()) | inlines(depth=0),
        ),
        tables(notes=notes, targets=targets),
        st.builds(
            block_nodes.CodeBlock,
            text=st.lists(texts(), max_size=4).map("\n".join),
            language=st.sampled_from((None, "python", "yaml")),
            caption=st.just(()) | inlines(depth=0),
            lines=st.booleans(),
        ),
        st.builds(block_nodes.MathBlock, tex=st.sampled_from(FORMULAS)),
        st.builds(block_nodes.PageBreak),
        st.builds(block_nodes.ThematicBreak),
    )
    nested = _containers(depth, notes, targets) if depth else simple
    return tuple(draw(st.lists(simple | nested, min_size=1, max_size=3)))


@st.composite
def tables(draw: DrawFn, *, notes: Sequence[str] = (), targets: Sequence[str] = ()) -> block_nodes.Table:
    """Return tables whose cells fit the formats of their columns."""
    formats = draw(
        st.lists(st.sampled_from((None, None, "text", "integer", "percent", "date")), min_size=1, max_size=4)
    )
    prose = inlines(depth=1, notes=notes, targets=targets)
    cells = {
        None: st.just(()) | prose,
        "text": st.just(()) | prose,
        "integer": st.integers(-(10**9), 10**9).map(lambda number: (inline_nodes.Text(text=str(number)),)),
        "percent": st.sampled_from(("0.637", "-0.05", "1")).map(lambda text: (inline_nodes.Text(text=text),)),
        "date": st.dates(dt.date(1990, 1, 1), dt.date(2090, 1, 1)).map(
            lambda day: (inline_nodes.Text(text=day.isoformat()),)
        ),
    }
    columns = [
        block_nodes.Column(
            format=form,
            align=draw(st.sampled_from((None, "left", "right", "center", "decimal"))),
            width=draw(st.sampled_from((None, 1.0, 2.5))),
        )
        for form in formats
    ]

    def row(*, head: bool) -> Any:
        return tuple(block_nodes.Cell(children=draw(prose if head else cells[form])) for form in formats)

    return block_nodes.Table(
        columns=tuple(columns),
        head=tuple(row(head=True) for _ in range(draw(st.integers(0, 2)))),
        rows=tuple(row(head=False) for _ in range(draw(st.integers(0, 3)))),
        stub_columns=draw(st.integers(0, len(columns))),
        caption=draw(st.just(()) | prose),
        source=draw(st.just(()) | inlines(depth=0)),
        notes=draw(st.just(()) | inlines(depth=0)),
    )


@st.composite
def versions(draw: DrawFn, *, language: str = "zh") -> Version:
    """Return a version whose references and footnote marks all resolve, with all ids made."""
    names = draw(st.lists(st.sampled_from(("a", "1", "注", "b-2")), unique=True, max_size=3))
    ids = [f"part-{index}" for index in range(draw(st.integers(1, 3)))]
    body = bodies(notes=names, targets=ids)
    title = titles()
    version = Version(
        title=draw(lines()),
        date=draw(st.dates(dt.date(1990, 1, 1), dt.date(2090, 1, 1))),
        language=language,
        number=draw(st.none() | st.sampled_from(("1", "1.10", "42"))),
        volume=draw(st.none() | st.just("7")),
        subtitle=draw(st.just(()) | title),
        summary=draw(st.just(()) | st.builds(lambda line: (block_nodes.Paragraph(children=line),), inlines())),
        kind=draw(st.sampled_from((None, "daily", "weekly", "monthly", "special"))),
        rating=draw(st.sampled_from((None, 0.0, 3.5, 4.0, 5.0))),
        tags=tuple(draw(st.lists(lines(), max_size=3))),
        authors=tuple(draw(st.lists(st.builds(Author, name=lines()), max_size=2))),
        coverage=draw(st.none() | st.just(Coverage(**{"from": dt.date(2026, 8, 20), "to": dt.date(2026, 8, 27)}))),
        method=draw(st.just(()) | blocks(depth=0)),
        numbering=draw(st.booleans()),
        lead=draw(st.just(()) | body),
        sections=tuple(Section(id=name, title=draw(title), body=draw(body)) for name in ids),
        notes=tuple(Note(id=name, children=draw(blocks(depth=0))) for name in names),
    )
    version = with_ids(_marking_every_note(version))
    wanted = draw(st.lists(st.sampled_from(sorted(set(explicit_ids(version)))), max_size=3))
    references = tuple(inline_nodes.Reference(target=target) for target in wanted)
    return _with_paragraph(version, references) if references else version


@st.composite
def bodies(draw: DrawFn, *, notes: Sequence[str] = (), targets: Sequence[str] = ()) -> Any:
    """Return the body of a section: blocks and entries."""
    entry = st.builds(
        Entry,
        title=titles(),
        number=st.none() | st.integers(0, 99),
        fields=st.lists(
            st.builds(
                EntryField,
                name=st.sampled_from(("source", "date", "code", "contribution", "自定")),
                value=inlines(depth=1, notes=notes, targets=targets),
            ),
            max_size=3,
        ).map(tuple),
        body=st.just(()) | blocks(depth=1, notes=notes, targets=targets),
        language=st.sampled_from((None, None, "en")),
    )
    parts = draw(
        st.lists(blocks(depth=1, notes=notes, targets=targets) | entry.map(lambda node: (node,)), max_size=3)
    )
    return tuple(node for part in parts for node in part)


@st.composite
def issues(draw: DrawFn, *, languages: Sequence[str] = ("zh", "en")) -> Issue:
    """Return a valid issue in one or more of the languages, the first always among them."""
    count = draw(st.integers(1, len(languages)))
    return Issue(
        id=draw(st.sampled_from(("2026-08-27", "第-42-期", "x"))),
        publication=draw(st.none() | publications()),
        versions=tuple(draw(versions(language=language)) for language in languages[:count]),
    )


@st.composite
def publications(draw: DrawFn) -> Publication:
    """Return a publication, with names by language or not."""
    name = draw(lines() | st.just({"zh": "河口简报", "en": "Estuary Briefing"}))
    sender = Address(name=draw(lines() | st.just("")), address="news@example.org")
    email = EmailSettings(**{"from": sender, "to": (Address(address="list@example.org"),)})
    return Publication(
        name=name,
        publisher=draw(st.none() | lines()),
        url=draw(st.none() | st.just("https://example.org/")),
        issn=draw(st.none() | st.just("2049-3630")),
        license=draw(st.none() | st.just("CC BY 4.0")),
        email=draw(st.just(EmailSettings()) | st.just(email)),
    )


def assets_for(issue: Issue) -> Mapping[str, Asset]:
    """Return a small picture for each path that the issue refers to."""
    paths = {
        node.path
        for version in issue.versions
        for node in walk(version)
        if isinstance(node, block_nodes.Figure | inline_nodes.Image)
    }
    return {path: _asset(path) for path in sorted(paths)}


def _asset(path: str) -> Asset:
    content, media_type = _picture(path.rpartition(".")[2])
    return Asset(path, content, media_type, 24, 16, hashlib.sha256(content).hexdigest())


def _picture(ending: str) -> tuple[bytes, str]:
    if ending == "svg":
        return (
            b'<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16" viewBox="0 0 24 16">'
            b'<rect width="24" height="16" fill="#48c"/></svg>'
        ), "image/svg+xml"
    from PIL import Image

    form = "JPEG" if ending == "jpg" else "PNG"
    output = io.BytesIO()
    Image.new("RGB", (24, 16), "#4488cc").save(output, form)
    return output.getvalue(), f"image/{form.lower()}"


def _containers(depth: int, notes: Sequence[str], targets: Sequence[str]) -> SearchStrategy[Any]:
    below = blocks(depth=depth - 1, notes=notes, targets=targets)
    prose = inlines(depth=1, notes=notes, targets=targets)
    item = st.builds(block_nodes.ListItem, children=below, checked=st.sampled_from((None, None, True, False)))
    definition = st.builds(
        block_nodes.Definition,
        term=inlines(depth=1),
        definitions=st.lists(below, min_size=1, max_size=2).map(tuple),
    )
    return st.one_of(
        st.builds(
            block_nodes.List,
            items=st.lists(item, min_size=1, max_size=3).map(tuple),
            ordered=st.booleans(),
            start=st.integers(0, 12),
            tight=st.booleans(),
        ),
        st.builds(block_nodes.DefinitionList, items=st.lists(definition, min_size=1, max_size=2).map(tuple)),
        st.builds(
            block_nodes.Admonition,
            variant=st.sampled_from(("note", "tip", "important", "warning", "caution")),
            title=st.just(()) | prose,
            children=below,
        ),
        st.builds(block_nodes.Quote, children=below, attribution=st.just(()) | prose, source=st.just(()) | prose),
        st.builds(
            block_nodes.Only,
            formats=st.lists(st.sampled_from(("pdf", "email", "text")), min_size=1, unique=True).map(tuple),
            children=below,
        ),
    )


def _marking_every_note(version: Version) -> Version:
    """Add marks of notes that nothing refers to yet: a note without one is a notice."""
    marked = {node.note for node in walk(version) if isinstance(node, inline_nodes.NoteReference)}
    missing = tuple(inline_nodes.NoteReference(note=note.id) for note in version.notes if note.id not in marked)
    return _with_paragraph(version, missing) if missing else version


def _with_paragraph(version: Version, line: tuple[Any, ...]) -> Version:
    *sections, last = version.sections
    paragraph = block_nodes.Paragraph(children=line)
    # Before the entries: behind one, a writer may take it for a part of that entry.
    last = last.model_copy(update={"body": (paragraph, *last.body)})
    return version.model_copy(update={"sections": (*sections, last)})
