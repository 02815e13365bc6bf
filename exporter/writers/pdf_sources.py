"""What an archived PDF carries inside: the issue that it was made from, in forms that outlive this program."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import exporter
from exporter.errors import ThemeError
from exporter.labels import language_tag
from exporter.model import blocks, inlines
from exporter.model.walk import plain, rewrite_nodes, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from exporter.edition import Edition
    from exporter.model import Issue


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file inside a PDF.

    Attributes:
        name: Its name there.
        content: Its bytes.
        media_type: Its type; named here, since WeasyPrint would ask the machine's tables.
        description: What it is, in the edition's language.
        relationship: What it is to the pages (ISO 32000-2, 7.11.3).
    """

    name: str
    content: bytes
    media_type: str
    description: str
    relationship: Literal["Source", "Data"]


def issue_json(issue: Issue) -> bytes:
    """Return the issue as its canonical JSON: every key, by its published name, in UTF-8.

    The structured reader reads it back to an equal issue.
    """
    tree = issue.model_dump(mode="json", by_alias=True)
    return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode()


def embedded_files(edition: Edition) -> tuple[Embedded, ...]:
    """Return what an archived edition carries, by name: the issue, its tables as CSV, its pictures.

    Saved into one folder, the files are an issue that exports to the same edition again.
    """
    names = _flat_names(edition.issue_assets)
    files = [
        Embedded("issue.json", _source(edition, names), "application/json", edition.title, "Source"),
        *_tables(edition),
        *(
            Embedded(names[path], asset.content, asset.media_type, names[path], "Source")
            for path, asset in edition.issue_assets.items()
        ),
    ]
    return tuple(sorted(files, key=lambda file: file.name.encode()))


def seal_of(edition: Edition) -> str:
    """Return a digest of what the edition is made from: issue, pictures, language, theme and this program."""
    names = _flat_names(edition.issue_assets)
    digest = hashlib.sha256(_source(edition, names))
    for path, name in names.items():
        digest.update(f"{name}\0".encode() + edition.issue_assets[path].content)
    digest.update(f"{edition.tag}\0{edition.theme.sha256()}\0{exporter.__version__}".encode())
    return digest.hexdigest()


def attachments(files: Sequence[Embedded], date: dt.date) -> list[Any]:
    """Return the files as WeasyPrint takes them, dated like the edition: no clock is asked."""
    from weasyprint import Attachment

    moment = dt.datetime.combine(date, dt.time(), tzinfo=dt.UTC)
    return [
        Attachment(
            file_obj=io.BytesIO(file.content),
            name=file.name,
            description=file.description,
            relationship=file.relationship,
            created=moment,
            modified=moment,
        )
        for file in files
    ]


def settle_attachments(pdf: Any, files: Sequence[Embedded]) -> None:
    """Give each embedded file its own type and relationship, and list it once.

    WeasyPrint takes the type from the machine's tables, tells files of equal content by one relationship, and
    names each file in the catalog twice.

    Raises:
        ThemeError: A template attaches a file of its own.
    """
    import pydyf

    known: Mapping[str, Embedded] = {file.name: file for file in files}
    found = []
    for entry in pdf.objects:
        if isinstance(entry, pydyf.Dictionary) and entry.get("Type") == "/Filespec":
            name = entry["UF"].string
            if name not in known:
                raise ThemeError(f"a template attaches {name!r}: only archived sources are attached")
            file = known[name]
            entry["AFRelationship"] = f"/{file.relationship}"
            stream = pdf.objects[int(entry["EF"]["F"].split()[0])]
            stream.extra["Subtype"] = "/" + file.media_type.replace("/", "#2f")
            found.append(entry.reference)
    if found:
        pdf.catalog["AF"] = pydyf.Array(found)


def _tables(edition: Edition) -> Iterator[Embedded]:
    version = next(item for item in edition.issue.versions if language_tag(item.language) == edition.tag)
    tables = [node for node in walk(version) if isinstance(node, blocks.Table)]
    for number, table in enumerate(tables, 1):
        name = f"table-{table.id or number}.csv"
        yield Embedded(name, _csv(table), "text/csv", plain(table.caption) or name, "Data")


def _csv(table: blocks.Table) -> bytes:
    """Return the table as RFC 4180 has it."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([plain(cell.children) for cell in row] for row in (*table.head, *table.rows))
    return text.getvalue().encode()


def _flat_names(paths: Iterable[str]) -> dict[str, str]:
    """Return a name without folders for each path: most programs refuse to save an embedded file into a folder."""
    names: dict[str, str] = {}
    for path in sorted(paths):
        name = re.sub(r"[/\\:]", "-", path)
        while name in names.values():
            name = f"_{name}"
        names[path] = name
    return names


def _source(edition: Edition, names: Mapping[str, str]) -> bytes:
    """Return the issue as JSON that finds its pictures beside itself."""
    issue = rewrite_nodes(
        edition.issue, blocks.Figure, lambda node: node.model_copy(update={"path": names[node.path]})
    )
    issue = rewrite_nodes(issue, inlines.Image, lambda node: node.model_copy(update={"path": names[node.path]}))
    return issue_json(issue)
