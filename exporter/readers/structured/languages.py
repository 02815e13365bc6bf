"""Texts by language in YAML and JSON: one tree for each language of the issue."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from exporter.readers.findings import nearest
from exporter.readers.structured.trees import Mapping, Sequence
from exporter.readers.written import Written

if TYPE_CHECKING:
    from exporter.readers.findings import Findings

_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Z]{2}|[0-9]{3}))?")

# Mappings with keys of their own; ``to`` and ``id`` look like languages, and addresses keep their languages.
_STRUCTURES = frozenset({"coverage", "email", "publication", "fields"})


def languages_of(tree: Mapping) -> tuple[str, ...]:
    """Return the languages that the title names, the issue's own first."""
    title, own = tree.get("title"), tree.get("language")
    tags = list(title) if isinstance(title, Mapping) else []
    if isinstance(own, str):
        tags.sort(key=lambda tag: tag != own)
        return tuple(tags) if tags else (str(own),)
    return tuple(tags)


def in_language(tree: Mapping, language: str, languages: tuple[str, ...], findings: Findings) -> Mapping:
    """Return the tree with the texts of one language, the original's where that one lacks.

    What stands in is marked with its own language, and a notice names it.
    """
    chosen = _Choice(language, languages, findings).of(tree)
    assert isinstance(chosen, Mapping)  # noqa: S101 - the title keeps the tree from being a text by language
    return chosen


class _Choice:
    def __init__(self, language: str, languages: tuple[str, ...], findings: Findings) -> None:
        self._language, self._languages, self._findings = language, languages, findings

    def of(self, node: Any, key: str = "") -> Any:
        """Return a node with the texts of the language."""
        if isinstance(node, Sequence):
            items = Sequence(node.place)
            items.extend(self.of(item) for item in node)
            return items
        if not isinstance(node, Mapping):
            return node
        if self._is_by_language(node, key):
            return self.of(self._text(node, key), key)
        below = Mapping(node.place)
        below.keys_at = node.keys_at
        for name, value in node.items():
            below[name] = value if name in {"email", "publication"} else self.of(value, name)
        return below

    def _is_by_language(self, node: Mapping, key: str) -> bool:
        if not node or key in _STRUCTURES or not all(_TAG.fullmatch(tag) for tag in node):
            return False
        return any(tag in self._languages for tag in node)

    def _text(self, node: Mapping, key: str) -> Any:
        for tag in node:
            if tag not in self._languages:
                self._findings.problem(
                    f"{key} has a text in {tag}, but the issue has no version in it",
                    node.keys_at[tag],
                    nearest(tag, self._languages, what="the title's languages"),
                )
        if node.get(self._language) is not None:
            return node[self._language]
        for tag in (*self._languages, *node):
            if node.get(tag) is not None:
                self._findings.notice(
                    "missing-translation",
                    f"{key} has no text in {self._language}: the one in {tag} stands in for it",
                    node.place,
                )
                return _stand_in(node[tag], tag)
        return None


def _stand_in(node: Any, language: str) -> Any:
    return Written(node, node.file, node.rows, language) if isinstance(node, Written) else node
