"""Fixtures: the handed material where it is present, the tools that must not be missing under CI."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import HealthCheck, settings

from tests.verapdf import Validator, class_path

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

settings.register_profile(
    "exporter", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("exporter")

THOROUGH = settings(max_examples=2000 if os.environ.get("CI") == "true" else 100)
"""For properties that are cheap to try and dear to break: 2,000 examples under CI."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="Renew the golden files (never under CI).")


@pytest.fixture(scope="session")
def accept(request: pytest.FixtureRequest) -> bool:
    wanted = bool(request.config.getoption("--accept"))
    assert not (wanted and os.environ.get("CI") == "true"), "golden files are not renewed under CI"
    return wanted


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The handed cases and briefings; tests of them are skipped, loudly, only where the folder is absent."""
    if not SHARED.is_dir():
        pytest.skip("the handed folder ../shared is absent: its cases and briefings are not tested here")
    return SHARED


def tool(name: str) -> str:
    """Return the path of a checker; under CI a missing one fails the test, elsewhere it is a skip."""
    found = shutil.which(name)
    if found is None:
        lacking(f"{name} is not installed: make test installs it")
    return found


def lacking(reason: str) -> NoReturn:
    """Fail the test under CI, skip it elsewhere: a checker that is missing."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def validator() -> Iterator[Validator]:
    """Start veraPDF once for all tests."""
    tool("javac")  # Java runs a source file only where there is a compiler
    path, reason = class_path()
    if path is None:
        lacking(reason)
    with Validator(tool("java"), path) as running:
        yield running


def run_tool(name: str, *arguments: str | Path, check: bool = True) -> str:
    """Run a checker and return what it prints."""
    done = subprocess.run([tool(name), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, done.stderr or done.stdout
    return done.stdout
