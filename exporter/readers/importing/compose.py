"""Writes an imported issue: front matter, headings with their attributes, fields, blocks."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, assert_never

from exporter.readers.importing.links import Passage, Repository, find_repositories, link_prose
from exporter.readers.importing.outline import Head, Outline
from exporter.readers.importing.preface import Preface, coverage_range
from exporter.readers.importing.tree import (
    Block,
    Blocks,
    Fence,
    Grid,
    Heading,
    Item,
    Items,
    Link,
    Paragraph,
    Prose,
    Quote,
    Rule,
    Styled,
    Verbatim,
    plain,
)
from exporter.readers.importing.writing import write_blocks, write_prose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import yaml


def repositories_of(preface: Preface, outline: Outline) -> dict[str, Repository]:
    """Return the repositories, models and data sets that the issue names."""
    return find_repositories(_passages(preface, outline))


def link_outline(outline: Outline, repositories: Mapping[str, Repository]) -> Outline:
    """Return the outline with links in its plain text; headings stay without."""
    return map_prose(outline, lambda prose: link_prose(prose, repositories), headings=False)


def count_links(outline: Outline) -> int:
    """Count the links of the body."""
    return sum(_links(prose) for part in outline for prose, _ in _prose_of(part))


def write_body(outline: Outline) -> str:
    """Return the body as Markdown."""
    return write_blocks(
        tuple(Verbatim(_head(part), part.line) if isinstance(part, Head) else part for part in outline)
    )


def write_front_matter(
    preface: Preface, *, language: str, repositories: Mapping[str, Repository], extra: Mapping[str, str]
) -> str:
    """Return the front matter between its ``---`` lines; ``extra`` keys have no place and become comments."""
    values: dict[str, Any] = {"title": preface.title, "date": preface.date, "language": language}
    values |= {
        "kind": preface.kind,
        "number": preface.number,
        "rating": preface.rating,
        "tags": _Flow(preface.tags) if preface.tags else None,
        "authors": list(preface.authors) or None,
        "subtitle": write_prose(preface.subtitle, block=False) or None,
        "summary": write_prose(link_prose(preface.summary, repositories)) or None,
        "coverage": _coverage(preface, repositories),
        "method": write_prose(link_prose(preface.method, repositories)) or None,
    }
    present = {key: value for key, value in values.items() if value is not None}
    comments = "".join(f"# {key}: {' '.join(value.split())}\n" for key, value in extra.items())
    return f"---\n{_yaml(present)}{comments}---\n"


def _coverage(preface: Preface, repositories: Mapping[str, Repository]) -> dict[str, Any] | None:
    if not preface.coverage:
        return None
    days = coverage_range(preface)
    window = {"from": days[0], "to": days[1]} if days else {}
    return window | {"note": write_prose(link_prose(preface.coverage, repositories), block=False)}


def _head(head: Head) -> str:
    attributes = [
        f"#{head.id}" if head.id else "",
        f"number={head.number}" if head.number is not None else "",
        ".entry" if head.kind == "entry" and head.number is None and not head.fields else "",
        f"label={head.label}" if head.label else "",
    ]
    written = " ".join(attribute for attribute in attributes if attribute)
    lines = [
        f"{'#' * head.level} {_one_line(write_prose(head.prose, heading=True))}"
        + (f" {{{written}}}" if written else "")
    ]
    lines += [f":{field.name}: {_one_line(write_prose(field.value, block=False))}" for field in head.fields]
    return "\n".join(lines)


def _one_line(markdown: str) -> str:
    return " ".join(markdown.replace("\\\n", "\n").split("\n"))


def map_prose(outline: Outline, change: Callable[[Prose], Prose], *, headings: bool) -> Outline:
    """Return the outline with every run of prose changed; the text of headings only when asked."""
    return tuple(
        _map_head(part, change, headings=headings) if isinstance(part, Head) else _map_block(part, change)
        for part in outline
    )


def _map_head(head: Head, change: Callable[[Prose], Prose], *, headings: bool) -> Head:
    fields = tuple(dataclasses.replace(field, value=change(field.value)) for field in head.fields)
    return dataclasses.replace(head, fields=fields, prose=change(head.prose) if headings else head.prose)


def _map_block(block: Block, change: Callable[[Prose], Prose]) -> Block:
    match block:
        case Paragraph(prose, line):
            return Paragraph(change(prose), line)
        case Items(items, line, start):
            changed = tuple(Item(_map_blocks(item.blocks, change), item.line, item.checked) for item in items)
            return Items(changed, line, start)
        case Grid(rows, line, alignments):
            return Grid(tuple(tuple(change(cell) for cell in row) for row in rows), line, alignments)
        case Quote(blocks, line):
            return Quote(_map_blocks(blocks, change), line)
        case Heading() | Fence() | Rule() | Verbatim():
            return block
        case _:
            assert_never(block)


def _map_blocks(blocks: Blocks, change: Callable[[Prose], Prose]) -> Blocks:
    return tuple(_map_block(block, change) for block in blocks)


def _passages(preface: Preface, outline: Outline) -> Iterator[Passage]:
    for prose in (preface.summary, preface.coverage, preface.method):
        yield Passage(plain(prose), 0)
    for part in outline:
        if isinstance(part, Head):
            yield Passage(plain(part.prose), part.line)
            yield from (Passage(plain(field.value), field.line, field.name) for field in part.fields)
        else:
            yield from (Passage(plain(prose), line) for prose, line in _prose_of(part))


def _prose_of(part: Head | Block) -> Iterator[tuple[Prose, int]]:
    match part:
        case Head(fields=fields, prose=prose, line=line):
            yield prose, line
            yield from ((field.value, field.line) for field in fields)
        case Paragraph(prose, line) | Heading(_, prose, line):
            yield prose, line
        case Items(items):
            yield from (found for item in items for block in item.blocks for found in _prose_of(block))
        case Grid(rows, line):
            yield from ((cell, line) for row in rows for cell in row)
        case Quote(blocks):
            yield from (found for block in blocks for found in _prose_of(block))
        case Fence() | Rule() | Verbatim():
            return
        case _:
            assert_never(part)


def _links(prose: Prose) -> int:
    return sum(
        1 if isinstance(node, Link) else _links(node.children) if isinstance(node, Styled) else 0 for node in prose
    )


class _Flow(list[str]):
    """A list that is written on one line."""


def _yaml(values: Mapping[str, Any]) -> str:
    import yaml

    class Dumper(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002, ARG002
            return super().increase_indent(flow, indentless=False)

    Dumper.add_representer(
        _Flow, lambda dumper, value: dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)
    )
    Dumper.add_representer(str, _represent_text)
    return yaml.dump(dict(values), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=100_000)


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    """Write long prose as a block, which needs no quotes, and the rest as YAML likes it."""
    style = "|" if len(value) > 60 or "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)
