"""new, import and schema: the commands that make sources."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from exporter.cli import console
from exporter.cli.options import messages
from exporter.errors import OutputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command("new", epilog="Example: exporter new issues/first && exporter all issues/first")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@messages
def new_command(folder: Path) -> int:
    """Write a small bilingual issue that exports at once."""
    from exporter.starter import starter

    # The clock is read here, at the command line, and nowhere below.
    _write_new(folder, starter(dt.datetime.now(tz=dt.UTC).astimezone().date()))
    console.say(f"try: exporter all {folder}")
    return 0


@click.command("import", epilog="Example: exporter import pasted.txt -o issues/2026-08-27")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True))
@click.option("-o", "--output", metavar="DIR", help="Folder of the new issue; its name is the issue's id.")
@click.option(
    "--from",
    "source_format",
    type=click.Choice(["auto", "briefing", "markdown", "html"]),
    default="auto",
    show_default=True,
    help="What the file is.",
)
@click.option("-l", "--language", metavar="TAG", help="Language of the text, when it is not plain to see.")
@click.option("--title", help="Title, over the one found.")
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="Publication date, over the one found.")
@click.option("--encoding", metavar="NAME", help="Encoding of the file when it is not UTF-8.")
@messages
def import_command(
    file: Path,
    *,
    output: str | None,
    source_format: Literal["auto", "briefing", "markdown", "html"],
    language: str | None,
    title: str | None,
    date: dt.datetime | None,
    encoding: str | None,
) -> int:
    """Turn a pasted briefing, a Markdown page or an HTML page into an issue."""
    from exporter import readers
    from exporter.readers.briefing import import_text

    source = sys.stdin.buffer.read() if str(file) == "-" else file
    text = readers.read_text(source, file=str(file), encoding=encoding)
    imported = import_text(
        text,
        file=str(file),
        source_format=source_format,
        language=language,
        title=title,
        date=date.date() if date else None,
    )
    if output is None and str(file) == "-":
        raise UsageError("standard input has no name for the new issue", hint="name a folder with -o")
    _write_new(Path(output) if output else file.with_suffix(""), imported.files)
    console.show_notices(imported.report)
    console.say(", ".join(f"{count} {what}" for what, count in imported.summary.items() if count))
    return 0


@click.command("schema", epilog="Example: exporter schema > issue.schema.json")
@click.argument("what", type=click.Choice(["issue", "publication", "theme"]), default="issue")
def schema_command(what: str) -> int:
    """Print the JSON Schema of an issue (or of publication.yaml or theme.toml)."""
    import json

    from exporter.schema import schema

    console.write_document((json.dumps(schema(what), ensure_ascii=False, indent=2) + "\n").encode(), binary=False)
    return 0


def _write_new(folder: Path, contents: Mapping[str, bytes]) -> None:
    from exporter import files

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"{folder} is there already", hint="name a new folder: nothing is overwritten")
    for name, content in contents.items():
        console.show_path(files.write_file(folder / name, content))
