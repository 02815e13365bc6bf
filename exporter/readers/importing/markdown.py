"""An ordinary Markdown page → blocks, through our reader's own parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exporter.errors import SourceError
from exporter.notices import Notice, Place, Problem
from exporter.readers.importing import dialect
from exporter.readers.importing.account import Expected
from exporter.readers.importing.elements import TAG, is_markup, link_or_text
from exporter.readers.importing.lines import clean, read_lines
from exporter.readers.importing.matter import read_matter
from exporter.readers.importing.page import Page
from exporter.readers.importing.pictures import Pictures
from exporter.readers.importing.tree import (
    Block,
    Blocks,
    Break,
    Code,
    Fence,
    Grid,
    Heading,
    Inline,
    Item,
    Items,
    Paragraph,
    Prose,
    Quote,
    Raw,
    Rule,
    Styled,
    Text,
    Verbatim,
    merged,
)
from exporter.readers.limits import LIMITS
from exporter.readers.markdown.attributes import trailing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

_STYLES = {"strong_open": "strong", "em_open": "emphasis", "s_open": "strikethrough"}
_TASK = re.compile(r"\[([ xX])\]\s+")


def read_markdown(source: str, *, file: str) -> Page:
    """Read a Markdown page with or without front matter.

    Raises:
        SourceError: Its front matter is not valid.
    """
    matter = read_matter(source, file=file)
    lines, cleaned = read_lines(source, file=file)
    body = "\n".join("" if line.number <= matter.lines else line.raw for line in lines)
    reader = _Reader(body, file)
    tokens = dialect.parse(body)
    _check_depth(tokens, file)
    blocks = reader.blocks(tokens)
    return Page(
        blocks,
        tuple(_expected(body)),
        (*matter.notices, *cleaned, *reader.pictures.notices, *reader.notices),
        matter.known,
        matter.language,
        matter.unplaced,
        reader.pictures.assets,
    )


def _check_depth(tokens: list[Token], file: str) -> None:
    depth = 0
    for token in tokens:
        if token.type.startswith(("blockquote_", "bullet_list_", "ordered_list_")):
            depth += token.nesting
        if depth > LIMITS.nesting:
            place = Place(file, token.map[0] + 1 if token.map else 0)
            message = f"blocks are nested deeper than the limit of {LIMITS.nesting}"
            raise SourceError((Problem(message, place, "take some of the outer ones away"),))


class _Reader:
    """Walks the block tokens; keeps the source's lines for what is copied as it is."""

    def __init__(self, source: str, file: str) -> None:
        self.lines = source.split("\n")
        self.file = file
        self.pictures = Pictures(file)
        self.notices: list[Notice] = []

    def blocks(self, tokens: list[Token]) -> Blocks:
        found: list[Block] = []
        index = 0
        while index < len(tokens):
            end = _closing(tokens, index)
            if tokens[index].type == "field_open":
                fields, index = self._fields(tokens, index)
                found.append(fields)
                continue
            block = self._block(tokens[index], tokens[index + 1 : end])
            if not isinstance(block, Heading) or block.prose:  # a heading without a text heads nothing
                found.append(block)
            index = end + 1
        return tuple(found)

    def _block(self, token: Token, inner: list[Token]) -> Block:
        line = token.map[0] + 1 if token.map else 0
        match token.type:
            case "heading_open":
                words, attributes = trailing(inner[0].content)
                return Heading(
                    int(token.tag[1]), self._prose(dialect.parse_inline(words), line), line, attributes.id
                )
            case "paragraph_open":
                return Paragraph(self._prose(inner[0].children or [], line), line)
            case "bullet_list_open" | "ordered_list_open":
                start = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
                return Items(tuple(self._items(inner)), line, start)
            case "blockquote_open":
                return Quote(self.blocks(inner), line)
            case "fence":
                return Fence(token.content.removesuffix("\n"), line, token.info.strip())
            case "code_block":
                return Fence(token.content.removesuffix("\n"), line)
            case "hr":
                return Rule(line)
            case "table_open":
                return self._table(inner, line)
            case _:
                first, last = token.map or [0, 0]
                return Verbatim("\n".join(self.lines[first:last]).rstrip(), line)

    def _fields(self, tokens: list[Token], index: int) -> tuple[Items, int]:
        """Return fields that the page has in our own notation as the bullets that every source has."""
        items: list[Item] = []
        first = (tokens[index].map or [0])[0] + 1
        while index < len(tokens) and tokens[index].type == "field_open":
            line = (tokens[index].map or [0])[0] + 1
            name, inline = str(tokens[index].meta["name"]), tokens[index + 1]
            prose = (Text(f"{name}: "), *self._prose(inline.children or [], line))
            items.append(Item((Paragraph(prose, line),), line))
            index += 3
        return Items(tuple(items), first), index

    def _items(self, tokens: list[Token]) -> Iterator[Item]:
        index = 0
        while index < len(tokens):
            end = _closing(tokens, index)
            line = (tokens[index].map or [0])[0] + 1
            blocks = self.blocks(tokens[index + 1 : end]) or (Paragraph((), line),)
            index = end + 1
            checked = None
            if (
                isinstance(first := blocks[0], Paragraph)
                and first.prose
                and isinstance(lead := first.prose[0], Text)
            ):
                task = _TASK.match(lead.text)
                if task:
                    checked = task[1] != " "
                    rest = Paragraph((Text(lead.text[task.end() :]), *first.prose[1:]), first.line)
                    blocks = (rest, *blocks[1:])
            yield Item(blocks, line, checked)

    def _table(self, tokens: list[Token], line: int) -> Grid:
        rows: list[list[Prose]] = []
        alignments: list[str] = []
        beyond: list[str] = []
        for index, token in enumerate(tokens):
            if token.type == "tr_open":
                rows.append([])
                beyond = _beyond(self.lines, token, len(rows[0])) if len(rows) > 1 else []
            elif token.type == "tr_close":  # GFM drops cells beyond the head's; an importer must not
                rows[-1].extend(self._prose(dialect.parse_inline(cell), line) for cell in beyond)
            elif token.type in {"th_open", "td_open"}:
                if token.type == "th_open":
                    alignments.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
                rows[-1].append(self._prose(tokens[index + 1].children or [], line))
        return Grid(tuple(tuple(row) for row in rows), line, tuple(alignments))

    def _prose(self, tokens: list[Token], line: int) -> Prose:
        nodes: list[Inline] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            end = _closing(tokens, index)
            nodes.extend(self._inline(token, tokens[index + 1 : end], line))
            index = end + 1
        return merged(tuple(nodes))

    def _inline(self, token: Token, inner: list[Token], line: int) -> Prose:
        match token.type:
            case "text":
                shown = clean(token.content)  # CommonMark decodes &#27; too
                return (Text(shown),) if shown else ()
            case "softbreak":
                return (Text("\n"),)
            case "hardbreak":
                return (Break(),)
            case "code_inline":
                return (Code(token.content),)
            case "math_inline" | "math_inline_double":
                return (Raw(f"{token.markup}{token.content}{token.markup}", token.content),)
            case "footnote_ref":
                mark = f"[^{token.meta['label']}]"
                return (Raw(mark, mark),)
            case "image":
                return self.pictures.prose(token.content, str(token.attrs.get("src", "")), line)
            case "link_open":
                return self._link(token, self._prose(inner, line), line)
            case "strong_open" | "em_open" | "s_open":
                children = self._prose(inner, line)
                return (Styled(_STYLES[token.type], children),) if children else ()  # type: ignore[arg-type] # the three styles
            case "html_inline":
                return self._tag(token.content, line)
            case _:
                return self._prose(inner, line)

    def _link(self, token: Token, children: Prose, line: int) -> Prose:
        return link_or_text(str(token.attrs.get("href", "")), children, Place(self.file, line), self.notices)

    def _tag(self, tag: str, line: int) -> Prose:
        """Drop a tag of HTML, which is markup; what only looks like one (``Vec<T>``) is text."""
        found = TAG.fullmatch(tag)
        if not is_markup(tag):
            return (Text(tag),)
        if found and found[1].lower() == "br":
            return (Break(),)
        if found and found[1].lower() == "img":
            attributes = dict(re.findall(r"(\w+)\s*=\s*[\"']([^\"']*)[\"']", tag))
            return self.pictures.prose(attributes.get("alt", ""), attributes.get("src", ""), line)
        self.notices.append(
            Notice(
                "import-html",
                f"the HTML {tag[:60]} was left out; what it encloses is kept",
                Place(self.file, line),
                "write it in Markdown if it matters",
            )
        )
        return ()


