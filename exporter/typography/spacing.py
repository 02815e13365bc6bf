"""The space between Han and Latin, set at rendering and across inline nodes; the source stays as written.

Rule: one U+0020 between Han and Latin letters, Greek, Cyrillic, digits and a few signs, never beside full-width
punctuation, never inside code, formulas or addresses (CLREQ §3.2.4; GB/T 15834 leaves it to the typesetter).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exporter.model import inlines

if TYPE_CHECKING:
    from exporter.model.inlines import Inline, Inlines

HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = "A-Za-z0-9\u00b2\u00b3\u00b9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u04ff\u2070-\u209f"
_BEFORE = re.compile(f"(?<=[{HAN}])(?=[{_LATIN}@#$&+\u2212\u2016\u00b1\\\\]|-[0-9])")
_AFTER = re.compile(f"(?<=[{_LATIN}%\u2103\u00b0+#\u2016])(?=[{HAN}])")
_OPAQUE = "A"
"""Stands for code and formulas: they are spaced as Latin is."""


def space_text(text: str) -> str:
    """Return the text with the Han–Latin space wherever the rule asks for it; spacing twice changes nothing."""
    return _AFTER.sub(" ", _BEFORE.sub(" ", text))


def space_for(text: str, tag: str) -> str:
    """Return the text spaced when its language asks for it; ``tag`` is a BCP 47 tag."""
    return space_text(text) if tag.startswith("zh") else text


def space_line(line: Inlines) -> Inlines:
    """Return a line of prose with the Han–Latin space set, also where two inline nodes meet.

    At a seam the space goes to the node outside of links, emphasis and the like, so that no underline or link
    gains a blank. Beside a footnote mark, a picture or a line break nothing is set.
    """
    result: list[Inline] = []
    for node in line:
        new = _inside(node)
        if result and _needs_space(_last(result[-1]), _first(new)):
            previous = result[-1]
            if isinstance(previous, inlines.Text):
                result[-1] = previous.model_copy(update={"text": previous.text + " "})
            elif isinstance(new, inlines.Text):
                new = new.model_copy(update={"text": " " + new.text})
            else:
                result.append(inlines.Text(text=" "))
        result.append(new)
    return tuple(result)


def _inside(node: Inline) -> Inline:
    match node:
        case inlines.Text():
            text = space_text(node.text)
            return node if text == node.text else node.model_copy(update={"text": text})
        case inlines.Link() if _is_bare(node):
            return node
        case (
            inlines.Emphasis()
            | inlines.Strong()
            | inlines.Strikethrough()
            | inlines.Link()
            | inlines.Reference()
            | inlines.Span()
        ):
            children = space_line(node.children)
            return node if children == node.children else node.model_copy(update={"children": children})
        case _:
            return node


def _is_bare(link: inlines.Link) -> bool:
    shown = link.children[0] if len(link.children) == 1 else None
    return isinstance(shown, inlines.Text) and re.match(r"(https?://|mailto:)\S+$", shown.text) is not None


def _needs_space(before: str, after: str) -> bool:
    pair = before[-1:] + after[:2]
    if len(pair) < 2:
        return False
    return any(match.start() == 1 for rule in (_BEFORE, _AFTER) for match in rule.finditer(pair))


def _first(node: Inline) -> str:
    """Return the first characters that the rule sees, at most two."""
    match node:
        case inlines.Text():
            return node.text[:2]
        case inlines.Code():
            return node.text[:1] if re.match(f"[{HAN}]", node.text) else _OPAQUE
        case inlines.Math():
            return _OPAQUE
        case inlines.NoteReference() | inlines.Image() | inlines.LineBreak():
            return ""
        case _:
            return _first(node.children[0]) if node.children else ""


def _last(node: Inline) -> str:
    match node:
        case inlines.Text():
            return node.text[-1:]
        case inlines.Code():
            return node.text[-1:] if re.search(f"[{HAN}]$", node.text) else _OPAQUE
        case inlines.Math():
            return _OPAQUE
        case inlines.NoteReference() | inlines.Image() | inlines.LineBreak():
            return ""
        case _:
            return _last(node.children[-1]) if node.children else ""
