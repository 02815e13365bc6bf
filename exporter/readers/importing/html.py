"""An HTML page → blocks: its article without scripts, styles, menus and what surrounds it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from exporter.notices import Notice, Place
from exporter.readers.importing.elements import link_or_text
from exporter.readers.importing.html_article import (
    article_of,
    base_of,
    check_depth,
    drop_surroundings,
    expected_text,
    head_of,
)
from exporter.readers.importing.html_nodes import BLOCKS, attribute, is_block, is_field_list, is_tag, is_text
from exporter.readers.importing.lines import clean
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
    Rule,
    Styled,
    Text,
    plain,
)

if TYPE_CHECKING:
    from bs4 import Tag
    from bs4.element import PageElement

_STYLES = {
    "strong": "strong",
    "b": "strong",
    "em": "emphasis",
    "i": "emphasis",
    "del": "strikethrough",
    "s": "strikethrough",
    "strike": "strikethrough",
}
_CODE = frozenset({"code", "kbd", "samp", "tt"})


def read_html(source: str, *, file: str) -> Page:
    """Read an HTML page; nothing is fetched."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(source.removeprefix("\ufeff"), "html.parser")
    notices: list[Notice] = []
    known = head_of(soup)
    language = attribute(soup.html, "lang") if soup.html else ""
    check_depth(soup, file)
    root = article_of(soup)
    drop_surroundings(soup, root, file, notices)
    reader = _Reader(file, base_of(soup), notices)
    blocks = reader.container(root)
    if known.title and any(isinstance(block, Heading) and block.depth == 1 for block in blocks):
        known.title = None  # the article's own heading is nearer to its text than the window's title
    return Page(
        blocks,
        tuple(expected_text(root)),
        (*notices, *reader.pictures.notices),
        known,
        language.replace("_", "-") or None,
        assets=reader.pictures.assets,
    )


