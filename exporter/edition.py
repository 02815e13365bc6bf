"""Issue → Edition: one language and one theme chosen, everything numbered, named, dated and resolved."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from exporter.errors import EditionError
from exporter.labels import Labels, language_tag
from exporter.masthead import Masthead, masthead_of
from exporter.model import blocks, inlines
from exporter.model.publication import EmailSettings, Publication, localize
from exporter.model.walk import plain, rewrite_lines, rewrite_nodes, walk
from exporter.numbering import (
    ContentsItem,
    Number,
    NumberedNote,
    Target,
    at,
    block_numbers,
    cited_notes,
    contents_of,
    entry_numbers,
    resolved,
    targets_of,
)
from exporter.pairing import paired
from exporter.typography.spacing import space_for, space_line, space_text

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping

    from exporter.assets import Asset
    from exporter.model import Issue, Version
    from exporter.notices import Notice
    from exporter.theme import Theme


@dataclass(frozen=True, slots=True)
class Edition:
    """One issue in one language and theme: all that a writer needs, and nothing of the machine.

    Attributes:
        id: The issue's id.
        language: Language as it stands in file names, ``zh`` or ``en``.
        tag: Canonical BCP 47 tag for markup, ``zh-Hans`` or ``en``.
        labels: Words, dates and numbers, of the edition's language unless another was asked for.
        version: The issue's tree in that language, numbered, resolved and spaced: references carry their text,
            cells with a format are formatted, headings with a label have their text.
        numbers: Numbers of figures, tables, charts, code blocks and equations by id.
        entry_numbers: Numbers of entries by id; an entry without one is missing.
        targets: Everything that can be referred to, by id.
        notes: Footnotes that are cited, in the order of their first marks.
        note_numbers: Their numbers by id.
        assets: Files that the version uses, by path.
        email: Message settings, the issue's over the publication's.
        issue: The issue as it was read, in every language: what an archived edition embeds.
        issue_assets: Files that any of its languages uses, by path.
    """

    id: str
    language: str
    tag: str
    labels: Labels
    theme: Theme
    publication: Publication | None
    masthead: Masthead
    version: Version
    contents: tuple[ContentsItem, ...]
    numbers: Mapping[str, Number]
    entry_numbers: Mapping[str, int]
    targets: Mapping[str, Target]
    notes: tuple[NumberedNote, ...]
    note_numbers: Mapping[str, int]
    assets: Mapping[str, Asset]
    email: EmailSettings
    languages: tuple[str, ...]
    issue: Issue
    issue_assets: Mapping[str, Asset]
    notices: tuple[Notice, ...] = ()

    @property
    def stem(self) -> str:
        """Return the file name of the edition without its ending."""
        return f"{self.id}.{self.language}"

    @property
    def date(self) -> dt.date:
        """Return the publication date."""
        return self.version.date

    @property
    def title(self) -> str:
        """Return the headline, spaced."""
        return self.version.title

    def localized(self, value: str | dict[str, str] | None) -> str:
        """Return a text of the publication in the edition's language, spaced by its rule."""
        return space_for(localize(value, self.language), self.tag)


def edition_languages(issue: Issue) -> tuple[str, ...]:
    """Return the languages that the issue can be exported in, as they stand in file names."""
    return tuple(version.language for version in issue.versions)


