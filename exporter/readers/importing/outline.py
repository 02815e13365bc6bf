"""Finds the issue in a flat list of blocks: sections, entries with their fields, subsections, lead lines."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from exporter.notices import Notice, Place
from exporter.readers.importing.fields import CANONICAL, known_field, short_label, split_label
from exporter.readers.importing.numbering import Mark, Style, number_mark
from exporter.readers.importing.preface import STARS
from exporter.readers.importing.slugs import Slugs
from exporter.readers.importing.tree import (
    Block,
    Blocks,
    Heading,
    Item,
    Items,
    Paragraph,
    Prose,
    Styled,
    Text,
    cut,
    plain,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRY_STYLES = (Style.ARABIC, Style.PAREN, Style.CIRCLED)
_PROBABLE_ENTRY_NAMES = frozenset({"source", "code", "contribution", "category", "authors", "title", "model"})
_WHY = re.compile(r"为什么(?:值得关注|重要|值得看)|为何(?:重要|值得关注)|why (?:it|this) matters", re.IGNORECASE)
_LEAD_VERBS = re.compile(
    r"(?:是|为|有|说|包括|包含|如下|例如|比如|起来|指出|表示|认为|显示|发现|看)$|\b(?:is|are|was|were|says?|said|includes?|following|that|shows?|asks?)$"
)
_LEAD = re.compile(r"([^\s：:。，,；;！？!?\n“”\"][^：:。，,；;！？!?\n“”\"]*?)\s*(：|:(?=\s|$))")
_LEAD_AT_MOST = 40
_QUESTION = re.compile(r"[^。；;\n]{2,40}[？?]")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an entry: a known name or the source's own label."""

    name: str
    value: Prose
    line: int
    label: str


@dataclass(frozen=True, slots=True)
class Head:
    """A heading with its place in the issue."""

    kind: Literal["section", "entry", "subsection", "part"]
    level: int
    prose: Prose
    line: int
    id: str | None = None
    number: int | None = None
    label: str | None = None
    fields: tuple[Field, ...] = ()


Outline = tuple[Head | Block, ...]


def outline(blocks: Blocks, *, file: str) -> tuple[Outline, tuple[Notice, ...]]:
    """Return the blocks with every heading put at its level, and notices of what was guessed."""
    recurring = _recurring_leads(blocks)
    fielded = {
        index: taken
        for index, block in enumerate(blocks)
        if isinstance(block, Heading) and (taken := _take_fields(blocks, index + 1))[0]
    }
    families = _entry_families(blocks, fielded)
    placer = _Placer(families)
    found: list[Head | Block] = []
    index = 0
    while index < len(blocks):
        block = blocks[index]
        index += 1
        if not isinstance(block, Heading):
            found.extend(_lead_line(block, placer.inside, recurring, placer))
            continue
        fields, used, rest = fielded.get(index - 1, ((), 0, ()))
        found.append(placer.place(block, fields))
        found.extend(rest)
        index += used
    return tuple(found), tuple(_notices(found, file))


