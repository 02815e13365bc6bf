"""Turns a pasted briefing, a Markdown page or an HTML page into the files of an issue, and says what it guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from exporter.errors import SourceError
from exporter.notices import Notice, Place, Problem
from exporter.readers.importing import account, compose
from exporter.readers.importing.anchors import resolve_anchors
from exporter.readers.importing.blocks import read_blocks
from exporter.readers.importing.dates import find_dates
from exporter.readers.importing.language import detect_language
from exporter.readers.importing.lines import read_lines
from exporter.readers.importing.outline import Head, Outline, outline
from exporter.readers.importing.page import Page
from exporter.readers.importing.preface import Preface, guess_title, read_preface
from exporter.readers.importing.tree import Items, Paragraph, Rule, plain

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

SourceFormat = Literal["auto", "briefing", "markdown", "html"]

_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|main|article)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_ELEMENT = re.compile(r"</(?:p|div|h[1-6]|li|a|section)>", re.IGNORECASE)
_MARKDOWN = (
    re.compile(r"\A---\r?\n.*?^(?:---|\.\.\.)[ \t]*$", re.MULTILINE | re.DOTALL),
    re.compile(r"^ {0,3}#{1,6} \S", re.MULTILINE),
    re.compile(r"\]\((?:https?:|#|\.{0,2}/|\w)[^)\s]*\)"),
    re.compile(r"^ {0,3}(?:```|~~~|:::)", re.MULTILINE),
    re.compile(r"^\|?[ \t]*:?-{3,}:?[ \t]*\|", re.MULTILINE),
    re.compile(r"\*\*[^\s*][^*\n]*\*\*"),
)
_PASTED = (
    re.compile(r"^[ \t]*#{1,6}[^#\s!]", re.MULTILINE),
    re.compile(r"^[ \t]*[•●◦▪·]", re.MULTILINE),
)


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported issue.

    Attributes:
        files: The files of the issue's folder by relative name; ``issue.md`` is always there.
        report: What was guessed, renamed or not placed, each with its line in the source.
        summary: How many sections, entries, subsections, fields, links and tags were found.
    """

    files: Mapping[str, bytes]
    report: tuple[Notice, ...]
    summary: Mapping[str, int]


def import_text(
    text: str,
    *,
    file: str,
    source_format: SourceFormat = "auto",
    language: str | None = None,
    title: str | None = None,
    date: dt.date | None = None,
) -> Imported:
    """Read a source of another kind and return it as an issue in our format.

    Args:
        text: The source.
        file: Its name, for places and as a last resort for the date.
        source_format: What the source is; ``auto`` looks.
        language: BCP 47 tag of the prose; found from its script by default.
        title: The issue's title, over what the source says.
        date: The issue's date, over what the source says.

    Raises:
        SourceError: The source is empty, or no title or no date can be found in it.
    """
    if not account.squeeze(text):
        raise SourceError((Problem("the source is empty", Place(file), "give a file with text in it"),))
    page = _read(text, file, source_format)
    preface, blocks = read_preface(page.blocks, file=file, known=page.known)
    preface, blocks = guess_title(preface, blocks)
    replaced = _override(preface, title, date, file)
    guessed = _guess_date(preface, page, file)
    _require(preface, file)
    placed, guesses = outline(blocks, file=file)
    placed, footer = _set_footer(placed, file)
    repositories = compose.repositories_of(preface, placed)
    placed = compose.link_outline(placed, repositories)
    placed, anchors = resolve_anchors(placed, file=file)
    tag = language or page.language or detect_language(text)
    matter = compose.write_front_matter(preface, language=tag, repositories=repositories, extra=page.unplaced)
    issue = f"{matter}\n{compose.write_body(placed)}".rstrip() + "\n"
    notices = (
        *page.notices,
        *preface.notices,
        *replaced,
        *guessed,
        *guesses,
        *footer,
        *anchors,
        *(_repository_notice(one.name, one.line, file) for one in repositories.values() if one.guessed),
        *account.lost(page.expected, issue, file=file),
    )
    ordered = sorted(notices, key=lambda notice: notice.place or Place(file))
    return Imported({"issue.md": issue.encode(), **page.assets}, tuple(ordered), _summary(preface, placed))


