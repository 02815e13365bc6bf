"""Which characters are Chinese, Japanese or Korean, for emphasis, soft breaks and bare addresses."""

from __future__ import annotations

import unicodedata

# Marks that Chinese shares with Latin; they belong to whichever stands beside them.
SHARED_MARKS = frozenset("“”‘’…—–·―‥⸺")

# What ends a bare address in Chinese prose although RFC 3987 allows it in a path.
_STOPS = frozenset("。，、；：！？．（）【】《》〈〉「」『』〔〕〖〗｛｝［］～“”‘’…—　｜＂＇")


def is_cjk(char: str) -> bool:
    """Tell whether a character is Han, kana, Hangul, bopomofo, or punctuation of full width."""
    code = ord(char)
    if code < 0x1100:
        return False
    return (
        0x2E80 <= code <= 0x303F  # radicals, CJK symbols and punctuation
        or 0x3040 <= code <= 0x4DBF  # kana, bopomofo, compatibility, extension A
        or 0x4E00 <= code <= 0x9FFF
        or 0xA960 <= code <= 0xA97F
        or 0xAC00 <= code <= 0xD7FF
        or 0x1100 <= code <= 0x11FF
        or 0xF900 <= code <= 0xFAFF
        or 0xFE30 <= code <= 0xFE4F
        or 0xFF00 <= code <= 0xFFEF
        or 0x1AFF0 <= code <= 0x1B2FF
        or 0x20000 <= code <= 0x3FFFF
    )


def is_hangul(char: str) -> bool:
    """Tell whether a character belongs to Korean, which has spaces between words."""
    return "HANGUL" in unicodedata.name(char, "")


def is_wide_punctuation(char: str) -> bool:
    """Tell whether a character is punctuation of full width, which carries its own space."""
    return is_cjk(char) and (unicodedata.category(char).startswith("P") or char == "\N{FULLWIDTH TILDE}")


def joins(before: str, after: str) -> bool:
    """Tell whether a line break between two characters stands for nothing instead of a space."""
    sides = (before, after)
    if any(is_hangul(side) for side in sides):
        return False
    if any(is_wide_punctuation(side) for side in sides):
        return True
    return all(is_cjk(side) or side in SHARED_MARKS for side in sides) and any(map(is_cjk, sides))


def stops_address(char: str) -> bool:
    """Tell whether a character ends a bare address."""
    return char in _STOPS or char.isspace() or unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}
