"""Markdown of our issues as our own reader parses it: what importers read with and check with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.readers.limits import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token


def parser() -> MarkdownIt:
    """Return the parser of our dialect, which is the reader's."""
    from exporter.readers.markdown import rules

    return rules.parser(LIMITS.nesting)


def parse(source: str) -> list[Token]:
    """Return the block tokens of a Markdown text."""
    return parser().parse(source, {})


def parse_inline(source: str) -> list[Token]:
    """Return the inline tokens of a line of Markdown."""
    return parser().parseInline(source, {})[0].children or []


def read_back(source: str) -> tuple[str, bool]:
    """Return the text that a line of Markdown shows and whether it is text alone, without any markup."""
    tokens = parse_inline(source)
    return "".join(shown_text(tokens)), all(token.type in {"text", "softbreak"} for token in tokens)


def shown_text(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield the characters that inline tokens show."""
    for token in tokens:
        match token.type:
            case "softbreak" | "hardbreak":
                yield "\n"
            case "footnote_ref":
                yield f"[^{token.meta.get('label', '')}]"
            case _:
                yield token.content
