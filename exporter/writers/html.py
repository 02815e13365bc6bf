"""Inline nodes as HTML, the part that print and mail share; each brings a dialect for what differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from exporter import math
from exporter.labels import language_tag
from exporter.math_faces import face_for
from exporter.model import inlines
from exporter.templating import escape, markup

if TYPE_CHECKING:
    from collections.abc import Callable

    from markupsafe import Markup

    from exporter.math import Drawing
    from exporter.model.inlines import Inline, Inlines
    from exporter.theme import Theme


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one format writes what HTML alone does not settle.

    Attributes:
        text: Text of the edition's language or of a span's → HTML; escapes, and may mark line breaking.
        code: Inline code → HTML.
        note_mark: Mark of a footnote → HTML.
        reference: Reference and its linked text → HTML.
        math: Formula → HTML.
        image: Picture inside a line → HTML.
    """

    text: Callable[[str], Markup]
    code: Callable[[inlines.Code], Markup]
    note_mark: Callable[[inlines.NoteReference], Markup]
    reference: Callable[[inlines.Reference, Markup], Markup]
    math: Callable[[inlines.Math], Markup]
    image: Callable[[inlines.Image], Markup]


def line_html(line: Inlines, dialect: Dialect) -> Markup:
    """Return a line of prose as HTML; every character of the source is escaped."""
    return markup("").join(_html(node, dialect) for node in line)


def _html(node: Inline, dialect: Dialect) -> Markup:
    match node:
        case inlines.Text():
            return dialect.text(node.text)
        case inlines.Emphasis():
            return markup("<em>{}</em>").format(line_html(node.children, dialect))
        case inlines.Strong():
            return markup("<strong>{}</strong>").format(line_html(node.children, dialect))
        case inlines.Strikethrough():
            return markup("<del>{}</del>").format(line_html(node.children, dialect))
        case inlines.Code():
            return dialect.code(node)
        case inlines.Link():
            title = markup(' title="{}"').format(node.title) if node.title else markup("")
            return markup('<a href="{}"{}>{}</a>').format(node.target, title, line_html(node.children, dialect))
        case inlines.Reference():
            return dialect.reference(node, line_html(node.children, dialect))
        case inlines.NoteReference():
            return dialect.note_mark(node)
        case inlines.Math():
            return dialect.math(node)
        case inlines.Image():
            return dialect.image(node)
        case inlines.LineBreak():
            return markup("<br>")
        case inlines.Span():
            return _span(node, dialect)
        case _:
            assert_never(node)


def _span(node: inlines.Span, dialect: Dialect) -> Markup:
    attributes = markup("")
    if node.id:
        attributes += markup(' id="{}"').format(node.id)
    if node.language:
        attributes += markup(' lang="{}"').format(language_tag(node.language))
    if node.classes:
        attributes += markup(' class="{}"').format(" ".join(node.classes))
    return markup("<span{}>{}</span>").format(attributes, line_html(node.children, dialect))


def attribute(name: str, value: str | None) -> Markup:
    """Return an HTML attribute with a leading blank, or nothing when there is no value."""
    return markup(' {}="{}"').format(markup(name), value) if value is not None else escape("")


def draw_formula(tex: str, theme: Theme, *, size: float, display: bool = False) -> Drawing:
    """Return a formula drawn in the theme's ink, its Han in the theme's text face."""
    han = face_for(tex, theme)
    return math.draw(tex, size=size, display=display, color=theme.token("color.ink"), han=han)
