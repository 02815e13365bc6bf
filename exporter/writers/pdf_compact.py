"""Embedded fonts without their empty glyph slots: the same pages and text in a fraction of the file.

WeasyPrint shows a glyph by its number in the font file, and keeps these numbers when it leaves out the glyphs that
are not used. A Chinese font then holds some 63,000 slots, in four tables, for a few hundred glyphs. PDF can do
without: a CID-keyed CFF names the CIDs that it has, and a TrueType font is reached through a CIDToGIDMap. CIDs stay
what they were, so pages, widths and ToUnicode maps are not touched.
"""

from __future__ import annotations

import io
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from exporter.errors import WriterError
from exporter.writers.pdf_compact_cff import bare_cff
from exporter.writers.pdf_compact_glyf import renumbered_glyf

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pydyf

_REFERENCE: Final = re.compile(rb"(\d+) 0 R")
_COLORS: Final = frozenset({"CBDT", "CBLC", "COLR", "EBDT", "EBLC", "SVG ", "sbix"})
_DAMAGE: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, struct.error)
"""What fontTools raises on a damaged font, besides its own TTLibError."""
_TOLERANCE: Final = 1.0
"""Thousandths of an em by which /W and the font may differ: ISO 19005-2, 6.2.11.5."""


def compact_fonts(pdf: pydyf.PDF) -> tuple[str, ...]:
    """Rewrite each embedded font with the glyphs in use and nothing else; call it from WeasyPrint's finisher.

    CFF fonts become a bare CID-keyed CFF (ISO 32000-1, 9.9: CIDFontType0C); glyf fonts get consecutive glyphs and a
    CIDToGIDMap. Advance widths follow /W where they differ, as they do for .notdef.

    Args:
        pdf: The document before it is written; changed in place.

    Returns:
        Why a font was left as it is, a sentence each: it is of another kind, or it cannot be read.
    """
    from fontTools.ttLib import TTLibError

    left: list[str] = []
    for fonts in _fonts_by_file(pdf):
        name = _text(fonts[0].get("BaseFont", fonts[0].get("Name", "/?")))[1:]
        try:
            _compact(pdf, [_embedding(pdf, font) for font in fonts], name)
        except WriterError as error:
            left.append(f"{name}: {error.message}")
        except (TTLibError, *_DAMAGE) as error:
            left.append(f"{name}: the font file cannot be read ({error})")
    return tuple(left)


@dataclass(frozen=True, slots=True)
class _Embedding:
    """One use of a font file.

    Attributes:
        descendant: The CIDFont dictionary.
        descriptor: The font descriptor.
        file: The stream that holds the font.
        widths: Advance of each CID in use, in thousandths of an em.
    """

    descendant: dict[str, Any]
    descriptor: dict[str, Any]
    file: Any
    widths: Mapping[int, float]


def _fonts_by_file(pdf: pydyf.PDF) -> Iterable[list[dict[str, Any]]]:
    """Return the fonts that pages name, those that share a file together."""
    groups: dict[int, list[dict[str, Any]]] = {}
    for number, font in enumerate(pdf.objects):
        # A CIDFont is only a part of a font.
        if not isinstance(font, dict) or _text(font.get("Type")) != "/Font" or "CIDSystemInfo" in font:
            continue
        _, _, file = _parts(pdf, font)
        groups.setdefault(number if file is None else file.number, []).append(font)
    return groups.values()


