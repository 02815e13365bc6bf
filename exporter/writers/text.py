"""The text edition: what a mailing list would be glad to send, in columns of fixed width or as format=flowed.

The order is RFC 1153's: masthead, a line of 70 hyphens, contents, the sections with 30 hyphens between their
entries, and a last line that says that this was all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from exporter.errors import WriterError
from exporter.labels import language_tag
from exporter.model import inlines
from exporter.model.issue import Entry, Section
from exporter.typography.spacing import space_for
from exporter.typography.width import ambiguous_width, printable, width
from exporter.writers import Output
from exporter.writers.text_blocks import block_pieces, blocks_pieces, heading_pieces
from exporter.writers.text_lines import References, Setting, line_text
from exporter.writers.text_pieces import BLANK, Piece, apart, fixed, flowed, inside, labeled, line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exporter.edition import Edition
    from exporter.model import Body, Inlines
    from exporter.model.issue import Author
    from exporter.writers import Options
    from exporter.writers.text_lines import Cited
    from exporter.writers.text_pieces import Pieces

NARROWEST: Final = 24
"""Columns under which no text edition is set."""

FLOWED: Final = 72
"""Columns of flowed text (RFC 3676 §4.2); 78 with the room that quoting takes."""

_AFTER_MASTHEAD: Final = 70  # RFC 1153, which programs know it by
_BETWEEN_ENTRIES: Final = 30

Facts = Sequence[tuple[str, str]]


def write(edition: Edition, options: Options) -> Output:
    """Write the text edition: UTF-8, LF, no trailing spaces, at most ``options.width`` columns.

    Wider is only a web address that is longer than a line: addresses are never divided.

    Raises:
        WriterError: The width is too small, or a block has no plain text.
    """
    return Output({".txt": text_edition(edition, width=options.width, ambiguous=options.ambiguous).encode()})


def text_edition(edition: Edition, *, width: int = 78, ambiguous: int | None = None, footer: Facts = ()) -> str:
    """Return the edition as fixed text.

    Args:
        edition: The edition.
        width: Columns.
        ambiguous: Columns of a character of ambiguous width; by default what the edition's language asks for.
        footer: Labels and values to print below the edition's own, such as how to unsubscribe.
    """
    if width < NARROWEST:
        raise WriterError(f"the text edition needs {NARROWEST} columns or more, not {width}")
    ambiguous = ambiguous or ambiguous_width(edition.tag)
    return "\n".join(fixed(_pieces(edition, width, ambiguous, footer), width, ambiguous=ambiguous)) + "\n"


def flowed_edition(edition: Edition, *, footer: Facts = ()) -> str:
    """Return the edition as text for ``Content-Type: text/plain; format=flowed; delsp=yes`` (RFC 3676).

    The content is that of ``text_edition``. Prose flows; headings, tables, code and rules are fixed lines.
    """
    ambiguous = ambiguous_width(edition.tag)
    return "\n".join(flowed(_pieces(edition, FLOWED - 1, ambiguous, footer), FLOWED, ambiguous=ambiguous)) + "\n"


def _pieces(edition: Edition, columns: int, ambiguous: int, footer: Facts) -> Pieces:
    setting = Setting(edition, References(edition), columns, ambiguous)
    rule = line("-" * min(_AFTER_MASTHEAD, columns))
    parts = [
        apart((_masthead(setting), _gathered(setting), (rule,), _contents(setting))),
        apart((_body(edition.version.lead, setting), _gathered(setting))),
        *(_section(section, setting) for section in edition.version.sections),
        _colophon(setting, footer),
    ]
    return apart(parts, blanks=2)


# Masthead and colophon


def _masthead(setting: Setting) -> Pieces:
    masthead, version = setting.edition.masthead, setting.edition.version
    labels = setting.edition.labels
    head = (masthead.publication, _dotted((masthead.kind, masthead.date, masthead.number)))
    title = heading_pieces(printable(version.title), 1, setting, over=True)
    method = blocks_pieces(version.method, setting)
    if method:
        method = (*heading_pieces(labels("method"), 3, setting), BLANK, *method)
    return apart(
        (
            tuple(Piece(printable(text)) for text in head if text),
            (*title, *_prose(version.subtitle, setting)),
            _about(setting),
            blocks_pieces(version.summary, setting),
            method,
        )
    )


def _about(setting: Setting) -> Pieces:
    masthead, labels = setting.edition.masthead, setting.edition.labels
    facts: list[tuple[str, Pieces]] = []
    if masthead.rating is not None:
        facts.append((labels("rating"), (Piece(f"{masthead.stars}  {masthead.rating_text}"),)))
    if masthead.tags:
        facts.append((labels("tags"), (Piece(_dotted(masthead.tags)),)))
    if setting.edition.version.authors:
        authors = (_author(author, setting) for author in setting.edition.version.authors)
        facts.append((labels("authors"), tuple(map(Piece, authors))))
    if masthead.coverage:
        facts.append((labels("coverage"), _prose(masthead.coverage, setting)))
    return _facts(facts, setting)


def _author(author: Author, setting: Setting) -> str:
    tag = setting.edition.tag
    known = (author.affiliation, author.email, author.orcid and f"ORCID {author.orcid}")
    name = printable(space_for(author.name, tag))
    return _dotted((name, *(space_for(text, tag) for text in known if text)))


def _colophon(setting: Setting, footer: Facts) -> Pieces:
    edition, labels, masthead = setting.edition, setting.edition.labels, setting.edition.masthead
    own = (
        ("publication", masthead.publication),
        ("publisher", masthead.publisher if masthead.publisher != masthead.publication else ""),
        ("license", masthead.license),
        ("issn", masthead.issn),
        ("website", masthead.url),
    )
    facts = [(labels(key), (Piece(printable(value)),)) for key, value in own if value]
    facts += [(label, (Piece(printable(value)),)) for label, value in footer]
    end = printable(labels("end-of", title=edition.title))
    size = min(setting.room, max(3, width(end, ambiguous=setting.ambiguous)))
    rule = line("-" * min(_AFTER_MASTHEAD, setting.room))
    return apart(((rule,), _facts(facts, setting), (Piece(end), line("*" * size))))


def _facts(facts: Iterable[tuple[str, Pieces]], setting: Setting) -> Pieces:
    rows = ((_label(label, setting), value) for label, value in facts)
    return labeled(rows, setting.room, ambiguous=setting.ambiguous)


def _label(label: str, setting: Setting) -> str:
    return setting.edition.labels("label-value", label=printable(label), value="\0").partition("\0")[0]


def _dotted(texts: Iterable[str]) -> str:
    return " · ".join(printable(text) for text in texts if text)


def _prose(prose: Inlines, setting: Setting) -> Pieces:
    text = line_text(prose, setting)
    return (Piece(text),) if text else ()


# Contents


def _contents(setting: Setting) -> Pieces:
    items = setting.edition.contents
    if not items:
        return ()
    numbers = [f"{each.number}." for item in items for each in (item, *item.children) if each.number is not None]
    column = max(map(len, numbers), default=0)
    result = [*heading_pieces(setting.edition.labels("contents"), 1, setting), BLANK]
    for item in items:
        result += _contents_line(item.title, item.number, "", column, setting)
        for child in item.children:
            result += _contents_line(child.title, child.number, "  ", column, setting)
    return tuple(result)


def _contents_line(title: Inlines, number: int | None, indent: str, column: int, setting: Setting) -> Pieces:
    mark = f"{indent}{f'{number}.'.rjust(column)} " if number is not None else indent
    return inside(_prose(title, setting), mark, " " * len(mark) or "  ")


# Sections, entries, references


def _section(section: Section, setting: Setting) -> Pieces:
    head = heading_pieces(line_text(section.title, setting), 1, setting)
    untranslated = _untranslated(section, setting)
    return apart(((*head, *untranslated), _body(section.body, setting), _gathered(setting)))


def _body(body: Body, setting: Setting) -> Pieces:
    parts: list[Pieces] = []
    for index, node in enumerate(body):
        if isinstance(node, Entry):
            if any(isinstance(other, Entry) for other in body[:index]):
                parts.append((line("-" * min(_BETWEEN_ENTRIES, setting.room)),))
            parts.append(_entry(node, setting))
        else:
            parts.append(block_pieces(node, setting))
    return apart(parts)


def _entry(entry: Entry, setting: Setting) -> Pieces:
    edition = setting.edition
    number = edition.entry_numbers.get(entry.id or "")
    title = line_text(entry.title, setting)
    head = heading_pieces(f"{number}. {title}" if number is not None else title, 2, setting)
    fields = _facts(
        ((_field_name(field.name, setting), _prose(field.value, setting)) for field in entry.fields), setting
    )
    return apart(((*head, *_untranslated(entry, setting)), fields, blocks_pieces(entry.body, setting)))


def _field_name(name: str, setting: Setting) -> str:
    labels = setting.edition.labels
    return labels(f"field-{name}") if labels.has(f"field-{name}") else space_for(name, setting.edition.tag)


def _untranslated(part: Section | Entry, setting: Setting) -> Pieces:
    if part.language is None or language_tag(part.language) == setting.edition.tag:
        return ()
    labels = setting.edition.labels
    return (Piece(labels("parenthesis", text=labels("not-translated")).strip()),)


def _gathered(setting: Setting) -> Pieces:
    """Return the links and footnotes that were cited since the last time, under a heading for what they are."""
    cited = tuple((each, _reference(each, setting)) for each in setting.references.gathered())
    if not cited:
        return ()
    links = [isinstance(each.what, inlines.Link) for each, _ in cited]
    key = "links" if all(links) else "notes-and-links" if any(links) else "footnotes"
    return apart(((Piece(setting.edition.labels(key)),), *(pieces for _, pieces in cited)), blanks=0)


def _reference(cited: Cited, setting: Setting) -> Pieces:
    mark = setting.edition.labels("footnote-mark", number=cited.number) + " "
    rest = " " * len(mark)
    if isinstance(cited.what, inlines.Link):
        title = printable(space_for(cited.what.title or "", setting.edition.tag))
        body = tuple(Piece(text) for text in (cited.what.target, title) if text)
    else:
        body = blocks_pieces(cited.what.children, setting.within(mark))
    return inside(body or (Piece(""),), mark, rest)
