"""Inline nodes: what a line of prose is made of."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from exporter.model.base import Id, Language, Line, MarkdownSchema, Node, from_markdown


class Text(Node):
    """Plain characters, exactly the author's."""

    kind: Literal["text"] = "text"
    text: str = Field(description="The characters; a line break in the source is a space or nothing by now.")


class Emphasis(Node):
    """Stressed text; dots or bold in Chinese, italics in Latin."""

    kind: Literal["emphasis"] = "emphasis"
    children: Inlines = Field(description="What is stressed.")


class Strong(Node):
    """Strongly stressed text."""

    kind: Literal["strong"] = "strong"
    children: Inlines = Field(description="What is strongly stressed.")


class Strikethrough(Node):
    """Text that no longer holds but is shown."""

    kind: Literal["strikethrough"] = "strikethrough"
    children: Inlines = Field(description="What is struck through.")


class Code(Node):
    """Code or a file name inside a line; never respaced, never broken by typography."""

    kind: Literal["code"] = "code"
    text: str = Field(description="The code, verbatim.")


class Link(Node):
    """A link to the outside world."""

    kind: Literal["link"] = "link"
    target: Line = Field(
        min_length=1, description="An absolute http, https or mailto address, percent-encoded ASCII."
    )
    children: Inlines = Field(description="The linked text; the address itself for a bare link.")
    title: str | None = Field(default=None, description="Advisory title.")


class Reference(Node):
    """A reference to a part of the same issue by its id."""

    kind: Literal["reference"] = "reference"
    target: Id = Field(description="Id of a section, entry, heading, figure, table, code block or equation.")
    children: Inlines = Field(
        default=(), description="Text of its own; empty for the localized label with its number."
    )


class NoteReference(Node):
    """The mark of a footnote."""

    kind: Literal["note-reference"] = "note-reference"
    note: str = Field(min_length=1, description="Id of the note.")


class Math(Node):
    """A formula inside a line."""

    kind: Literal["math"] = "math"
    tex: str = Field(min_length=1, description="LaTeX math.")


class Image(Node):
    """A picture inside a line, such as a badge; one alone in a paragraph is a figure instead."""

    kind: Literal["image"] = "image"
    path: Line = Field(min_length=1, description="Path relative to the issue's folder.")
    alt: str = Field(description="What the picture says; empty only for a decoration.")


class LineBreak(Node):
    """A hard line break."""

    kind: Literal["line-break"] = "line-break"


class Span(Node):
    """A run with attributes of its own: another language, an id, a class."""

    kind: Literal["span"] = "span"
    children: Inlines = Field(description="The run.")
    language: Language | None = Field(default=None, description="Language of the run where it differs.")
    id: Id | None = Field(default=None, description="Id that references can name.")
    classes: tuple[str, ...] = Field(default=(), description="Classes that a theme may style.")


Inline = (
    Text
    | Emphasis
    | Strong
    | Strikethrough
    | Code
    | Link
    | Reference
    | NoteReference
    | Math
    | Image
    | LineBreak
    | Span
)
"""Any inline node."""

Inlines = Annotated[
    tuple[Annotated[Inline, Field(discriminator="kind")], ...],
    BeforeValidator(from_markdown("inlines")),
    MarkdownSchema(),
]
"""A line of prose: inline nodes in order. A string is read as Markdown by the structured reader."""

for _node in (Emphasis, Strong, Strikethrough, Link, Reference, Span):
    _node.model_rebuild()
