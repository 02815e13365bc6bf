"""From files to one issue: which files, which form, every problem of all of them at once."""

from __future__ import annotations

import dataclasses
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from exporter.model import Issue, Publication
from exporter.notices import Place
from exporter.readers import Loaded
from exporter.readers.files import Files, decode
from exporter.readers.findings import Findings
from exporter.readers.front_matter import split_front_matter
from exporter.readers.ids import check_references, explicit_ids
from exporter.readers.markdown import Markdown
from exporter.readers.pictures.used import pictures_of
from exporter.readers.publications import find_publication, publication_of, read_publication
from exporter.readers.structured.json_tree import read_json
from exporter.readers.structured.languages import in_language, languages_of
from exporter.readers.structured.trees import Mapping
from exporter.readers.structured.validation import report
from exporter.readers.structured.yaml_tree import read_yaml
from exporter.readers.versions import (
    UNKNOWN_LANGUAGE,
    check_titles,
    inherit,
    issue_id,
    language_of,
    may_name,
    script_of,
    version_of,
)
from exporter.readers.written import Written

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.assets import Asset, SourceFile
    from exporter.model import Version
    from exporter.readers.limits import Limits

Form = Literal["markdown", "yaml", "json"]

_FORMS: dict[str, Form] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
}
_TRANSLATION = re.compile(r"issue\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.md")


@dataclass(frozen=True, slots=True)
class _Source:
    """One file of an issue.

    Attributes:
        text: Its text, or None when it cannot be read.
        name: Its name in the folder.
        file: How messages name it.
        form: What it is written in.
        language: The language that its name says.
    """

    text: str | None
    name: str
    file: str
    form: Form
    language: str | None = None


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
        sources.append(_Source(text, file.name, label, _form(file), language))
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
    source = _Source(decoded, file, file, form or guess_form(decoded or ""))
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
    sources: list[_Source],
    files: Files,
    name: str,
    findings: Findings,
    limits: Limits,
    *,
    publication_file: Path | None,
) -> Loaded:
    periodical = _Periodical(files.folder, publication_file, findings, limits)
    reader = _IssueReader(files, findings, limits, periodical.publication)
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
    )


class _Periodical:
    """The publication of an issue, its logo and its files; all empty when it has none."""

    def __init__(self, folder: Path, file: Path | None, findings: Findings, limits: Limits) -> None:
        self.publication: Publication | None = None
        self.logo: Asset | None = None
        self.sources: tuple[SourceFile, ...] = ()
        found = file or find_publication(folder)
        if found:
            self.publication, self.logo, sources = read_publication(found, findings, limits)
            above = os.path.relpath(found.parent.resolve(), folder.resolve())
            self.sources = tuple(
                dataclasses.replace(source, path=os.path.normpath(f"{above}/{source.path}")) for source in sources
            )


class _IssueReader:
    """Collects the versions of an issue from its files."""

    def __init__(self, files: Files, findings: Findings, limits: Limits, periodical: Publication | None) -> None:
        self.versions: list[Version] = []
        self.publication: Publication | None = None
        self._files = files
        self._findings = findings
        self._limits = limits
        self._periodical = periodical
        self.original: Version | None = None
        self.lost: set[str] = set()
        self._front: Mapping | None = None
        self._id: Written | None = None

    def read(self, source: _Source) -> None:
        """Read one file; the first is the original."""
        text = Written.whole(source.text or "", source.file)
        match source.form:
            case "markdown":
                self._markdown(source)
            case "yaml":
                self._structured(read_yaml(text, self._findings, self._limits), source)
            case "json":
                self._structured(read_json(text, self._findings, self._limits), source)

    def issue(self, name: str, publication: Publication | None, place: Place) -> Issue | None:
        """Return the issue, if nothing is wrong with it as a whole."""
        if self._id is not None:
            name, place = str(self._id), self._id.place()
        if not self.versions:
            return None
        try:
            return Issue(id=name, publication=publication, versions=tuple(self.versions))
        except ValidationError as error:
            tree = Mapping(place)
            report(error, tree, Issue, self._findings)
            return None

    def _markdown(self, source: _Source) -> None:
        parts = split_front_matter(source.text or "", source.file, self._findings)
        if parts is None:
            return
        front, body = parts
        before = self._findings.failed
        tree = read_yaml(front, self._findings, self._limits)
        if not isinstance(tree, Mapping):
            if tree is not None or self._findings.failed == before:
                check_titles(tree, front.place(), self._findings)
            # The body has problems of its own to tell.
            self._reader().document(body)
            return
        tree.pop("$schema", None)
        self._version(tree, source, body)

    def _structured(self, tree: Any, source: _Source) -> None:
        if not isinstance(tree, Mapping):
            if tree is not None or not self._findings.failed:
                check_titles(tree, Place(source.file, 1, 1), self._findings)
            return
        tree.pop("$schema", None)
        if tree.get("publication") is not None:
            self.publication = publication_of(tree["publication"], tree.keys_at["publication"], self._findings)
        tree.pop("publication", None)
        if "versions" in tree:
            self._versions(tree)
            return
        languages = languages_of(tree)
        if len(languages) < 2:
            self._version(in_language(tree, languages[0], languages, self._findings) if languages else tree, source)
            return
        for language in languages:
            chosen = in_language(tree, language, languages, self._findings)
            chosen["language"] = Written(language, source.file, ((chosen.place.line, chosen.place.column),))
            self._version(chosen, source)

    def _versions(self, tree: Mapping) -> None:
        """Read the canonical form: every version written out."""
        self._take_id(tree)
        versions = tree.pop("versions")
        for key in tree:
            self._findings.problem(
                f"unknown key {key}", tree.keys_at[key], "beside versions there are id and publication"
            )
        if not isinstance(versions, list) or not versions:
            self._findings.problem("versions must be a list of versions", tree.keys_at["versions"])
            return
        for number, version in enumerate(versions):
            if check_titles(version, tree.keys_at["versions"], self._findings):
                self._add(version_of(version, self._reader()), original=number == 0)

    def _version(self, tree: Mapping, source: _Source, body: Written | None = None) -> None:
        self._take_id(tree)
        language = source.language or (self._periodical.language if self._periodical else None)
        own = language_of(tree)
        if own and source.language and not may_name(source.language, own):
            self._findings.problem(
                f"the file is named for {source.language}, but its language is {own}", tree.keys_at["language"]
            )
        first = self._front is None
        if self._front is None:
            self._front = tree
        elif source.language:
            inherit(tree, self._front, language_of(self._front), self._findings)
        version = version_of(tree, self._reader(), body=body, default_language=language)
        self._add(version, original=first)

    def _add(self, version: Version | None, *, original: bool) -> None:
        if version is None:
            return
        self.original = version if original else self.original
        languages = {script_of(each.language) for each in self.versions} - {UNKNOWN_LANGUAGE}
        if script_of(version.language) in languages:
            self._findings.problem(f"two versions are in {version.language}", version.place)
            return
        self.versions.append(version)

    def _take_id(self, tree: Mapping) -> None:
        name = tree.pop("id", None)
        if name is None:
            return
        if not isinstance(name, Written):
            self._findings.problem("id must be a text", tree.keys_at["id"])
        elif self._id is not None and self._id != name:
            message = f"the id {name} is not the original's, {self._id}"
            self._findings.problem(message, name.place(), "versions of one issue share its id: leave it away here")
        else:
            self._id = name

    def _reader(self) -> Markdown:
        return Markdown(self._findings, self._files, self._limits, lost=self.lost)
