"""LaTeX math, checked, drawn as vector outlines, and written as readable Unicode."""

from __future__ import annotations

import functools
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exporter.math_faces import WIDE, font_for

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from exporter.fonts import Face


@dataclass(frozen=True, slots=True)
class Drawing:
    """A formula as a picture.

    Attributes:
        svg: Standalone SVG made of paths; needs no font.
        width: Width in the unit of the size asked for.
        height: Height in the same unit.
        depth: How far it reaches below the baseline, in the same unit.
    """

    svg: str
    width: float
    height: float
    depth: float


def check(tex: str) -> str | None:
    """Return why a formula cannot be set, as the end of a sentence, or None when it can.

    Finds what the TeX parser refuses, unbalanced braces and environments, commands that it does not know (it
    would print their names), and characters that the math face lacks (they would print as boxes).
    """
    if problem := _unbalanced(tex):
        return problem
    try:
        tree = _mathml(tex)
    except SyntaxError:  # ElementTree's ParseError: the converter let a bare & through
        return "an & stands outside of an environment that is known"
    except Exception as error:  # noqa: BLE001 - latex2mathml and its parser raise what they like
        return _reason(error)
    for element in tree.iter():
        text = (element.text or "").strip()
        if text.startswith("\\") and len(text) > 1:
            return f"the command {text} is not known"
    if lacking := _lacking(tree):
        names = ", ".join(f"{char} (U+{ord(char):04X})" for char in lacking)
        return f"the math face has no {names}: write it outside the formula"
    try:
        # Which face draws Han is the theme's affair; that it can be laid out does not depend on it.
        draw(WIDE.sub("x", tex))
    except Exception as error:  # noqa: BLE001 - see above
        return _reason(error)
    return None


@functools.lru_cache(maxsize=512)
def draw(
    tex: str, *, size: float = 16.0, display: bool = False, color: str = "#000000", han: Face | None = None
) -> Drawing:
    """Draw a formula that ``check`` accepts.

    Args:
        tex: LaTeX math without delimiters.
        size: Type size; the measures returned are in the same unit.
        display: Set limits and fractions large, as on a line of its own.
        color: Six-digit color of the ink.
        han: Face of Han inside the formula; without one they are left blank.
    """
    import ziafont
    import ziamath
    from ziamath.zmath import loadedfonts

    # <symbol>/<use> pairs would need ids that clash when two formulas meet in one document.
    svg2, ziafont.config.svg2 = ziafont.config.svg2, False
    try:
        font = None
        if han is not None and (wide := frozenset(WIDE.findall(tex))):
            font = f"{han.file}:{han.index}:{''.join(sorted(wide))}"
            loadedfonts[font] = font_for(wide, han)
        formula = ziamath.Latex(tex, size=size, inline=not display, color=color, margin=0, font=font)
        width, height = formula.getsize()
        return Drawing(svg=formula.svg(), width=width, height=height, depth=max(0.0, -formula.getyofst()))
    finally:
        ziafont.config.svg2 = svg2


@functools.lru_cache(maxsize=512)
def linear(tex: str) -> str:
    """Return a formula as one line of Unicode, unambiguous and as readable as plain text allows.

    Superscripts and subscripts use Unicode's own characters where all of them exist (``10⁻³``), else
    ``^(…)`` and ``_(…)``; fractions become ``a/b`` with brackets where they are needed.
    """
    text = " ".join(_Linear().line(_mathml(tex)).split())
    return text.replace("( ", "(").replace(" )", ")")


def _mathml(tex: str) -> Element:
    from defusedxml import ElementTree
    from latex2mathml.converter import convert

    tree: Element = ElementTree.fromstring(convert(tex))
    return tree


def _unbalanced(tex: str) -> str | None:
    depth = 0
    skip = False
    for char in tex:
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth < 0:
                return "a } has no {"
    return "a { is never closed" if depth else None


def _reason(error: Exception) -> str:
    name = type(error).__name__.removesuffix("Error")
    words = "".join(f" {char.lower()}" if char.isupper() else char for char in name).strip()
    return f"it is not valid TeX ({words}{': ' + str(error) if str(error) else ''})"


