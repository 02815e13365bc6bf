"""An HTML page → blocks: its article without scripts, styles, menus and what surrounds it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeGuard
from urllib.parse import urljoin

from exporter.errors import SourceError
from exporter.notices import Notice, Place, Problem
from exporter.readers.importing.account import Expected
from exporter.readers.importing.dates import find_dates
from exporter.readers.importing.fields import known_field
from exporter.readers.importing.markdown import link_or_text
from exporter.readers.importing.page import Page
from exporter.readers.importing.pictures import Pictures
from exporter.readers.importing.preface import Preface
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
    from collections.abc import Iterator

    from bs4 import BeautifulSoup, Tag
    from bs4.element import PageElement

_SILENT = str.split(
    """
        script style noscript template svg math iframe object embed form button input select
        textarea canvas audio video
        """
)
DEPTH_AT_MOST = 200
"""Elements in elements; no article needs more, and a browser stops at 512."""
_AROUND = ("nav", "header", "footer", "aside")
_BLOCKS = frozenset(
    str.split(
        """
        address article aside blockquote body center dd details div dl dt fieldset figcaption
        figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary
        table tbody td tfoot th thead tr ul caption
        """
    )
)
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
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DATES = ("article:published_time", "date", "dc.date", "dcterms.date", "pubdate", "publish_date", "datepublished")


def read_html(source: str, *, file: str) -> Page:
    """Read an HTML page; nothing is fetched."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(source.removeprefix("\ufeff"), "html.parser")
    notices: list[Notice] = []
    known = _known(soup)
    language = _attribute(soup.html, "lang") if soup.html else ""
    _check_depth(soup, file)
    root = _content(soup)
    _drop(soup, root, file, notices)
    reader = _Reader(file, _base(soup), notices)
    blocks = reader.container(root)
    if known.title and any(isinstance(block, Heading) and block.depth == 1 for block in blocks):
        known.title = None  # the article's own heading is nearer to its text than the window's title
    return Page(
        blocks,
        tuple(_expected(root)),
        (*notices, *reader.pictures.notices),
        known,
        language.replace("_", "-") or None,
        assets=reader.pictures.assets,
    )


def _check_depth(soup: BeautifulSoup, file: str) -> None:
    depths = {id(soup): 0}
    for tag in soup.find_all(_is_tag):
        depths[id(tag)] = depth = depths[id(tag.parent)] + 1
        if depth > DEPTH_AT_MOST:
            place = Place(file, tag.sourceline or 0)
            message = f"elements are nested deeper than the limit of {DEPTH_AT_MOST}"
            raise SourceError((Problem(message, place, "save the article alone"),))


def _known(soup: BeautifulSoup) -> Preface:
    known = Preface()
    metas = {
        (
            _attribute(meta, "property") or _attribute(meta, "name") or _attribute(meta, "itemprop")
        ).lower(): _attribute(meta, "content")
        for meta in soup.find_all("meta")
    }
    title = metas.get("og:title") or (soup.title.get_text() if soup.title else "")
    known.title = " ".join(title.split()) or None
    times = [_attribute(time, "datetime") for time in soup.find_all("time")]
    for words in (*(metas.get(name, "") for name in _DATES), *times):
        if dates := find_dates(words):
            known.date = dates[0].value
            break
    if author := " ".join(metas.get("author", "").split()):
        known.authors = (author,)
    return known


def _content(soup: BeautifulSoup) -> Tag:
    articles = soup.find_all("article")
    if len(articles) == 1:
        return articles[0]
    return soup.select_one("main, [role=main]") or soup.body or soup


def _base(soup: BeautifulSoup) -> str:
    base = soup.find("base")
    canonical = soup.find("link", rel="canonical")
    url = soup.find("meta", property="og:url")
    return next(
        (
            address
            for address in (_attribute(base, "href"), _attribute(canonical, "href"), _attribute(url, "content"))
            if address.startswith(("http://", "https://"))
        ),
        "",
    )


def _drop(soup: BeautifulSoup, root: Tag, file: str, notices: list[Notice]) -> None:
    """Take out what is not the article, and say what it said."""
    around = _AROUND if root.name not in {"article", "main"} else ("nav",)
    dropped = [*root.find_all(_SILENT), *root.find_all(around), *root.find_all(_is_hidden)]
    outside = [
        tag
        for tag in soup.find_all([*_AROUND, "script", "style"])
        if root not in tag.parents and tag is not root and tag not in root.parents
    ]
    for tag in [*outside, *dropped]:
        if tag.decomposed or any(parent in dropped or parent in outside for parent in tag.parents):
            continue
        words = "" if tag.name in {"script", "style"} else " ".join(tag.get_text(" ").split())
        excerpt = f": {words[:100]}{'…' if len(words) > 100 else ''}" if words else ""
        notices.append(
            Notice(
                "import-dropped",
                f"<{tag.name}> is not part of the article and was left out{excerpt}",
                Place(file, tag.sourceline or 0),
                "copy what it says into issue.md if it matters",
            )
        )
    for tag in dropped:
        if not tag.decomposed:
            tag.decompose()


