"""The one Markdown parser: markdown-it with its plugins, and the rules that this format adds or replaces."""

from __future__ import annotations

import functools
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.helpers import parseLinkLabel
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block.table import table as _table
from markdown_it.rules_inline.emphasis import tokenize as _emphasis
from markdown_it.rules_inline.html_inline import html_inline as _html_inline
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.rules_inline.strikethrough import tokenize as _strikethrough
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from exporter.readers.addresses import bare
from exporter.readers.cjk import is_cjk
from exporter.readers.markdown.attributes import ATTRIBUTES, attributes_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

_LOUD = False
_FIELD = re.compile(r":([^\s:][^:\n]*):(?:[ \t]+(.*))?$")
_PIPE = re.compile(r"(?<!\\)\|")
_BARE_SCHEME = re.compile(r"(?:^|[^A-Za-z0-9+.-])(https?|mailto)$", re.IGNORECASE)


@functools.cache
def parser(nesting: int) -> MarkdownIt:
    """Return the parser, made once for a limit of nesting; it has no state of its own."""
    # A list takes two levels, so the parser's own limit never cuts before ours is reached and reported.
    md = MarkdownIt("commonmark", {"maxNesting": 4 * nesting, "html": True})
    md.inline = _Inline()
    md.enable(["table", "strikethrough"])
    md.disable(["html_block"])
    footnote_plugin(md, inline=False, move_to_end=False, always_match_refs=True)
    deflist_plugin(md)
    dollarmath_plugin(md, allow_space=False, allow_digits=False, allow_blank_lines=False, double_inline=True)
    colon_fence_plugin(md)
    md.block.ruler.at("table", _table_with_cells, {"alt": ["paragraph", "reference"]})
    interrupting: Any = {"alt": ["paragraph", "reference", "blockquote", "list", "footnote_def"]}
    md.block.ruler.before("fence", "block_attributes", _block_attributes, interrupting)
    md.block.ruler.before("reference", "field_list", _field_list)
    md.inline.ruler.at("linkify", _bare_address)
    md.inline.ruler.at("emphasis", _cjk_friendly(_emphasis))
    md.inline.ruler.at("strikethrough", _cjk_friendly(_strikethrough))
    md.inline.ruler.at("html_inline", _tag)
    md.inline.ruler.before("link", "span", _span)
    md.inline.ruler.push("inline_attributes", _inline_attributes)
    md.enable(["linkify"])
    md.core.ruler.push("open_formulas", _open_formulas)
    # Addresses are judged and encoded where they become nodes, with their place in the message.
    md.validateLink = _any_address  # type: ignore[method-assign]
    md.normalizeLink = md.normalizeLinkText = str  # type: ignore[method-assign, assignment]
    return md


def _any_address(url: str) -> bool:
    return isinstance(url, str)


class _Inline(ParserInline):
    """The inline parser of markdown-it that notes in each token where it began."""

    def tokenize(self, state: StateInline) -> None:
        """Run the rules as the parser itself does."""
        rules = self.ruler.getRules("")
        limit = state.md.options["maxNesting"]
        pending_from = state.pos
        while state.pos < state.posMax:
            start, known = state.pos, len(state.tokens)
            if not state.pending:
                pending_from = start
            if state.level >= limit or not _apply(rules, state):
                state.append_pending(state.src[state.pos])
                state.pos += 1
            for token in state.tokens[known:]:
                token.meta.setdefault("at", pending_from)
                pending_from = start
        if state.pending:
            state.pushPending().meta["at"] = pending_from


def _apply(rules: Sequence[Any], state: StateInline) -> bool:
    for rule in rules:  # noqa: SIM110 - any() costs a third more, and this runs for every mark of every line
        if rule(state, _LOUD):
            return True
    return False