def _closing(tokens: list[Token], index: int) -> int:
    """Return the index of the token that closes the one at an index; itself where nothing is to close."""
    depth = 0
    for position in range(index, len(tokens)):
        depth += tokens[position].nesting
        if depth <= 0:
            return position
    return len(tokens)


def _beyond(lines: list[str], row: Token, columns: int) -> list[str]:
    """Return the cells of a row that the head of its table has no columns for; GFM leaves them out."""
    if not row.map:
        return []
    cells = re.split(r"(?<!\\)\|", lines[row.map[0]].strip().removeprefix("|").removesuffix("|"))
    return [cell.strip() for cell in cells[columns:]]


def _expected(source: str) -> Iterator[Expected]:
    """Yield the text of the page as its reader sees it, line by line."""
    lines = source.split("\n")
    in_heading, label = False, ""
    columns, beyond = 0, list[str]()
    for token in dialect.parse(source):
        line = token.map[0] + 1 if token.map else 0
        match token.type:
            case "heading_open" | "heading_close":
                in_heading = token.nesting > 0
            case "table_open":
                columns = 0
            case "th_open":
                columns += 1
            case "tr_open" if columns:
                beyond = _beyond(lines, token, columns)
            case "tr_close" if columns:
                for cell in beyond:
                    yield Expected("".join(dialect.shown_text(dialect.parse_inline(cell))), line)
                beyond = []
            case "field_open":
                label = f"{token.meta['name']}: "
            case "inline":
                content = trailing(token.content)[0] if in_heading else token.content
                shown = "".join(
                    "" if one.type == "html_inline" and is_markup(one.content) else text
                    for one in dialect.parse_inline(content)
                    for text in dialect.shown_text([one])
                )
                for offset, words in enumerate((label + shown).split("\n")):
                    if words.strip():
                        yield Expected(_TASK.sub("", words, count=1), line + offset)
                label = ""
            case "fence" | "code_block" | "colon_fence" | "math_block":
                for offset, words in enumerate(token.content.split("\n")):
                    if words.strip():
                        yield Expected(words, line + offset + 1)