def _is_hidden(tag: Tag) -> bool:
    hidden = tag.has_attr("hidden") or _attribute(tag, "aria-hidden") == "true"
    return hidden or bool(_HIDDEN.search(_attribute(tag, "style")))


def _attribute(tag: Tag | None, name: str) -> str:
    value = tag.get(name) if tag is not None else None
    return value if isinstance(value, str) else " ".join(value or ())


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
            if _is_block(child) or (_is_tag(child) and child.find(_is_block)):
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
            case "p" | "dt" | "summary" | "figcaption" | "caption" if not tag.find(_is_block):
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
                return (Fence(tag.get_text().strip("\n"), line, _code_language(tag)),)
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
        start = _attribute(tag, "start")
        number = int(start) if start.isdecimal() else 1
        return (Items(tuple(items), line, number if tag.name == "ol" else None),) if items else ()

    def _definitions(self, tag: Tag, line: int) -> Blocks:
        if not _is_field_list(tag):
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
        width = _attribute(cell, "colspan")
        return ((),) * (min(int(width), 100) - 1) if width.isdecimal() and int(width) > 1 else ()

    def _children(self, tag: Tag) -> list[Inline]:
        return [node for child in tag.children for node in self._inline(child)]

    def _inline(self, node: PageElement) -> list[Inline]:
        if not _is_tag(node):
            return [Text(re.sub(r"[ \t\r\n\f\v\xa0]+", " ", str(node)))] if _is_text(node) else []
        line = node.sourceline or 0
        match node.name:
            case "br":
                return [Break()]
            case "img":
                source = urljoin(self.base, _attribute(node, "src")) if self.base else _attribute(node, "src")
                return list(self.pictures.prose(_attribute(node, "alt"), source, line))
            case "a" if _attribute(node, "href"):
                href = _attribute(node, "href").strip()
                address = href if href.startswith("#") or not self.base else urljoin(self.base, href)
                return list(
                    link_or_text(address, tuple(self._children(node)), Place(self.file, line), self.notices)
                )
            case name if name in _CODE and node.get_text().strip():
                return [Code(" ".join(node.get_text().split()))]
            case name if name in _STYLES and node.get_text().strip():
                return _styled(_STYLES[name], self._children(node))
            case "sup" if re.fullmatch(r"[-−+]?\d+", node.get_text().strip()):
                return [Text("^"), *self._children(node)]
            case name if name in _BLOCKS:
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
        for name in _attribute(one, "class").split():
            if found := re.fullmatch(r"(?:language|lang|highlight)-([\w+-]+)", name):
                return found[1]
    return ""


def _is_tag(node: object) -> TypeGuard[Tag]:
    from bs4 import Tag

    return isinstance(node, Tag)


def _is_text(node: object) -> bool:
    from bs4.element import NavigableString, PreformattedString

    return isinstance(node, NavigableString) and not isinstance(node, PreformattedString)


def _is_block(node: object) -> TypeGuard[Tag]:
    return _is_tag(node) and node.name in _BLOCKS


def _is_field_list(tag: Tag) -> bool:
    return any(known_field(term.get_text().strip().rstrip(":：")) for term in tag.find_all("dt"))


def _expected(root: Tag) -> Iterator[Expected]:
    """Yield the text of each block element of the article."""
    words: list[str] = []
    owner: Tag | None = None
    for node in root.descendants:
        if _is_tag(node) and node.name == "br":
            words.append("\n")
        if not _is_text(node) or not str(node).strip():
            continue
        block = _block_of(node)
        if block is not owner and words and not _same_field(owner, block):
            yield from _pieces(words, owner)
            words = []
        label = block is not owner and _same_field(owner, block) and words
        words.append((": " if label else "") + _raised(node))
        owner = block
    yield from _pieces(words, owner)


def _raised(node: PageElement) -> str:
    parent = node.parent
    raised = parent is not None and parent.name == "sup" and re.fullmatch(r"[-−+]?\d+", str(node).strip())
    return ("^" if raised else "") + str(node)


def _same_field(owner: Tag | None, block: Tag) -> bool:
    """Say whether two elements are the name and the value of one field."""
    if owner is None or owner.name != "dt" or block.name != "dd":
        return False
    group = block.find_parent("dl")
    return group is not None and _is_field_list(group)


def _pieces(words: list[str], owner: Tag | None) -> Iterator[Expected]:
    line = (owner.sourceline or 0) if owner is not None else 0
    preformatted = owner is not None and owner.name == "pre"
    whole = "".join(words)
    for piece in whole.split("\n") if preformatted or "\n" in words else (whole,):
        if piece.strip():
            yield Expected(piece, line)


def _block_of(node: PageElement) -> Tag:
    return next(parent for parent in node.parents if parent.name in _BLOCKS or parent.parent is None)
