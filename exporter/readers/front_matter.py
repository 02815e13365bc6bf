"""The YAML between ``---`` lines at the beginning of a Markdown file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.notices import Place
from exporter.readers.written import Written

if TYPE_CHECKING:
    from exporter.readers.findings import Findings

_EXAMPLE = "begin the file with --- and the keys title, date and language, one a line, closed by ---"


def split_front_matter(text: str, file: str, findings: Findings) -> tuple[Written, Written] | None:
    """Return the front matter and the body, or None after reporting that one of them cannot be told.

    Only a line that is exactly ``---`` opens and closes it; a line inside a block scalar is indented.
    """
    lines = text.split("\n")
    if not _is_fence(lines[0]):
        findings.problem("there is no front matter", Place(file, 1, 1), _EXAMPLE)
        return None
    end = next((index for index, line in enumerate(lines[1:], 1) if _is_fence(line)), None)
    if end is None:
        dots = next((index for index, line in enumerate(lines) if line.rstrip() == "..."), None)
        hint = "close it with a line that is exactly ---"
        findings.problem(
            "the front matter is opened in line 1 and never closed",
            Place(file, dots + 1 if dots else 1, 1),
            f"{hint}, not with ..." if dots else hint,
        )
        return None
    front = Written.whole("\n".join(lines[1:end]), file, first_line=2)
    if not front.strip():
        findings.problem("the front matter is empty", Place(file, 1, 1), _EXAMPLE)
        return None
    return front, Written.whole("\n".join(lines[end + 1 :]), file, first_line=end + 2)


def _is_fence(line: str) -> bool:
    return line.rstrip(" \t") == "---"
