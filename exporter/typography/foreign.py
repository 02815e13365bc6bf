"""Runs of another script inside a text: Chinese in a Latin edition, English titles in a Chinese one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter.typography.spacing import HAN

if TYPE_CHECKING:
    from collections.abc import Iterator

_HAN_RUN: Final = re.compile(
    f"[{HAN}](?:[{HAN}，。、；：！？（）《》〈〉「」『』【】…—· 0-9]*[{HAN}。！？）》〉」』】])?"
)
_WORD: Final = "[A-Za-z][A-Za-z'’‑-]*"
_ENGLISH_RUN: Final = re.compile(rf"{_WORD}(?:[ ,;:–/&]+(?:{_WORD}|\d+)){{3,}}[.?!]?")
"""Four words or more: shorter runs are names and terms, which a Chinese voice reads well enough."""


def foreign_runs(text: str, tag: str, *, han: str = "zh-Hans") -> Iterator[tuple[str, str | None]]:
    """Yield the text in pieces, each with the language tag that it needs beside the text's own, or None.

    Screen readers choose their voice by it, browsers the shapes of Han characters and where lines break.

    Args:
        text: Text in the language ``tag``.
        tag: Its BCP 47 tag.
        han: Tag that runs of Han characters get.
    """
    run, language = (_ENGLISH_RUN, "en") if tag.startswith("zh") else (_HAN_RUN, han)
    if tag.startswith(("ja", "ko")):
        yield text, None
        return
    end = 0
    for match in run.finditer(text):
        if match.start() > end:
            yield text[end : match.start()], None
        yield match[0], language
        end = match.end()
    if end < len(text):
        yield text[end:], None
