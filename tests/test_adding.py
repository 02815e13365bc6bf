"""What docs/adding.md asks of a new format, theme, language or block, and which step is still undone."""

from __future__ import annotations

import importlib
import re
import tomllib
from typing import TYPE_CHECKING, Any, get_args

import click
import pytest

from exporter.batch import Request, export
from exporter.cli import program
from exporter.labels import languages, parse_language
from exporter.model.blocks import Block, Format
from exporter.model.inlines import Inline
from exporter.readers import load
from exporter.readers.markdown import directive_blocks
from exporter.theme import load_theme, shipped_themes
from exporter.writers import WRITERS
from tests.conftest import ROOT
from tests.reading import write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BODY = "# One\n\n**Two** three 中文[^a], [](#t).\n\n{#t caption='x'}\n| a | b |\n|---|--:|\n| 1 | 2.5 |\n\n[^a]: Four.\n"
TEXT_CONTRAST = 4.5  # WCAG 2.2, 1.4.3


def issue(folder: Path, language: str, theme: str = "base") -> Path:
    head = f"---\ntitle: T\ndate: 2026-08-27\nlanguage: {language}\nkind: daily\nrating: 4.5\ntheme: {theme}\n"
    sender = "email: {from: a@example.org}\n---\n"
    return write(folder, {"issue.md": head + sender + BODY.replace("'", '"')})


# Formats


def test_the_formats_are_one_set() -> None:
    assert set(get_args(Format)) == set(WRITERS) == set(directive_blocks._FORMATS)


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_has_a_command_and_a_module_with_write(name: Format) -> None:
    assert program.get_command(click.Context(program), name) is not None
    assert callable(importlib.import_module(WRITERS[name].module).write)


# Themes


def leaves(tokens: Any, prefix: str = "") -> Iterator[str]:
    for key, value in tokens.items():
        yield from leaves(value, f"{prefix}{key}.") if hasattr(value, "items") else (f"{prefix}{key}",)


@pytest.mark.parametrize("name", shipped_themes())
def test_a_shipped_theme_sets_only_tokens_of_the_base_theme(name: str) -> None:
    own = tomllib.loads((ROOT / "themes" / name / "theme.toml").read_text(encoding="utf-8"))
    known = {*leaves(load_theme("base").tokens), "extends", "description"}
    assert set(leaves(own)) - known == set()


@pytest.mark.parametrize("scheme", ["color", "mail.dark"])
@pytest.mark.parametrize("name", shipped_themes())
def test_the_colors_of_a_shipped_theme_have_contrast(name: str, scheme: str) -> None:
    colors = load_theme(name).token(scheme)
    low = {
        f"{ink} on {ground}": round(contrast(colors[ink], colors[ground]), 2)
        for ground in ("ground", "panel")
        for ink in ("ink", "muted", "accent")
        if contrast(colors[ink], colors[ground]) < TEXT_CONTRAST
    }
    assert low == {}


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors by WCAG 2.2."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("tag", languages())
@pytest.mark.parametrize("name", shipped_themes())
def test_a_shipped_theme_exports_in_every_format_and_language(name: str, tag: str, tmp_path: Path) -> None:
    loaded = load(issue(tmp_path / "sample", parse_language(tag).short, name))
    made = export(loaded, Request(formats=tuple(WRITERS)), tmp_path / "out")
    endings = {path.suffix for path in made.written}
    assert endings >= {ending for writer in WRITERS.values() for ending in writer.endings}
    assert [str(notice) for notice in made.notices] == []


# Languages


def test_the_page_for_authors_names_every_language() -> None:
    text = (ROOT / "docs/authoring.md").read_text(encoding="utf-8")
    assert [tag for tag in languages() if f"`{tag}`" not in text] == []


# Blocks


@pytest.mark.parametrize(("union", "module"), [(Block, "block_nodes"), (Inline, "inline_nodes")])
def test_every_kind_is_made_by_the_strategies(union: Any, module: str) -> None:
    made = set(re.findall(rf"{module}\.(\w+)", (ROOT / "tests/strategies.py").read_text(encoding="utf-8")))
    waiting = {"Chart"}  # it is read as a problem until it is drawn
    assert {kind.__name__ for kind in get_args(union)} - waiting <= made
