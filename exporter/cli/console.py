"""Streams, messages and exit codes: stdout holds documents and paths, stderr everything else."""

from __future__ import annotations

import errno
import json
import os
import sys
import unicodedata
from typing import TYPE_CHECKING

import click

from exporter.errors import ExporterError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exporter.notices import Notice

_INTERRUPTED = 130
_BUG = 1


def prepare_streams() -> None:
    """Make both streams take any text, whatever the locale; what it cannot show is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def run(command: click.Command) -> int:
    """Run a click command and return the exit code; every failure becomes a message."""
    try:
        code = command.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        say("interrupted: what was finished is kept, nothing is half-written")
        return _INTERRUPTED
    except click.ClickException as error:
        return _misused(error)
    except BrokenPipeError:
        return _silence()
    except OSError as error:
        if error.errno == errno.EPIPE:
            return _silence()
        return failed(error)
    except Exception as error:  # noqa: BLE001 - the last stop: a person sees a sentence, never a traceback
        return failed(error)
    return code if isinstance(code, int) else 0


def failed(error: BaseException) -> int:
    """Say what failed and return its exit code; a bug shows its traceback under ``-v``."""
    if isinstance(error, SourceError):
        show_notices(error.notices)
        for problem in error.problems:
            message("error", str(problem), problem.hint)
        count = len(error.problems)
        say(f"{count} {'problem' if count == 1 else 'problems'}")
    elif isinstance(error, ExporterError):
        message("error", error.message, error.hint)
    else:
        if verbosity() > 0:
            import traceback

            click.echo("".join(traceback.format_exception(error)), err=True)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        message("error", f"a bug in exporter: {what}", "run again with -v and report what it prints")
        return _BUG
    return error.exit_code


def _misused(error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    hint = f"see {context.command_path} --help" if context else None
    message("error", error.format_message().rstrip("."), hint)
    return error.exit_code


def worst(codes: Iterable[int]) -> int:
    """Return the exit code of a run from those of its issues; an interrupt or a bug outranks all."""
    found = set(codes)
    for code in (_INTERRUPTED, _BUG):
        if code in found:
            return code
    return max(found, default=0)


def verbosity() -> int:
    """Return -1 under ``-q``, 1 under ``-v``, else 0."""
    context = click.get_current_context(silent=True)
    root = context.find_root() if context else None
    return int(root.meta.get("exporter.verbosity", 0)) if root else 0


def as_json() -> bool:
    """Tell whether notices are asked for as JSON."""
    context = click.get_current_context(silent=True)
    return bool(context and context.find_root().meta.get("exporter.json"))


def say(text: str) -> None:
    """Write a line to stderr unless ``-q``."""
    if verbosity() >= 0 and not as_json():
        click.echo(printable(text), err=True)


def message(kind: str, text: str, hint: str | None = None) -> None:
    """Write an error or a notice to stderr, its hint below."""
    if as_json():
        fields = {"kind": kind, "message": text, "hint": hint}
        click.echo(json.dumps({k: v for k, v in fields.items() if v}, ensure_ascii=False), err=True)
        return
    color = {"error": "red", "notice": "yellow"}.get(kind)
    click.echo(click.style(f"{kind}: ", fg=color, bold=True) + printable(text), err=True)
    if hint:
        click.echo(f"  hint: {printable(hint)}", err=True)


def show_notices(notices: Iterable[Notice]) -> None:
    """Write notices to stderr: sentences, or one JSON object a line under ``--json``; none under ``-q``."""
    for notice in notices:
        if as_json():
            click.echo(json.dumps({"kind": "notice", **notice.to_json()}, ensure_ascii=False), err=True)
        elif verbosity() >= 0:
            message("notice", str(notice), notice.hint)


def show_path(path: object) -> None:
    """Write a path to stdout, one a line, as the file system has it."""
    click.echo(os.fsencode(str(path)).decode(errors="backslashreplace"))


def write_document(content: bytes, *, binary: bool) -> None:
    """Write a document to stdout.

    Raises:
        click.UsageError: A binary document would go to a terminal.
    """
    if binary and sys.stdout.isatty():
        raise click.UsageError("a PDF is not shown on a terminal: redirect it, or name a file with -o")
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def printable(text: str) -> str:
    """Return text with control and bidirectional characters as escapes: no source steers a terminal."""
    return "".join(
        f"\\u{ord(char):04x}" if char != "\n" and unicodedata.category(char) in {"Cc", "Cf", "Cs"} else char
        for char in text
    )


def _silence() -> int:
    # The reader of the pipe has gone; nothing that is still buffered may raise at exit.
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    return 0
