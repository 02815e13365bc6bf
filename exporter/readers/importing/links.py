"""Links that plain text implies: addresses, arXiv ids, DOIs and ``owner/name`` repositories.

A slash alone makes no repository (``planner/critic``, ``LR / norm``): the text around it must speak of code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exporter.readers.addresses import bare, encode
from exporter.readers.importing.tree import Link, Prose, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_ADDRESS = re.compile(r"(?<![A-Za-z0-9+.-])https?://")
_URL_CHARACTERS = r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]"
_DOMAINS = "com|org|net|io|ai|dev|edu|gov|cn|app|co|info"
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            rf"(?<![A-Za-z0-9_@./-])((?:www\.(?:[A-Za-z0-9-]+\.)+[A-Za-z]{{2,}}"
            rf"|(?:[A-Za-z0-9-]+\.)+(?:{_DOMAINS})(?=/))(?:/{_URL_CHARACTERS}*)?)"
        ),
        "https://{}",
    ),
    (
        re.compile(
            r"(?<![A-Za-z])(?i:arxiv)(?:\s*[:：]\s*|\s+)(\d{4}\.\d{4,5}(?:v\d+)?"
            r"|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)(?!\d)"
        ),
        "https://arxiv.org/abs/{}",
    ),
    (
        re.compile(r"(?<![A-Za-z])(?i:doi)\s*[:：]\s*(10\.\d{4,9}/[A-Za-z0-9\-._;()/:+]+)"),
        "https://doi.org/{}",
    ),
    (
        re.compile(r"(?<![A-Za-z])(?i:github)[:：]\s?([A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]+)"),
        "https://github.com/{}",
    ),
)
_SLASHED = re.compile(
    r"(?<![A-Za-z0-9_./@:-])([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))"
    r"/([A-Za-z0-9_][A-Za-z0-9._-]{0,99})(?![A-Za-z0-9_/+-])"
)
_WORD = re.compile(r"(?<![A-Za-z0-9_./-])[A-Za-z0-9][A-Za-z0-9-]*(?![A-Za-z0-9_/-])")
_KINDS = {
    "model": r"models?|模型|权重",
    "dataset": r"datasets?|data\s?sets?|数据集|数据",
    "code": r"repos?|repositor(?:y|ies)|github|codebase|code|仓库|代码库|代码|项目",
}
_KIND = "|".join(_KINDS.values())
_LEAD = re.compile(
    rf"((?:{_KIND})(?:\s*(?:[+/&、与和]|and)\s*(?:{_KIND}))*)\s*(?:[—–]+|[:：]|-(?=\s))\s*", re.IGNORECASE
)
_BETWEEN = re.compile(r"\s+/\s+|\s*[、,，;；+&]\s*|\s+(?:and)\s+|\s*[与和]\s*")
_SPEAKS_OF_CODE = re.compile(r"github|gitlab|仓库|\brepos?\b|repositor|开源", re.IGNORECASE)
_SPEAKS_OF_HUB = re.compile(r"hugging\s?face|(?<![A-Za-z])HF(?![A-Za-z])", re.IGNORECASE)
_CLAUSE = re.compile(r"[;；。！？!?\n]|\.(?=\s)")
_NO_REPOSITORY = frozenset({"n/a", "and/or", "w/o", "tbd/tba", "yes/no", "i/o"})
_ADDRESSES = {
    "code": "https://github.com/{}",
    "project": "https://github.com/{}",
    "model": "https://huggingface.co/{}",
    "dataset": "https://huggingface.co/datasets/{}",
}


@dataclass(frozen=True, slots=True)
class Repository:
    """An ``owner/name`` and its address; ``guessed`` when only its clause speaks of code."""

    name: str
    address: str
    guessed: bool
    line: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the source where repositories may be named: a field's value or a paragraph."""

    text: str
    line: int
    field: str | None = None


def find_repositories(passages: Iterable[Passage]) -> dict[str, Repository]:
    """Return the repositories, models and data sets that the passages name, by their ``owner/name``.

    Named in a field of code, model, data set or project; after a lead such as ``Repo —``; or in a clause that
    speaks of GitHub or repositories, if the owner looks like an account and is no word of the text by itself.
    """
    passages = tuple(passages)
    found: dict[str, Repository] = {}
    for passage in passages:
        for repository in (*_in_field(passage), *_after_lead(passage)):
            found.setdefault(repository.name, repository)
    words = frozenset(word for passage in passages for word in _WORD.findall(passage.text))
    for passage in passages:
        for repository in _in_clause(passage, words):
            found.setdefault(repository.name, repository)
    return found


