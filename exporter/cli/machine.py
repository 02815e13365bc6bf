"""themes and doctor: what there is, and what this machine lacks."""

from __future__ import annotations

from pathlib import Path

import click

from exporter.cli import console
from exporter.cli.options import messages
from exporter.errors import EditionError


@click.command("themes", epilog="Example: exporter themes")
@messages
def themes_command() -> int:
    """List the themes that come with the program."""
    from exporter.theme import load_theme, shipped_themes

    for name in shipped_themes():
        theme = load_theme(name)
        click.echo(f"{name:12} {theme.tokens.get('description', '')}".rstrip())
    return 0


@click.command("doctor", epilog="Example: exporter doctor")
@click.option(
    "-t", "--theme", default="base", show_default=True, metavar="THEME", help="Theme to look for faces of."
)
@click.option(
    "-o", "--output", default="out", show_default=True, type=click.Path(path_type=Path), help="Output folder."
)
@messages
def doctor_command(theme: str, output: Path) -> int:
    """Check that a Chinese PDF will come out right; name the command that mends what is missing."""
    from exporter.doctor import examine
    from exporter.theme import load_theme

    findings = list(examine(load_theme(theme), output))
    for finding in findings:
        mark = click.style("ok  ", fg="green") if finding.passed else click.style("FAIL", fg="red", bold=True)
        click.echo(f"{mark} {finding.what}: {console.printable(finding.found)}")
        if not finding.passed and finding.mend:
            click.echo(f"       {finding.mend}")
    failed = sum(not finding.passed for finding in findings)
    if failed:
        console.say(f"{failed} {'check' if failed == 1 else 'checks'} failed")
    return EditionError.exit_code if failed else 0
