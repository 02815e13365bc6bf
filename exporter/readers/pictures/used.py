"""The pictures that an issue refers to, each read once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from exporter.assets import Asset
from exporter.model import blocks, inlines, walk
from exporter.notices import Place
from exporter.readers import addresses
from exporter.readers.files import shown
from exporter.readers.pictures.normal import normalized
from exporter.readers.pictures.unusable import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exporter.model import Version
    from exporter.readers.files import Files
    from exporter.readers.findings import Findings
    from exporter.readers.limits import Limits


def pictures_of(versions: Iterable[Version], files: Files, findings: Findings, limits: Limits) -> dict[str, Asset]:
    """Return every picture by the path that the issue writes; report those that cannot be used."""
    used: dict[str, Place | None] = {}
    for version in versions:
        for node in walk(version):
            if isinstance(node, blocks.Figure | inlines.Image):
                used.setdefault(node.path, node.place)
    pictures = (read_picture(path, place, files, findings, limits) for path, place in used.items())
    return {asset.path: asset for asset in pictures if asset}


def read_picture(path: str, place: Place | None, files: Files, findings: Findings, limits: Limits) -> Asset | None:
    """Return one picture, or report why it cannot be used."""
    place = place or Place("")
    if len(addresses.scheme(path)) > 1 or path.startswith("//") or path in {"", "?"}:
        return None  # reported where it was read
    file = files.find(path, place, what="the picture")
    if file is None:
        return None
    content = files.read(file, path, place, limit=limits.picture_bytes, what="the picture")
    if content is None:
        return None
    try:
        safe, media_type, width, height, removed = normalized(content, limits)
    except UnusableError as error:
        findings.problem(f"the picture {shown(path)} {error.message}", place, error.hint)
        return None
    if removed:
        findings.notice("svg-reduced", f"the picture {shown(path)} is drawn without {', '.join(removed)}", place)
    digest = hashlib.sha256(content).hexdigest()
    return Asset(path=path, content=safe, media_type=media_type, width=width, height=height, sha256=digest)
