"""JSON to a tree of texts, with the place of every key and value, which the standard library does not keep."""

from __future__ import annotations

import bisect
import json
import re
from typing import TYPE_CHECKING, Any

from exporter.notices import Place
from exporter.readers.structured.trees import Mapping, Sequence, check_characters, report_twice
from exporter.readers.written import Written

if TYPE_CHECKING:
    from collections.abc import Callable

    from exporter.readers.findings import Findings
    from exporter.readers.limits import Limits

_string_at: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]
_TOKEN = re.compile(r"[ \t\n]*([\[\]{},:\"]|[^\s\[\]{},:\"]+)")


def read_json(text: Written, findings: Findings, limits: Limits) -> Any:
    """Return the tree of a JSON document, or None after reporting why there is none.

    Values are texts that the model converts, as in YAML; ``null`` is None. Duplicate keys, ``NaN``, lone
    surrogates and nesting over the limit are problems.
    """
    try:
        json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        findings.problem(f"this is no JSON: {error.msg.lower()}", text.place_of(error.pos))
        return None
    except ValueError as error:
        findings.problem(f"this is no JSON: {error}", text.place())
        return None
    except RecursionError:
        findings.problem(f"the JSON is nested deeper than the limit of {limits.tree_depth}", text.place())
        return None
    return _Builder(text, findings, limits).build()


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


class _Builder:
    """Reads the tokens of a text that is known to be JSON."""

    def __init__(self, text: Written, findings: Findings, limits: Limits) -> None:
        self._text = text
        self._plain = str(text)
        self._findings = findings
        self._limits = limits
        self._starts = [0, *(match.end() for match in re.finditer("\n", self._plain))]

    def build(self) -> Any:
        """Return the tree."""
        root = Sequence(self._text.place())
        stack: list[Mapping | Sequence] = [root]
        key: Written | None = None
        leaf: Written | None
        position = 0
        while match := _TOKEN.match(self._plain, position):
            mark, start, position = match.group(1), match.start(1), match.end()
            place = self._place(start)
            if mark in ",:":
                continue
            if mark in "]}":
                stack.pop()
                continue
            if mark in "[{":
                if len(stack) > self._limits.tree_depth:
                    limit = self._limits.tree_depth
                    self._findings.problem(f"the JSON is nested deeper than the limit of {limit}", place)
                    return None
                below = Mapping(place) if mark == "{" else Sequence(place)
                self._add(stack[-1], key, below)
                stack.append(below)
                key = None
                continue
            if mark == '"':
                value, position = _string_at(self._plain, start + 1, True)  # noqa: FBT003 - strict
                leaf = self._string(value, place)
                if isinstance(stack[-1], Mapping) and key is None:
                    key = leaf
                    continue
            else:
                leaf = None if mark == "null" else self._written(mark, place)
            self._add(stack[-1], key, leaf)
            key = None
        return root[0]

    def _add(self, parent: Mapping | Sequence, key: Written | None, node: Any) -> None:
        if isinstance(parent, Sequence):
            parent.append(node)
            return
        if key is None:
            return
        if key in parent:
            report_twice(key, parent.keys_at[key], key.place(), self._findings)
            return
        parent[str(key)] = node
        parent.keys_at[str(key)] = key.place()

    def _string(self, value: str, place: Place) -> Written:
        if re.search("[\ud800-\udfff]", value):
            self._findings.problem("half a surrogate pair is no character", place)
            value = re.sub("[\ud800-\udfff]", "", value)
        start = Place(place.file, place.line, place.column + 1)
        check_characters(value, start, self._findings)
        return self._written(value, start)

    def _written(self, value: str, place: Place) -> Written:
        return Written(value, place.file, ((place.line, place.column),))

    def _place(self, index: int) -> Place:
        row = bisect.bisect_right(self._starts, index) - 1
        return self._text.place(row, index - self._starts[row])
