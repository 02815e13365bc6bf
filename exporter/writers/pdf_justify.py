"""Justified Chinese lines in WeasyPrint, which by itself stretches only spaces.

Two of its functions are replaced while an edition is rendered (the version is pinned, a test holds their
signatures). A short line first opens its word spaces, then every gap between Han, both up to a limit beyond which
the eye sees holes and pdftotext sees spaces; a line that needs more stays a little short. Closing marks at the end
of a line and opening ones at its start count half (GB/T 15834 §5.1.10, CLREQ §3.1.6).
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SPACE_LIMIT: Final = 0.33
"""How far a word space opens, in em."""
HAN_LIMIT: Final = 0.09
"""How far a gap between Han opens, in em; above 0.1 pdftotext reads a space."""

# Not the dash, the ellipsis and the wave, which must not fall apart. Marks without a width only inside a run.
_WIDE: Final = (
    "\u2018\u2019\u201c\u201d\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff01-\uff5d\uff5f\uff60\U00020000-\U0003ffff"
)
_RUN: Final = re.compile(f"[{_WIDE}](?:[{_WIDE}\u200b\u2060]*[{_WIDE}])?")
_OPENING: Final = "（《〈「『【〔“‘"
_CLOSING: Final = "，。、；：！？）》〉」』】〕”’"
_INVISIBLE: Final = " \u200b\u2060"
_PROBE: Final = 8.0


class Spacing(float):
    """Extra space of a box: its own value between words, ``han`` between Han; WeasyPrint passes it through."""

    han: float = 0.0

    @classmethod
    def of(cls, words: float, han: float) -> Spacing:
        """Return the extra space of both kinds, in CSS pixels."""
        spacing = cls(words)
        spacing.han = han
        return spacing


@dataclass(frozen=True, slots=True)
class _Stretch:
    """How much each box of a line gives."""

    words: float
    han: float
    gains: dict[int, float]
    shifts: dict[int, float]

    def of(self, box: Any) -> float:
        """Return how much wider the box becomes."""
        return (
            self.words * _spaces(box)
            + self.han * self.gains.get(id(box), 0.0)
            + (self.shifts.get(id(box), 0.0) if self.han else 0.0)
        )


@contextlib.contextmanager
def justified_chinese() -> Iterator[None]:
    """Justify Chinese lines while the body renders."""
    from weasyprint.layout import inline
    from weasyprint.text.line_break import Layout

    text_align, set_text = inline.text_align, Layout.set_text

    def align(context: Any, line: Any, available_width: float, last: bool) -> float:  # noqa: FBT001 - WeasyPrint's
        if not _is_ours(line):
            return float(text_align(context, line, available_width, last))
        return _align(context, line, available_width, last=last)

    def set_spaced(self: Any, text: str, justify: bool = False) -> None:  # noqa: FBT001, FBT002 - WeasyPrint's
        set_text(self, text, justify)
        if justify and (han := getattr(self.justification_spacing, "han", 0.0)):
            _space_han(self, han)

    inline.text_align, Layout.set_text = align, set_spaced
    try:
        yield
    finally:
        inline.text_align, Layout.set_text = text_align, set_text


def _is_ours(line: Any) -> bool:
    style = line.style
    return style["text_align_all"] == "justify" and (style["lang"] or "").startswith("zh")


def _align(context: Any, line: Any, available_width: float, *, last: bool) -> float:
    """Stretch a line in place and return its offset."""
    visible = [box for box in _text_boxes(line) if box.text.strip(_INVISIBLE)]
    if not visible:
        return 0.0
    size = line.style["font_size"]
    lead = size / 2 if _has_full_marks(visible[0]) and visible[0].text.lstrip(_INVISIBLE)[:1] in _OPENING else 0.0
    tail = (
        size / 2 if _has_full_marks(visible[-1]) and visible[-1].text.rstrip(_INVISIBLE)[-1:] in _CLOSING else 0.0
    )
    missing = available_width - line.width + lead + tail
    if not last and missing > 0.01:
        _apply(context, line, _stretch(visible, missing, size), 0.0)
    return -lead


def _stretch(visible: list[Any], missing: float, size: float) -> _Stretch:
    """Share what a line lacks among its word spaces, then its Han gaps, within their limits."""
    spaces = sum(_spaces(box) for box in visible)
    words = min(missing / spaces, SPACE_LIMIT * size) if spaces else 0.0
    gains: dict[int, float] = {}
    shifts: dict[int, float] = {}
    missing -= words * spaces
    if missing > 0.01:
        for box in visible:
            if _RUN.search(box.text):
                # Splitting a run into spaced letters undoes its kerning: measured apart from the gain.
                plain = _width(box, Spacing.of(0, 0.002))
                gains[id(box)] = (_width(box, Spacing.of(0, _PROBE)) - plain) / _PROBE
                shifts[id(box)] = plain - _width(box, Spacing.of(0, 0))
    total = sum(gains.values())
    if total <= 0:
        return _Stretch(words, 0.0, {}, {})
    han = (missing - sum(shifts.values())) / total
    return _Stretch(words, max(0.0, min(han, HAN_LIMIT * size)), gains, shifts)


def _apply(context: Any, box: Any, stretch: _Stretch, offset: float) -> float:
    """Widen the text of a box, move what follows it, and return the offset behind it."""
    from weasyprint.formatting_structure import boxes
    from weasyprint.text.line_break import create_layout

    if isinstance(box, boxes.TextBox):
        box.position_x += offset
        wider = stretch.of(box)
        if wider:
            box.justification_spacing = Spacing.of(stretch.words, stretch.han)
            layout = create_layout(box.text, box.style, context, None, box.justification_spacing)
            layout.deactivate()
            box.pango_layout = layout
            box.width += wider
        return offset + wider
    if isinstance(box, boxes.LineBox | boxes.InlineBox):
        before = offset
        box.position_x += offset
        for child in box.children:
            if child.is_in_normal_flow():
                offset = _apply(context, child, stretch, offset)
        box.width += offset - before
        return offset
    box.translate(offset, 0)
    return offset


def _space_han(layout: Any, han: float) -> None:
    from weasyprint.text.ffi import TO_UNITS, ffi, pango

    if not layout.text:
        return
    attributes = pango.pango_layout_get_attributes(layout.layout)
    if attributes == ffi.NULL:
        attributes = ffi.gc(pango.pango_attr_list_new(), pango.pango_attr_list_unref)
    own = layout.style["letter_spacing"]
    spacing = int((han + (0 if own == "normal" else own)) * TO_UNITS)
    for match in _RUN.finditer(layout.text):
        attribute = pango.pango_attr_letter_spacing_new(spacing)
        attribute.start_index = len(layout.text[: match.start()].encode())
        attribute.end_index = attribute.start_index + len(match[0].encode())
        pango.pango_attr_list_change(attributes, attribute)
    pango.pango_layout_set_attributes(layout.layout, attributes)


def _width(box: Any, spacing: Spacing) -> float:
    from weasyprint.text.line_break import Layout, line_size

    layout = Layout(box.style, spacing, None)
    layout.set_text(box.text, justify=True)
    width, _ = line_size(layout.get_first_line()[0], box.style)
    layout.deactivate()
    return float(width)


def _text_boxes(box: Any) -> Iterator[Any]:
    from weasyprint.formatting_structure import boxes

    if isinstance(box, boxes.TextBox):
        yield box
    elif isinstance(box, boxes.LineBox | boxes.InlineBox):
        for child in box.children:
            if child.is_in_normal_flow():
                yield from _text_boxes(child)


def _spaces(box: Any) -> int:
    return int(box.text.count(" ") + box.text.count("\u00a0"))


def _has_full_marks(box: Any) -> bool:
    """Tell whether the marks of a box still have their empty half: Chinese, and not squeezed already."""
    return (box.style["lang"] or "").startswith("zh") and box.style["font_feature_settings"] == "normal"
