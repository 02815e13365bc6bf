"""The periodical that an issue belongs to: ``publication.yaml`` beside it or above."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from exporter.model import Publication
from exporter.notices import Place
from exporter.readers.files import Files
from exporter.readers.pictures.used import read_picture
from exporter.readers.structured.trees import Mapping
from exporter.readers.structured.validation import keys_of, report
from exporter.readers.structured.yaml_tree import read_yaml
from exporter.readers.written import Written

if TYPE_CHECKING:
    from exporter.assets import Asset, SourceFile
    from exporter.model import Node
    from exporter.readers.findings import Findings
    from exporter.readers.limits import Limits

NAMES = ("publication.yaml", "publication.yml")


def find_publication(folder: Path) -> Path | None:
    """Return the first publication file beside an issue or in a folder above it, named as the folder was."""
    real = folder.resolve()
    for above in (real, *real.parents):
        for name in NAMES:
            if (above / name).is_file():
                return Path(os.path.normpath(folder / os.path.relpath(above, real) / name))
    return None


def read_publication(
    path: Path, findings: Findings, limits: Limits
) -> tuple[Publication | None, Asset | None, tuple[SourceFile, ...]]:
    """Return the publication, its logo, and what was read for them."""
    files = Files(path.parent, findings, limits)
    text = files.text(path, path.name, Place(files.label(path.name)), what="the publication")
    if text is None:
        return None, None, ()
    file = files.label(path.name)
    tree = read_yaml(Written.whole(text, file), findings, limits)
    publication = publication_of(tree, Place(file, 1, 1), findings)
    logo = None
    if publication and publication.logo:
        place = tree.keys_at.get("logo") or Place(file)
        logo = read_picture(publication.logo, place, files, findings, limits)
    return publication, logo, tuple(files.sources.values())


def publication_of(tree: Any, place: Place, findings: Findings) -> Publication | None:
    """Return the publication that a tree of YAML or JSON holds."""
    if not isinstance(tree, Mapping):
        findings.problem("the publication must be a mapping of keys", place, "write its name: name: …")
        return None
    tree.pop("$schema", None)
    try:
        return Publication.model_validate(without_empty(tree, Publication)).at(tree.place)
    except ValidationError as error:
        report(error, tree, Publication, findings)
        return None


def without_empty(tree: Mapping, model: type[Node]) -> Mapping:
    """Return a mapping without the known keys that have no value; unknown ones stay, to be reported."""
    kept = Mapping(tree.place)
    kept.keys_at = tree.keys_at
    known = keys_of(model)
    for key, value in tree.items():
        if value is None and key in known:
            continue
        kept[key] = _nested(value)
    return kept


def _nested(value: Any) -> Any:
    if isinstance(value, Mapping):
        kept = Mapping(value.place)
        kept.keys_at = value.keys_at
        kept.update({key: _nested(each) for key, each in value.items() if each is not None})
        return kept
    if isinstance(value, list):
        from exporter.readers.structured.trees import Sequence

        items = Sequence(getattr(value, "place", Place("")))
        items.extend(_nested(each) for each in value)
        return items
    return value