class _Placer:
    """Keeps the headings above the current one; their ranks decide its level."""

    def __init__(self, families: frozenset[tuple[int, Style]]) -> None:
        self.families = families
        self.above: list[tuple[tuple[int, int], Head]] = []
        self.slugs = Slugs()

    @property
    def inside(self) -> Head | None:
        """The heading that the next block stands under."""
        return self.above[-1][1] if self.above else None

    def place(self, heading: Heading, fields: tuple[Field, ...]) -> Head:
        mark = number_mark(plain(heading.prose))
        style = mark.style if mark else Style.NONE
        rank = (heading.depth, style)
        while self.above and self.above[-1][0] >= rank:
            self.above.pop()
        entry = bool(fields) or (heading.depth, style) in self.families
        head = self._entry(heading, mark, fields) if entry else self._other(heading, mark)
        self.above.append((rank, head))
        return head

    def part(self, prose: Prose, line: int, label: str | None) -> Head:
        """Return a sub-heading made of a lead line under the current heading."""
        inside = self.inside
        return Head("part", min(6, inside.level + 1) if inside else 2, prose, line, label=label)

    def _entry(self, heading: Heading, mark: Mark | None, fields: tuple[Field, ...]) -> Head:
        numbered = mark if mark and mark.style in _ENTRY_STYLES else None
        prose = cut(heading.prose, len(numbered.characters)) if numbered else heading.prose
        self.above = [one for one in self.above if one[1].kind == "section"]
        return Head(
            "entry",
            2,
            prose,
            heading.line,
            id=self.slugs.named(heading.id or "", plain(prose), otherwise="entry"),
            number=numbered.number if numbered else None,
            fields=fields,
        )

    def _other(self, heading: Heading, mark: Mark | None) -> Head:
        inside = self.inside
        level = min(6, inside.level + 1) if inside else 1
        kind: Literal["section", "subsection", "part"] = (
            "section" if level == 1 else "subsection" if level == 2 else "part"
        )
        words = plain(heading.prose)
        name = None
        if kind != "part" or heading.id:
            name = self.slugs.named(heading.id or "", words, otherwise=kind, number=mark.number if mark else None)
        label = "why" if kind == "part" and _WHY.fullmatch(words.strip("？?：: ")) else None
        return Head(kind, level, heading.prose, heading.line, id=name, label=label)


def _entry_families(
    blocks: Blocks, fielded: dict[int, tuple[tuple[Field, ...], int, Blocks]]
) -> frozenset[tuple[int, Style]]:
    """Return the depth and numbering of headings that are entries because others of their kind have fields."""
    found = set()
    for index in fielded:
        heading = blocks[index]
        mark = number_mark(plain(heading.prose)) if isinstance(heading, Heading) else None
        if isinstance(heading, Heading) and mark and mark.style in _ENTRY_STYLES:
            found.add((heading.depth, mark.style))
    return frozenset(found)


def _take_fields(blocks: Blocks, start: int) -> tuple[tuple[Field, ...], int, Blocks]:
    """Return the fields after a heading, how many blocks they are, and what is left over of the last."""
    if start < len(blocks) and isinstance(block := blocks[start], Items) and block.start is None:
        fields = _prefix([_item_field(item) for item in block.items])
        rest = block.items[len(fields) :]
        left: Blocks = (Items(rest, rest[0].line),) if rest and fields else ()
        return fields, int(bool(fields)), left
    candidates: list[tuple[str, Prose, int] | None] = []
    for block in blocks[start:]:
        candidate = _paragraph_field(block)
        if candidate is None or known_field(candidate[0]) is None:
            break
        candidates.append(candidate)
    fields = _prefix(candidates)
    return fields, len(fields), ()


def _item_field(item: Item) -> tuple[str, Prose, int] | None:
    return _paragraph_field(item.blocks[0]) if len(item.blocks) == 1 and item.checked is None else None


def _paragraph_field(block: Block) -> tuple[str, Prose, int] | None:
    """Split ``label：value``; the label may be bold, with its colon or without."""
    if not isinstance(block, Paragraph):
        return None
    words = plain(block.prose)
    split = split_label(words)
    if split is None or not (known_field(split[0]) or short_label(split[0])):
        return None
    return split[0], cut(block.prose, len(words) - len(split[1])), block.line


def _prefix(candidates: list[tuple[str, Prose, int] | None]) -> tuple[Field, ...]:
    """Return the leading candidates that are fields: no name twice, and known names among them."""
    fields: list[Field] = []
    for candidate in candidates:
        if candidate is None:
            break
        label, value, line = candidate
        name = _field_name(label, plain(value))
        if any(field.name == name for field in fields):
            break
        fields.append(Field(name, _field_value(name, value), line, label))
    while fields and fields[-1].name not in CANONICAL and not _mostly_known(fields):
        fields.pop()
    return tuple(fields) if _mostly_known(fields) else ()