def detect_format(text: str) -> Literal["briefing", "markdown", "html"]:
    """Say what a source is from its own marks."""
    if _HTML.match(text) or len(_HTML_ELEMENT.findall(text)) > 3:
        return "html"
    if _MARKDOWN[0].match(text.removeprefix("\ufeff")):
        return "markdown"
    pasted = sum(len(pattern.findall(text)) for pattern in _PASTED)
    marked = sum(len(pattern.findall(text)) for pattern in _MARKDOWN[1:])
    return "markdown" if marked > pasted else "briefing"


def _read(text: str, file: str, source_format: SourceFormat) -> Page:
    chosen = detect_format(text) if source_format == "auto" else source_format
    match chosen:
        case "briefing":
            return _read_briefing(text, file)
        case "markdown":
            from exporter.readers.importing.markdown import read_markdown

            return read_markdown(text, file=file)
        case "html":
            from exporter.readers.importing.html import read_html

            return read_html(text, file=file)
        case _:
            assert_never(chosen)


def _read_briefing(text: str, file: str) -> Page:
    lines, notices = read_lines(text, file=file)
    expected = tuple(account.Expected(line.raw, line.number) for line in lines if line.text)
    return Page(read_blocks(lines), expected, notices)


def _override(preface: Preface, title: str | None, date: dt.date | None, file: str) -> tuple[Notice, ...]:
    notices: list[Notice] = []
    if title is not None:
        if preface.title and account.squeeze(preface.title) != account.squeeze(title):
            notices.append(
                Notice(
                    "import-replaced",
                    f"the source's own title gives way to the given one: {preface.title}",
                    Place(file, preface.lines.get("title", 0)),
                )
            )
        preface.title = title
    if date is not None:
        preface.date = date
    return tuple(notices)


def _guess_date(preface: Preface, page: Page, file: str) -> tuple[Notice, ...]:
    """Take the date from the title, the first dated line or the file's name where no badge has one."""
    if preface.date is not None:
        return ()
    places = [
        ("the title", preface.title or "", preface.lines.get("title", 0)),
        *(("the text", piece.text, piece.line) for piece in page.expected[:40]),
        ("the file's name", file.rsplit("/", 1)[-1], 0),
    ]
    for where, words, line in places:
        if dates := find_dates(words):
            preface.date = dates[0].value
            return (
                Notice(
                    "import-guess",
                    f"the date {preface.date} was taken from {where}",
                    Place(file, line),
                    "correct date: in issue.md if it is another",
                ),
            )
    return ()


def _require(preface: Preface, file: str) -> None:
    problems = []
    if not preface.title:
        problems.append(
            Problem("no title was found", Place(file, 1), "give one with the title option or as a first heading")
        )
    if preface.date is None:
        problems.append(
            Problem("no date was found", Place(file, 1), "give one with the date option, such as 2026-08-27")
        )
    if problems:
        raise SourceError(tuple(problems))


def _set_footer(placed: Outline, file: str) -> tuple[Outline, tuple[Notice, ...]]:
    """Set a page's footer, ``name · motto`` as the last line, apart from the text before it."""
    if len(placed) < 2 or not isinstance(last := placed[-1], Paragraph):
        return placed, ()
    words = plain(last.prose)
    found = re.fullmatch(r"(©?[^·|｜\n。！？]{2,40}?)\s+[·|｜]\s+[^\n。！？]{2,120}", words)
    if not found or isinstance(placed[-2], Rule):
        return placed, ()
    notice = Notice(
        "import-footer",
        f"the last line was taken for the page's footer and kept below a rule: {words}",
        Place(file, last.line),
        f"if {found[1]} is the periodical, write it as name: in publication.yaml and delete the line",
    )
    return (*placed[:-1], Rule(last.line), last), (notice,)


def _repository_notice(name: str, line: int, file: str) -> Notice:
    return Notice(
        "import-guess",
        f"{name} was taken for a repository on GitHub",
        Place(file, line),
        "take the link out of issue.md if it is none",
    )


def _summary(preface: Preface, placed: Outline) -> dict[str, int]:
    heads = [part for part in placed if isinstance(part, Head)]
    return {
        "sections": sum(head.kind == "section" for head in heads),
        "entries": sum(head.kind == "entry" for head in heads),
        "subsections": sum(head.kind == "subsection" for head in heads),
        "fields": sum(len(head.fields) for head in heads),
        "lists": sum(isinstance(part, Items) for part in placed),
        "links": compose.count_links(placed),
        "tags": len(preface.tags),
    }
