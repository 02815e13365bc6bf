"""What the writing of one message body keeps: its language, its anchors, its footnote marks, its pictures."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from exporter.errors import WriterError
from exporter.message.addresses import ascii_url, message_domain
from exporter.message.build import InlinePicture
from exporter.model import Node, blocks, inlines
from exporter.numbering import at
from exporter.pictures import Picture, mail_picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.assets import Asset
    from exporter.edition import Edition
    from exporter.model import Version

_CONTROLS: Final = dict.fromkeys((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)))
"""Characters that neither XML nor a mail program can show."""


@dataclass(slots=True)
class Page:
    """The state of one body.

    Attributes:
        edition: The edition.
        version: Its tree, whole or cut to a digest.
        tag: Language of what is being written.
        online: Address of the whole issue, or None.
        hosted: Address that pictures are served from, or None for parts of the message.
        digest: The version is a digest: entries link to their full text.
        targets: Ids that the body shows.
        linked: Ids that something of the body leads to; others need no anchor.
        marks: How often each footnote has been marked.
        pictures: Pictures used, by address.
    """

    edition: Edition
    version: Version
    tag: str
    online: str | None
    hosted: str | None
    digest: bool
    targets: frozenset[str]
    linked: frozenset[str]
    marks: dict[str, int] = field(default_factory=dict)
    pictures: dict[str, Picture] = field(default_factory=dict)

    @property
    def measure(self) -> int:
        """Return the width of the text in CSS pixels."""
        return int(self.edition.theme.token("mail.width")) - 2 * int(self.edition.theme.token("mail.gutter"))

    def picture(self, node: blocks.Figure | inlines.Image, width: int | None = None) -> tuple[str, Picture]:
        """Return the address of a picture of the issue and the picture, shown at a width or at its own."""
        asset = self.edition.assets[node.path]
        try:
            return self.asset(asset, width or asset.width or self.measure)
        except WriterError as error:
            raise WriterError(f"{error.message}{at(node.place)}", hint=error.hint) from error

    def asset(self, asset: Asset, width: int) -> tuple[str, Picture]:
        """Return the address of a picture and the picture, at a width that the measure caps."""
        return self.keep(mail_picture(asset, self.edition.theme, width=max(1, min(width, self.measure))))

    def keep(self, picture: Picture) -> tuple[str, Picture]:
        """Return the address that a picture will have, and the picture; equal pictures are kept once."""
        if self.hosted:
            source = f"{ascii_url(self.hosted.rstrip('/'))}/{self.edition.stem}.{picture.name}"
        else:
            digest = hashlib.sha256(picture.content).hexdigest()[:24]
            source = f"cid:{digest}@{message_domain(self.edition.email)}"
        return source, self.pictures.setdefault(source, picture)

    def inline_pictures(self) -> tuple[InlinePicture, ...]:
        """Return the pictures that are parts of the message, in reading order."""
        return tuple(
            InlinePicture(source.removeprefix("cid:"), picture.name, picture.media_type, picture.content)
            for source, picture in self.pictures.items()
            if source.startswith("cid:")
        )

    def address(self, identifier: str) -> str | None:
        """Return where a reference leads: inside the body, else to the issue online, else nowhere."""
        if identifier in self.targets:
            return f"#{anchor(identifier)}"
        return f"{self.online}#{anchor(identifier)}" if self.online else None


def anchor(identifier: str) -> str:
    """Return an id as an anchor that every mail program keeps: ASCII, beginning with a letter."""
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]*", identifier):
        return identifier
    return "a-" + hashlib.sha256(identifier.encode()).hexdigest()[:10]


def visible(text: str) -> str:
    """Return the text without the control characters that nothing can show."""
    return text.translate(_CONTROLS)


def shown_ids(version: Version) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids that the e-mail edition of a version shows, and those that its references name.

    What stands for other formats alone is not shown, nor a footnote that only such parts mark.
    """
    notes = {note.id: note for note in version.notes}
    ids: set[str] = set()
    linked: set[str] = set()
    pending: list[object] = [version.summary, version.method, version.lead, version.sections]
    while pending:
        for node in _shown(pending.pop()):
            ids.add(getattr(node, "id", None) or "")
            if isinstance(node, inlines.Reference):
                linked.add(node.target)
            elif isinstance(node, inlines.NoteReference) and node.note in notes:
                pending.append(notes.pop(node.note).children)
    return frozenset(ids - {""}), frozenset(linked)


def _shown(value: object) -> Iterator[Node]:
    if isinstance(value, blocks.Only) and "email" not in value.formats:
        return
    if isinstance(value, Node):
        yield value
        for child in value.__dict__.values():
            yield from _shown(child)
    elif isinstance(value, tuple):
        for child in value:
            yield from _shown(child)