def _parts(pdf: pydyf.PDF, font: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Return the font's CIDFont (itself, where it is simple), descriptor and file."""
    descendants = _resolved(pdf, font.get("DescendantFonts"))
    descendant = _resolved(pdf, descendants[0]) if descendants else font
    descriptor = _resolved(pdf, descendant.get("FontDescriptor")) or {}
    files = (descriptor[key] for key in ("FontFile3", "FontFile2", "FontFile") if key in descriptor)
    return descendant, descriptor, _resolved(pdf, next(files, None))


def _embedding(pdf: pydyf.PDF, font: dict[str, Any]) -> _Embedding:
    kind = _text(font.get("Subtype"))[1:]
    if kind != "Type0":
        raise WriterError(f"it is of the kind {kind}")
    encoding = _resolved(pdf, font.get("Encoding"))
    if not hasattr(encoding, "stream") and _text(encoding) != "/Identity-H":
        raise WriterError(f"it has the encoding {_text(encoding)[1:]}")
    descendant, descriptor, file = _parts(pdf, font)
    if file is None:
        raise WriterError("it is not embedded")
    if _text(descendant.get("CIDToGIDMap", "/Identity")) != "/Identity" or "CIDFontType0C" in _text(
        file.extra.get("Subtype")
    ):
        raise WriterError("it is compact already")
    if "DW" in descendant:
        raise WriterError("it has a default width, so that the widths do not tell which glyphs are in use")
    return _Embedding(descendant, descriptor, file, _widths(descendant.get("W", ())))


def _widths(array: Any) -> dict[int, float]:
    """Return the widths of a /W array by CID (ISO 32000-1, 9.7.4.3)."""
    widths: dict[int, float] = {}
    rest = iter(array)
    for first in rest:
        second = next(rest)
        values = second if isinstance(second, list) else [next(rest)] * (int(second) - int(first) + 1)
        widths.update(enumerate(map(float, values), int(first)))
    return widths


def _compact(pdf: pydyf.PDF, embeddings: list[_Embedding], name: str) -> None:
    """Replace one font file; nothing is changed before everything has been worked out."""
    from fontTools.ttLib.sfnt import SFNTReader

    (content,) = embeddings[0].file.stream
    tables = SFNTReader(io.BytesIO(content))
    _refuse_other_kinds(frozenset(tables.keys()))
    widths = _joined_widths(embeddings)
    count = int.from_bytes(tables["maxp"][4:6], "big")
    if all(glyph in widths for glyph in range(count)):
        raise WriterError("every glyph is in use or may be, as in the fields of a form")
    advances = {glyph: width for glyph, width in widths.items() if glyph < count}
    if "CFF " in tables:
        program = bare_cff(tables, advances, name=name, tolerance=_TOLERANCE)
        _replace_cff(embeddings, program)
    else:
        program, glyphs = renumbered_glyf(tables, advances, tolerance=_TOLERANCE)
        _replace_glyf(pdf, embeddings, program, glyphs)
    for embedding in embeddings:
        _renew_cid_set(pdf, embedding, frozenset(advances) | {0})


def _refuse_other_kinds(tags: frozenset[str]) -> None:
    if "fvar" in tags or "CFF2" in tags:
        raise WriterError("it is a variable font")
    if tags & _COLORS:
        raise WriterError(f"it is a color or bitmap font ({', '.join(sorted(tags & _COLORS)).strip()})")
    if "CFF " not in tags and "glyf" not in tags:
        raise WriterError("it has no outlines")


def _joined_widths(embeddings: list[_Embedding]) -> dict[int, float]:
    widths: dict[int, float] = {}
    for embedding in embeddings:
        for glyph, width in embedding.widths.items():
            if abs(widths.setdefault(glyph, width) - width) > _TOLERANCE:
                raise WriterError("it is used with two sets of widths")
    return widths


def _replace_cff(embeddings: list[_Embedding], program: bytes) -> None:
    embeddings[0].file.stream[:] = [program]
    embeddings[0].file.extra["Subtype"] = "/CIDFontType0C"
    for embedding in embeddings:
        embedding.descendant["Subtype"] = "/CIDFontType0"
        # Only a CIDFontType2 may have the map: ISO 32000-1, table 117.
        embedding.descendant.pop("CIDToGIDMap", None)


def _replace_glyf(pdf: pydyf.PDF, embeddings: list[_Embedding], program: bytes, glyphs: Mapping[int, int]) -> None:
    import pydyf

    numbers = [glyphs.get(cid, 0) for cid in range(max(glyphs) + 1)]
    file = embeddings[0].file
    cid_to_gid = pydyf.Stream([struct.pack(f">{len(numbers)}H", *numbers)], compress=file.compress)
    pdf.add_object(cid_to_gid)
    file.stream[:] = [program]
    file.extra["Length1"] = len(program)
    for embedding in embeddings:
        embedding.descendant["CIDToGIDMap"] = cid_to_gid.reference


def _renew_cid_set(pdf: pydyf.PDF, embedding: _Embedding, cids: frozenset[int]) -> None:
    """Name every CID of the program in a /CIDSet, where one is present (ISO 19005-2, 6.2.11.4.2)."""
    if "CIDSet" not in embedding.descriptor:
        return
    bits = bytearray(max(cids) // 8 + 1)
    for cid in cids:
        bits[cid // 8] |= 0x80 >> cid % 8
    _resolved(pdf, embedding.descriptor["CIDSet"]).stream[:] = [bytes(bits)]


def _resolved(pdf: pydyf.PDF, value: Any) -> Any:
    match = _REFERENCE.fullmatch(value) if isinstance(value, bytes) else None
    return pdf.objects[int(match[1])] if match else value


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
