"""What a page asks of a mail program: its elements, attributes, links, pictures and styles as plain keys."""

from __future__ import annotations

import functools
import itertools
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ENDING: Final = re.compile(r"\.([a-z0-9]+)(?:[?#].*)?$")
_DATA: Final = re.compile(r"data:image/(?:x-|vnd\.microsoft\.)?([a-z0-9]+)")
_COMBINATORS: Final = {">": "child", "+": "adjacent", "~": "sibling"}
_PICTURES: Final = frozenset({("img", "src"), ("source", "src"), ("input", "src"), ("video", "poster")})


def page_features(html: str) -> frozenset[str]:
    """Return the keys of all that a page uses, such as ``element table``, ``property color`` or ``unit px``.

    What stands in a conditional comment is for Outlook's Word engine alone and is left out.
    """
    page = _Page()
    page.feed(html)
    page.close()
    return frozenset(page.keys.union(*(_sheet_keys("".join(sheet)) for sheet in page.sheets)))


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.keys: set[str] = set()
        self.sheets: list[list[str]] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.keys.add(f"element {tag}")
        self._in_style = tag == "style"
        if self._in_style:
            self.sheets.append([])
        values = {name: value or "" for name, value in attrs}
        self.keys.update(f"attribute {name}" for name in values)
        if tag in {"input", "button"}:
            kind = values.get("type", "text" if tag == "input" else "submit").lower()
            self.keys.add(f"element {tag} {kind}")
        if tag == "meta":
            self.keys.add(f"meta {values.get('name', '').lower()}")
        self.keys.update(_attribute_keys(tag, values))

    def handle_endtag(self, tag: str) -> None:
        if tag == "style":
            self._in_style = False

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.sheets[-1].append(data)

    def handle_comment(self, data: str) -> None:
        if not data.startswith(("[if", "<![endif")):
            self.keys.add("comment")

    def handle_decl(self, decl: str) -> None:
        if decl.lower() == "doctype html":
            self.keys.add("doctype")


def _attribute_keys(tag: str, values: dict[str, str]) -> Iterator[str]:
    for name, value in values.items():
        if name == "style":
            yield from _style_keys(value)
        elif name == "href":
            yield from _link_keys(value)
        elif (tag, name) in _PICTURES or name == "background":
            yield from _picture_keys(value)
        elif name == "srcset":
            for candidate in value.split(","):
                yield from _picture_keys(candidate.split()[0] if candidate.strip() else "")


def _link_keys(address: str) -> Iterator[str]:
    if len(address) > 1 and address.startswith("#"):
        yield "link #"
    elif ":" in address:
        yield f"link {address.partition(':')[0].strip().lower()}"


def _picture_keys(address: str) -> Iterator[str]:
    lowered = address.strip().lower()
    if lowered.startswith("data:"):
        yield "image data"
        if kind := _DATA.match(lowered):
            yield f"image {kind[1]}"
    elif kind := _ENDING.search(lowered):
        yield f"image {kind[1]}"


@functools.lru_cache(maxsize=1024)
def _style_keys(style: str) -> frozenset[str]:
    import tinycss2

    return frozenset(_block_keys(tinycss2.parse_blocks_contents(style)))


@functools.lru_cache(maxsize=64)
def _sheet_keys(sheet: str) -> frozenset[str]:
    import tinycss2

    return frozenset(_rule_keys(tinycss2.parse_stylesheet(sheet, skip_whitespace=True)))


def _rule_keys(rules: Iterable[Any]) -> Iterator[str]:
    for rule in rules:
        match rule.type:
            case "comment":
                yield "css comment"
            case "qualified-rule":
                yield from _selector_keys(rule.prelude)
                yield from _block_keys(_contents(rule.content))
            case "at-rule":
                yield from _at_rule_keys(rule)


def _at_rule_keys(rule: Any) -> Iterator[str]:
    import tinycss2

    name = rule.lower_at_keyword
    yield f"at {name}"
    if name in {"media", "import"}:
        yield from _media_keys(rule.prelude)
    if rule.content is None:
        return
    if name in {"media", "supports", "layer", "container"}:
        yield from _rule_keys(tinycss2.parse_rule_list(rule.content, skip_whitespace=True))
    elif name.endswith("keyframes"):
        for frame in tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True):
            if frame.type == "qualified-rule":
                yield from _block_keys(_contents(frame.content))
    else:
        yield from _block_keys(_contents(rule.content))