def link_text(text: str, repositories: Mapping[str, Repository]) -> Prose:
    """Return plain text with links where it names an address, an identifier or a known repository."""
    nodes: list[Text | Link] = []
    end = 0
    for start, stop, target in _spans(text, repositories):
        if start > end:
            nodes.append(Text(text[end:start]))
        nodes.append(Link((Text(text[start:stop]),), target))
        end = stop
    return (*nodes, Text(text[end:])) if end < len(text) else tuple(nodes)


def link_prose(prose: Prose, repositories: Mapping[str, Repository]) -> Prose:
    """Return prose with links in its plain text; what is linked or styled already stays."""
    return tuple(
        linked
        for node in prose
        for linked in (link_text(node.text, repositories) if isinstance(node, Text) else (node,))
    )


def _spans(text: str, repositories: Mapping[str, Repository]) -> Iterator[tuple[int, int, str]]:
    spans = [
        (found.start(), found.start() + len(address), _encoded(address))
        for found in _ADDRESS.finditer(text)
        if (address := bare(text, found.start(), len(text)))
    ]
    spans += [
        (found.start(), found.start() + len(shown), template.format(shown[found.start(1) - found.start() :]))
        for pattern, template in _PATTERNS
        for found in pattern.finditer(text)
        for shown in (_trim(found[0]),)
    ]
    for found in _SLASHED.finditer(text):
        if repository := repositories.get(_name(found)):
            spans.append((found.start(), found.start() + len(repository.name), repository.address))
    end = 0
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if span[0] >= end:
            yield span
            end = span[1]


def _encoded(address: str) -> str:
    try:
        return encode(address)
    except ValueError:
        return address


def _trim(address: str) -> str:
    """Leave out punctuation after an address, and a closing bracket without an opening one."""
    while address:
        last = address[-1]
        unbalanced = last in ")]" and address.count(last) > address.count({")": "(", "]": "["}[last])
        if last not in ".,;:!?'|*" and not unbalanced:
            break
        address = address[:-1]
    return address


def _name(found: re.Match[str]) -> str:
    return found[0].rstrip(".")


def _in_field(passage: Passage) -> Iterator[Repository]:
    template = _ADDRESSES.get(passage.field or "")
    if template is None:
        return
    for found in _SLASHED.finditer(passage.text):
        hub = _SPEAKS_OF_HUB.search(_clause_before(passage.text, found.start()))
        address = _ADDRESSES["model"] if hub and passage.field == "code" else template
        if _name(found).lower() not in _NO_REPOSITORY:
            yield Repository(_name(found), address.format(_name(found)), guessed=False, line=passage.line)


def _after_lead(passage: Passage) -> Iterator[Repository]:
    lead = _LEAD.match(passage.text)
    if lead is None:
        return
    kinds = [_kind(word[0]) for word in re.finditer(_KIND, lead[1], re.IGNORECASE)]
    position = lead.end()
    while found := _SLASHED.match(passage.text, position):
        name = _name(found)
        kind = kinds.pop(0) if len(kinds) > 1 else kinds[0]
        if name.lower() not in _NO_REPOSITORY:
            yield Repository(name, _ADDRESSES[kind].format(name), guessed=False, line=passage.line)
        position = found.start() + len(name)
        if not (between := _BETWEEN.match(passage.text, position)):
            return
        position = between.end()


def _in_clause(passage: Passage, words: frozenset[str]) -> Iterator[Repository]:
    for clause in _CLAUSE.split(passage.text):
        if not _SPEAKS_OF_CODE.search(clause):
            continue
        for found in _SLASHED.finditer(clause):
            name = _name(found)
            if _looks_like_account(found, words):
                yield Repository(name, _ADDRESSES["code"].format(name), guessed=True, line=passage.line)


def _looks_like_account(found: re.Match[str], words: frozenset[str]) -> bool:
    distinct = all(
        re.search("[a-z]", part) and (re.search("[A-Z]", part[1:]) or re.search("[-_.0-9]", part))
        for part in (found[1], found[2].rstrip("."))
    )
    return distinct and found[1] not in words


def _clause_before(text: str, position: int) -> str:
    return _CLAUSE.split(text[:position])[-1]


def _kind(word: str) -> str:
    return next(kind for kind, pattern in _KINDS.items() if re.fullmatch(pattern, word, re.IGNORECASE))
