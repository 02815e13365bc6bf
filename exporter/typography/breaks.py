"""Where a line may break and where not: marks that no reader sees and no extracted text holds.

Pango breaks lines by UAX 14, which knows neither ``C++`` nor 2026 年, and forbids breaks on both sides of Chinese
quotation marks. U+200B allows a break, U+2060 forbids one. Rules: CLREQ §3.1.7, GB/T 15834; TYPOGRAPHY's measured
list. Never in code, formulas and addresses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter.model import inlines
from exporter.typography.spacing import HAN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.model.inlines import Inline, Inlines

ALLOW: Final = "\N{ZERO WIDTH SPACE}"
JOIN: Final = "\N{WORD JOINER}"
_OPAQUE: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
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
    text = "".join(_flat(node) for node in line)
    marks = dict(_marks(text))
    if paragraph and (match := _LAST_TWO.search(text)):
        marks.setdefault(match.start(), JOIN)
    return _Setter(marks).line(line) if marks else line


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


def _flat(node: Inline) -> str:
    """Return what the rules see of a node; what holds no marks is one opaque character."""
    match node:
        case inlines.Text():
            return node.text
        case inlines.Link() if _is_address(node):
            return _OPAQUE
        case (
            inlines.Emphasis()
            | inlines.Strong()
            | inlines.Strikethrough()
            | inlines.Link()
            | inlines.Reference()
            | inlines.Span()
        ):
            return "".join(_flat(child) for child in node.children)
        case _:
            return _OPAQUE


def _is_address(link: inlines.Link) -> bool:
    shown = "".join(child.text for child in link.children if isinstance(child, inlines.Text))
    return re.match(r"(https?://|mailto:|www\.)\S+$", shown) is not None


class _Setter:
    """Sets marks at positions of the flat text while it walks the line; one between two nodes joins the first."""

    def __init__(self, marks: dict[int, str]) -> None:
        self.marks = marks
        self.position = 0

    def line(self, line: Inlines) -> Inlines:
        return tuple(self._node(node) for node in line)

    def _node(self, node: Inline) -> Inline:
        if isinstance(node, inlines.Text):
            return self._text(node)
        children: Inlines | None = getattr(node, "children", None)
        if children is None or (isinstance(node, inlines.Link) and _is_address(node)):
            self.position += 1
            return node
        new = self.line(children)
        return node if new == children else node.model_copy(update={"children": new})

    def _text(self, node: inlines.Text) -> inlines.Text:
        start, end = self.position, self.position + len(node.text)
        self.position = end
        here = sorted((at for at in self.marks if start <= at <= end), reverse=True)
        text = node.text
        for at in here:
            text = text[: at - start] + self.marks.pop(at) + text[at - start :]
        return node if not here else node.model_copy(update={"text": text})
