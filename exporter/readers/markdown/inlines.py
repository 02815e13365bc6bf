"""From inline tokens to inline nodes: a line of prose."""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from exporter.model import inlines as nodes
from exporter.model import plain
from exporter.readers import addresses
from exporter.readers.cjk import joins
from exporter.readers.findings import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from exporter.model.inlines import Inline, Inlines
    from exporter.notices import Place
    from exporter.readers.findings import Findings
    from exporter.readers.markdown.attributes import Attributes
    from exporter.readers.written import Written

_NESTED: dict[str, type[nodes.Strong | nodes.Emphasis | nodes.Strikethrough]] = {
    "strong": nodes.Strong,
    "em": nodes.Emphasis,
    "s": nodes.Strikethrough,
}
_COMMENT = re.compile(r"(?<!\\)<!--")
_OPENING_TAG = re.compile(r"<(!--|[A-Za-z?!])")
_ATTRIBUTES = ("lang", "language")
_VISIBLE = frozenset({"text", "code_inline", "math_inline", "math_inline_double", "html_inline", "image"})


class LineReader:
    """Turns the tokens of one line of prose into nodes."""

    def __init__(self, source: Written, findings: Findings, *, nesting: int) -> None:
        self._source = source
        self._findings = findings
        self._nesting = nesting
        self._starts = [0, *(match.end() for match in re.finditer("\n", source))]

    def read(self, tokens: Sequence[Token]) -> Inlines:
        """Return the nodes of a line."""
        reading, depth = list(tokens), 0
        for token in reading:
            depth += token.nesting
            if depth > self._nesting:
                self._findings.problem(
                    f"inline markup is nested deeper than the limit of {self._nesting}", self._place(token)
                )
                return ()
        line, _ = self._until(reading, 0, None)
        return line

    def alone(self, tokens: Sequence[Token]) -> Token | None:
        """Return the picture that a line consists of, or None."""
        return tokens[0] if len(tokens) == 1 and tokens[0].type == "image" else None

    def alt(self, token: Token) -> tuple[str, Inlines]:
        """Return the alternative text of a picture, plain and as nodes."""
        if not token.content.strip():
            self._findings.problem(
                f"the picture {picture_path(token)} has no alternative text",
                self._place(token),
                "write what it says between the brackets; for a mere decoration use "
                ":::{figure} with an empty :alt: option",
            )
        line = self.read(token.children or [])
        return plain(line), line

    def path(self, token: Token) -> str:
        """Return the path of a picture, which is one inside the issue's folder or a problem."""
        path = picture_path(token)
        check_path(path, "a picture", self._place(token), self._findings)
        return path

    def _until(self, tokens: list[Token], start: int, closing: str | None) -> tuple[Inlines, int]:
        line: list[Inline] = []
        index = start
        while index < len(tokens):
            token = tokens[index]
            if token.type == closing:
                return merged(line), index
            children: Inlines = ()
            if token.nesting > 0:
                children, index = self._until(tokens, index + 1, token.type.replace("_open", "_close"))
            line += self._nodes(tokens, token, tokens[index], children, index)
            index += 1
        return merged(line), index

    def _nodes(self, tokens: list[Token], token: Token, closing: Token, children: Inlines, index: int) -> Inlines:
        place = self._place(token)
        match token.type:
            case "text":
                self._check_text(tokens, token, index)
                return (nodes.Text(text=token.content).at(place),) if token.content else ()
            case "softbreak":
                return self._soft_break(tokens, index, place)
            case "hardbreak":
                return (nodes.LineBreak().at(place),)
            case "code_inline":
                code = nodes.Code(text=token.content).at(place)
                return self._attributed((code,), token.meta.get("attributes"), place)
            case "math_inline" | "math_inline_double":
                return self._math(token.content, place)
            case "html_inline":
                return self._raw(token.content, place)
            case "footnote_ref":
                return (nodes.NoteReference(note=token.meta["label"]).at(place),)
            case "image":
                alt, _ = self.alt(token)
                path = self.path(token)
                image = (nodes.Image(path=path, alt=alt).at(place),) if path else ()
                return self._attributed(image, token.meta.get("attributes"), place)
            case "link_open":
                link = self._link(token, children, place)
                return self._attributed(link, closing.meta.get("attributes"), place)
            case "span_open":
                return self._attributed(children, token.meta["attributes"], place)
            case "strong_open" | "em_open" | "s_open":
                kind = _NESTED[token.type.removesuffix("_open")]
                return (kind(children=children).at(place),) if children else ()
        raise AssertionError(f"the parser has no rule that makes {token.type}")

    def _check_text(self, tokens: list[Token], token: Token, index: int) -> None:
        """Report a comment or a formula that has no end and is text therefore."""
        place = self._place(token)
        if "<!--" in token.content:
            start, after = token.meta.get("at", 0), tokens[index + 1 : index + 2]
            end = after[0].meta.get("at", len(self._source)) if after else len(self._source)
            if _COMMENT.search(self._source, start, max(end, start)):
                self._raw("<!--", place)
        match token.meta.get("formula"):
            case "blank":
                hint = r"delete the line; two dollar signs are written \$$"
                self._findings.problem("the formula holds a blank line", place, hint)
            case "open":
                hint = r"close it; two dollar signs are written \$$"
                self._findings.problem("the formula is never closed with $$", place, hint)

    def _soft_break(self, tokens: list[Token], index: int, place: Place) -> Inlines:
        before = _edge(tokens, range(index - 1, -1, -1), -1)
        after = _edge(tokens, range(index + 1, len(tokens)), 0)
        nothing = before and after and joins(before, after)
        return () if nothing else (nodes.Text(text=" ").at(place),)

    def _math(self, tex: str, place: Place) -> Inlines:
        check_math(tex, place, self._findings)
        return (nodes.Math(tex=tex).at(place),) if tex.strip() else ()

    def _raw(self, tag: str, place: Place) -> Inlines:
        if match := _OPENING_TAG.match(tag):
            what = "a comment" if match.group(1) == "!--" else f"the tag {shortened(tag)}"
            self._findings.notice(
                "raw-html",
                f"{what} is raw HTML and is shown as text",
                place,
                "write it in Markdown, or between backticks when it is meant to be read",
            )
        return (nodes.Text(text=" ".join(tag.split("\n"))).at(place),)

    def _link(self, token: Token, children: Inlines, place: Place) -> Inlines:
        href = str(token.attrs.get("href", "")).strip()
        title = str(token.attrs["title"]) if token.attrs.get("title") else None
        if href.startswith("#") and len(href) > 1:
            return self._reference(href, children, place)
        if not href:
            self._findings.notice("empty-link", "the link has no address and is shown as text", place)
            return children
        scheme = addresses.scheme(href)
        if not scheme:
            self._findings.notice(
                "relative-link",
                f"the link to {shortened(href)} leads nowhere outside this folder and is shown as text",
                place,
                "write a whole address (https://…), or (#id) for a part of this issue",
            )
            return children or (nodes.Text(text=href).at(place),)
        target = self._target(href, scheme, place)
        if not target:
            return children
        text = children or (nodes.Text(text=href).at(place),)
        return (nodes.Link(target=target, children=text, title=title).at(place),)

    def _target(self, href: str, scheme: str, place: Place) -> str | None:
        if scheme not in addresses.SCHEMES:
            self._findings.problem(
                f"a link may not lead to {shortened(href)}", place, "allowed are https:, http: and mailto:"
            )
            return None
        try:
            return addresses.encode(href)
        except ValueError as error:
            self._findings.problem(f"the address {shortened(href)} {error}", place)
            return None

    def _reference(self, href: str, children: Inlines, place: Place) -> Inlines:
        target = unquote(href[1:])
        if re.search(r"[\s\"'<>#`\\{}]", target):
            self._findings.problem(f"#{shortened(target)} cannot be an id", place)
            return children
        return (nodes.Reference(target=target, children=children).at(place),)

    def _attributed(self, children: Inlines, attributes: Attributes | None, place: Place) -> Inlines:
        return span(children, attributes, place, self._findings) if attributes and children else children

    def _place(self, token: Token) -> Place:
        at = token.meta.get("at", 0)
        row = bisect.bisect_right(self._starts, at) - 1
        return self._source.place(row, at - self._starts[row])


