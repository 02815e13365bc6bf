"""Captions: the number, what is shown, who made it and where its facts come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.templating import escape, markup
from exporter.writers.email_lines import line, text

if TYPE_CHECKING:
    from markupsafe import Markup

    from exporter.model import Inlines
    from exporter.writers.email_page import Page


def caption(
    page: Page,
    identifier: str | None,
    content: Inlines,
    *,
    source: Inlines = (),
    credit: Inlines = (),
    align: Markup | None = None,
    above: bool = False,
) -> Markup:
    """Return a caption: number, text, credit and source in one muted paragraph, or nothing when all are empty."""
    number = page.edition.numbers.get(identifier) if identifier else None
    head = markup("<strong>{}</strong>").format(number.label) if number else escape("")
    lines = [markup("&ensp;").join(part for part in (head, line(page, content)) if part)]
    lines.append(markup("&ensp;").join(labeled(page, {"credit": credit, "source": source})))
    shown = markup("<br>").join(part for part in lines if part)
    if not shown:
        return escape("")
    return markup('<p class="{}"{}>{}</p>').format("caption over" if above else "caption", align or "", shown)


def labeled(page: Page, values: dict[str, Inlines]) -> tuple[Markup, ...]:
    """Return each value that is not empty behind its label; the keys are those of the label catalogue."""
    labels = page.edition.labels
    return tuple(
        text(page, labels("label-value", label=labels(key), value="")) + line(page, value)
        for key, value in values.items()
        if value
    )
