"""The issue: its versions by language, their front matter, sections and entries."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from exporter.model.base import Day, FilledLine, Id, IssueId, Language, Line, MarkdownSchema, Node, from_markdown
from exporter.model.blocks import Block, Blocks
from exporter.model.inlines import Inlines
from exporter.model.publication import EmailSettings, Paper, Publication


class Author(Node):
    """Who wrote the issue."""

    name: FilledLine = Field(description="Name.")
    email: Line | None = Field(default=None, description="Mail address.")
    affiliation: Line | None = Field(default=None, description="Institution.")
    orcid: Line | None = Field(default=None, description="ORCID iD.")


AuthorLike = Annotated[Author, BeforeValidator(lambda value: {"name": value} if isinstance(value, str) else value)]


class Coverage(Node):
    """The time window that the issue covers."""

    from_: Day | None = Field(default=None, alias="from", description="First day.")
    to: Day | None = Field(default=None, description="Last day.")
    note: Inlines = Field(default=(), description="What else is to say of the window.")


class EntryField(Node):
    """One field of an entry: a known name has a catalogue label, any other prints under its own name."""

    name: FilledLine = Field(description="Name, such as source or contribution.")
    value: Inlines = Field(description="Its value.")


class Entry(Node):
    """One reported paper, tool or event."""

    kind: Literal["entry"] = "entry"
    id: Id | None = Field(default=None, description="Id that references can name; made from the title by default.")
    title: Inlines = Field(description="Its heading.")
    number: int | None = Field(default=None, ge=0, description="Number; counted in reading order by default.")
    fields: tuple[EntryField, ...] = Field(default=(), description="Its field list.")
    body: Blocks = Field(default=(), description="Its blocks.")
    language: Language | None = Field(default=None, description="Language of the entry where it differs.")


Body = Annotated[
    tuple[Annotated[Block | Entry, Field(discriminator="kind")], ...],
    BeforeValidator(from_markdown("body")),
    MarkdownSchema(),
]
"""Blocks and entries in order."""


class Section(Node):
    """A part of the issue under a heading of the first level."""

    id: Id | None = Field(default=None, description="Id that references can name; made from the title by default.")
    title: Inlines = Field(description="Its heading.")
    body: Body = Field(default=(), description="Its blocks and entries.")
    language: Language | None = Field(default=None, description="Language of the section where it differs.")


class Note(Node):
    """A footnote."""

    id: str = Field(min_length=1, description="The name that its marks use.")
    children: Blocks = Field(description="Its blocks.")


def _texts(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class Version(Node):
    """The whole issue in one language: front matter and body."""

    title: FilledLine = Field(description="The issue's headline.")
    date: Day = Field(description="Publication date.")
    language: Language = Field(description="Language of the prose.")
    number: Line | None = Field(default=None, description="Number of the issue.")
    volume: Line | None = Field(default=None, description="Volume.")
    subtitle: Inlines = Field(default=(), description="Second line of the headline.")
    summary: Blocks = Field(default=(), description="The standfirst; also the e-mail's preheader.")
    kind: Line | None = Field(default=None, description="daily, weekly, monthly, special or a word of one's own.")
    rating: float | None = Field(default=None, ge=0, le=5, description="0 to 5 stars.")
    tags: Annotated[tuple[FilledLine, ...], BeforeValidator(_texts)] = Field(default=(), description="Subjects.")
    authors: Annotated[tuple[AuthorLike, ...], BeforeValidator(_texts)] = Field(default=(), description="Authors.")
    coverage: Coverage | None = Field(default=None, description="The time window that the issue covers.")
    method: Blocks = Field(default=(), description="How the material was found and checked.")
    theme: Line | None = Field(
        default=None, description="Theme, over the publication's; a path is relative to the issue's folder."
    )
    paper: Paper | None = Field(default=None, description="Paper, over the publication's.")
    numbering: bool = Field(default=True, description="Number the entries.")
    email: EmailSettings | None = Field(default=None, description="Overrides of the publication's email settings.")
    lead: Body = Field(default=(), description="What stands before the first section.")
    sections: tuple[Section, ...] = Field(default=(), description="The sections.")
    notes: tuple[Note, ...] = Field(default=(), description="The footnotes that marks refer to.")


class Issue(Node):
    """One issue of a periodical in every language that it has."""

    id: IssueId = Field(description="Name of the issue, unique in its publication; file names are made from it.")
    publication: Publication | None = Field(default=None, description="The periodical.")
    versions: tuple[Version, ...] = Field(min_length=1, description="Its versions, the original first.")

    @model_validator(mode="after")
    def _one_version_a_language(self) -> Issue:
        languages = [version.language for version in self.versions]
        for language in languages:
            if languages.count(language) > 1:
                raise ValueError(f"two versions are in {language}")
        return self

    @property
    def original(self) -> Version:
        """Return the version that the others translate."""
        return self.versions[0]
