"""What the templates of the print edition are given: every part of the edition as HTML, in printed order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import exporter
from exporter.labels import language_tag
from exporter.model import inlines
from exporter.model.issue import Entry
from exporter.model.walk import plain
from exporter.templating import markup, render
from exporter.typography.breaks import mark_text
from exporter.writers.pdf_tables import text_width
from exporter.writers.pdf_text import label_of, language_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from exporter.edition import Edition
    from exporter.fonts import FontPlan
    from exporter.model import Body, Section
    from exporter.model.blocks import Block
    from exporter.model.inlines import Inlines
    from exporter.numbering import ContentsItem
    from exporter.writers.pdf_blocks import BlockWriter


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry as the template sees it."""

    id: str | None
    heading: str
    number: int | None
    title: Markup
    label: str
    fields: tuple[tuple[Markup, Markup], ...]
    body: Markup
    language: Markup
    foreign: bool


@dataclass(frozen=True, slots=True)
class PartView:
    """Blocks between entries, or an entry."""

    entry: EntryView | None
    blocks: Markup


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section as the template sees it."""

    id: str | None
    title: Markup
    label: str
    parts: tuple[PartView, ...]
    language: Markup
    foreign: bool


@dataclass(frozen=True, slots=True)
class ContentsView:
    """A line of the contents.

    Attributes:
        top: It stands for a section, or for an entry outside of any.
        lines: About how many lines it takes in its column.
    """

    id: str
    title: Markup
    number: int | None
    top: bool
    lines: int


def html_of(edition: Edition, writer: BlockWriter, plan: FontPlan) -> str:
    """Return the print edition as one HTML document.

    Raises:
        ThemeError: A template is missing or wrong.
        WriterError: A block cannot be printed.
    """
    version, prose = edition.version, writer.prose
    summary = writer.body(version.summary)
    lead = tuple(_parts(version.lead, writer, level=2))
    sections = tuple(_section(section, writer) for section in version.sections)
    writer.level = 2
    method = writer.body(version.method)
    return render(
        edition.theme,
        "pdf/issue.html.j2",
        {
            "edition": edition,
            "masthead": edition.masthead,
            "t": prose.text,
            "labels": edition.labels,
            "title": prose.line((inlines.Text(text=edition.title),), paragraph=True),
            "subtitle": prose.line(version.subtitle, paragraph=True),
            "summary": summary,
            "stars": edition.masthead.stars,
            "contents": _columns([view for item in edition.contents for view in _contents(item, writer)]),
            "lead": lead,
            "sections": sections,
            "colophon": tuple(_colophon(edition, writer, plan, method)),
            "description": " ".join(plain_text(version.summary).split()),
            "running": mark_text("\u2002".join(filter(None, [_running(edition), edition.masthead.short_date]))),
            "css": render(edition.theme, "pdf/style.css.j2", _style(edition, writer, plan)),
        },
    )


def plain_text(nodes: tuple[Block, ...]) -> str:
    """Return the prose of blocks without markup."""
    return " ".join(plain(getattr(node, "children", ())) for node in nodes if node.kind == "paragraph")


def _running(edition: Edition) -> str:
    return edition.masthead.publication or edition.masthead.kind


def _style(edition: Edition, writer: BlockWriter, plan: FontPlan) -> dict[str, Any]:
    return {
        "tokens": edition.theme.tokens,
        "p": edition.theme.token("print"),
        "color": edition.theme.token("color"),
        "m": writer.measures,
        "type": edition.theme.token("print.type"),
        "chinese": edition.tag.startswith("zh"),
        "tag": edition.tag,
        "family": {
            role: {script: plan.family(role, script) for script in ("latin", "han")}
            for role in ("text", "heading", "code")
        },
        "symbols": plan.family("symbol", "any"),
    }


def _section(section: Section, writer: BlockWriter) -> SectionView:
    with_tag = _Language(writer, section.language)
    with with_tag:
        writer.level = 2
        title = writer.prose.line(section.title, tag=writer.tag, paragraph=True)
        parts = tuple(_parts(section.body, writer, level=3))
    return SectionView(
        id=section.id,
        title=title,
        label=label_of(section.title),
        parts=parts,
        language=language_attribute(section.language, writer.edition),
        foreign=with_tag.foreign,
    )


def _parts(body: Body, writer: BlockWriter, *, level: int) -> Iterator[PartView]:
    for node in body:
        if isinstance(node, Entry):
            yield PartView(_entry(node, writer, level), markup(""))
        else:
            yield PartView(None, writer.block(node))


def _entry(entry: Entry, writer: BlockWriter, level: int) -> EntryView:
    with_tag = _Language(writer, entry.language)
    with with_tag:
        heading = writer.heading_tag(level)
        title = writer.prose.line(entry.title, tag=writer.tag, paragraph=True)
        fields = tuple(
            (_field_name(field.name, writer), writer.prose.line(field.value, tag=writer.tag, paragraph=True))
            for field in entry.fields
        )
        body = writer.body(entry.body)
    return EntryView(
        id=entry.id,
        heading=str(heading),
        number=writer.edition.entry_numbers.get(entry.id or ""),
        title=title,
        label=label_of(entry.title),
        fields=fields,
        body=body,
        language=language_attribute(entry.language, writer.edition),
        foreign=with_tag.foreign,
    )


def _field_name(name: str, writer: BlockWriter) -> Markup:
    labels = writer.edition.labels
    return writer.prose.text(labels(f"field-{name}") if labels.has(f"field-{name}") else name)


def _contents(item: ContentsItem, writer: BlockWriter, *, top: bool = True) -> Iterator[ContentsView]:
    size, _ = writer.type_size("small")
    # A column is half the measure; the number, the leader and the page take some five em of it.
    room = (writer.measures.measure - writer.measures.line) / 2 / size - 5
    lines = max(1, math.ceil(text_width(plain(item.title)) / room))
    yield ContentsView(item.id, writer.prose.held_line(item.title), item.number, top, lines)
    for child in item.children:
        yield from _contents(child, writer, top=False)


def _columns(views: list[ContentsView]) -> tuple[tuple[ContentsView, ...], ...]:
    """Return the contents in two columns of like height; no section ends the first one."""
    if len(views) < 4:
        return (tuple(views),) if views else ()

    def height(at: int) -> int:
        return max(sum(view.lines for view in views[:at]), sum(view.lines for view in views[at:]))

    # A section with entries keeps its first one: the column does not end between them.
    ends = [at for at in range(1, len(views)) if views[at].top or not views[at - 1].top]
    best = min(ends, key=lambda at: (height(at), -at)) if ends else len(views)
    return tuple(views[:best]), tuple(views[best:])


def _colophon(
    edition: Edition, writer: BlockWriter, plan: FontPlan, method: Markup
) -> Iterator[tuple[Markup, Markup]]:
    """Yield what the last page says of the issue, as label and value; nothing in it depends on the clock."""
    masthead, labels, text = edition.masthead, edition.labels, writer.prose.text
    publication = edition.version.number and masthead.number
    if masthead.publication:
        yield (
            text(labels("publication")),
            text(labels.listing([masthead.publication]) + (f"  {publication}" if publication else "")),
        )
    if masthead.publisher and masthead.publisher != masthead.publication:
        yield text(labels("publisher")), text(masthead.publisher)
    if masthead.authors:
        yield text(labels("authors")), text(labels.listing(masthead.authors))
    yield text(labels("published-on")), text(masthead.date)
    if masthead.rating is not None:
        yield text(labels("rating")), text(masthead.rating_text)
    if masthead.coverage:
        yield text(labels("coverage")), _line(masthead.coverage, writer)
    if method:
        yield text(labels("method")), method
    if masthead.issn:
        yield text(labels("issn")), text(masthead.issn)
    if masthead.url:
        yield text(labels("website")), markup('<a href="{}">{}</a>').format(masthead.url, text(masthead.url))
    if masthead.license:
        yield text(labels("license")), text(masthead.license)
    yield text(labels("fonts-used")), text(labels.listing(plan.families[:5]))
    yield text(labels("colophon")), text(labels("generated-by", program="exporter", version=exporter.__version__))


def _line(line: Inlines, writer: BlockWriter) -> Markup:
    return writer.prose.line(line, paragraph=True)


class _Language:
    """Sets the language of the part being written while it is written."""

    def __init__(self, writer: BlockWriter, language: str | None) -> None:
        self.writer = writer
        self.tag = language_tag(language) if language else writer.tag
        self.before = writer.tag
        self.foreign = self.tag != writer.edition.tag

    def __enter__(self) -> None:
        self.writer.tag = self.tag

    def __exit__(self, *_: object) -> None:
        self.writer.tag = self.before
