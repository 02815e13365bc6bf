"""A TrueType font rewritten with consecutive glyphs, for a PDF that reaches them through a CIDToGIDMap."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_CARRIED: Final = ("cvt ", "fpgm", "prep")
"""Instructions, where the font kept them; with these PDF asks for no other table (ISO 32000-1, 9.9)."""
_WORDS: Final = 0x0001
_SCALE: Final = 0x0008
_MORE: Final = 0x0020
_TWO_SCALES: Final = 0x0040
_MATRIX: Final = 0x0080


def renumbered_glyf(
    tables: Mapping[str, bytes], widths: Mapping[int, float], *, tolerance: float
) -> tuple[bytes, dict[int, int]]:
    """Return a TrueType font of the given glyphs and the parts they are put together from.

    Args:
        tables: Tables of the font, by tag.
        widths: Advance of each glyph to keep, in thousandths of an em; .notdef is kept anyway.
        tolerance: By how much a glyph's own width may differ before it is replaced.

    Returns:
        The font file, and the new number of each glyph that was asked for, by its old one.
    """
    outline = _outline_reader(tables)
    glyphs = _closed({0, *widths}, outline)
    numbers = {glyph: number for number, glyph in enumerate(glyphs)}
    outlines = [_renumbered(outline(glyph), numbers) for glyph in glyphs]
    short, loca = _loca(outlines)
    head, hhea, maxp = bytearray(tables["head"]), bytearray(tables["hhea"]), bytearray(tables["maxp"])
    struct.pack_into(">h", head, 50, 0 if short else 1)
    struct.pack_into(">H", hhea, 34, len(glyphs))
    struct.pack_into(">H", maxp, 4, len(glyphs))
    new = {tag: tables[tag] for tag in _CARRIED if tag in tables} | {
        "glyf": b"".join(outlines),
        "head": bytes(head),
        "hhea": bytes(hhea),
        "hmtx": _metrics(tables, glyphs, widths, tolerance),
        "loca": loca,
        "maxp": bytes(maxp),
    }
    return _font_file(new), {glyph: numbers[glyph] for glyph in {0, *widths}}


def _outline_reader(tables: Mapping[str, bytes]) -> Callable[[int], bytes]:
    glyf, loca = tables["glyf"], tables["loca"]
    size, factor = (4, 1) if struct.unpack_from(">h", tables["head"], 50)[0] else (2, 2)

    def offset(glyph: int) -> int:
        return factor * int.from_bytes(loca[glyph * size : (glyph + 1) * size], "big")

    return lambda glyph: glyf[offset(glyph) : offset(glyph + 1)]


def _closed(glyphs: set[int], outline: Callable[[int], bytes]) -> list[int]:
    """Return the glyphs and, at any depth, those that they are put together from, in order."""
    found: set[int] = set()
    waiting = list(glyphs)
    while waiting:
        glyph = waiting.pop()
        if glyph not in found:
            found.add(glyph)
            waiting.extend(part for _, part in _parts(outline(glyph)))
    return sorted(found)


def _parts(outline: bytes) -> Iterator[tuple[int, int]]:
    """Yield where a composite names its parts, and their glyphs (OpenType, table glyf)."""
    if not outline or struct.unpack_from(">h", outline)[0] >= 0:
        return
    at, flags = 10, _MORE
    while flags & _MORE:
        flags, part = struct.unpack_from(">HH", outline, at)
        yield at + 2, part
        at += 8 if flags & _WORDS else 6
        at += 2 if flags & _SCALE else 4 if flags & _TWO_SCALES else 8 if flags & _MATRIX else 0


def _renumbered(outline: bytes, numbers: Mapping[int, int]) -> bytes:
    """Return the outline with its parts' new numbers, of even length as short offsets ask."""
    result = bytearray(outline)
    for at, part in _parts(outline):
        struct.pack_into(">H", result, at, numbers[part])
    return bytes(result) + b"\0" * (len(result) % 2)


def _loca(outlines: Sequence[bytes]) -> tuple[bool, bytes]:
    offsets = [0]
    for outline in outlines:
        offsets.append(offsets[-1] + len(outline))
    short = offsets[-1] <= 2 * 0xFFFF
    if short:
        return True, struct.pack(f">{len(offsets)}H", *(offset // 2 for offset in offsets))
    return False, struct.pack(f">{len(offsets)}I", *offsets)


def _metrics(
    tables: Mapping[str, bytes], glyphs: Sequence[int], widths: Mapping[int, float], tolerance: float
) -> bytes:
    """Return an hmtx table with an advance for each glyph."""
    hmtx, em = tables["hmtx"], int.from_bytes(tables["head"][18:20], "big")
    last = int.from_bytes(tables["hhea"][34:36], "big") - 1
    result = bytearray()
    for glyph in glyphs:
        (advance,) = struct.unpack_from(">H", hmtx, 4 * min(glyph, last))
        (bearing,) = struct.unpack_from(">h", hmtx, 4 * glyph + 2 if glyph <= last else 2 * (glyph + last + 1))
        width = widths.get(glyph)
        if width is not None and abs(advance * 1000 / em - width) > tolerance:
            advance = round(width * em / 1000)
        result += struct.pack(">Hh", advance, bearing)
    return bytes(result)


def _font_file(tables: Mapping[str, bytes]) -> bytes:
    from fontTools.ttLib.sfnt import SFNTWriter

    file = io.BytesIO()
    writer = SFNTWriter(file, len(tables), "\0\1\0\0")
    for tag, content in sorted(tables.items()):
        writer[tag] = content
    writer.close()
    return file.getvalue()
