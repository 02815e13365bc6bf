"""pdf, email, text, all and check: the commands that make editions."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from exporter.cli import console
from exporter.cli.options import Shared, issues_argument, millimeters, shared
from exporter.errors import ExporterError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from exporter.batch import Made, Request
    from exporter.model.blocks import Format
    from exporter.readers import Loaded

Paper = Literal["a4", "a5", "letter"]
Profile = Literal["screen", "archive", "press"]
BodyKind = Literal["full", "digest", "auto"]

_print_options = (
    click.option(
        "--profile",
        type=click.Choice(["screen", "archive", "press"]),
        default="archive",
        show_default=True,
        help="What the file is for.",
    ),
    click.option("--paper", type=click.Choice(["a4", "a5", "letter"]), help="Paper, over the issue's."),
    click.option("--bleed", metavar="LENGTH", help="Bleed of the press profile.  [default: 3mm]"),
    click.option("--marks", is_flag=True, help="Print crop and register marks."),
)
_mail_options = (
    click.option(
        "--body",
        type=click.Choice(["full", "digest", "auto"]),
        default="auto",
        show_default=True,
        help="The whole issue, a digest with links, or the whole as long as Gmail shows it.",
    ),
    click.option(
        "--inline-images", "inline_images", is_flag=True, help="Pictures as parts of the message (default)."
    ),
    click.option("--hosted-images", metavar="URL", help="Address that pictures are served from instead."),
    click.option("--attach-pdf", is_flag=True, help="Attach the print edition to the message."),
)
_text_options = (
    click.option(
        "--width", type=click.IntRange(30, 200), default=78, show_default=True, help="Columns of the text."
    ),
    click.option(
        "--ambiguous",
        type=click.Choice(["1", "2"]),
        help="Columns of a character of ambiguous width: by default 2 in Chinese editions, 1 in others.",
    ),
)


def _with(*groups: tuple[Any, ...]) -> Callable[[Any], Any]:
    def decorate(function: Any) -> Any:
        for option in reversed([option for group in groups for option in group]):
            function = option(function)
        return function

    return decorate


@click.command("pdf", epilog="Example: exporter pdf issues/2026-08-27 -l all --paper a5")
@issues_argument
@shared
@_with(_print_options)
def pdf_command(issues: tuple[Path, ...], shared: Shared, **options: Any) -> int:
    """Write the print edition."""
    return _export(issues, shared, ("pdf",), options)


@click.command("email", epilog="Example: exporter email issues/2026-08-27 -l zh -l en")
@issues_argument
@shared
@_with(_mail_options)
def email_command(issues: tuple[Path, ...], shared: Shared, **options: Any) -> int:
    """Write the e-mail edition: the page (.html), the message (.eml) and its text (.txt)."""
    return _export(issues, shared, ("email",), options)


@click.command("text", epilog="Example: exporter text issues/2026-08-27 --width 72 -o -")
@issues_argument
@shared
@_with(_text_options)
def text_command(issues: tuple[Path, ...], shared: Shared, **options: Any) -> int:
    """Write the plain-text edition."""
    return _export(issues, shared, ("text",), options)


@click.command("all", epilog="Example: exporter all issues/2026-08-27 -o out")
@issues_argument
@shared
@_with(_print_options, _mail_options, _text_options)
def all_command(issues: tuple[Path, ...], shared: Shared, **options: Any) -> int:
    """Write every edition in every language of the issue."""
    everything = shared if shared.languages else dataclasses.replace(shared, languages=("all",))
    # The message's text part is the text edition: the e-mail writer writes it too.
    return _export(issues, everything, ("pdf", "email"), options)


@click.command("check", epilog="Example: exporter check issues/2026-08-27 --strict")
@issues_argument
@shared
@click.option("--pdf", "with_pdf", is_flag=True, help="Typeset the print edition too.")
def check_command(issues: tuple[Path, ...], shared: Shared, *, with_pdf: bool) -> int:
    """List every problem and notice; no output is written."""
    from exporter import batch

    formats: tuple[Format, ...] = ("pdf", "email") if with_pdf else ("email",)
    everything = shared if shared.languages else dataclasses.replace(shared, languages=("all",))
    request = _request(everything, formats, {})
    codes: list[int] = []
    loaded = _load_all(issues, shared, codes)
    for one in loaded:
        try:
            notices = batch.check(one, request)
        except ExporterError as error:
            codes.append(_failed(error))
            continue
        console.show_notices(notices)
        count = len(notices)
        console.say(f"{one.issue.id}: {count or 'no'} {'notice' if count == 1 else 'notices'}")
        codes.append(8 if notices and shared.strict else 0)
    return console.worst(codes)


def _request(shared: Shared, formats: tuple[Format, ...], options: dict[str, Any]) -> Request:
    from exporter.batch import Request
    from exporter.writers import Options

    options = {name: value for name, value in options.items() if value is not None}
    attach_pdf = options.pop("attach_pdf", False)
    if options.pop("inline_images", False) and "hosted_images" in options:
        raise UsageError("--inline-images and --hosted-images exclude each other")
    if "ambiguous" in options:
        options["ambiguous"] = int(options["ambiguous"])
    if "bleed" in options:
        options["bleed"] = millimeters(options["bleed"])
    return Request(
        formats=formats,
        languages=shared.languages,
        theme=shared.theme,
        labels=shared.labels,
        options=Options(**options),
        attach_pdf=attach_pdf,
        force=shared.force,
        strict=shared.strict,
    )


def _export(issues: Sequence[Path], shared: Shared, formats: tuple[Format, ...], options: dict[str, Any]) -> int:
    from exporter import batch

    request = _request(shared, formats, options)
    codes: list[int] = []
    loaded = _load_all(issues, shared, codes)
    try:
        batch.refuse_equal_ids(loaded)
        if shared.output == "-" or _is_file(shared.output, formats):
            return console.worst([*codes, _single(loaded, request, shared.output)])
    except ExporterError as error:
        return _failed(error)
    for one, result in _results(loaded, request, shared):
        if isinstance(result, Exception):
            codes.append(_failed(result))
        else:
            _show(one, result)
            codes.append(0)
    return console.worst(codes)


def _load_all(issues: Sequence[Path], shared: Shared, codes: list[int]) -> list[Loaded]:
    from exporter import readers

    loaded: list[Loaded] = []
    for path in issues:
        try:
            if str(path) == "-":
                loaded.append(readers.load_text(sys.stdin.buffer.read(), encoding=shared.encoding))
            else:
                loaded.append(readers.load(path, encoding=shared.encoding))
        except ExporterError as error:
            codes.append(console.failed(error))
    return loaded


def _is_file(output: str, formats: tuple[Format, ...]) -> bool:
    from exporter.writers import WRITERS

    endings = {ending for name in formats for ending in WRITERS[name].endings}
    path = Path(output)
    return path.suffix in endings and not path.is_dir()


def _single(loaded: Sequence[Loaded], request: Request, output: str) -> int:
    from exporter import batch, files

    if len(loaded) != 1:
        if not loaded:
            return 0
        raise UsageError("one file takes one issue", hint="name a folder with -o")
    ending = Path(output).suffix if output != "-" else None
    content, notices = batch.single(loaded[0], request, ending)
    console.show_notices(notices)
    if output == "-":
        console.write_document(content, binary=request.formats == ("pdf",))
    else:
        console.show_path(files.write_file(Path(output), content))
    return 0


def _results(
    loaded: Sequence[Loaded], request: Request, shared: Shared
) -> Iterator[tuple[Loaded, Made | Exception]]:
    from exporter import batch

    output = Path(shared.output)
    hidden = not sys.stderr.isatty() or console.verbosity() < 0 or console.as_json()
    total = sum(batch.editions_in(one, request) for one in loaded)
    with click.progressbar(
        length=total, file=sys.stderr, hidden=hidden, show_eta=False, item_show_func=lambda item: item, width=24
    ) as bar:
        results = batch.export_all(
            loaded, request, output, jobs=shared.jobs, report=lambda name: bar.update(1, name)
        )
        for result in results:
            if not hidden:
                # Paths and notices take the bar's line; it is drawn again below them.
                click.echo("\r\x1b[K", err=True, nl=False)
            yield result


def _show(loaded: Loaded, made: Made) -> None:
    console.show_notices(made.notices)
    for path in made.written:
        console.show_path(path)
    if made.unchanged and not made.written:
        console.say(f"{loaded.issue.id}: nothing changed, {len(made.unchanged)} files left as they are")
    elif made.unchanged:
        console.say(f"{loaded.issue.id}: {len(made.unchanged)} files have not changed")


def _failed(error: BaseException) -> int:
    from exporter.batch import StrictError

    if isinstance(error, StrictError):
        console.show_notices(error.notices)
    return console.failed(error)
