"""Block nodes: paragraphs, lists, tables, figures and their kin."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from exporter.model.base import Id, Line, MarkdownSchema, Node, from_markdown
from exporter.model.inlines import Inlines

Alignment = Literal["left", "right", "center", "decimal"]
Format = Literal["pdf", "email", "text"]


class Paragraph(Node):
    """A paragraph of prose."""

    kind: Literal["paragraph"] = "paragraph"
    children: Inlines = Field(description="Its text.")


class Heading(Node):
    """A heading below sections and entries."""

    kind: Literal["heading"] = "heading"
    level: int = Field(ge=2, le=6, description="2 directly under a section, 3 inside an entry, deeper below those.")
    children: Inlines = Field(default=(), description="Its text; empty prints the label.")
    id: Id | None = Field(default=None, description="Id that references can name; made from the text by default.")
    label: str | None = Field(
        default=None, description="Key of the label catalogue that says what the part is for."
    )


class ListItem(Node):
    """One item of a list."""

    children: Blocks = Field(description="Its blocks; a tight item is one paragraph.")
    checked: bool | None = Field(default=None, description="Done or open in a task list; nothing elsewhere.")


class List(Node):
    """A bulleted or numbered list."""

    kind: Literal["list"] = "list"
    items: tuple[ListItem, ...] = Field(min_length=1, description="Its items.")
    ordered: bool = Field(default=False, description="Numbered or bulleted.")
    start: int = Field(default=1, ge=0, le=999_999_999, description="Number of the first item.")
    tight: bool = Field(default=True, description="Set without air between its items.")


class Definition(Node):
    """A term and what it means."""

    term: Inlines = Field(description="The term.")
    definitions: tuple[Blocks, ...] = Field(min_length=1, description="One or more explanations.")


class DefinitionList(Node):
    """Terms with their explanations."""

    kind: Literal["definition-list"] = "definition-list"
    items: tuple[Definition, ...] = Field(min_length=1, description="Its terms.")


class Figure(Node):
    """A picture with its caption."""

    kind: Literal["figure"] = "figure"
    path: Line = Field(min_length=1, description="Path of the picture, relative to the issue's folder.")
    alt: str = Field(description="What the picture says to who cannot see it; empty only for a decoration.")
    caption: Inlines = Field(
        default=(), description="The caption; without one (and without an id) it has no number."
    )
    id: Id | None = Field(default=None, description="Id that references can name.")
    width: Line | None = Field(
        default=None, description="Width as a share of the measure, such as 60%, or a length."
    )
    align: Literal["left", "center", "right"] | None = Field(default=None, description="Where it stands.")
    credit: Inlines = Field(default=(), description="Who made it.")
    source: Inlines = Field(default=(), description="Where its facts come from.")


class Column(Node):
    """How one column of a table is set."""

    align: Alignment | None = Field(default=None, description="Alignment; by the theme when not given.")
    format: Line | None = Field(
        default=None, description="text, integer, percent, date or a CLDR number pattern; nothing means text."
    )
    width: float | None = Field(default=None, gt=0, description="Relative width.")


class Cell(Node):
    """One cell of a table."""

    children: Inlines = Field(default=(), description="Its text.")


Row = tuple[Cell, ...]


class Table(Node):
    """A data table; every row has as many cells as there are columns."""

    kind: Literal["table"] = "table"
    columns: tuple[Column, ...] = Field(min_length=1, description="Its columns.")
    head: tuple[Row, ...] = Field(default=(), description="Head rows.")
    rows: tuple[Row, ...] = Field(default=(), description="Body rows.")
    stub_columns: int = Field(default=0, ge=0, description="Leading columns that head their rows.")
    caption: Inlines = Field(
        default=(), description="The caption; without one (and without an id) it has no number."
    )
    id: Id | None = Field(default=None, description="Id that references can name.")
    width: Line | None = Field(
        default=None, description="Width as a share of the measure, such as 60%, or a length."
    )
    source: Inlines = Field(default=(), description="Where its facts come from.")
    notes: Inlines = Field(default=(), description="Notes under the table.")
    file: Line | None = Field(default=None, description="The CSV file that it was read from.")

    @model_validator(mode="after")
    def _rectangular(self) -> Table:
        wide = len(self.columns)
        for row in (*self.head, *self.rows):
            if len(row) != wide:
                raise ValueError(f"a row has {len(row)} cells where the table has {wide} columns")
        if self.stub_columns > wide:
            raise ValueError(f"{self.stub_columns} stub columns where the table has {wide} columns")
        return self


class Chart(Node):
    """A chart drawn from data by a Vega-Lite specification."""

    kind: Literal["chart"] = "chart"
    spec: str = Field(description="The Vega-Lite specification, JSON.")
    data: str | None = Field(
        default=None,
        description="Its data, CSV with a head row; without them the specification has its own.",
    )
    alt: str = Field(description="What the chart says.")
    caption: Inlines = Field(default=(), description="The caption.")
    id: Id | None = Field(default=None, description="Id that references can name.")
    credit: Inlines = Field(default=(), description="Who made it.")
    source: Inlines = Field(default=(), description="Where its facts come from.")
    file: Line | None = Field(default=None, description="The CSV file that the data were read from.")


class Admonition(Node):
    """A boxed remark."""

    kind: Literal["admonition"] = "admonition"
    variant: Literal["note", "tip", "important", "warning", "caution"] = Field(description="What kind of remark.")
    title: Inlines = Field(default=(), description="Title of its own; the variant's label by default.")
    children: Blocks = Field(description="Its blocks.")


class Quote(Node):
    """A quotation set off from the text."""

    kind: Literal["quote"] = "quote"
    children: Blocks = Field(description="Its blocks.")
    attribution: Inlines = Field(default=(), description="Who says it.")
    source: Inlines = Field(default=(), description="Where it is said.")


class CodeBlock(Node):
    """A listing."""

    kind: Literal["code-block"] = "code-block"
    text: str = Field(description="The code, verbatim, without a final line break.")
    language: Line | None = Field(default=None, description="Programming language.")
    caption: Inlines = Field(
        default=(), description="The caption; without one (and without an id) it has no number."
    )
    id: Id | None = Field(default=None, description="Id that references can name.")
    lines: bool = Field(default=False, description="Number the lines.")


class MathBlock(Node):
    """A formula on a line of its own; numbered when it has an id."""

    kind: Literal["math-block"] = "math-block"
    tex: str = Field(min_length=1, description="LaTeX math.")
    id: Id | None = Field(default=None, description="Id that references can name.")


class Only(Node):
    """Blocks for some editions alone."""

    kind: Literal["only"] = "only"
    formats: tuple[Format, ...] = Field(min_length=1, description="The formats that show the blocks.")
    children: Blocks = Field(description="The blocks.")


class PageBreak(Node):
    """A forced page break in print; nothing elsewhere."""

    kind: Literal["page-break"] = "page-break"


class ThematicBreak(Node):
    """A pause between paragraphs."""

    kind: Literal["thematic-break"] = "thematic-break"


Block = (
    Paragraph
    | Heading
    | List
    | DefinitionList
    | Figure
    | Table
    | Chart
    | Admonition
    | Quote
    | CodeBlock
    | MathBlock
    | Only
    | PageBreak
    | ThematicBreak
)
"""Any block node."""

Blocks = Annotated[
    tuple[Annotated[Block, Field(discriminator="kind")], ...],
    BeforeValidator(from_markdown("blocks")),
    MarkdownSchema(),
]
"""Blocks in order. A string is read as Markdown by the structured reader."""

Numbered = Figure | Table | Chart | CodeBlock | MathBlock
"""Blocks that are numbered, each kind in a series of its own."""

for _node in (ListItem, List, Definition, DefinitionList, Admonition, Quote, Only):
    _node.model_rebuild()