def _contents(content: Any) -> Any:
    import tinycss2

    return tinycss2.parse_blocks_contents(content)


def _media_keys(prelude: Iterable[Any]) -> Iterator[str]:
    for token in prelude:
        if token.type == "() block":
            words = [inner.lower_value for inner in token.content if inner.type == "ident"]
            if words:
                yield f"media {re.sub('^(-webkit-)?(min-|max-)?', '', words[0])}"
            yield from _media_keys(token.content)


def _block_keys(items: Iterable[Any]) -> Iterator[str]:
    for item in items:
        match item.type:
            case "comment":
                yield "css comment"
            case "declaration":
                yield from _declaration_keys(item)
            case "qualified-rule":
                yield "css nesting"
                yield from _selector_keys(item.prelude)
                yield from _block_keys(_contents(item.content))
            case "at-rule":
                yield "css nesting"
                yield from _at_rule_keys(item)


def _declaration_keys(item: Any) -> Iterator[str]:
    name = item.lower_name
    if item.important:
        yield "important"
    if item.name.startswith("--"):
        yield "css variable"
        return
    yield f"property {name}"
    yield from _value_keys(name, item.value)


def _value_keys(name: str, tokens: Iterable[Any]) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "ident":
                yield f"ident {token.lower_value}"
                yield f"declaration {name} {token.lower_value}"
            case "dimension":
                yield f"unit {token.lower_unit}"
            case "percentage":
                yield "unit %"
            case "url":
                yield from _picture_keys(token.value)
            case "comment":
                yield "css comment"
            case "function":
                yield f"function {token.lower_name}"
                if token.lower_name == "url":
                    for argument in token.arguments:
                        if argument.type == "string":
                            yield from _picture_keys(argument.value)
                yield from _value_keys(name, token.arguments)
            case "() block":
                yield from _value_keys(name, token.content)


def _selector_keys(prelude: Iterable[Any]) -> Iterator[str]:
    """Yield what a list of selectors uses; the arguments of a pseudo-class are selectors too."""
    parts = [(token, _sign(token)) for token in prelude if token.type != "comment"]
    if any(sign == "," for _, sign in parts):
        yield "selector grouping"
    for is_list_comma, selector in itertools.groupby(parts, lambda part: part[1] == ","):
        if not is_list_comma:
            yield from _compounds(list(selector))


def _compounds(selector: list[tuple[Any, str]]) -> Iterator[str]:
    runs = [(gap, list(run)) for gap, run in itertools.groupby(selector, _is_gap)]
    for index, (gap, run) in enumerate(runs):
        if not gap:
            yield from _compound_keys(run)
        elif signs := [sign for _, sign in run if sign]:
            yield f"selector {_COMBINATORS[signs[0]]}"
        elif 0 < index < len(runs) - 1:
            yield "selector descendant"


def _compound_keys(compound: list[tuple[Any, str]]) -> Iterator[str]:
    before = ""
    keys = []
    for part, sign in compound:
        if key := _simple_key(part, before):
            keys.append(key)
        if part.type == "function" and part.lower_name in {"not", "is", "where", "has"}:
            yield from _selector_keys(part.arguments)
        before = sign
    yield from keys
    if keys.count("selector class") > 1:
        yield "selector chaining"


def _is_gap(part: tuple[Any, str]) -> bool:
    return part[0].type == "whitespace" or part[1] in _COMBINATORS


def _sign(part: Any) -> str:
    return str(part.value) if part.type == "literal" else ""


def _simple_key(part: Any, before: str) -> str | None:
    """Return the key of one part of a compound selector, which may depend on the sign right before it."""
    match part.type:
        case "ident" if before == ":":
            return f"pseudo {part.lower_value}"
        case "ident":
            return "selector class" if before == "." else "selector type"
        case "function" if before == ":":
            return f"pseudo {part.lower_name}"
        case "hash":
            return "selector id"
        case "[] block":
            return "selector attribute"
        case "literal":
            return {"*": "selector universal", "&": "css nesting"}.get(part.value)
        case _:
            return None
