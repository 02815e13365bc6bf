"""From files to one issue: which files, which form, every problem of all of them at once."""

from __future__ import annotations

import dataclasses
import os
import re
from typing import TYPE_CHECKING

from exporter.notices import Place
from exporter.readers import Loaded
from exporter.readers.collecting import Form, IssueReader, Source
from exporter.readers.files import Files, decode
from exporter.readers.findings import Findings
from exporter.readers.ids import check_references, explicit_ids
from exporter.readers.pictures.used import pictures_of
from exporter.readers.publications import find_publication, read_publication
from exporter.readers.versions import issue_id

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.assets import Asset, SourceFile
    from exporter.model import Publication
    from exporter.readers.limits import Limits

_FORMS: dict[str, Form] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
}
_TRANSLATION = re.compile(r"issue\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.md")


def load_path(
    path: Path, *, limits: Limits, encoding: str | None, publication: Path | None, root: Path | None
) -> Loaded:
    """Load an issue from its folder or file; see ``exporter.readers.load``."""
    findings = Findings()
    folder, found = _find(path, findings)
    files = Files(folder, findings, limits, root=root)
    sources = []
    for file in found:
        label = files.label(file.name)
        text = files.text(file, file.name, Place(label), encoding=encoding, what="the issue")
        translation = _TRANSLATION.fullmatch(file.name)
        language = translation.group(1) if translation else None
        sources.append(Source(text, file.name, label, _form(file), language))
    named_issue = path.is_dir() or path.name.startswith("issue.")
    name = folder.resolve().name if named_issue else path.stem
    return _load(sources, files, name, findings, limits, publication_file=publication)


def load_source(
    text: str | bytes,
    *,
    file: str,
    form: Form | None,
    folder: Path,
    name: str,
    limits: Limits,
    encoding: str | None,
    publication: Path | None,
) -> Loaded:
    """Load an issue from a text; see ``exporter.readers.load_text``."""
    findings = Findings()
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(content) > limits.source_bytes:
        findings.problem(f"the text is over the limit of {limits.source_bytes} bytes", Place(file))
        findings.check()
    decoded = decode(content, file, findings, encoding=encoding if isinstance(text, bytes) else None)
    source = Source(decoded, file, file, form or guess_form(decoded or ""))
    files = Files(folder, findings, limits)
    files.record(file, content)
    return _load([source], files, name, findings, limits, publication_file=publication)


def guess_form(text: str) -> Form:
    """Return the form of a text without a name: JSON begins with a brace, Markdown with ``---``."""
    if text.lstrip().startswith("{"):
        return "json"
    return "markdown" if text.split("\n", 1)[0].rstrip() == "---" else "yaml"


def _find(path: Path, findings: Findings) -> tuple[Path, list[Path]]:
    if not path.is_dir():
        if not path.exists():
            findings.problem("there is no such file or folder", Place(str(path)))
            findings.check()
        if path.suffix.lower() not in _FORMS:
            findings.problem(
                f"an issue ends in {', '.join(_FORMS)}", Place(str(path)), "exporter import reads other files"
            )
            findings.check()
        translations = _translations(path.parent) if path.name in _originals() else []
        return path.parent, [path, *translations]
    originals = [path / name for name in _originals() if (path / name).is_file()]
    if not originals:
        names = sorted(file.name for file in path.iterdir() if file.suffix.lower() in _FORMS)
        hint = f"there is {', '.join(names[:5])}: name the file itself" if names else "exporter new makes one"
        findings.problem(f"the folder has no {' or '.join(_originals())}", Place(str(path)), hint)
        findings.check()
    for other in originals[1:]:
        findings.problem(
            f"the folder has both {originals[0].name} and {other.name}", Place(str(other)), "keep one of them"
        )
    return path, [originals[0], *_translations(path)]


def _originals() -> tuple[str, ...]:
    return ("issue.md", "issue.yaml", "issue.yml", "issue.json")


def _translations(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if _TRANSLATION.fullmatch(file.name) and file.is_file())


def _form(file: Path) -> Form:
    return _FORMS[file.suffix.lower()]


def _load(
    sources: list[Source],
    files: Files,
    name: str,
    findings: Findings,
    limits: Limits,
    *,
    publication_file: Path | None,
) -> Loaded:
    periodical = _Periodical(files.folder, publication_file, findings, limits)
    reader = IssueReader(files, findings, limits, periodical.publication)
    for source in sources:
        if source.text is not None:
            reader.read(source)
    publication = reader.publication or periodical.publication
    others = tuple(explicit_ids(reader.original)) if reader.original else ()
    for version in reader.versions:
        # Without the original, what a translation lacks and refers to is not known.
        if reader.original:
            check_references(version, findings, others=(*others, *reader.lost))
    assets = pictures_of(reader.versions, files, findings, limits)
    issue = reader.issue(issue_id(name), publication, Place(sources[0].file, 1, 1))
    findings.check()
    assert issue is not None  # noqa: S101 - else there was a problem
    if periodical.logo and not reader.publication:
        assets[f"publication:{periodical.logo.path}"] = periodical.logo
    return Loaded(
        issue=issue,
        assets=assets,
        sources=(*files.sources.values(), *periodical.sources),
        notices=findings.notices,
        folder=files.folder,
        publication_folder=files.folder if reader.publication else periodical.folder,
    )


class _Periodical:
    """The publication of an issue, its folder, its logo and its files; all empty when it has none."""

    def __init__(self, folder: Path, file: Path | None, findings: Findings, limits: Limits) -> None:
        self.publication: Publication | None = None
        self.logo: Asset | None = None
        self.sources: tuple[SourceFile, ...] = ()
        self.folder: Path | None = None
        found = file or find_publication(folder)
        if found:
            self.folder = found.parent
            self.publication, self.logo, sources = read_publication(found, findings, limits)
            above = os.path.relpath(found.parent.resolve(), folder.resolve())
            self.sources = tuple(
                dataclasses.replace(source, path=os.path.normpath(f"{above}/{source.path}")) for source in sources
            )
