"""The check of rendered MJML before it is compiled: the compiler drops what it does not know and says nothing."""

from __future__ import annotations

import difflib
import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from exporter.errors import ThemeError
from exporter.writers.email_grammar import Tag, every_attribute, short_color, tags, value_fault
from exporter.writers.email_scan import Piece, pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from exporter.templating import Origins

DEPTH: Final = 256
"""Elements inside elements: the model nests half as deep, and the compiler dies at ten thousand."""

_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# The compiler's reader counts bytes as characters when it looks for ]]> in a text, and panics.
_PANIC: Final = re.compile("[^\x00-\x7f][^>]*(>)")
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_DECLARATION: Final = re.compile(r":[^:;{}]*")
_CSS_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_UNREADABLE: Final = {
    "mj-include": "mj-include is not allowed: use Jinja's include",
    "mj-html-attributes": "mj-html-attributes cannot be read by the compiler: write the attributes themselves",
}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something wrong in a source.

    Attributes:
        start: Its offset in characters.
        message: What is wrong.
    """

    start: int
    message: str


@dataclass(slots=True)
class _Open:
    name: str
    start: int
    tag: Tag | None


@dataclass(slots=True)
class _Reading:
    found: list[Finding] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    roots: int = 0
    condition: Piece | None = None
    classes: set[str] = field(default_factory=set)
    used: list[tuple[str, int]] = field(default_factory=list)

    def report(self, start: int, message: str) -> None:
        self.found.append(Finding(start, message))


def check(source: str, origins: Callable[[], Origins]) -> None:
    """Refuse MJML that the compiler cannot read, or would compile into something else than it says.

    Args:
        source: The rendered template.
        origins: Returns where in the templates the source comes from; called only when something is wrong.

    Raises:
        ThemeError: Its message has every finding with its template and line.
    """
    if found := findings(source):
        raise ThemeError(
            _listed(source, found, origins()), hint="the rendered MJML is checked before it is compiled"
        )


def findings(source: str) -> tuple[Finding, ...]:
    """Return everything that is wrong in a source, in its order."""
    reading = _Reading()
    for control in _CONTROL.finditer(source):
        reading.report(control.start(), f"the control character U+{ord(control[0]):04X}")
    for piece in pieces(source):
        match piece.kind:
            case "open":
                _open(reading, piece)
            case "close":
                _close(reading, piece)
            case "condition" | "end of condition":
                _condition(reading, piece)
            case "text":
                _text(reading, piece)
            case "fault":
                reading.report(piece.start, piece.value)
    for element in reading.stack:
        reading.report(element.start, f"<{element.name}> is never closed")
    for name, start in reading.used:
        if name not in reading.classes:
            reading.report(start, f"mj-class {name!r} is defined nowhere in mj-attributes")
    if not reading.roots:
        reading.report(0, "there is no <mjml>")
    return tuple(sorted(reading.found))


def _listed(source: str, found: Iterable[Finding], origins: Origins) -> str:
    """Return the findings as one message; what a loop of the template repeats is said once."""
    lines: dict[str, None] = {}
    for finding in found:
        place = origins.at(finding.start)
        row = source.count("\n", 0, finding.start) + 1
        where = f"{place}" if place else f"{origins.template}, line {row} as rendered"
        lines.setdefault(f"{finding.message} ({where})", None)
    shown = tuple(lines)
    return shown[0] if len(shown) == 1 else f"{len(shown)} faults in the mail template: {'; '.join(shown)}"


def _open(reading: _Reading, piece: Piece) -> None:
    name, stack = piece.value, reading.stack
    tag = tags().get(name)
    parent = stack[-1] if stack else None
    if parent is None:
        reading.roots += 1
        if name != "mjml" or reading.roots > 1:
            reading.report(piece.start, f"<{name}> stands outside the one <mjml>")
    elif fault := _misplaced(parent, name, defaults=parent.name == "mj-attributes"):
        reading.report(piece.start, fault)
    if name == "mj-class":
        reading.classes.update(value or "" for key, value in piece.attributes if key == "name")
    _attributes(reading, piece, tag, defaults=parent is not None and parent.name == "mj-attributes")
    if piece.empty or (tag is None and name.lower() in _VOID):
        return
    stack.append(_Open(name, piece.start, tag))
    if len(stack) == DEPTH + 1:
        reading.report(piece.start, f"elements nested deeper than {DEPTH}")


def _misplaced(parent: _Open, name: str, *, defaults: bool) -> str | None:
    """Return why an element may not stand where it does, or None."""
    is_mjml = name.startswith("mj-") or name == "mjml"
    if name in _UNREADABLE:
        return _UNREADABLE[name]
    if is_mjml and name not in tags() and name not in {"mj-all", "mj-class"}:
        return f"there is no tag {name}{_near(name, (*tags(), 'mj-all', 'mj-class'))}"
    if parent.tag is None or parent.tag.content == "html":
        # Unknown parents such as mj-class are judged for themselves.
        if parent.name in {"mj-all", "mj-class"}:
            return f"{parent.name} takes attributes only: {name} cannot stand in it"
        return f"{name} cannot stand in {parent.name}, which holds HTML" if is_mjml else None
    if defaults:
        known = name in tags() or name in {"mj-all", "mj-class"}
        return None if known and name != "mjml" else f"{name} cannot stand in mj-attributes"
    if parent.tag.content != "tags":
        return f"{name} cannot stand in {parent.name}, which holds {_holds(parent.tag)}"
    if name not in parent.tag.children:
        if not is_mjml:
            return f"<{name}> cannot stand in {parent.name}: HTML stands in mj-text, mj-table or mj-raw"
        rooms = [tag.name for tag in tags().values() if name in tag.children]
        return f"{name} cannot stand in {parent.name}, only in {', '.join(rooms) or 'mj-attributes'}"
    return None


def _holds(tag: Tag) -> str:
    return {"none": "nothing", "text": "text only", "css": "CSS only"}[tag.content]


def _attributes(reading: _Reading, piece: Piece, tag: Tag | None, *, defaults: bool) -> None:
    seen = set()
    known = _known(piece.value, tag, defaults=defaults)
    for name, raw in piece.attributes:
        if name in seen:
            reading.report(piece.start, f"{piece.value} has {name} twice")
        seen.add(name)
        value = html.unescape(raw or "")
        if known is None:
            _html_attribute(reading, piece, name, value)
        elif name not in known:
            near = _near(name, known)
            reading.report(piece.start, f"{piece.value} has no attribute {name}{near}")
        elif raw is None:
            reading.report(piece.start, f"{name} of {piece.value} has no value")
        elif fault := value_fault(known[name], value):
            reading.report(piece.start, f"{name}={value!r} of {piece.value} {fault}")
        elif name == "mj-class":
            reading.used.extend((part, piece.start) for part in value.split())


def _known(name: str, tag: Tag | None, *, defaults: bool) -> dict[str, str] | None:
    """Return the attributes that a tag of MJML takes, or None for HTML and what is no tag at all."""
    if name in {"mj-all", "mj-class"} and defaults:
        return {**every_attribute(), **({"name": "string"} if name == "mj-class" else {})}
    return dict(tag.attributes) if tag else None


def _html_attribute(reading: _Reading, piece: Piece, name: str, value: str) -> None:
    if name == "style" and (color := short_color(value)):
        reading.report(piece.start, f"style of <{piece.value}> holds the color {color}: write it with six digits")
    elif name in {"bgcolor", "color"} and (color := short_color(value)):
        reading.report(piece.start, f"{name} of <{piece.value}> is {color}: write it with six digits")


def _close(reading: _Reading, piece: Piece) -> None:
    name, stack = piece.value, reading.stack
    if name in tags() and reading.condition:
        reading.report(reading.condition.start, f"a conditional comment is not ended before </{name}>")
        reading.condition = None
    if stack and _same(stack[-1], name):
        stack.pop()
        return
    depth = next((index for index in reversed(range(len(stack))) if _same(stack[index], name)), None)
    if depth is None:
        reading.report(piece.start, f"</{name}> closes nothing")
        return
    for element in stack[depth + 1 :]:
        reading.report(element.start, f"<{element.name}> is not closed before </{name}>")
    del stack[depth:]


def _condition(reading: _Reading, piece: Piece) -> None:
    """Judge the marks of conditional comments: one within one run of HTML, never one in another."""
    parent = reading.stack[-1] if reading.stack else None
    begins = piece.kind == "condition"
    if parent is None or (parent.tag is not None and parent.tag.content != "html"):
        room = parent.name if parent else "front of <mjml>"
        reading.report(piece.start, f"a conditional comment in {room}: it stands in mj-raw, mj-text or mj-table")
    elif begins and reading.condition:
        reading.report(piece.start, "a conditional comment in another one")
    elif not begins and not reading.condition:
        reading.report(piece.start, "<![endif]--> ends no conditional comment")
    reading.condition = piece if begins else None


def _same(element: _Open, name: str) -> bool:
    return element.name == name or (element.tag is None and element.name.lower() == name.lower())


def _text(reading: _Reading, piece: Piece) -> None:
    parent = reading.stack[-1] if reading.stack else None
    if panic := _PANIC.search(piece.value):
        start = piece.start + panic.start(1)
        reading.report(
            start, "a bare > behind characters beyond ASCII: write &gt;, or escape the characters in CSS"
        )
    if (parent and parent.tag and parent.tag.content == "css") or (parent and parent.name == "style"):
        for start, color in _css_colors(piece.value):
            reading.report(piece.start + start, f"the style holds the color {color}: write it with six digits")
        return
    if parent and (parent.tag is None or parent.tag.content in {"html", "text"}):
        return
    words = piece.value.lstrip("\ufeff" if piece.start == 0 else "").strip(" \t\r\n")
    if words:
        room = f"text directly in {parent.name}" if parent else "text outside <mjml>"
        start = piece.start + piece.value.index(words)
        reading.report(start, f"{room}: {words[:30]!r} belongs into mj-text or mj-raw")


def _css_colors(css: str) -> Iterator[tuple[int, str]]:
    """Yield the colors of declarations that lack six digits; an id in a selector looks the same but is none."""
    blanked = _CSS_COMMENT.sub(lambda comment: " " * len(comment[0]), css)
    for value in _DECLARATION.finditer(blanked):
        if blanked[value.end() : value.end() + 1] != "{" and (color := short_color(value[0])):
            yield value.start() + value[0].index(color), color


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f": did you mean {near[0]}?" if near else ""