def make_edition(
    issue: Issue, assets: Mapping[str, Asset], *, language: str, theme: Theme, labels_language: str | None = None
) -> Edition:
    """Make the edition of an issue in one language.

    Args:
        issue: The issue, valid and with the ids completed that its reader gives it.
        assets: The files that it uses, by path.
        language: One of ``edition_languages(issue)``, or another tag of the same language.
        theme: The theme.
        labels_language: Language of labels, dates and numbers, where it is not that of the prose.

    Raises:
        EditionError: The issue has no such language, there are no labels in the other, or an asset is missing.
    """
    version, missing = _version(issue, language)
    tag = language_tag(version.language)
    labels = Labels(labels_language or tag)
    numbers = dict(block_numbers(version, labels))
    entries = dict(entry_numbers(version))
    version = rewrite_nodes(version, blocks.Heading, lambda node: _labeled(node, labels))
    targets = {target.id: target for target in targets_of(version, numbers)}
    version = rewrite_lines(version, lambda line: resolved(line, targets))
    version = rewrite_nodes(version, blocks.Table, lambda node: _formatted(node, labels))
    if tag.startswith("zh"):
        version = rewrite_lines(version, space_line)
        version = version.model_copy(update={"title": space_text(version.title)})
        targets = {target.id: target for target in targets_of(version, numbers)}
    notes, note_numbers = cited_notes(version)
    masthead = masthead_of(issue, version, labels)
    return Edition(
        id=issue.id,
        language=version.language,
        tag=tag,
        labels=labels,
        theme=theme,
        publication=issue.publication,
        masthead=masthead,
        version=version,
        contents=contents_of(version, entries),
        numbers=MappingProxyType(numbers),
        entry_numbers=MappingProxyType(entries),
        targets=MappingProxyType(targets),
        notes=notes,
        note_numbers=MappingProxyType(note_numbers),
        assets=MappingProxyType(dict(_used_assets(issue, version, assets))),
        email=_email_settings(issue.publication, version),
        languages=edition_languages(issue),
        issue=issue,
        issue_assets=MappingProxyType(dict(assets)),
        notices=(*missing, *labels.notices()),
    )


def _version(issue: Issue, language: str) -> tuple[Version, tuple[Notice, ...]]:
    wanted = language_tag(language)
    for version in issue.versions:
        if language_tag(version.language) == wanted:
            return paired(issue.original, version)
    available = ", ".join(edition_languages(issue))
    raise EditionError(
        f"issue {issue.id!r} has no version in {language!r}",
        hint=f"it has {available}; add issue.{language}.md beside issue.md",
    )


def _labeled(node: blocks.Heading, labels: Labels) -> blocks.Heading:
    if node.children or not node.label:
        return node
    if not labels.has(f"heading-{node.label}"):
        raise EditionError(f"there is no heading label {node.label!r}{at(node.place)}", hint="give it a text")
    return node.model_copy(update={"children": (inlines.Text(text=labels(f"heading-{node.label}")),)})


def _formatted(table: blocks.Table, labels: Labels) -> blocks.Table:
    kinds = [column.format for column in table.columns]
    if all(kind in {None, "text"} for kind in kinds):
        return table
    rows = tuple(
        tuple(_cell(cell, kind or "text", labels) for cell, kind in zip(row, kinds, strict=True))
        for row in table.rows
    )
    return table.model_copy(update={"rows": rows})


def _cell(cell: blocks.Cell, kind: str, labels: Labels) -> blocks.Cell:
    text = plain(cell.children)
    if kind == "text" or not text.strip():
        return cell
    try:
        shown = labels.format_cell(text, kind)
    except EditionError as error:
        raise EditionError(f"{error.message}{at(cell.place)}", hint=error.hint) from error
    return cell.model_copy(update={"children": (inlines.Text(text=shown),)})


def _used_assets(issue: Issue, version: Version, assets: Mapping[str, Asset]) -> Iterator[tuple[str, Asset]]:
    logo = f"publication:{issue.publication.logo}" if issue.publication else ""
    if logo in assets:
        yield logo, assets[logo]
    for node in walk(version):
        path = getattr(node, "path", None)
        if isinstance(node, blocks.Figure | inlines.Image) and path is not None:
            if path not in assets:
                raise EditionError(f"the picture {path!r} is missing{at(node.place)}")
            yield path, assets[path]


def _email_settings(publication: Publication | None, version: Version) -> EmailSettings:
    base = publication.email if publication else EmailSettings()
    if version.email is None:
        return base
    own = {name: value for name, value in version.email if value is not None and value != ()}
    return base.model_copy(update=own)
