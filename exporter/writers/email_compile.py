"""Template → MJML → HTML with its styles inlined: the only place that knows the compiler and the inliner."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from exporter.errors import ThemeError
from exporter.templating import origins, render
from exporter.writers import email_lint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exporter.theme import Theme

# The compiler prints attributes, and the title that it makes one of, as Rust's debug format does: a backslash
# is doubled, a no-break space or a combining mark becomes \\u{…}. Character references pass as they are.
_VALUES: Final = re.compile(r'<mj-title>.*?</mj-title>|="[^"]*"', re.DOTALL)
_UNSAFE: Final = re.compile(r"[\\\t\r\n]|[^\x00-\x7f]")
_PRINTED: Final = frozenset("LNPS")
_BLANK: Final = frozenset("\u115f\u1160\u3164\uff9e\uff9f\uffa0")

TEMPLATE = "email/issue.mjml.j2"
INLINE_STYLES = "email/inline.css.j2"


def compiled(theme: Theme, context: Mapping[str, object]) -> str:
    """Return the finished HTML of a message.

    Args:
        theme: Its ``email/issue.mjml.j2`` is the template, its ``email/inline.css.j2`` the styles that must
            survive where ``<style>`` is stripped.
        context: What both templates may use.

    Raises:
        ThemeError: The template or the styles are wrong; the message names the file, and the line in a template.
    """
    source = render(theme, TEMPLATE, context)
    email_lint.check(source, lambda: origins(theme, TEMPLATE, context, source))
    html = _inlined(_html(source), render(theme, INLINE_STYLES, context))
    return html if html.endswith("\n") else html + "\n"


def _html(source: str) -> str:
    import mjml

    source = _VALUES.sub(lambda match: _UNSAFE.sub(_reference, match[0]), source)

    try:
        # Without fonts={} the compiler loads a face from a remote host; comments of a template stay out of mail.
        result: str = mjml.mjml2html(source, fonts={}, disable_comments=True)
    except ValueError as error:
        raise ThemeError(
            f"the mail template does not compile: {error} ({TEMPLATE})",
            hint="every element closed, every & escaped",
        ) from error
    return result


def _reference(match: re.Match[str]) -> str:
    char = match[0]
    printed = unicodedata.category(char)[0] in _PRINTED and char not in _BLANK and char != "\\"
    return char if printed else f"&#{ord(char)};"


def _inlined(html: str, styles: str) -> str:
    import css_inline

    inliner = css_inline.CSSInliner(
        inline_style_tags=False,
        keep_style_tags=True,
        load_remote_stylesheets=False,
        minify_css=True,
        extra_css=styles,
    )
    try:
        result: str = inliner.inline(html)
    except css_inline.InlineError as error:
        raise ThemeError(f"the styles cannot be inlined: {error} ({INLINE_STYLES})") from error
    return result
