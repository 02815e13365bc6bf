"""Footnotes that stay on the page of their mark in WeasyPrint.

Where the next line of a paragraph does not fit, WeasyPrint 70 pushes the page's footnotes to the next page to gain
room for it, and leaves them there even when the line moves on as well. Four of its functions are replaced while an
edition is rendered, so that the line gives way instead. The version is pinned, a test holds their signatures.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def footnotes_stay() -> Iterator[None]:
    """Keep footnotes with their marks while the body renders."""
    from weasyprint.layout import LayoutContext, block

    iter_lines, break_line = block.iter_line_boxes, block._break_line  # noqa: SLF001 - there is no public way
    lay_out, report = LayoutContext.layout_footnote, LayoutContext.report_footnote
    update = LayoutContext._update_footnote_area  # noqa: SLF001
    pushed: list[Any] = []
    fresh: list[Any] = []

    def lines(*arguments: Any, **options: Any) -> Iterator[Any]:
        for line in iter_lines(*arguments, **options):
            fresh.clear()
            yield line

    def update_area(self: Any) -> bool:
        # Says by a rounding error that the area overflows; ours has no height to overflow.
        update(self)
        return False

    def layout_footnote(self: Any, footnote: Any) -> Any:
        fresh[:] = [footnote]
        return lay_out(self, footnote)

    def report_footnote(self: Any, footnote: Any) -> None:
        if footnote in fresh:
            # A note that itself does not fit: it goes on.
            report(self, footnote)
            return
        # A note that fitted gives no room: put aside until WeasyPrint breaks the line, which it does next.
        self.current_page_footnotes.remove(footnote)
        pushed.append(footnote)

    def break_before(context: Any, *arguments: Any, **options: Any) -> Any:
        context.current_page_footnotes.extend(reversed(pushed))
        pushed.clear()
        return break_line(context, *arguments, **options)

    block.iter_line_boxes, block._break_line = lines, break_before  # noqa: SLF001
    LayoutContext.layout_footnote, LayoutContext.report_footnote = layout_footnote, report_footnote
    LayoutContext._update_footnote_area = update_area  # noqa: SLF001
    try:
        yield
    finally:
        block.iter_line_boxes, block._break_line = iter_lines, break_line  # noqa: SLF001
        LayoutContext.layout_footnote, LayoutContext.report_footnote = lay_out, report
        LayoutContext._update_footnote_area = update  # noqa: SLF001
