"""The flow of docs/architecture.md: who may import whom, and which library stays in which room."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from exporter.writers import WRITERS

PACKAGE = Path(__file__).resolve().parent.parent / "exporter"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A library may be imported only below one of these modules.
FENCES = {
    "click": ("exporter.cli",),
    "yaml": ("exporter.readers",),
    "markdown_it": ("exporter.readers",),
    "mdit_py_plugins": ("exporter.readers",),
    "bs4": ("exporter.readers",),
    "babel": ("exporter.labels",),
    "jinja2": ("exporter.templating",),
    "markupsafe": ("exporter.templating", "exporter.writers"),
    "weasyprint": ("exporter.writers.pdf",),
    "mjml": ("exporter.writers.email",),
    "css_inline": ("exporter.writers.email",),
    "ziamath": ("exporter.math",),
    "ziafont": ("exporter.math",),
    "latex2mathml": ("exporter.math",),
    "resvg_py": ("exporter.pictures",),
    "vl_convert": ("exporter.charts",),
    "filelock": ("exporter.files",),
}

# A room may not import from these rooms.
DIRECTIONS = {
    "exporter.model": (
        "exporter.readers",
        "exporter.edition",
        "exporter.writers",
        "exporter.cli",
        "exporter.theme",
        "exporter.labels",
        "exporter.files",
        "exporter.batch",
    ),
    "exporter.readers": (
        "exporter.edition",
        "exporter.writers",
        "exporter.cli",
        "exporter.files",
        "exporter.batch",
        "exporter.theme",
        "exporter.templating",
    ),
    "exporter.edition": (
        "exporter.readers",
        "exporter.writers",
        "exporter.cli",
        "exporter.files",
        "exporter.batch",
    ),
    "exporter.typography": ("exporter.readers", "exporter.edition", "exporter.writers", "exporter.cli"),
    "exporter.writers": (
        "exporter.readers",
        "exporter.cli",
        "exporter.files",
        "exporter.batch",
        "exporter.manifest",
    ),
    "exporter.message": ("exporter.readers", "exporter.cli", "exporter.files", "exporter.batch"),
    "exporter.batch": ("exporter.cli",),
    "exporter.files": (
        "exporter.readers",
        "exporter.edition",
        "exporter.writers",
        "exporter.cli",
        "exporter.model",
    ),
}

# Heavy: imported inside the function that needs it, never at the top of a module.
HEAVY = {
    "weasyprint",
    "mjml",
    "css_inline",
    "babel",
    "jinja2",
    "PIL",
    "ziamath",
    "resvg_py",
    "vl_convert",
    "fontTools",
    "bs4",
    "defusedxml",
    "filelock",
}

# Below the command line there is neither clock nor randomness nor environment.
PURE = (
    "exporter.model",
    "exporter.readers",
    "exporter.edition",
    "exporter.writers",
    "exporter.message",
    "exporter.typography",
    "exporter.numbering",
    "exporter.masthead",
    "exporter.pairing",
    "exporter.math",
)
IMPURE = {"time", "uuid", "random", "secrets", "socket", "urllib.request", "http.client", "smtplib"}


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def below(module: str, room: str) -> bool:
    # A writer may be one module or several that share its name: pdf, pdf_blocks, pdf_fonts.
    return module == room or module.startswith((f"{room}.", f"{room}_"))


def imports(path: Path, *, top_level: bool = False) -> set[str]:
    """Return what a module imports at run time; imports for the type checker alone bind no rooms."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    statements = [node for node in tree.body if not _is_type_checking(node)]
    for statement in statements:
        for node in [statement] if top_level else ast.walk(statement):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_library_stays_in_its_room(path: Path) -> None:
    module = name_of(path)
    for imported in imports(path):
        rooms = FENCES.get(imported.split(".")[0])
        assert rooms is None or any(below(module, room) for room in rooms), f"{module} imports {imported}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_follow_the_flow(path: Path) -> None:
    module = name_of(path)
    for room, forbidden in DIRECTIONS.items():
        if below(module, room):
            for imported in imports(path):
                assert not any(below(imported, other) for other in forbidden), f"{module} imports {imported}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_writers_do_not_know_each_other(path: Path) -> None:
    module = name_of(path)
    families = tuple(WRITERS)
    own = next((name for name in families if below(module, f"exporter.writers.{name}")), None)
    if own is None:
        return
    for other in set(families) - {own}:
        if (own, other) == ("email", "text"):
            continue  # the plain part of a message is the text edition
        for imported in imports(path):
            assert not below(imported, f"exporter.writers.{other}"), f"{module} imports {imported}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_heavy_libraries_are_imported_where_they_are_used(path: Path) -> None:
    heavy = {name for name in imports(path, top_level=True) if name.split(".")[0] in HEAVY}
    assert not heavy, f"{name_of(path)} imports {heavy} at its top"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_clock_chance_or_network_below_the_command_line(path: Path) -> None:
    module = name_of(path)
    if any(below(module, room) for room in PURE):
        assert not imports(path) & IMPURE
        source = path.read_text(encoding="utf-8")
        assert ".now(" not in source
        assert ".today(" not in source


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_command_line_prints_or_exits(path: Path) -> None:
    if below(name_of(path), "exporter.cli"):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in {"print", "sys.exit", "exit", "input"}, f"{path}:{node.lineno}"


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        name_of(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert [name for name in silent if not name.endswith(("readers", "audit", "message", "typography"))] == []


def test_no_module_is_called_by_a_word_that_means_nothing() -> None:
    empty = {"utils", "util", "helpers", "common", "manager", "handler", "process", "data", "info", "misc"}
    assert not {path.stem for path in MODULES} & empty