class _Reader:
    """Walks the elements of the article."""

    def __init__(self, file: str, base: str, notices: list[Notice]) -> None:
        self.file = file
        self.base = base
        self.notices = notices
        self.pictures = Pictures(file)

    def container(self, tag: Tag) -> Blocks:
        """Return the blocks in an element; text between them is a paragraph."""
        found: list[Block] = []
        run: list[Inline] = []
        line = tag.sourceline or 0
        for child in tag.children:
            if is_block(child) or (is_tag(child) and child.find(is_block)):
                self._flush(run, line, found)
                found.extend(self._blocks(child))
                continue
            run.extend(self._inline(child))
            line = getattr(child, "sourceline", None) or line
        self._flush(run, line, found)
        return tuple(found)

    def _flush(self, run: list[Inline], line: int, found: list[Block]) -> None:
        if prose := _tidy(run):
            found.append(Paragraph(prose, line))
        run.clear()

    def _blocks(self, tag: Tag) -> Blocks:
        line = tag.sourceline or 0
        match tag.name:
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                prose = _tidy(self._children(tag))
                return (Heading(int(tag.name[1]), prose, line),) if prose else ()
            case "p" | "dt" | "summary" | "figcaption" | "caption" if not tag.find(is_block):
                prose = _tidy(self._children(tag))
                bold = tag.name in {"dt", "summary", "caption"}
                return (Paragraph((Styled("strong", prose),) if bold else prose, line),) if prose else ()
            case "ul" | "ol" | "menu":
                return self._list(tag, line)
            case "dl":
                return self._definitions(tag, line)
            case "table":
                return self._table(tag, line)
            case "pre":
                return (Fence(clean(tag.get_text()).strip("\n"), line, _code_language(tag)),)
            case "blockquote":
                inner = self.container(tag)
                return (Quote(inner, line),) if inner else ()
            case "hr":
                return (Rule(line),)
            case _:
                return self.container(tag)

    def _list(self, tag: Tag, line: int) -> Blocks:
        items = [
            Item(blocks, item.sourceline or line)
            for item in tag.find_all("li", recursive=False)
            if (blocks := self.container(item))
        ]
        start = attribute(tag, "start")
        number = int(start) if start.isdecimal() else 1
        return (Items(tuple(items), line, number if tag.name == "ol" else None),) if items else ()

    def _definitions(self, tag: Tag, line: int) -> Blocks:
        if not is_field_list(tag):
            return self.container(tag)
        items = []
        for term in tag.find_all("dt"):
            value = term.find_next_sibling("dd")
            label = Text(f"{' '.join(term.get_text().split()).rstrip(':：')}: ")
            prose = (label, *_tidy(self._children(value))) if value else (label,)
            items.append(Item((Paragraph(prose, term.sourceline or line),), term.sourceline or line))
        return (Items(tuple(items), line),)

    def _table(self, tag: Tag, line: int) -> Blocks:
        caption = tag.find("caption")
        before = self._blocks(caption) if caption else ()
        rows = [
            tuple(
                cell
                for one in row.find_all(["td", "th"], recursive=False)
                for cell in (_tidy(self._children(one)), *self._spanned(one))
            )
            for row in tag.find_all("tr")
            if row.find_parent("table") is tag
        ]
        rows = [row for row in rows if row]
        return (*before, Grid(tuple(rows), line)) if rows else before

    def _spanned(self, cell: Tag) -> tuple[Prose, ...]:
        width = attribute(cell, "colspan")
        return ((),) * (min(int(width), 100) - 1) if width.isdecimal() and int(width) > 1 else ()

    def _children(self, tag: Tag) -> list[Inline]:
        return [node for child in tag.children for node in self._inline(child)]

    def _inline(self, node: PageElement) -> list[Inline]:
        if not is_tag(node):
            return [Text(re.sub(r"[ \t\r\n\f\v\xa0]+", " ", clean(str(node))))] if is_text(node) else []
        line = node.sourceline or 0
        match node.name:
            case "br":
                return [Break()]
            case "img":
                source = urljoin(self.base, attribute(node, "src")) if self.base else attribute(node, "src")
                return list(self.pictures.prose(attribute(node, "alt"), source, line))
            case "a" if attribute(node, "href"):
                href = attribute(node, "href").strip()
                address = href if href.startswith("#") or not self.base else urljoin(self.base, href)
                return list(
                    link_or_text(address, tuple(self._children(node)), Place(self.file, line), self.notices)
                )
            case name if name in _CODE and node.get_text().strip():
                return [Code(" ".join(clean(node.get_text()).split()))]
            case name if name in _STYLES and node.get_text().strip():
                return _styled(_STYLES[name], self._children(node))
            case "sup" if re.fullmatch(r"[-−+]?\d+", node.get_text().strip()):
                return [Text("^"), *self._children(node)]
            case name if name in BLOCKS:
                return [Text(" "), *self._children(node), Text(" ")]
            case _:
                return self._children(node)


def _styled(style: str, children: list[Inline]) -> list[Inline]:
    """Return styled text with the white space at its ends outside of it, where Markdown wants it."""
    words = plain(tuple(children))
    before = [Text(" ")] if words[:1].isspace() else []
    after = [Text(" ")] if words[-1:].isspace() else []
    return [*before, Styled(style, _tidy(children)), *after]  # type: ignore[arg-type] # one of the three styles


def _tidy(nodes: list[Inline]) -> Prose:
    """Join texts, collapse white space over their borders and trim the ends, as a browser does."""
    joined: list[Inline] = []
    for node in nodes:
        if isinstance(node, Text):
            text = re.sub(r" +", " ", node.text)
            last = joined[-1] if joined else None
            if isinstance(last, Text):
                joined[-1] = Text(re.sub(r" +", " ", last.text + text))
            elif not isinstance(last, Break) and last is not None:
                joined.append(Text(text))
            elif text.lstrip():
                joined.append(Text(text.lstrip()))
        elif not isinstance(node, Break) or joined:
            joined.append(node)
    while joined and (
        isinstance(joined[-1], Break) or (isinstance(last := joined[-1], Text) and not last.text.strip())
    ):
        joined.pop()
    if joined and isinstance(last := joined[-1], Text):
        joined[-1] = Text(last.text.rstrip())
    return tuple(node for node in joined if not isinstance(node, Text) or node.text)


def _code_language(tag: Tag) -> str:
    for one in (tag, *tag.find_all("code")):
        for name in attribute(one, "class").split():
            if found := re.fullmatch(r"(?:language|lang|highlight)-([\w+-]+)", name):
                return found[1]
    return ""
