"""Text that knows where it was written, so that what is found in it has a line and a column."""

from __future__ import annotations

from typing import Self

from exporter.notices import Place


class Written(str):
    """A piece of a source with the place of each of its lines.

    Attributes:
        file: The file that it comes from.
        rows: 1-based line and column of the first character of each line.
        language: Language of the text where it stands in for one that is missing.
    """

    __slots__ = ("file", "language", "rows")

    file: str
    rows: tuple[tuple[int, int], ...]
    language: str | None

    def __new__(cls, text: str, file: str, rows: tuple[tuple[int, int], ...], language: str | None = None) -> Self:
        """Make a text whose first line begins at ``rows[0]``."""
        new = super().__new__(cls, text)
        new.file, new.rows, new.language = file, rows, language
        return new

    @classmethod
    def whole(cls, text: str, file: str, first_line: int = 1) -> Self:
        """Return the text of a file from a line on."""
        count = text.count("\n") + 1
        return cls(text, file, tuple((line, 1) for line in range(first_line, first_line + count)))

    def place(self, row: int = 0, offset: int = 0) -> Place:
        """Return the place of a character by its 0-based line in this text and its offset in the line."""
        if row < len(self.rows):
            line, column = self.rows[row]
            return Place(self.file, line, column + offset)
        line, column = self.rows[-1]
        return Place(self.file, line + row - len(self.rows) + 1)

    def place_of(self, index: int) -> Place:
        """Return the place of the character at an index of the text."""
        before = self[:index]
        return self.place(before.count("\n"), index - (before.rfind("\n") + 1))

    def part(self, text: str, first: int) -> Written:
        """Return lines cut out of this text, indentation removed, that began in its ``first`` line."""
        source = self.split("\n")
        rows = []
        for number, line in enumerate(text.split("\n"), first):
            place = self.place(number, indentation(source[number], line) if number < len(source) else 0)
            rows.append((place.line, place.column))
        return Written(text, self.file, tuple(rows), self.language)


def indentation(source: str, line: str) -> int:
    """Return where a line that was stripped, or freed of its quote marks, begins in its source line."""
    wanted = line.strip()
    own = len(line) - len(line.lstrip())
    return max(source.rfind(wanted) - own, 0) if wanted else len(source)


def written(text: str, place: Place | None = None) -> Written:
    """Return the text as written; one that a program made stands in no file."""
    if isinstance(text, Written):
        return text
    place = place or Place("")
    return Written(text, place.file, ((place.line, max(place.column, 1)),))
