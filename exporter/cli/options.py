"""Options that mean the same in every command that has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


@dataclass(frozen=True, slots=True)
class Shared:
    """The values of the shared options."""

    languages: tuple[str, ...]
    theme: str | None
    labels: str | None
    output: str
    jobs: int
    force: bool
    strict: bool
    encoding: str | None


def issues_argument(function: F) -> F:
    """Add the ISSUE… argument: folders or files, or ``-`` for standard input."""
    return click.argument(
        "issues", nargs=-1, required=True, metavar="ISSUE…", type=click.Path(path_type=Path, allow_dash=True)
    )(function)


def messages(function: F) -> F:
    """Add -q, -v and --json, which say how much is said."""

    def verbosity(level: int) -> Callable[[click.Context, click.Parameter, bool], None]:
        def set_level(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
            if value:
                context.find_root().meta["exporter.verbosity"] = level

        return set_level

    def set_json(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
        if value:
            context.find_root().meta["exporter.json"] = True

    for decorate in (
        click.option(
            "--json",
            is_flag=True,
            expose_value=False,
            callback=set_json,
            is_eager=True,
            help="Machine-readable notices and errors on stderr.",
        ),
        click.option(
            "-v",
            "--verbose",
            is_flag=True,
            expose_value=False,
            callback=verbosity(1),
            is_eager=True,
            help="Say more; show the traceback of a bug.",
        ),
        click.option(
            "-q",
            "--quiet",
            is_flag=True,
            expose_value=False,
            callback=verbosity(-1),
            is_eager=True,
            help="Say nothing but errors.",
        ),
    ):
        function = decorate(function)
    return function


def shared(function: F) -> F:
    """Add the shared options of every command that makes editions; they arrive as one ``shared`` value."""
    import functools

    @functools.wraps(function)
    def call(**values: Any) -> Any:
        own = {
            name: values.pop(name) for name in ("theme", "labels", "output", "jobs", "force", "strict", "encoding")
        }
        return function(shared=Shared(languages=values.pop("language"), **own), **values)

    decorated: Any = messages(call)
    for decorate in reversed(
        (
            click.option(
                "-l",
                "--language",
                multiple=True,
                metavar="TAG",
                help="Language: zh, en …, or all; may be repeated. The issue's own by default.",
            ),
            click.option(
                "--labels", metavar="TAG", help="Language of labels, dates and numbers, if not the edition's."
            ),
            click.option("-t", "--theme", metavar="THEME", help="Theme, by name or folder, over the issue's."),
            click.option(
                "-o",
                "--output",
                default="out",
                show_default=True,
                metavar="DIR|FILE|-",
                help="Folder of all editions, one file, or - for stdout.",
            ),
            click.option(
                "-j",
                "--jobs",
                type=click.IntRange(1, 64),
                default=1,
                show_default=True,
                help="Issues exported at the same time.",
            ),
            click.option("--force", is_flag=True, help="Write also what has not changed."),
            click.option("--strict", is_flag=True, help="Take notices for errors (exit 8)."),
            click.option("--encoding", metavar="NAME", help="Encoding of the sources when it is not UTF-8."),
        )
    ):
        decorated = decorate(decorated)
    return decorated  # type: ignore[no-any-return]


def millimeters(value: str) -> float:
    """Return a length such as ``3mm``, ``0.3cm``, ``9pt`` or a bare number in millimeters."""
    import re

    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(mm|cm|in|pt)?\s*", value)
    if match is None:
        raise click.BadParameter(f"{value!r} is no length: write 3mm")
    length = float(match[1]) * {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, None: 1.0}[match[2]]
    if length > 50:
        raise click.BadParameter(f"{value!r} is more than 50 mm")
    return length
