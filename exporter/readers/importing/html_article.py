"""The article of an HTML page: where it is, what its head says, what around it is left out, what its text is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exporter.errors import SourceError
from exporter.notices import Notice, Place, Problem
from exporter.readers.importing.account import Expected
from exporter.readers.importing.dates import find_dates
from exporter.readers.importing.html_nodes import BLOCKS, attribute, is_field_list, is_tag, is_text
from exporter.readers.importing.lines import clean
from exporter.readers.importing.preface import Preface

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
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DATES = ("article:published_time", "date", "dc.date", "dcterms.date", "pubdate", "publish_date", "datepublished")


def check_depth(soup: BeautifulSoup, file: str) -> None:
    """Refuse a page whose elements are nested deeper than any article's.

    Raises:
        SourceError: They are.
    """
    depths = {id(soup): 0}
    for tag in soup.find_all(is_tag):
        depths[id(tag)] = depth = depths[id(tag.parent)] + 1
        if depth > DEPTH_AT_MOST:
            place = Place(file, tag.sourceline or 0)
            message = f"elements are nested deeper than the limit of {DEPTH_AT_MOST}"
            raise SourceError((Problem(message, place, "save the article alone"),))


def head_of(soup: BeautifulSoup) -> Preface:
    """Return what the page says of itself: title, date, author."""
    known = Preface()
    metas = {
        (attribute(meta, "property") or attribute(meta, "name") or attribute(meta, "itemprop")).lower(): attribute(
            meta, "content"
        )
        for meta in soup.find_all("meta")
    }
    title = metas.get("og:title") or (soup.title.get_text() if soup.title else "")
    known.title = " ".join(clean(title).split()) or None
    times = [attribute(time, "datetime") for time in soup.find_all("time")]
    for words in (*(metas.get(name, "") for name in _DATES), *times):
        if dates := find_dates(words):
            known.date = dates[0].value
            break
    if author := " ".join(clean(metas.get("author", "")).split()):
        known.authors = (author,)
    return known


def article_of(soup: BeautifulSoup) -> Tag:
    """Return the element that holds the article."""
    articles = soup.find_all("article")
    if len(articles) == 1:
        return articles[0]
    return soup.select_one("main, [role=main]") or soup.body or soup


def base_of(soup: BeautifulSoup) -> str:
    """Return the address that the page's own links start from, or nothing."""
    base = soup.find("base")
    canonical = soup.find("link", rel="canonical")
    url = soup.find("meta", property="og:url")
    return next(
        (
            address
            for address in (attribute(base, "href"), attribute(canonical, "href"), attribute(url, "content"))
            if address.startswith(("http://", "https://"))
        ),
        "",
    )


def drop_surroundings(soup: BeautifulSoup, root: Tag, file: str, notices: list[Notice]) -> None:
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
    hidden = tag.has_attr("hidden") or attribute(tag, "aria-hidden") == "true"
    return hidden or bool(_HIDDEN.search(attribute(tag, "style")))


def expected_text(root: Tag) -> Iterator[Expected]:
    """Yield the text of each block element of the article."""
    words: list[str] = []
    owner: Tag | None = None
    for node in root.descendants:
        if is_tag(node) and node.name == "br":
            words.append("\n")
        if not is_text(node) or not str(node).strip():
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
    return group is not None and is_field_list(group)


def _pieces(words: list[str], owner: Tag | None) -> Iterator[Expected]:
    line = (owner.sourceline or 0) if owner is not None else 0
    preformatted = owner is not None and owner.name == "pre"
    whole = "".join(words)
    for piece in whole.split("\n") if preformatted or "\n" in words else (whole,):
        if piece.strip():
            yield Expected(piece, line)


def _block_of(node: PageElement) -> Tag:
    return next(parent for parent in node.parents if parent.name in BLOCKS or parent.parent is None)