def _lacking(tree: Element) -> str:
    import ziamath

    font = ziamath.Latex("x").font
    characters = {
        char for element in tree.iter() for char in WIDE.sub("", element.text or "") if not char.isspace()
    }
    return "".join(sorted(char for char in characters if font.glyphindex(char) == 0))


_SUPERSCRIPT = dict(zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ", strict=True))
_SUBSCRIPT = dict(zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_SPACED = set("=<>≤≥≠≈≡≪≫∼≃∝∈∉⊂⊆∪∩→←↔⇒⇔↦+−±∓×÷∧∨")
_FUNCTIONS_END = (
    "sin",
    "cos",
    "tan",
    "log",
    "ln",
    "exp",
    "max",
    "min",
    "lim",
    "sup",
    "inf",
    "det",
    "dim",
    "ker",
    "arg",
)


class _Linear:
    """Writes a MathML tree as one line."""

    def line(self, element: Element) -> str:
        match element.tag.rpartition("}")[2]:
            case "mi" | "mn" | "mtext" | "ms":
                return self._identifier(element.text or "")
            case "mo":
                return self._operator(element.text or "")
            case "mspace":
                return " "
            case "mfrac":
                return "/".join(_bracketed(self.line(child).strip()) for child in element)
            case "msqrt":
                return "√" + _bracketed(self._row(element).strip())
            case "mroot":
                root, index = (self.line(child).strip() for child in element)
                return f"{_script(index, _SUPERSCRIPT, '^')}√{_bracketed(root)}"
            case "msub" | "munder":
                base, below = list(element)
                return self.line(base).rstrip() + self._below(below)
            case "msup" | "mover":
                base, above = list(element)
                return self._above(base, above)
            case "msubsup" | "munderover":
                base, below, above = list(element)
                upper = _script(self.line(above).strip(), _SUPERSCRIPT, "^")
                return self.line(base).rstrip() + self._below(below) + upper + _after(base)
            case "mtable":
                return "; ".join(self._row(row, " ").strip() for row in element)
            case "mtr":
                return self._row(element, " ")
            case _:
                return self._row(element)

    def _row(self, element: Element, between: str = "") -> str:
        return between.join(self.line(child) for child in element)

    def _identifier(self, text: str) -> str:
        return f"{text} " if text in _FUNCTIONS_END else text

    def _operator(self, text: str) -> str:
        text = unicodedata.normalize("NFC", text).replace("-", "−")
        return f" {text} " if text in _SPACED else f"{text} " if text in {",", ";"} else text

    def _below(self, below: Element) -> str:
        return _script(self.line(below).strip(), _SUBSCRIPT, "_")

    def _above(self, base: Element, above: Element) -> str:
        letter, mark = self.line(base).rstrip(), self.line(above).strip()
        accents = {"^": "\u0302", "~": "\u0303", "¯": "\u0304", "→": "\u20d7", "˙": "\u0307", "¨": "\u0308"}
        if mark in accents and len(letter) == 1:
            return letter + accents[mark]
        return letter + _script(mark, _SUPERSCRIPT, "^")


def _after(base: Element) -> str:
    return " " if (base.text or "").strip() in {"∑", "∏", "∫", "⋃", "⋂"} else ""


def _script(text: str, table: dict[str, str], mark: str) -> str:
    compact = text.replace(" ", "")
    if compact and all(char in table for char in compact):
        return "".join(table[char] for char in compact)
    if compact in {"′", "″", "‴", "*"}:
        return compact
    return f"{mark}{compact}" if len(compact) == 1 else f"{mark}({text})"


def _bracketed(text: str) -> str:
    simple = text.isalnum() or (text[:1] in "([|‖" and _closes_at_end(text)) or _is_call(text)
    return text if simple or len(text) <= 1 else f"({text})"


def _is_call(text: str) -> bool:
    head, bracket, _ = text.partition("(")
    return bool(bracket) and head.isalnum() and _closes_at_end(text[len(head) :])


def _closes_at_end(text: str) -> bool:
    pairs = {"(": ")", "[": "]", "|": "|", "‖": "‖"}
    closing = pairs.get(text[:1])
    if closing is None or not text.endswith(closing) or len(text) < 2:
        return False
    if text[0] == closing:
        return text.count(closing) == 2
    depth = 0
    for index, char in enumerate(text):
        depth += (char == text[0]) - (char == closing)
        if depth == 0:
            return index == len(text) - 1
    return False
