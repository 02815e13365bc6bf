"""MJML as a stream of tags and texts, read as strictly as the compiler does; what cannot be read is a piece too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["open", "close", "condition", "end of condition", "text", "fault"]

_NAME: Final = r"[A-Za-z_][\w:.-]*+"
_ATTRIBUTE: Final = r"""[A-Za-z_:][\w:.-]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'))?+"""
# Conditional comments are markup to the compiler: what they enclose must be in balance like all else.
_CONDITION: Final = r"<!--\[if[^\]]*+\]>(?:<!--(?:\s*-->|>))?"
_PIECE: Final = re.compile(
    rf"(?P<condition>{_CONDITION})"
    r"|(?P<end>(?:<!--)?<!\[endif\]-->)"
    r"|(?P<comment><!--(?:(?!--).)*+-->)"
    rf"|</(?P<close>{_NAME})\s*+>"
    rf"|<(?P<open>{_NAME})(?P<attributes>(?:\s++{_ATTRIBUTE})*+)\s*+(?P<empty>/?)>"
    r"|<|\]\]>",
    re.DOTALL,
)
_PAIR: Final = re.compile(r"""([^\s=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'))?""")
_BROKEN_TAG: Final = re.compile(rf"<(?P<name>{_NAME})(?P<rest>[^<>]*+)>")
_FAULTS: Final = (
    ("]]>", "", "]]> ends CDATA even where there is none: write ]]&gt;"),
    ("<![CDATA[", "]]>", "CDATA cannot be read by the compiler: escape the text instead"),
    ("<!--", "-->", "a comment that has no end or holds --"),
    ("<!", ">", "a declaration such as <!doctype> has no place in MJML"),
    ("<?", ">", "a processing instruction has no place in MJML"),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of the source; comments are left out.

    Attributes:
        kind: What it is.
        start: Its offset in characters.
        value: A tag's name, a text, a mark, or what is wrong.
        attributes: Names and raw values of an opening tag; None for an attribute without a value.
        empty: The opening tag closes itself.
    """

    kind: Kind
    start: int
    value: str
    attributes: tuple[tuple[str, str | None], ...] = ()
    empty: bool = False


def pieces(source: str) -> Iterator[Piece]:
    """Yield the pieces of a source in order; after one that cannot be read, reading goes on behind it."""
    at = 0
    while (found := _PIECE.search(source, at)) is not None:
        if found.start() > at:
            yield Piece("text", at, source[at : found.start()])
        at = found.end()
        if name := found["open"]:
            yield Piece("open", found.start(), name, _pairs(found["attributes"]), bool(found["empty"]))
        elif name := found["close"]:
            yield Piece("close", found.start(), name)
        elif found["condition"]:
            yield Piece("condition", found.start(), found[0])
        elif found["end"]:
            yield Piece("end of condition", found.start(), found[0])
        elif not found["comment"]:
            at = found.start()
            for piece, end in _unreadable(source, at):
                at = end
                yield piece
    if at < len(source):
        yield Piece("text", at, source[at:])


def _unreadable(source: str, at: int) -> Iterator[tuple[Piece, int]]:
    """Yield what stands where nothing readable begins, and where reading goes on."""
    for begin, end, fault in _FAULTS:
        if source.startswith(begin, at):
            stop = source.find(end, at + len(begin))
            yield Piece("fault", at, fault), stop + len(end) if stop >= 0 else len(source)
            return
    tag = _BROKEN_TAG.match(source, at)
    if tag is None:
        yield Piece("fault", at, "a bare <: write &lt;"), at + 1
        return
    fault = f'<{tag["name"]}> cannot be read: its attributes are written name="value" with a blank before each'
    yield Piece("fault", at, fault), at
    yield Piece("open", at, tag["name"], (), tag["rest"].endswith("/")), tag.end()


def _pairs(attributes: str) -> tuple[tuple[str, str | None], ...]:
    found = _PAIR.finditer(attributes)
    return tuple((pair[1], pair[3] if pair[2] is None else pair[2]) for pair in found)
