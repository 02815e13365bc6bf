"""Elements and links that pages of every kind have: which tags are HTML's, which links lead anywhere."""

from __future__ import annotations

import re

from exporter.notices import Notice, Place
from exporter.readers.addresses import encode, scheme
from exporter.readers.importing.tree import Link, Prose, Text

_ELEMENTS = frozenset(
    str.split(
        """
        a abbr b big blockquote br center cite code dd del details div dl dt em figcaption
        figure font h1 h2 h3 h4 h5 h6 hr i iframe img ins kbd li mark nav ol p picture pre q s
        samp script section small source span strike strong style sub summary sup table tbody td
        tfoot th thead time tr u ul video var wbr
        """
    )
)
TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)\b[^>]*>")


def link_or_text(href: str, children: Prose, place: Place, notices: list[Notice]) -> Prose:
    """Return a link to the outside world or to a part of the page; any other link is its text, with a notice."""
    if href.startswith("#") and len(href) > 1 and children:
        return (Link(children, href),)
    if scheme(href) in {"http", "https", "mailto"}:
        try:
            return (Link(children or (Text(href),), encode(href)),)
        except ValueError:
            pass
    notices.append(
        Notice(
            "import-link",
            f"the link to {href[:80] or 'nowhere'} leads nowhere outside the page's own site and is text now",
            place,
            "write its whole address in issue.md if it matters",
        )
    )
    return children


def is_markup(tag: str) -> bool:
    """Say whether a tag is one of HTML's, or a comment."""
    found = TAG.fullmatch(tag)
    return found[1].lower() in _ELEMENTS if found else tag.startswith(("<!--", "<!", "<?"))
