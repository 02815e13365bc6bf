"""The importer's own audit: every character of the source is in the issue, in order, or is named.

White space, bullets, leading numbers and marks of headings are aside. The output is read back by the Markdown
parser, so an escape that fails shows here.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exporter.notices import Notice, Place
from exporter.readers.importing import dialect
from exporter.readers.importing.dates import find_dates
from exporter.readers.importing.fields import known_field, split_label
from exporter.readers.importing.numbering import bullet, number_mark
from exporter.readers.importing.preface import KIND, LABELS, STARS
from exporter.readers.markdown.attributes import trailing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEADING_MARK = re.compile(r"#{1,6}\s*|(?:>\s*)+")
_CLOSING_MARK = re.compile(r"\s+#+$")
_ALL_MARKS = re.compile(r"[-=*_~—－─═|:\s]*|(?:`{3,}|~{3,})\s*[\w+-]*")
_NEAR = 48
"""How many characters the issue may have between two lines of the source that the source has not."""
_FAR = 12
"""A line at least this long is looked for in the whole rest of the issue."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A piece of the source that the issue must hold, and its line."""

    text: str
    line: int


def squeeze(text: str) -> str:
    """Return the characters of a text that are no white space; an invisible one counts as white space."""
    return re.sub(r"[\s\u200b\u2060\ufeff\x00-\x1f\x7f-\x9f]+", "", text)


def lost(expected: Iterable[Expected], issue: str, *, file: str) -> tuple[Notice, ...]:
    """Return a notice for each piece of the source that the issue does not show."""
    matter, body = _split(issue)
    faces = _Faces(matter)
    shown = "".join(shown_pieces(body))
    position = 0
    notices: list[Notice] = []
    for piece in expected:
        after = _advance(piece.text, shown, position)
        if after is not None:
            position = after
        elif not faces.hold(piece.text):
            notices.append(_notice(piece, shown[position:], file))
    return tuple(notices)


def shown_pieces(body: str) -> Iterator[str]:
    """Yield what a Markdown body shows, in order, without white space; field names as ``⟦name⟧``."""
    in_heading = False
    for token in dialect.parse(body):
        match token.type:
            case "heading_open" | "heading_close":
                in_heading = token.nesting > 0
            case "field_open":
                yield f"⟦{squeeze(token.meta['name'])}⟧"
            case "inline":
                content = trailing(token.content)[0] if in_heading else token.content
                yield squeeze("".join(dialect.shown_text(dialect.parse_inline(content))))
            case "fence" | "code_block" | "colon_fence" | "math_block" | "math_block_label":
                yield squeeze(token.info + token.content)
            case "footnote_reference_open":
                yield f"[^{token.meta['label']}]:"


def _advance(text: str, shown: str, position: int) -> int | None:
    """Return where a line of the source ends in what the issue shows, or None where it is not found."""
    forms = tuple(dict.fromkeys(_forms(text)))
    for form in forms:
        if shown.startswith(form, position):
            return position + len(form)
    for form in forms:
        reach = len(shown) if len(form) >= _FAR else position + len(form) + _NEAR
        if form and (found := shown.find(form, position, reach)) >= 0:
            return found + len(form)
    return position if _ALL_MARKS.fullmatch(text) else None


def _forms(text: str) -> Iterator[str]:
    """Yield how a line may look in the issue: as it is, without its marks, with its label as a field."""
    text = text.strip()
    for body in (text, _without_marks(text), _without_marks(_without_marks(text))):
        for form in (body, _CLOSING_MARK.sub("", body)):
            yield squeeze(form)
            if label := split_label(form):
                yield from _field_forms(*label)
    if "|" in text:
        yield squeeze(text.replace("\\|", "\0").replace("|", "").replace("\0", "|"))


def _field_forms(label: str, value: str) -> Iterator[str]:
    value = value.strip()
    stars = STARS.fullmatch(value)
    shown = str(sum(value.count(star) for star in "★⭐")) if stars else squeeze(value) or "—"
    yield f"⟦{squeeze(label)}⟧{shown}"
    for name in {known_field(label), "source"} - {None}:
        yield f"⟦{name}⟧{shown}"


def _without_marks(text: str) -> str:
    if heading := _HEADING_MARK.match(text):
        return text[heading.end() :]
    if characters := bullet(text):
        return text[len(characters) :]
    mark = number_mark(text)
    return mark.rest if mark else text


class _Faces:
    """How the values of the front matter looked in the source."""

    def __init__(self, matter: dict[str, Any]) -> None:
        self.matter = matter
        self.values = sorted({squeeze(value) for value in _scalars(matter)} - {""}, key=len, reverse=True)

    def hold(self, text: str) -> bool:
        """Say whether nothing is left of a line when what the front matter holds is taken off piece by piece."""
        rest = squeeze(_HEADING_MARK.sub("", text.strip(), count=1))
        label = split_label(text.strip())
        if label and any(
            label[0].lower() in words.split() and self.matter.get(name) for name, words in LABELS.items()
        ):
            rest = squeeze(label[1])
        while rest:
            length = self._prefix(rest)
            if not length:
                return False
            rest = rest[length:]
        return True

    def _prefix(self, rest: str) -> int:
        if found := re.match(r"[|｜·•/,，、;；#]+", rest):
            return found.end()
        for value in self.values:
            if rest.startswith(value):
                return len(value)
        dates = find_dates(rest)
        if dates and dates[0].start == 0 and dates[0].value == self.matter.get("date"):
            return dates[0].end
        if (stars := STARS.match(rest)) and self.matter.get("rating") == min(
            5, sum(stars[0].count(star) for star in "★⭐")
        ):
            return stars.end()
        if (kind := KIND.match(rest)) and kind.lastgroup == self.matter.get("kind") and kind[0] in self.values:
            return kind.end()
        return 0


def _scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            for text in _scalars(inner):
                yield text
                if key in {"summary", "method", "note", "subtitle"}:
                    yield "".join(shown_pieces(text))
    elif isinstance(value, list):
        for inner in value:
            yield from _scalars(inner)
    elif isinstance(value, dt.date):
        yield value.isoformat()
    else:
        yield str(value)


def _split(issue: str) -> tuple[dict[str, Any], str]:
    import yaml

    _, matter, body = re.split(r"^---\n", issue, maxsplit=2, flags=re.MULTILINE)
    return yaml.safe_load(matter) or {}, body


def _notice(piece: Expected, shown: str, file: str) -> Notice:
    excerpt = " ".join(piece.text.split())
    excerpt = excerpt if len(excerpt) <= 60 else excerpt[:59] + "…"
    near = next((form for form in _forms(piece.text) if form[:8] and form[:8] in shown), "")
    return Notice(
        "import-lost",
        f"not found in the imported issue as it stands in the source: {excerpt}",
        Place(file, piece.line),
        "compare this line with issue.md" + (f" near “{near[:8]}”" if near else "") + " and correct it by hand",
    )
