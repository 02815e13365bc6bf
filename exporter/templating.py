"""The one Jinja environment: strict about the undefined, sandboxed, escaping by format of the template."""

from __future__ import annotations

import bisect
import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from exporter.errors import ThemeError
from exporter.notices import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jinja2 import Environment
    from jinja2.ext import Extension
    from jinja2.lexer import Token, TokenStream
    from markupsafe import Markup

    from exporter.theme import Theme

# Noncharacters: no text may hold them, so a mark is never taken for a part of one.
_MARK: Final = re.compile("\ufdd0([^\ufdd1:]*):([0-9]+)\ufdd1")


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the characters of a rendered template come from.

    Attributes:
        template: The template that was rendered.
        starts: Offsets in the rendered text, ascending.
        places: Template and line of what begins at each; empty when it cannot be told.
    """

    template: str
    starts: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()

    def at(self, offset: int) -> Place | None:
        """Return the template and line that a character comes from, or None when it cannot be told."""
        index = bisect.bisect_right(self.starts, offset) - 1
        return self.places[index] if index >= 0 else None


def render(theme: Theme, name: str, context: Mapping[str, Any]) -> str:
    """Render a template of a theme.

    Args:
        theme: The theme; a template that it lacks is its parent's.
        name: Path inside the theme's folder, such as ``pdf/issue.html.j2``.
        context: What the template may use; values are text unless they are ``Markup``.

    Raises:
        ThemeError: The template is missing or wrong; the message names it and its line.
    """
    import jinja2

    try:
        return _environment(theme.folders).get_template(name).render(context)
    except jinja2.TemplateNotFound as error:
        raise ThemeError(f"theme {theme.name!r} has no template {error.name!r}") from error
    except jinja2.TemplateSyntaxError as error:
        raise ThemeError(f"{error.message} ({error.name}:{error.lineno})") from error
    except jinja2.TemplateError as error:
        raise ThemeError(f"{error} ({name}{_line_in(error)})") from error


def origins(theme: Theme, name: str, context: Mapping[str, Any], rendered: str) -> Origins:
    """Render once more with marks at every line of the templates, and return where each came to stand.

    Args:
        theme: As for ``render``.
        name: As for ``render``.
        context: As for ``render``.
        rendered: What ``render`` returned; a template that turns out otherwise under marks has no places.
    """
    import jinja2

    try:
        marked = _environment(theme.folders, marked=True).get_template(name).render(context)
    except jinja2.TemplateError:
        return Origins(name)
    if _MARK.sub("", marked) != rendered:
        return Origins(name)
    starts: list[int] = []
    places: list[Place] = []
    dropped = 0
    for mark in _MARK.finditer(marked):
        starts.append(mark.start() - dropped)
        places.append(Place(mark[1], int(mark[2])))
        dropped += len(mark[0])
    return Origins(name, tuple(starts), tuple(places))


def markup(text: str) -> Markup:
    """Mark text as markup that must not be escaped again."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - the writers escape every character of a source themselves


def escape(text: str) -> Markup:
    """Escape text for HTML and MJML."""
    from markupsafe import escape as escape_markup

    return escape_markup(text)


@functools.cache
def _environment(folders: tuple[Any, ...], *, marked: bool = False) -> Environment:
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=jinja2.FileSystemLoader([str(folder) for folder in folders]),
        undefined=jinja2.StrictUndefined,
        # jinja2.select_autoescape knows neither .mjml nor .j2: everything but plain text is escaped.
        autoescape=lambda name: not (name or "").endswith((".txt", ".txt.j2")),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        extensions=[_marking()] if marked else [],
    )


@functools.cache
def _marking() -> type[Extension]:
    """Return the extension that puts a mark before each line of text and each value of a template."""
    from jinja2.ext import Extension
    from jinja2.lexer import Token

    class Marking(Extension):
        def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
            def mark(line: int) -> str:
                return f"\ufdd0{stream.name}:{line}\ufdd1"

            for token in stream:
                if token.type == "variable_begin":
                    yield Token(token.lineno, "data", mark(token.lineno))
                if token.type == "data":
                    rows = enumerate(token.value.split("\n"), token.lineno)
                    yield Token(token.lineno, "data", "\n".join(mark(line) + text for line, text in rows))
                else:
                    yield token

    return Marking


def _line_in(error: Exception) -> str:
    trace = error.__traceback__
    line = ""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(".j2"):
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line
