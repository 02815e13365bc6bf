"""Directives: ``:::{name} ARGUMENT`` with options and a body, as SOURCE_FORMAT.md "Directives" lists them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exporter.readers.findings import nearest
from exporter.readers.written import Written

if TYPE_CHECKING:
    from exporter.notices import Place
    from exporter.readers.findings import Findings

_INFO = re.compile(r"\{([^\s{}]+)\}[ \t]*(.*)$")
_OPTION = re.compile(r":([A-Za-z][\w-]*):(?:[ \t]+(.*))?$")

ADMONITIONS = ("note", "tip", "important", "warning", "caution")

OPTIONS: dict[str, tuple[str, ...]] = {
    "figure": ("name", "alt", "width", "align", "credit", "source"),
    "table": ("name", "align", "width", "source", "notes"),
    "csv-table": (
        *("file", "header-rows", "stub-columns", "align", "format", "widths", "width"),
        *("delimiter", "encoding", "name", "source", "notes"),
    ),
    "chart": ("name", "alt", "data", "spec", "credit", "source"),
    **dict.fromkeys(ADMONITIONS, ("title",)),
    "quote": ("attribution", "source"),
    "code": ("name", "caption", "lines"),
    "math": ("name",),
    "only": (),
    "pagebreak": (),
}
"""The options of each directive."""

_ARGUMENT = {
    "figure": "the path of a picture",
    "only": "one or more of pdf, email, text",
}


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive as written: its parts are not read yet."""

    name: str
    argument: Written
    options: dict[str, Written]
    body: Written
    place: Place

    def option(self, name: str) -> Written | None:
        """Return an option that is given and not empty."""
        return self.options.get(name) or None


def is_directive(info: str) -> bool:
    """Tell whether the words behind a fence name a directive."""
    return bool(_INFO.match(info.strip()))


def read_directive(info: Written, body: Written, findings: Findings) -> Directive | None:
    """Return the directive that a fence is, or None when it has no name that is known."""
    place = info.place()
    match = _INFO.match(info)
    if not match:
        _report_nameless(info, place, findings)
        return None
    name = match.group(1).lower()
    if name not in OPTIONS:
        findings.problem(f"unknown directive {{{name}}}", place, nearest(name, OPTIONS, what="directives"))
        return None
    at = info.place(0, match.start(2))
    argument = Written(match.group(2).strip(), info.file, ((at.line, at.column),))
    options, rest = _options(body, name, findings)
    directive = Directive(name, argument, options, rest, place)
    if name in _ARGUMENT and not argument:
        findings.problem(f"{{{name}}} needs {_ARGUMENT[name]} behind its name", place)
    if name in {*ADMONITIONS, "quote", "math", "pagebreak"} and argument:
        _report_argument(directive, findings)
    return directive


def _report_nameless(info: Written, place: Place, findings: Findings) -> None:
    word = info.split(maxsplit=1)[0] if info.strip() else ""
    if word.strip("{}").lower() in OPTIONS:
        findings.problem(f"a directive is written :::{{{word.strip('{}')}}}", place)
    else:
        findings.problem(
            "::: opens a directive but names none",
            place,
            "a directive begins :::{name}; around other directives it needs more colons than they have",
        )


def _report_argument(directive: Directive, findings: Findings) -> None:
    hint = "write a title as the option :title:" if directive.name in ADMONITIONS else None
    findings.problem(f"{{{directive.name}}} takes nothing behind its name", directive.argument.place(), hint)


def _options(body: Written, name: str, findings: Findings) -> tuple[dict[str, Written], Written]:
    lines = body.split("\n")
    options: dict[str, Written] = {}
    index = 0
    while index < len(lines) and (match := _OPTION.match(lines[index])):
        key, place = match.group(1), body.place(index)
        first, value = index, [match.group(2) or ""]
        index += 1
        while index < len(lines) and re.match(r"[ \t]+\S", lines[index]):
            value.append(lines[index].strip())
            index += 1
        rows = [(place.line, place.column + (match.start(2) if match.group(2) else len(match.group())))]
        for row in range(first + 1, index):
            at = body.place(row, len(lines[row]) - len(lines[row].lstrip()))
            rows.append((at.line, at.column))
        if key not in OPTIONS[name]:
            findings.problem(
                f"{{{name}}} has no option {key}", place, nearest(key, OPTIONS[name], what="its options")
            )
        elif key in options:
            first_place = options[key].place()
            findings.problem(f"the option {key} is given twice, first in line {first_place.line}", place)
        else:
            options[key] = Written("\n".join(value).strip(), body.file, tuple(rows))
    return options, _rest(body, lines, index)


def _rest(body: Written, lines: list[str], index: int) -> Written:
    while index < len(lines) and not lines[index].strip():
        index += 1
    rows = [body.place(row) for row in range(index, len(lines))] or [body.place(max(len(lines) - 1, 0))]
    text = "\n".join(lines[index:])
    return Written(text, body.file, tuple((place.line, place.column) for place in rows))
