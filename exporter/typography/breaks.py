"""Where a line may break and where not: marks that no reader sees and no extracted text holds.

Pango breaks lines by UAX 14, which knows neither ``C++`` nor 2026 年, and forbids breaks on both sides of Chinese
quotation marks. U+200B allows a break, U+2060 forbids one. Rules: CLREQ §3.1.7, GB/T 15834; TYPOGRAPHY's measured
list. Never in code, formulas and addresses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter.typography.leaves import flat, rewrite_leaves
from exporter.typography.spacing import HAN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.model import inlines
    from exporter.model.inlines import Inlines

ALLOW: Final = "\N{ZERO WIDTH SPACE}"
JOIN: Final = "\N{WORD JOINER}"
_WORD: Final = "A-Za-z0-9\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"
_UNITS: Final = (
    "[kMGTPµμmn]?(?:B|b|Hz|W|Wh|V|A|m|g|s|L|J|Pa)|[kMGT]iB|°C|℃|min|h|pt|px|dpi|fps|FLOPS?|tokens?|bp|dB|%|‰"
)

# Where a rule matches, with nothing of its own width, its mark is set.
_RULES: Final = tuple(
    (mark, re.compile(pattern))
    for mark, pattern in (
        # Pango 1.50 takes “ and ” for ambiguous quotes, which glue on both sides.
        (ALLOW, f"(?<=[{HAN}，。、；：！？）》」』】])(?=[“‘])"),
        (ALLOW, f"(?<=[”’])(?=[{HAN}（《「『【])"),
        # A dash, ellipsis, wave, middle dot or slash starts no line.
        (JOIN, f"(?<=[^\\s{ALLOW}{JOIN}—])(?=—)"),
        (JOIN, f"(?<=[^\\s{ALLOW}{JOIN}…])(?=…)"),
        (JOIN, f"(?<=[^\\s{ALLOW}{JOIN}])(?=[·～／])"),
        # Ranges stay whole: 1990—2000, 63%～68%.
        (JOIN, r"(?<=[0-9%][—–～])(?=[0-9])"),
        (JOIN, r"(?<=[0-9%])(?=–[0-9])"),
        # Numbers keep the Han or unit that counts them, with or without a space between.
        (JOIN, "(?<=[0-9])(?=[年月日时分秒点岁倍个篇章节页期卷号版届次项条季组行列])"),
        (JOIN, "(?<=[0-9] )(?=[年月日时分秒点岁倍个篇章节页期卷号版届次项条季组行列])"),
        (JOIN, "(?<=[第图表式约近超])(?=[0-9])"),
        (JOIN, "(?<=[第图表式约近超] )(?=[0-9])"),
        (JOIN, f"(?<=[0-9][ \u00a0])(?=(?:{_UNITS})(?![A-Za-z]))"),
        # C++, C#, G+, F#.
        (JOIN, r"(?<=[A-Za-z0-9+])(?=[+#])"),
        # A line never ends with a hyphen of the text: whoever extracts it would take it for one of hyphenation.
        (JOIN, r"(?<=[A-Za-z0-9]-)(?=[A-Za-z0-9])"),
        # A hyphen after one or two characters is part of a name: τ²-Bench, I-optimal, x-axis.
        (JOIN, f"(?:(?<=^[{_WORD}])|(?<=[^{_WORD}-][{_WORD}]))(?=-[A-Za-z{HAN}])"),
        (JOIN, f"(?:(?<=^[{_WORD}]-)|(?<=[^{_WORD}-][{_WORD}]-))(?=[A-Za-z{HAN}])"),
        (JOIN, f"(?<=[{_WORD}][²³])(?=-[A-Za-z])"),
        (JOIN, f"(?<=[{_WORD}][²³]-)(?=[A-Za-z])"),
    )
)
_LAST_TWO: Final = re.compile(f"(?<=[{HAN}])(?=[{HAN}][，。！？；：、…—”’）》」』】.!?]*$)")


def mark_line(line: Inlines, *, paragraph: bool = False) -> Inlines:
    """Return a line of prose with the marks set, seen across its inline nodes; marking twice changes nothing.

    Args:
        line: The inlines.
        paragraph: The line ends a paragraph, whose last two Han stay together.
    """
    text = flat(line)
    marks = dict(_marks(text))
    if paragraph and (match := _LAST_TWO.search(text)):
        marks.setdefault(match.start(), JOIN)
    if not marks:
        return line

    def mark(node: inlines.Text, start: int) -> Inlines:
        here = sorted((at for at in marks if start <= at <= start + len(node.text)), reverse=True)
        text = node.text
        for at in here:
            # Taken away: a mark between two nodes joins the first.
            text = text[: at - start] + marks.pop(at) + text[at - start :]
        return (node.model_copy(update={"text": text}),) if here else (node,)

    return rewrite_leaves(line, mark)


def mark_text(text: str) -> str:
    """Return one text with the marks set."""
    for position, mark in sorted(_marks(text), reverse=True):
        text = text[:position] + mark + text[position:]
    return text


def without_marks(text: str) -> str:
    """Return the text without any mark."""
    return text.replace(ALLOW, "").replace(JOIN, "")


def _marks(text: str) -> Iterator[tuple[int, str]]:
    found: dict[int, str] = {}
    for mark, rule in _RULES:
        for match in rule.finditer(text):
            found.setdefault(match.start(), mark)
    yield from found.items()