def span(children: Inlines, attributes: Attributes, place: Place, findings: Findings) -> Inlines:
    """Return a run with attributes of its own, one node or, when nothing of them holds, the run itself."""
    language = None
    for key, value in attributes.values.items():
        if key not in _ATTRIBUTES:
            findings.problem(f"unknown attribute {key}", place, nearest(key, _ATTRIBUTES))
        elif not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", value):
            findings.problem(f"{value} is no language tag", place, "write a tag such as zh, zh-Hant or en")
        else:
            language = value
    try:
        node = nodes.Span(children=children, language=language, id=attributes.id, classes=attributes.classes)
    except ValueError:
        findings.problem("the attributes are not valid", place)
        return children
    return (node.at(place),) if language or attributes.id or attributes.classes else children


def merged(line: Sequence[Inline]) -> Inlines:
    """Return a line in which no text follows a text."""
    result: list[Inline] = []
    for node in line:
        last = result[-1] if result else None
        if isinstance(node, nodes.Text) and isinstance(last, nodes.Text):
            result[-1] = nodes.Text(text=last.text + node.text).at(last.place)
        else:
            result.append(node)
    return tuple(result)


def check_math(tex: str, place: Place, findings: Findings) -> None:
    """Report a formula that cannot be set."""
    from exporter.math import check

    if not tex.strip():
        findings.problem("the formula is empty", place)
    elif reason := check(tex):
        findings.problem(f"the formula cannot be set: {reason}", place)


def picture_path(token: Token) -> str:
    """Return the path of a picture as the author wrote it."""
    return str(token.attrs.get("src", ""))


def check_path(path: str, what: str, place: Place, findings: Findings) -> None:
    """Report a path that is none, or leads out of the issue's folder by its form alone."""
    scheme = addresses.scheme(path)
    if not path:
        findings.problem(f"{what} needs a path", place)
    elif path.startswith("//") or len(scheme) > 1:
        findings.problem(
            f"{what} cannot come from {shortened(path)}: only files in the issue's folder are read",
            place,
            "save it beside the issue and name that file",
        )


def shortened(text: str, length: int = 60) -> str:
    """Return a text of the source fit for a message: one line, not long, no control characters."""
    text = " ".join(text.split())
    text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return text if len(text) <= length else text[: length - 1] + "…"


def _edge(tokens: Sequence[Token], indices: range, end: int) -> str:
    """Return the character that a reader sees next to a break, or nothing."""
    for index in indices:
        token = tokens[index]
        if token.type in {"softbreak", "hardbreak"}:
            return ""
        if token.type in _VISIBLE and token.content:
            return token.content[end]
    return ""
