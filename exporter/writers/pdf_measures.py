"""The measures of a printed page, from the theme's tokens and the paper asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exporter.errors import ThemeError

if TYPE_CHECKING:
    from exporter.theme import Theme


@dataclass(frozen=True, slots=True)
class Measures:
    """A page in points.

    Attributes:
        width: Paper, trimmed.
        height: Paper, trimmed.
        top: Margin above the text.
        left: Margin beside the side column.
        side: Width of the side column, which holds numbers and labels; 0 for none.
        size: Type size of the text.
        line: Baseline distance of the text.
        em: Width of the measure in em of the text.
        lines: Lines on a page.
    """

    width: float
    height: float
    top: float
    left: float
    side: float
    size: float
    line: float
    em: int
    lines: int

    @property
    def measure(self) -> float:
        """Return the width of the text."""
        return self.em * self.size

    @property
    def full(self) -> float:
        """Return the width of side column and text together."""
        return self.side + self.measure

    @property
    def right(self) -> float:
        """Return the outer margin."""
        return self.width - self.left - self.full

    @property
    def text_height(self) -> float:
        """Return the height of the text block."""
        return self.lines * self.line

    @property
    def bottom(self) -> float:
        """Return the margin below the text."""
        return self.height - self.top - self.text_height

    @property
    def landscape(self) -> float:
        """Return the width of a table on a landscape page."""
        return self.height - 2 * self.right


def measures_of(theme: Theme, paper: str | None) -> Measures:
    """Return the measures of a paper; the theme's own by default.

    Raises:
        ThemeError: The theme has no such paper, or its measures leave no margin.
    """
    table = theme.token("print")
    name = paper or table["paper"]
    page: dict[str, Any] = dict(theme.token(f"print.page.{name}"))
    try:
        measures = Measures(
            width=float(page["width"]),
            height=float(page["height"]),
            top=float(page["top"]),
            left=float(page["left"]),
            side=float(page["side"]),
            size=float(page.get("size", table["size"])),
            line=float(page.get("line", table["line"])),
            em=int(page["measure"]),
            lines=int(page["lines"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ThemeError(f"theme {theme.name!r}: [print.page.{name}] lacks or misstates {error}") from error
    if measures.right < 0 or measures.bottom < 0:
        raise ThemeError(f"theme {theme.name!r}: the text block of [print.page.{name}] is larger than the paper")
    return measures
