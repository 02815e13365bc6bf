"""Lines of plain text: where they may end, and filling them by display width.

The rules are UAX #14's with the Chinese prohibitions at both ends of a line (CLREQ §3.1.7; GB/T 15834 §5.1):

- no line begins with a closing mark, a dash, an ellipsis or a middle dot, not even after a space, and none ends
  with an opening one;
- between Han characters a line may end anywhere else, and nothing is put there when lines are joined again;
- an author's word (letters, digits and the signs between them) is whole unless it is longer than a line; a web
  address is whole even then;
- a number stays with its unit (``12 GB``, ``8 月``), a label with its number (``图 3``), the last two Han
  characters of a paragraph stay together;
- a sign alone between spaces (``a / b``) stays with what precedes it;
- no-break spaces, combining marks, joined emoji and flags are never divided.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exporter.typography.width import AMBIGUOUS_OTHER, GLUE_SPACE, JOINER, graphemes, width, written

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Broken:
    """One line of a filled paragraph.

    Attributes:
        text: The line, without spaces at its end.
        space: The spaces of the source at which it ends; empty between Han characters and at the last line.
    """

    text: str
    space: str = ""


def wrap(text: str, columns: int, *, first: int | None = None, ambiguous: int = AMBIGUOUS_OTHER) -> tuple[str, ...]:
    """Return a paragraph as lines of at most so many columns.

    Args:
        text: One paragraph; white space runs count as one space.
        columns: The measure.
        first: The measure of the first line, where it differs.
        ambiguous: Columns of a character of ambiguous width.

    A line is longer only when it is one web address.
    """
    return tuple(line.text for line in fill(text, columns, first=first, ambiguous=ambiguous))


def fill(
    text: str, columns: int, *, first: int | None = None, ambiguous: int = AMBIGUOUS_OTHER
) -> tuple[Broken, ...]:
    """Return a paragraph as ``wrap`` does, each line with the space that its end has swallowed."""
    lines: list[Broken] = []
    line, used, room = "", 0, columns if first is None else first
    for atom in _fitting(text, min(columns, room), ambiguous):
        core = atom.rstrip(" ")
        size = width(core, ambiguous=ambiguous)
        if line and used + size > room:
            lines.append(_broken(line))
            line, used, room = "", 0, columns
        line += atom
        used += size + len(atom) - len(core)
    if line.strip(" "):
        lines.append(Broken(written(line.rstrip(" "))))
    return tuple(lines)


def atoms(text: str) -> Iterator[str]:
    """Yield the pieces of a paragraph that no line end divides, each with the spaces after it."""
    text = _GLUED.sub(GLUE_SPACE, " ".join(part for part in text.split(" ") if part))
    start = 0
    for match in _BREAK.finditer(_classes(text)):
        end = match.start()
        if end > start:
            yield text[start:end]
            start = end
    if start < len(text):
        yield text[start:]


def narrowest(text: str, *, ambiguous: int = AMBIGUOUS_OTHER) -> int:
    """Return the columns of the widest piece that no line end divides."""
    return max((width(atom.rstrip(" "), ambiguous=ambiguous) for atom in atoms(text)), default=0)


def is_address(text: str) -> bool:
    """Tell whether the text holds a web or mail address, which is not divided even when it is too long."""
    return _ADDRESS.search(text) is not None


def _broken(line: str) -> Broken:
    core = line.rstrip(" ")
    return Broken(written(core), line[len(core) :])


# Where a line may end

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S|\bmailto:\S|\bwww\.\S", re.IGNORECASE)
_UNITS = (
    "[kMGTP]?i?B(?:/s)?|[KMGT]B|[kMG]?bit(?:/s)?|[kMGT]?Hz|[mμµnk]?s|min|h|[mk]?W|kWh|[mk]?V|m?A|[kcmμµn]?m|[mk]?g|m?L"
    "|°C|℃|K|%|px|pt|dpi|fps|FLOPs?|USD|CNY|EUR"
)
_GLUED = re.compile(rf"(?<=[0-9]) (?=(?:{_UNITS})(?![A-Za-z0-9]))|(?<=[^ ]) (?=[-/|+*=<>×→–~] )")
"""A space at which no line ends: between a number and its unit (ISO 80000-1 §7.1.4), and before a sign that stands
alone, which would look like a bullet or a quotation at the start of a line."""

_NO_BREAK_UNITS = "年月日号时点分秒周天岁期卷版章节页世万亿千百倍元美％‰℃"
_LABELS = "图表式第"


@functools.lru_cache(maxsize=1 << 14)
def _class(char: str) -> str:  # a table of UAX #14 in miniature
    """Return the class of a character as one letter; the pair rules of ``_BREAK`` are written over them."""
    if char in _FIXED:
        return _FIXED[char]
    category = unicodedata.category(char)
    if category[0] == "M" or "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f":
        return "x"  # stays with what it modifies
    if "\U0001f1e6" <= char <= "\U0001f1ff":
        return "i"
    if category.startswith("Z"):
        return "s"
    wide = unicodedata.east_asian_width(char) in {"W", "F"}
    if category in {"Ps", "Pi"}:
        return "o" if wide or not char.isascii() else "b"
    if category in {"Pe", "Pf"}:
        return "n" if wide or not char.isascii() else "p"
    if char.isdecimal():
        return "9"
    breakable = (wide and not _HANGUL.match(char)) or _KANA.match(char) or ord(char) > 0x1F000
    return "c" if breakable else "w"


_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]")
_KANA = re.compile("[\uff66-\uff9f]")
_SMALL_KANA = "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶｧｨｩｪｫｬｭｮｯーｰゝゞヽヾ々〻ﾞﾟ"
_FIXED: Final = {
    **dict.fromkeys(_NO_BREAK_UNITS, "u"),
    **dict.fromkeys(_LABELS, "r"),
    **dict.fromkeys("，。、；：！？％‰℃｡､･・·‧〉》」』】〕〗〙〛）］｝｠〟′″‼⁇⁈⁉" + _SMALL_KANA, "n"),
    **dict.fromkeys("（［｛｟〈《「『【〔〖〘〚〝“‘￥＄￡①②③④⑤⑥⑦⑧⑨⑩", "o"),
    **dict.fromkeys("—…―‥⸺", "d"),
    **dict.fromkeys("～〜", "z"),
    **dict.fromkeys("’”", "a"),
    **dict.fromkeys("\"'", "q"),
    **dict.fromkeys(",;:!?)]}%", "p"),
    **dict.fromkeys("([{", "b"),
    **dict.fromkeys("./-–‐°", "y"),
    **dict.fromkeys(f"\N{NO-BREAK SPACE}\u202f\u200d{GLUE_SPACE}{JOINER}", "g"),
    " ": "s",
}

_BREAK = re.compile(
    "(?<=[cxurndi])(?=[curw9boi])(?!(?<=r)9)"  # after Han and closing marks
    "|(?<=[w9yp])(?=[curoi])(?!(?<=9)u)"  # a word before Han; 8|月 stays whole
    "|(?<=a)(?=[curoi])|(?<=[^w9ypb]a)(?=[w9b])"  # after ’ and ”, but not in don’t
    "|(?<=[^obs]s)(?=[^spndazxg])(?!(?<=9s)u)(?!(?<=rs)9)"  # after a space
)


class _Classes(dict[int, str]):
    def __missing__(self, code: int) -> str:
        return self.setdefault(code, _class(chr(code)))


_CLASSES: Final = _Classes()
_LAST_HAN = re.compile("c(?=[cur][np]*$)")


def _classes(text: str) -> str:
    classes = text.translate(_CLASSES)
    if "x" in classes:
        classes = re.sub("(?<=[w9yp])x+", lambda match: "w" * len(match.group()), classes)
    if "i" in classes:
        classes = classes.replace("ii", "ix")
    # The last two Han characters of a paragraph stay together: the first of them opens for the second.
    last = _LAST_HAN.search(classes, max(0, len(classes) - 8))
    return f"{classes[: last.start()]}o{classes[last.end() :]}" if last and last.start() else classes


# Pieces that are longer than a line


def _fitting(text: str, columns: int, ambiguous: int) -> Iterator[str]:
    """Yield the atoms, those too long for a line divided where that does the least harm."""
    for atom in atoms(text):
        wide = len(atom) * 2 > columns and width(atom.rstrip(" "), ambiguous=ambiguous) > columns
        if wide and not is_address(atom):
            yield from _divided(atom, columns, ambiguous)
        else:
            yield atom


def _divided(atom: str, columns: int, ambiguous: int) -> Iterator[str]:
    rest = list(graphemes(atom))
    while rest:
        count = _fitting_count(rest, columns, ambiguous)
        if count < len(rest):
            count = _best_cut(rest, count)
        piece = "".join(rest[:count])
        yield f"{piece[:-1]} " if piece.endswith(GLUE_SPACE) else piece
        del rest[:count]


_JOINTS = set("/-_.,&=?:;|\\") | {GLUE_SPACE}


def _fitting_count(units: list[str], columns: int, ambiguous: int) -> int:
    used = 0
    for index, unit in enumerate(units):
        used += width(unit, ambiguous=ambiguous)
        if used > columns and unit != " ":
            return max(1, index)
    return len(units)


def _best_cut(units: list[str], most: int) -> int:
    """Return where to cut: after a sign that joins words, else anywhere that breaks no prohibition."""
    allowed = [cut for cut in range(most, most // 2, -1) if _may_cut(units[cut - 1], units[cut])]
    joints = (cut for cut in allowed if units[cut - 1] in _JOINTS)
    return next(joints, allowed[0] if allowed else most)


def _may_cut(before: str, after: str) -> bool:
    opening = _class(before[0]) in "obqgz" and before != GLUE_SPACE
    return not opening and _class(after[0]) not in "pndazxgyq" and before != JOINER
