"""Han inside formulas: outlines of a Chinese face beside those of the math face, which has none."""

from __future__ import annotations

import functools
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from exporter.typography.spacing import HAN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exporter.fonts import Face
    from exporter.theme import Theme

WIDE: Final = re.compile(f"[{HAN}\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff60]")
"""Characters that the math face lacks and a Chinese face has: Han and full-width marks."""


def face_for(tex: str, theme: Theme) -> Face | None:
    """Return the theme's Chinese text face when a formula needs it and the machine has it."""
    if not WIDE.search(tex):
        return None
    from exporter.fonts import find_fonts

    return find_fonts(theme).face("text", "han")


@functools.cache
def font_for(characters: frozenset[str], face: Face) -> Any:
    """Return a math font that draws the characters with the face and all others as the math face does.

    Args:
        characters: Wide characters of one formula.
        face: The Chinese face; glyf or CFF outlines, alone or in a collection.
    """
    import ziafont
    from ziamath.mathfont import MathFont
    from ziamath.zmath import fontname

    class WithHan(MathFont):
        """The math face, which takes wide characters from another font."""

        def findglyph(self, char: str, variant: Any) -> Any:
            if char in characters:
                return wide.glyph(char)
            return super().findglyph(char, variant)

    with tempfile.TemporaryDirectory(prefix="exporter-math-") as folder:
        path = Path(folder) / "han.ttf"
        _write_font(path, characters, face)
        wide = ziafont.Font(path)
    return WithHan(fontname)


def _write_font(path: Path, characters: Iterable[str], face: Face) -> None:
    """Write a TrueType font that holds just the characters: ziafont reads neither collections nor CID-keyed CFF."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import TTFont

    with TTFont(face.file, fontNumber=face.index, lazy=True) as font:
        names, outlines = font.getBestCmap(), font.getGlyphSet()
        units = font["head"].unitsPerEm
        mapping = {ord(char): f"u{ord(char):04X}" for char in sorted(characters) if ord(char) in names}
        glyphs, advances = {".notdef": TTGlyphPen(None).glyph()}, {".notdef": (units, 0)}
        for code, name in mapping.items():
            pen = TTGlyphPen(None)
            outlines[names[code]].draw(Cu2QuPen(pen, max_err=units / 1000, reverse_direction=True))
            glyphs[name], advances[name] = pen.glyph(), (font["hmtx"][names[code]][0], 0)
        ascent, descent = font["hhea"].ascent, font["hhea"].descent
    builder = FontBuilder(units, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(mapping)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(
        {
            name: (advance, builder.font["glyf"][name].xMin if glyphs[name].numberOfContours else 0)
            for name, (advance, _) in advances.items()
        }
    )
    builder.setupHorizontalHeader(ascent=ascent, descent=descent)
    builder.setupNameTable({"familyName": "Han", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=ascent, sTypoDescender=descent)
    builder.setupPost()
    builder.save(path)