def _cjk_friendly(tokenize: Any) -> Any:
    """Return an emphasis rule that treats CJK beside a delimiter like a border of words.

    The CJK-friendly amendments to CommonMark: full-width punctuation does not count as punctuation, and a CJK
    character on the other side lets Latin punctuation stand next to a delimiter. Without a CJK character on
    either side the result is CommonMark's.
    """

    def rule(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
        state.__class__ = _State  # the one place to override scanDelims for the running state
        return bool(tokenize(state, silent))

    return rule


class _State(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803, FBT001
        scanned = super().scanDelims(start, canSplitWord)
        end = start + scanned.length
        before = self.src[start - 1] if start > 0 else " "
        after = self.src[end] if end < self.posMax else " "
        if before in "\ufe00\ufe01\ufe02" and start > 1:  # variation selectors belong to what they vary
            before = self.src[start - 2]
        if not (is_cjk(before) or is_cjk(after)):
            return scanned
        space_before, space_after = (isWhiteSpace(ord(char)) for char in (before, after))
        mark_before, mark_after = (
            (isMdAsciiPunct(ord(char)) or isPunctChar(char)) and not is_cjk(char) for char in (before, after)
        )
        left = not space_after and (not mark_after or space_before or mark_before or is_cjk(before))
        right = not space_before and (not mark_before or space_after or mark_after or is_cjk(after))
        punctuation_before, punctuation_after = (
            isPunctChar(char) or isMdAsciiPunct(ord(char)) for char in (before, after)
        )
        return Scanned(
            left and (canSplitWord or not right or punctuation_before),
            right and (canSplitWord or not left or punctuation_after),
            scanned.length,
        )


def _bare_address(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    if state.src[state.pos] != ":" or state.linkLevel > 0:
        return False
    match = _BARE_SCHEME.search(state.pending[-8:])
    if not match:
        return False
    start = state.pos - len(match.group(1))
    address = bare(state.src, start, state.posMax)
    if not address:
        return False
    if not silent:
        state.pending = state.pending[: -len(match.group(1))]
        for kind, nesting in (("link_open", 1), ("text", 0), ("link_close", -1)):
            token = state.push(kind, "a" if nesting else "", nesting)  # type: ignore[arg-type]
            token.meta["at"] = start
            if kind == "link_open":
                token.attrs = {"href": address}
            elif kind == "text":
                token.content = address
    state.pos = start + len(address)
    return True


def _tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Recognize a tag, which is shown as text: it opens no link, whatever its name."""
    level = state.linkLevel
    found = _html_inline(state, silent)
    state.linkLevel = level
    return found


def _span(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """``[text]{.class #id lang=en}``."""
    if state.src[state.pos] != "[" or state.src.startswith("[^", state.pos):
        return False
    start, maximum = state.pos, state.posMax
    end = parseLinkLabel(state, start)
    found = attributes_at(state.src, end + 1) if end >= 0 else None
    if not found or found[1] > maximum:
        return False
    if not silent:
        attributes, _ = found
        state.pos, state.posMax = start + 1, end
        token = state.push("span_open", "span", 1)
        token.meta |= {"attributes": attributes, "at": start}
        state.md.inline.tokenize(state)
        state.push("span_close", "span", -1)
    state.pos, state.posMax = found[1], maximum
    return True


def _inline_attributes(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Attributes right behind a link, a picture or code."""
    if state.src[state.pos] != "{" or state.pending or not state.tokens:
        return False
    last = state.tokens[-1]
    found = attributes_at(state.src, state.pos)
    if last.type not in {"link_close", "image", "code_inline"} or not found or found[1] > state.posMax:
        return False
    if not silent:
        last.meta["attributes"] = found[0]
    state.pos = found[1]
    return True


def _block_attributes(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001, FBT001
    """Attributes on a line of their own, for the block below."""
    line = _line(state, start)
    if state.is_code_block(start) or not line.startswith("{") or not ATTRIBUTES.fullmatch(line.rstrip()):
        return False
    if not silent:
        token = state.push("block_attributes", "", 0)
        token.map = [start, start + 1]
        token.meta["attributes"] = attributes_at(line, 0)[0]  # type: ignore[index]
        state.line = start + 1
    return True


def _field_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """``:name: value`` lines right under a heading of level 2; continued lines are indented."""
    last = state.tokens[-1] if state.tokens else None
    if silent or last is None or last.type != "heading_close" or last.tag != "h2" or state.level:
        return False
    line = start
    if state.is_code_block(line) or not _FIELD.match(_line(state, line)):
        return False
    while line < end and (match := _FIELD.match(_line(state, line))) and not state.is_code_block(line):
        first, value = line, [match.group(2) or ""]
        line += 1
        while line < end and state.sCount[line] > state.blkIndent and not state.isEmpty(line):
            value.append(_line(state, line))
            line += 1
        token = state.push("field_open", "", 1)
        token.map, token.meta["name"] = [first, line], match.group(1).strip()
        token = state.push("inline", "", 0)
        token.map, token.content, token.children = [first, line], "\n".join(value).strip(), []
        state.push("field_close", "", -1)
    state.line = line
    return True


def _table_with_cells(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """markdown-it's table, with what it forgets: how many cells a row had, and where each began."""
    known = len(state.tokens)
    if not _table(state, start, end, silent):
        return False
    cells: list[tuple[int, str]] = []
    for token in state.tokens[known:]:
        if token.type == "tr_open" and token.map:
            line = token.map[0]
            cells = _cells(_line(state, line))
            token.meta["cells"] = len(cells)
            base = state.bMarks[line] + state.tShift[line] - _line_start(state, line)
            cells = [(base + offset, text) for offset, text in cells]
            cells.reverse()
        elif token.type == "inline":
            token.meta["column"] = cells.pop()[0] if cells else 0
    return True


def _cells(line: str) -> list[tuple[int, str]]:
    """Split a row as GFM does: offset and text of each cell."""
    cells, start = [], 0
    for end in [*(match.start() for match in _PIPE.finditer(line)), len(line)]:
        text = line[start:end]
        cells.append((start + len(text) - len(text.lstrip()), text.strip()))
        start = end + 1
    if cells and not line[: line.find("|")].strip():
        cells.pop(0)
    if cells and not cells[-1][1]:
        cells.pop()
    return cells


def _open_formulas(state: StateCore) -> None:
    """Mark the texts where a line begins with ``$$`` and no formula: it holds a blank line or has no end."""
    opening: Token | None = None
    for above, inline in pairwise(state.tokens):
        for token in inline.children or ():
            if token.type != "text" or "$$" not in token.content:
                continue
            if opening is not None:
                opening.meta["formula"], opening = "blank", None
            elif above.type == "paragraph_open" and _begins_formula(inline.content, token):
                opening = token
                token.meta["formula"] = "open"


def _begins_formula(source: str, token: Token) -> bool:
    at = token.meta.get("at", 0)
    return source.startswith("$$", at) and not source[source.rfind("\n", 0, at) + 1 : at].strip()


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _line_start(state: StateBlock, line: int) -> int:
    return state.src.rfind("\n", 0, state.bMarks[line]) + 1
