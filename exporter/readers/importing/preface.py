"""What stands before the first section: title, date, kind, rating, tags, coverage and method."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exporter.notices import Notice, Place
from exporter.readers.importing.dates import find_dates, find_range
from exporter.readers.importing.fields import split_label
from exporter.readers.importing.numbering import number_mark
from exporter.readers.importing.tags import split_tags
from exporter.readers.importing.tree import Block, Blocks, Heading, Paragraph, Prose, cut, plain

if TYPE_CHECKING:
    import datetime as dt

STARS = re.compile(r"[★☆⭐✩✰](?:[\s\ufe0f]*[★☆⭐✩✰])*\ufe0f?")
_OF = r"(?: (?:briefing|digest|report|news|research))?"
_HAN = "[\u4e00-\u9fff]{0,4}"
KIND = re.compile(
    rf"(?P<daily>每日{_HAN}|{_HAN}日报|daily{_OF})"
    rf"|(?P<biweekly>双周{_HAN}|bi-?weekly{_OF})"
    rf"|(?P<weekly>每周{_HAN}|{_HAN}周[报刊]|weekly{_OF})"
    rf"|(?P<monthly>每月{_HAN}|{_HAN}月[报刊]|monthly{_OF})"
    rf"|(?P<quarterly>每季{_HAN}|{_HAN}季[报刊]|quarterly{_OF})"
    r"|(?P<special>特刊|专刊|号外|special(?: issue)?)",
    re.IGNORECASE,
)
LABELS = {
    "coverage": "覆盖窗口 覆盖范围 覆盖时段 覆盖时间 时间窗口 时间范围 coverage window period",
    "method": "检索与核验 方法 检索方法 检索范围 数据来源 方法说明 核验 检索 method methods methodology",
    "summary": "摘要 导读 导语 概要 内容提要 提要 summary abstract tl;dr tldr",
    "subtitle": "副标题 subtitle",
    "authors": "作者 编辑 编者 撰文 整理 author authors editor editors by",
    "date": "日期 发布日期 时间 发布时间 date published",
    "tags": "标签 关键词 tags keywords",
    "number": "期号 期数 issue number no.",
}
_LABEL_NAMES = {word: name for name, words in LABELS.items() for word in words.split()}
_BLANK = re.compile(r"[\s|｜·•/,，、:：\-–—]+")
_TITLE_AT_MOST = 160


@dataclass(slots=True)
class Preface:
    """The front matter as far as the source shows it; the blocks that belong to none of it stay in ``lead``."""

    title: str | None = None
    date: dt.date | None = None
    kind: str | None = None
    rating: int | None = None
    number: str | None = None
    subtitle: Prose = ()
    tags: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    summary: Prose = ()
    coverage: Prose = ()
    method: Prose = ()
    lead: list[Block] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)


def read_preface(blocks: Blocks, *, file: str, known: Preface | None = None) -> tuple[Preface, Blocks]:
    """Split the front matter off the blocks of a source and return it with the blocks that remain.

    Args:
        blocks: All blocks of the source.
        file: Its name, for notices.
        known: What the source's own front matter says already; it wins over what is guessed.
    """
    preface = known or Preface()
    start, end = _title_heading(blocks, preface), 0
    if start is not None:
        heading = blocks[start]
        assert isinstance(heading, Heading)  # noqa: S101 - for the type checker: _title_heading found it
        preface.title = preface.title or plain(heading.prose).strip()
        preface.lines.setdefault("title", heading.line)
    rest_from = next(
        (index for index, block in enumerate(blocks) if isinstance(block, Heading) and index != start),
        len(blocks),
    )
    for index, block in enumerate(blocks[:rest_from]):
        if index != start and not _take(block, preface, file, after_title=start is not None and index > start):
            preface.lead.append(block)
        end = index + 1
    return preface, (*preface.lead, *blocks[end:])


def _title_heading(blocks: Blocks, preface: Preface) -> int | None:
    """Return the index of the heading that is the title: the first one, if it has no number."""
    found = [(index, block) for index, block in enumerate(blocks) if isinstance(block, Heading)]
    if not found:
        return None
    index, heading = found[0]
    words = plain(heading.prose).strip()
    if preface.title is not None:
        return index if _same(words, preface.title) else None
    shallowest = min(block.depth for _, block in found)
    return None if number_mark(words) or heading.depth > shallowest else index


def _same(one: str, other: str) -> bool:
    return "".join(one.split()) == "".join(other.split())


def _take(block: Block, preface: Preface, file: str, *, after_title: bool) -> bool:
    """Take a block of the preface into the front matter, if it is part of that."""
    if not isinstance(block, Paragraph):
        return False
    words = plain(block.prose).strip()
    return _take_labeled(block, words, preface) or _take_badges(
        words, block.line, preface, file, after_title=after_title
    )


def _take_labeled(block: Paragraph, words: str, preface: Preface) -> bool:
    label = split_label(words)
    name = _LABEL_NAMES.get(label[0].lower()) if label else None
    if label is None or name is None or not label[1].strip() or getattr(preface, name):
        return False
    value = cut(block.prose, len(plain(block.prose).rstrip()) - len(label[1].rstrip()))
    match name:
        case "coverage" | "method" | "summary" | "subtitle":
            setattr(preface, name, value)
        case "authors" | "tags":
            setattr(preface, name, _names(label[1]))
        case "number":
            preface.number = label[1].strip()
        case _:
            return _take_date(label[1], preface)
    preface.lines[name] = block.line
    return True


def _names(value: str) -> tuple[str, ...]:
    return tuple(name for part in re.split(r"[,，、;；]", value) if (name := part.strip()))


def _take_date(words: str, preface: Preface) -> bool:
    dates = find_dates(words)
    if len(dates) != 1 or (words[: dates[0].start] + words[dates[0].end :]).strip():
        return False
    preface.date = dates[0].value
    return True


def _take_badges(words: str, line: int, preface: Preface, file: str, *, after_title: bool) -> bool:
    """Take a line that holds nothing but kind, date, stars and tags."""
    badges = _badges(words)
    if badges is None:
        return False
    rest = badges.rest
    clash = (badges.date and preface.date not in {None, badges.date}) or (
        badges.rating is not None and preface.rating not in {None, badges.rating}
    )
    if clash or (rest and (after_title or preface.tags)):
        return False
    preface.date = preface.date or badges.date
    preface.rating = badges.rating if preface.rating is None else preface.rating
    preface.kind = preface.kind or badges.kind
    preface.lines.setdefault("date", line)
    tags = split_tags(rest)
    preface.tags = (*((badges.kind_words,) if badges.kind_words else ()), *preface.tags, *tags)
    if not badges.kind and (kind := next((KIND.fullmatch(tag) for tag in tags if KIND.fullmatch(tag)), None)):
        preface.kind = preface.kind or kind.lastgroup
    if tags:
        preface.notices.append(
            Notice(
                "import-guess",
                f"the tags were split into {' · '.join(tags)}",
                Place(file, line),
                "correct tags: in issue.md where a boundary is wrong",
            )
        )
    return True


@dataclass(frozen=True, slots=True)
class _Badges:
    date: dt.date | None
    rating: int | None
    kind: str | None
    kind_words: str
    rest: str


def _badges(words: str) -> _Badges | None:
    if "\n" in words or re.search(r"[。！？；!?;：]", words):
        return None
    dates = find_dates(words)
    stars = STARS.search(words)
    rest = words
    for start, end in sorted(
        [(one.start, one.end) for one in dates[:1]] + ([stars.span()] if stars else []), reverse=True
    ):
        rest = f"{rest[:start]} | {rest[end:]}"
    pieces = [piece for piece in re.split(r"\s*[|｜·•]\s*", rest) if _BLANK.sub("", piece)]
    kind = _leading_kind(pieces)
    if kind:
        pieces[0] = pieces[0][kind.end() :].strip()
    rest = " | ".join(piece.strip() for piece in pieces if piece.strip())
    bare_name = rest and not (stars or kind)  # a masthead or a title, not tags
    if not (dates or stars or (kind and not rest)) or len(dates) > 1 or bare_name:
        return None
    return _Badges(
        dates[0].value if dates else None,
        min(5, sum(stars[0].count(star) for star in "★⭐")) if stars else None,
        kind.lastgroup if kind else None,
        kind[0] if kind else "",
        rest,
    )


def _leading_kind(pieces: list[str]) -> re.Match[str] | None:
    found = KIND.match(pieces[0]) if pieces else None
    whole = found is not None and (found.end() == len(pieces[0]) or pieces[0][found.end()].isspace())
    return found if whole else None


def guess_title(preface: Preface, blocks: Blocks) -> tuple[Preface, Blocks]:
    """Take the first short paragraph for the title where no heading is one."""
    if preface.title or not blocks or not isinstance(first := blocks[0], Paragraph):
        return preface, blocks
    words = plain(first.prose).strip()
    if "\n" in words or len(words) > _TITLE_AT_MOST or words[-1:] in "。；;，,：:":
        return preface, blocks
    preface.title = words
    preface.lines["title"] = first.line
    return preface, blocks[1:]


def coverage_range(preface: Preface) -> tuple[dt.date, dt.date] | None:
    """Return the days that the coverage note names as one range, or None."""
    return find_range(plain(preface.coverage))


def with_overrides(preface: Preface, *, title: str | None, date: dt.date | None) -> Preface:
    """Return the preface with what the user gave by hand."""
    return dataclasses.replace(preface, title=title or preface.title, date=date or preface.date)
