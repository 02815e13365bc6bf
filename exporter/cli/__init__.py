"""The command line: the only place that prints, reads the environment, or exits."""

from __future__ import annotations

import sys
from typing import Final

import click

from exporter import __version__
from exporter.cli import console

_COMMANDS: Final = {
    "pdf": "editions",
    "email": "editions",
    "text": "editions",
    "all": "editions",
    "check": "editions",
    "new": "sources",
    "import": "sources",
    "schema": "sources",
    "themes": "machine",
    "doctor": "machine",
}


class Commands(click.Group):
    """A group that imports a command's module when the command is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands in the order of the design."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, or None where there is none of that name."""
        import importlib

        module = _COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = getattr(importlib.import_module(f"exporter.cli.{module}"), f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown one, name the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0] if args else "", _COMMANDS, n=1)
            if near:
                raise click.UsageError(f"{error.message} Did you mean {near[0]}?", ctx) from error
            raise


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: exporter all issues/2026-08-27",
)
@click.version_option(__version__, prog_name="exporter")
def program() -> None:
    """Turn an issue of a periodical into print, e-mail and plain-text editions."""


def main() -> None:
    """Run the program and exit with the code that the design gives to what happened."""
    console.prepare_streams()
    sys.exit(console.run(program))
