"""YAML 1.2 to a tree of texts: nothing is constructed, nothing expands without bound."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exporter.readers.structured.trees import Mapping, Sequence, check_characters, report_twice
from exporter.readers.written import Written

if TYPE_CHECKING:
    from yaml.events import Event, ScalarEvent

    from exporter.notices import Place
    from exporter.readers.findings import Findings
    from exporter.readers.limits import Limits

_NOTHING = {"", "~", "null", "Null", "NULL"}
_CORE = "tag:yaml.org,2002:"


def read_yaml(text: Written, findings: Findings, limits: Limits) -> Any:
    """Return the tree of one YAML document, or None after reporting why there is none.

    Every scalar is text that the model converts (core schema of YAML 1.2: ``no`` and ``1.10`` are what their
    field wants). Duplicate keys, cycles, custom tags, merge keys, several documents, aliases over the limit and
    nesting over the limit are problems.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(text, findings, limits)
    try:
        for event in yaml.parse(str(text), Loader=loader):
            if not builder.take(event):
                return None
    except yaml.MarkedYAMLError as error:
        _report(error, text, findings, limits)
        return None
    except yaml.YAMLError as error:
        findings.problem(f"this is no YAML: {error}", text.place())
        return None
    return builder.root


@dataclass(slots=True)
class _Open:
    """A mapping or list that is not closed yet."""

    node: Mapping | Sequence
    anchor: str | None
    size: int = 1
    key: Written | None = None
    keys: dict[str, Place] = field(default_factory=dict)


class _Builder:
    """Builds the tree from events, without recursion."""

    def __init__(self, text: Written, findings: Findings, limits: Limits) -> None:
        self.root: Any = None
        self._text = text
        self._lines = text.split("\n")
        self._findings = findings
        self._limits = limits
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._expanded = 0
        self._documents = 0

    def take(self, event: Event) -> bool:
        """Take the next event; False when the document is refused as a whole."""
        from yaml import events

        place = self._place(event)
        if isinstance(event, events.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._findings.problem("a second YAML document begins here: only one is read", place)
                return False
        elif isinstance(event, events.AliasEvent):
            return self._alias(event.anchor or "", place)
        elif isinstance(event, events.ScalarEvent):
            self._check_tag(event, place)
            self._add(self._scalar(event), place, event.anchor, 1)
        elif isinstance(event, events.CollectionStartEvent):
            self._check_tag(event, place)
            if len(self._stack) >= self._limits.tree_depth:
                self._findings.problem(
                    f"the YAML is nested deeper than the limit of {self._limits.tree_depth}", place
                )
                return False
            node = Mapping(place) if isinstance(event, events.MappingStartEvent) else Sequence(place)
            self._stack.append(_Open(node, event.anchor))
        elif isinstance(event, events.CollectionEndEvent):
            closed = self._stack.pop()
            self._add(closed.node, closed.node.place, closed.anchor, closed.size)
        return True

    def _alias(self, anchor: str, place: Place) -> bool:
        if opened := next((each for each in self._stack if each.anchor == anchor), None):
            self._findings.problem(
                f"*{anchor} stands inside what it names, from line {opened.node.place.line} on: "
                "that would never end",
                place,
            )
            return False
        if anchor not in self._anchors:
            self._findings.problem(f"*{anchor} names nothing", place)
            return False
        node, count = self._anchors[anchor]
        self._expanded += count
        if self._expanded > self._limits.alias_nodes:
            limit = self._limits.alias_nodes
            self._findings.problem(f"the aliases expand to more than the limit of {limit} nodes", place)
            return False
        self._add(node, place, None, count)
        return True

    def _add(self, node: Any, place: Place, anchor: str | None, count: int) -> None:
        if anchor:
            self._anchors[anchor] = (node, count)
        if not self._stack:
            self.root = node
            return
        top = self._stack[-1]
        top.size += count
        if isinstance(top.node, Sequence):
            top.node.append(node)
        elif top.key is None:
            top.key = self._key(node, place)
        else:
            self._set(top, top.key, node)
            top.key = None

    def _key(self, node: Any, place: Place) -> Written:
        if not isinstance(node, Written):
            if node is not None:
                self._findings.problem("a key must be a text", place)
            return Written("", place.file, ((place.line, place.column),))
        if node == "<<":
            self._findings.problem("merge keys (<<) are not read", place, "write the keys out")
        return node

    def _set(self, top: _Open, key: Written, node: Any) -> None:
        place = key.place()
        if key in top.keys:
            report_twice(key, top.keys[key], place, self._findings)
            return
        top.keys[str(key)] = place
        if key != "<<":
            top.node[str(key)] = node  # type: ignore[call-overload]
            top.node.keys_at[str(key)] = place  # type: ignore[union-attr]

    def _scalar(self, event: ScalarEvent) -> Written | None:
        if not event.style and event.value in _NOTHING and not event.tag:
            return None
        start = self._place(event)
        check_characters(event.value, start, self._findings)
        rows = [(start.line, start.column)]
        if event.style in {"'", '"'}:
            rows = [(start.line, start.column + 1)]
        elif event.style in {"|", ">"}:
            rows = self._block_rows(event)
        return Written(event.value, self._text.file, tuple(rows))

    def _block_rows(self, event: ScalarEvent) -> list[tuple[int, int]]:
        """Return where the lines of a block scalar stand: below its indicator, all indented alike."""
        start: Any = event.start_mark
        end: Any = event.end_mark
        first, last = start.line + 1, min(end.line + 1, len(self._lines))
        lines = self._lines[first:last]
        indent = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), 0)
        rows = []
        for number in range(first, max(last, first + 1)):
            place = self._text.place(number, indent)
            rows.append((place.line, place.column))
        return rows

    def _check_tag(self, event: Any, place: Place) -> None:
        tag = event.tag
        if tag and tag != "!" and tag not in {f"{_CORE}{name}" for name in ("str", "map", "seq")}:
            self._findings.problem(
                f"the tag {tag.replace(_CORE, '!!')} is not allowed",
                place,
                "leave it away: fields know their types",
            )

    def _place(self, event: Any) -> Place:
        return self._text.place(event.start_mark.line, event.start_mark.column)


def _report(error: Any, text: Written, findings: Findings, limits: Limits) -> None:
    mark = error.problem_mark or error.context_mark
    place = text.place(mark.line, mark.column) if mark else text.place()
    lines = text.split("\n")
    line = lines[mark.line] if mark and mark.line < len(lines) else ""
    above = lines[mark.line - 1] if mark and 0 < mark.line <= len(lines) else ""
    if "\t" in (indent := re.match(r"[ \t]*", line).group()):  # type: ignore[union-attr]
        column = indent.index("\t")
        findings.problem("a tab cannot indent YAML", text.place(mark.line, column), "indent with spaces")
        return
    if "maximum nesting depth" in str(error.problem):
        findings.problem(f"the YAML is nested deeper than the limit of {limits.tree_depth}", place)
        return
    reason = (error.problem or str(error)).replace("<", "").replace(">", "")
    hint = None
    if "mapping values are not allowed" in reason:
        reason = "a colon with a space behind it stands inside a text"
        hint = "put the text between quotation marks"
    elif "could not find expected ':'" in reason:
        reason, hint = (
            "a line is neither a key with a colon nor the rest of a text",
            f"look at the line above: {above.strip()}",
        )
    elif "found character" in reason and "cannot start any token" in reason:
        char = line[mark.column : mark.column + 1]
        reason = f"a text cannot begin with {char}" if char.strip() else reason
        hint = "put the text between quotation marks"
    findings.problem(f"this is no YAML: {reason}", place, hint)
