"""The one Jinja environment: strict about the undefined, sandboxed, escaping by format of the template."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from exporter.errors import ThemeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment
    from markupsafe import Markup

    from exporter.theme import Theme


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


def markup(text: str) -> Markup:
    """Mark text as markup that must not be escaped again."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - the writers escape every character of a source themselves


def escape(text: str) -> Markup:
    """Escape text for HTML and MJML."""
    from markupsafe import escape as escape_markup

    return escape_markup(text)


@functools.cache
def _environment(folders: tuple[Any, ...]) -> Environment:
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
    )


def _line_in(error: Exception) -> str:
    trace = error.__traceback__
    line = ""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(".j2"):
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line
