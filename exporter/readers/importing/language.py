"""Finds the language of a text from its script."""

from __future__ import annotations

import re

_TRADITIONAL = frozenset(
    "這個們來時國說會對與學開關發點經現實過還後當種從無動於為論評測將類義題數據庫檔環應該認識讓"
)
_SIMPLIFIED = frozenset(
    "这个们来时国说会对与学开关发点经现实过还后当种从无动于为论评测将类义题数据库档环应该认识让"
)


def detect_language(text: str) -> str:
    """Return a BCP 47 tag: by kana, Hangul and Han characters, Simplified or Traditional; ``en`` otherwise."""
    letters = len(re.findall(r"[^\W\d_]", text)) or 1
    kana = len(re.findall(r"[\u3040-\u30ff]", text))
    hangul = len(re.findall(r"[\uac00-\ud7af]", text))
    han = len(re.findall(r"[\u3400-\u9fff]", text))
    if kana > 0.1 * letters:
        return "ja"
    if hangul > 0.2 * letters:
        return "ko"
    if han < 0.1 * letters:
        return "en"
    traditional = sum(char in _TRADITIONAL and char not in _SIMPLIFIED for char in text)
    simplified = sum(char in _SIMPLIFIED and char not in _TRADITIONAL for char in text)
    return "zh-Hant" if traditional > simplified else "zh"
