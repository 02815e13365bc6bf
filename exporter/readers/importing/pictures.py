"""Pictures of a page: those it holds in itself become files, the others are named and linked, never fetched."""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote_to_bytes

from exporter.notices import Notice, Place
from exporter.readers.addresses import encode
from exporter.readers.importing.lines import clean
from exporter.readers.importing.tree import Code, Link, Prose, Raw, Text, text
from exporter.readers.importing.writing import write_text

_DATA = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml)((?:;[\w=.-]+)*),(.*)", re.DOTALL | re.IGNORECASE)


class Pictures:
    """Collects what a page's pictures become."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.assets: dict[str, bytes] = {}
        self.notices: list[Notice] = []

    def prose(self, alt: str, source: str, line: int) -> Prose:
        """Return what stands for a picture: itself, a link to it, or its description with its path."""
        alt = " ".join(clean(alt).split())
        if found := _DATA.match(source):
            return self._held(alt, found, line)
        if re.match(r"https?://", source, re.IGNORECASE):
            return self._remote(alt, source, line)
        self._note(
            f"the picture {source} is named, not shown: it is not part of the text",
            line,
            "copy it into the issue's folder and write ![what it says](its path)",
        )
        return (*text(f"{alt} " if alt else ""), Code(source)) if source else text(alt)

    def _held(self, alt: str, found: re.Match[str], line: int) -> Prose:
        kind, options, content = found[1].lower(), found[2].lower(), found[3]
        try:
            held = (
                base64.b64decode("".join(content.split()), validate=True)
                if ";base64" in options
                else unquote_to_bytes(content)
            )
        except (binascii.Error, ValueError):
            self._note("a picture inside the page is damaged and was left out", line, "save it again")
            return text(alt)
        ending = {"jpeg": "jpg", "svg+xml": "svg"}.get(kind, kind)
        name = f"figures/picture-{len(self.assets) + 1}.{ending}"
        self.assets[name] = held
        self._note(f"a picture inside the page became {name}", line, "check its description in issue.md")
        return (Raw(f"![{write_text(alt or name, block=False)}]({name})", alt or name),)

    def _remote(self, alt: str, source: str, line: int) -> Prose:
        self._note(
            f"the picture {source} is linked, not shown: pictures are not fetched",
            line,
            "save it in the issue's folder and write ![what it says](its path)",
        )
        try:
            return (Link((Text(alt or source),), encode(source)),)
        except ValueError:
            return text(alt or source)

    def _note(self, message: str, line: int, hint: str) -> None:
        self.notices.append(Notice("import-picture", message[:300], Place(self.file, line), hint))
