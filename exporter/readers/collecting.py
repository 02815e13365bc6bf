"""The versions of an issue, one file after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from exporter.model import Issue
from exporter.notices import Place
from exporter.readers.front_matter import split_front_matter
from exporter.readers.markdown import Markdown
from exporter.readers.publications import publication_of
from exporter.readers.structured.json_tree import read_json
from exporter.readers.structured.languages import in_language, languages_of
from exporter.readers.structured.trees import Mapping
from exporter.readers.structured.validation import report
from exporter.readers.structured.yaml_tree import read_yaml
from exporter.readers.versions import (
    UNKNOWN_LANGUAGE,
    check_titles,
    inherit,
    language_of,
    may_name,
    script_of,
    version_of,
)
from exporter.readers.written import Written

if TYPE_CHECKING:
    from exporter.model import Publication, Version
    from exporter.readers.files import Files
    from exporter.readers.findings import Findings
    from exporter.readers.limits import Limits

Form = Literal["markdown", "yaml", "json"]


@dataclass(frozen=True, slots=True)
class Source:
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


class IssueReader:
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

    def read(self, source: Source) -> None:
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

    def _markdown(self, source: Source) -> None:
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

    def _structured(self, tree: Any, source: Source) -> None:
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

    def _version(self, tree: Mapping, source: Source, body: Written | None = None) -> None:
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