def _mostly_known(fields: list[Field]) -> bool:
    known = [field for field in fields if field.name in CANONICAL]
    return 2 * len(known) >= len(fields) and any(field.name in _PROBABLE_ENTRY_NAMES for field in known)


def _field_name(label: str, value: str) -> str:
    name = known_field(label)
    if name == "title" and re.match(r"https?://|arxiv\s*[:：]|doi\s*[:：]", value, re.IGNORECASE):
        return "source"  # 论文：arXiv:… is where it stands, not what it is called
    if name == "rating" and not (STARS.fullmatch(value.strip()) or re.fullmatch(r"[0-5](?:\.\d)?", value.strip())):
        return label
    return name or label


def _field_value(name: str, value: Prose) -> Prose:
    words = plain(value).strip()
    if name == "rating" and STARS.fullmatch(words):
        return text(str(sum(words.count(star) for star in "★⭐")))
    return value if words else text("—")


def _recurring_leads(blocks: Blocks) -> frozenset[str]:
    counted = Counter(
        lead[0] for block in blocks if isinstance(block, Paragraph) and (lead := _lead(plain(block.prose)))
    )
    return frozenset(lead for lead, count in counted.items() if count > 1)


def _lead(words: str) -> tuple[str, int, int] | None:
    """Return the short phrase before a colon at a paragraph's start, its length and the length with the colon."""
    found = _LEAD.match(words)
    if found is None or len(found[1]) > _LEAD_AT_MOST or _LEAD_VERBS.search(found[1]):
        return None
    return found[1], found.end(1), found.end()


def _lead_line(
    block: Block, inside: Head | None, recurring: frozenset[str], placer: _Placer
) -> Iterator[Head | Block]:
    """Turn a lead line into a sub-heading where it stands alone, into bold words where a text follows it."""
    if not isinstance(block, Paragraph) or any(not isinstance(node, Text) for node in block.prose):
        yield block
        return
    words = plain(block.prose).strip()
    below_entry = inside is not None and inside.level > 1
    why = _WHY.fullmatch(words.rstrip("？?：: "))
    question = _QUESTION.fullmatch(words) and len(words) <= _LEAD_AT_MOST
    if below_entry and (why or question):
        yield placer.part(block.prose, block.line, "why" if why else None)
        return
    lead = _lead(words)
    if lead is None:
        yield block
    elif lead[2] == len(words):
        alone = below_entry and lead[0] in recurring
        yield placer.part(block.prose, block.line, None) if alone else block
    elif lead[0] in recurring or _names_something(lead[0]):
        bold: Prose = (Styled("strong", (Text(words[: lead[1]]),)), Text(words[lead[1] :]))
        yield Paragraph(bold, block.line)
    else:
        yield block


def _names_something(lead: str) -> bool:
    """Say whether a phrase that occurs once is short enough to be a label: four characters or two words."""
    return len(lead) <= 4 if not lead.isascii() else lead[:1].isupper() and len(lead.split()) <= 2


def _notices(found: list[Head | Block], file: str) -> Iterator[Notice]:
    fields = [field for head in found if isinstance(head, Head) for field in head.fields]
    renamed: dict[tuple[str, str], int] = {}
    for field in fields:
        if plain(field.value) == "—":
            yield Notice(
                "import-empty-field",
                f"the field {field.name} has no value",
                Place(file, field.line),
                "fill it in or take it out",
            )
        if field.label.lower() not in CANONICAL.get(field.name, field.label).lower().split():
            renamed.setdefault((field.label, field.name), field.line)
    for (label, name), line in renamed.items():
        yield Notice(
            "import-label",
            f"“{label}” became the field {name}, which prints under its own label",
            Place(file, line),
            f"write :{label}: in issue.md to keep the source's word",
        )
