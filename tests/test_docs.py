"""The documents are true: their examples load and export, their tables name what the code has, their links lead on."""

from __future__ import annotations

import ast
import itertools
import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
import pytest

from exporter.batch import Request, export, languages_of
from exporter.cli import program
from exporter.errors import SourceError
from exporter.labels import CATALOGUES
from exporter.model import EmailSettings, Publication, Version, walk
from exporter.model.blocks import Block
from exporter.model.inlines import Inline
from exporter.readers import LIMITS, load
from exporter.readers.limits import size
from exporter.readers.markdown.directives import ADMONITIONS, OPTIONS
from exporter.readers.markdown.entry_fields import LINKED_FIELDS
from exporter.readers.structured.validation import keys_of
from exporter.theme import load_theme
from tests.conftest import ROOT
from tests.reading import HEAD, write

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
PUBLICATION = "name: {zh: 样刊, en: The Sample}\nemail: {from: daily@example.org, base_url: https://example.org}\n"

_FENCE = re.compile(
    r"^(?P<marks>`{3,})(?P<info>[^`\n]*)\n(?P<text>.*?)^(?P=marks)[ \t]*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Example:
    """A fenced block: ``LANGUAGE`` and, behind it, the name of a file or ``wrong`` for what must not load."""

    page: str
    line: int
    language: str
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples(page: Path) -> list[Example]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, _, name = match["info"].strip().partition(" ")
        line = text.count("\n", 0, match.start()) + 1
        found.append(Example(page.name, line, language, name, match["text"]))
    return found


def without_examples(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


AUTHORING = examples(DOCS / "authoring.md")
CSV = {each.name: each.text for each in AUTHORING if each.language == "csv"}


def issues() -> Iterator[tuple[Example, dict[str, str]]]:
    """Yield each example of authoring.md that is an issue, or a part of one, with the files that it consists of."""
    for each in AUTHORING:
        match each.language, each.name:
            case "markdown", "":
                yield each, {"issue.md": each.text if each.text.startswith("---\n") else HEAD + each.text}
            case "markdown", "issue.en.md":
                original = next(one for one in AUTHORING if (one.language, one.name) == ("markdown", "issue.md"))
                yield each, {"issue.md": original.text, "issue.en.md": each.text}
            case "yaml" | "json", "issue.yaml" | "issue.json":
                yield each, {each.name: each.text}
            case "yaml", "publication.yaml":
                yield each, {each.name: each.text, "issue.md": HEAD + "正文。\n"}
            case _:
                pass


def folder(path: Path, files: dict[str, str]) -> Path:
    """Return a folder with an issue, the tables of authoring.md and the pictures of the starter."""
    shutil.copytree(ROOT / "exporter/starter/files/figures", path / "figures")
    return write(path, {"publication.yaml": PUBLICATION, **CSV, **files})


@pytest.mark.parametrize(("example", "files"), [pytest.param(*each, id=str(each[0])) for each in issues()])
def test_an_example_loads_and_exports_to_text_and_mail(
    example: Example, files: dict[str, str], tmp_path: Path
) -> None:
    loaded = load(folder(tmp_path / "sample", files))
    assert [str(notice) for notice in loaded.notices] == []
    made = export(loaded, Request(formats=("email", "text"), languages=("all",)), tmp_path / "out")
    endings = {path.suffix for path in made.written}
    assert endings == {".html", ".eml", ".txt"}
    assert all(path.stat().st_size for path in made.written)


def wrong() -> Iterator[tuple[Example, Example]]:
    for each, following in itertools.pairwise(AUTHORING):
        if each.name == "wrong":
            yield each, following


@pytest.mark.parametrize(("example", "said"), [pytest.param(*each, id=str(each[0])) for each in wrong()])
def test_a_wrong_example_is_refused_in_the_words_shown(example: Example, said: Example, tmp_path: Path) -> None:
    text = example.text if example.text.startswith("---\n") else HEAD + example.text
    path = folder(tmp_path / "sample", {"issue.md": text})
    with pytest.raises(SourceError) as caught:
        load(path)
    lines: list[str] = []
    for problem in caught.value.problems:
        lines.append(f"error: {problem}".replace(f"({path}/", "("))
        lines += [f"  hint: {problem.hint}"] if problem.hint else []
    assert lines == said.text.splitlines()


def test_the_page_has_examples_of_every_kind() -> None:
    assert len(list(issues())) > 15
    assert len(list(wrong())) > 5
    known = {"markdown", "yaml", "json", "csv", "text", "console", ""}
    assert {each.language for each in AUTHORING} <= known


# Tables of authoring.md


def rows(page: str, heading: str, *, table: int = 0) -> list[list[str]]:
    """Return the body rows of a table under a heading, each a list of cells."""
    text = without_examples(DOCS / page)
    match = re.search(rf"^(#+) {re.escape(heading)}$\n(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL)
    assert match, f"{page} has no heading {heading}"
    tables = re.findall(r"(?:^\|.*\n)+", match[2], re.MULTILINE)
    lines = tables[table].splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))] for line in lines]


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def named(table: list[list[str]]) -> list[str]:
    return [word for row in table for word in words(row[0])]


def test_the_front_matter_table_names_every_key() -> None:
    body = {"lead", "sections", "notes"}
    assert set(named(rows("authoring.md", "Front matter"))) == set(keys_of(Version)) - body


def test_the_publication_tables_name_every_key() -> None:
    assert named(rows("authoring.md", "The publication")) == list(keys_of(Publication))
    assert named(rows("authoring.md", "The publication", table=1)) == list(keys_of(EmailSettings))


def test_the_directive_table_names_every_directive_and_option() -> None:
    table = rows("authoring.md", "Directives at a glance")
    shown = {words(row[0])[0]: set(words(row[2])) for row in table}
    assert shown == {name: set(options) for name, options in OPTIONS.items()}


def test_every_directive_and_option_that_works_has_an_example() -> None:
    used: dict[str, str] = dict.fromkeys(OPTIONS, "")
    for each in AUTHORING:
        if each.language == "markdown" and each.name != "wrong":
            for name, lines in re.findall(r"^:{3,}\{([a-z-]+)\}.*\n((?::[a-z-]+:.*\n)*)", each.text, re.MULTILINE):
                used[name] += f"::{lines}"
    waiting, alike = {"chart"}, {*ADMONITIONS}
    assert [name for name in OPTIONS if not used[name] and name not in waiting | alike] == []
    boxes = "".join(used[name] for name in alike)
    missing = {
        f"{name} {option}"
        for name, options in OPTIONS.items()
        for option in options
        if name not in waiting and f":{option}:" not in (boxes if name in alike else used[name])
    }
    assert missing == {"csv-table encoding"}  # the examples are UTF-8


def kinds_of(union: Any) -> set[str]:
    return {node.model_fields["kind"].default for node in get_args(union)}


def test_every_kind_of_block_and_inline_has_an_example(tmp_path: Path) -> None:
    found: set[str] = set()
    for number, (_, files) in enumerate(issues()):
        for version in load(folder(tmp_path / str(number), files)).issue.versions:
            found |= {getattr(node, "kind", "") for node in walk(version)}
    assert (kinds_of(Block) | kinds_of(Inline)) - {"chart"} - found == set()


def catalogue_keys(prefix: str) -> set[str]:
    text = (CATALOGUES / "en.po").read_text(encoding="utf-8")
    return set(re.findall(rf'^msgid "{prefix}-([a-z]+)"$', text, re.MULTILINE))


def sentence(beginning: str) -> str:
    text = " ".join((DOCS / "authoring.md").read_text(encoding="utf-8").split())
    match = re.search(re.escape(beginning) + r".*?(?=\. |\.$)", text)
    assert match, beginning
    return match[0]


def test_the_known_fields_headings_and_kinds_are_those_of_the_catalogue() -> None:
    assert set(words(sentence("These fields have a label"))) == catalogue_keys("field")
    assert set(words(sentence("`label=` says what a heading is for"))) - {"label="} == catalogue_keys("heading")
    assert set(words(rows("authoring.md", "Front matter")[7][2])) == catalogue_keys("kind")
    linked = set(words(sentence("In `source`, `code`"))) & catalogue_keys("field")
    assert linked == LINKED_FIELDS


def test_the_limits_are_those_of_the_reader() -> None:
    shown = [row[1] for row in rows("authoring.md", "Paths and limits")]
    assert shown == [
        size(LIMITS.source_bytes),
        size(LIMITS.picture_bytes),
        f"{LIMITS.picture_pixels // 1_000_000} megapixels",
        f"{LIMITS.rows:,} rows",
        f"{LIMITS.nesting} levels",
        f"{LIMITS.alias_nodes:,} nodes",
        f"{LIMITS.uses:,}",
    ]


def notice_codes() -> set[str]:
    """Return every code that a notice of the program can have."""
    found: set[str] = set()
    for path in sorted((ROOT / "exporter").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in {"notice", "Notice"}:
                codes = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "code")]
                found |= {str(code.value) for code in codes if isinstance(code, ast.Constant)}
    return found


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def test_the_notice_table_has_every_code() -> None:
    assert sorted(named(rows("authoring.md", "Notices"))) == sorted(notice_codes())


# Themes


def leaves(tokens: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in tokens.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


BASE = tomllib.loads((ROOT / "themes/base/theme.toml").read_text(encoding="utf-8"))


def token_tables() -> dict[str, list[str]]:
    """Return the tokens that docs/themes.md names under each heading ``[table]``."""
    text = without_examples(DOCS / "themes.md")
    found: dict[str, list[str]] = {}
    for heading, body in re.findall(r"^#+ (`\[.*?)$\n(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL):
        lines = [line for line in body.splitlines() if line.startswith("|")][2:]
        keys = [word for line in lines for word in words(line.split("|")[1])]
        for table in words(heading):
            found.setdefault(table.strip("[]"), []).extend(keys)
    return found


def test_the_token_tables_name_exactly_the_tokens_of_the_base_theme() -> None:
    shown = {f"{table}.{key}" for table, keys in token_tables().items() for key in keys}
    tables = {name: value for name, value in BASE.items() if isinstance(value, dict)}
    assert sorted(shown) == sorted(leaves(tables))


THEMES = examples(DOCS / "themes.md")


def own_themes() -> list[Example]:
    return [each for each in THEMES if each.language == "toml" and each.name.endswith("theme.toml")]


@pytest.mark.parametrize("example", own_themes(), ids=str)
def test_a_theme_of_ones_own_exports(example: Example, tmp_path: Path) -> None:
    path = folder(tmp_path / "sample", {"issue.md": HEAD + "# 一\n\n正文。\n\n> 引文\n"})
    theme = write(tmp_path, {example.name: example.text}) / Path(example.name).parent
    loaded = load(path)
    request = Request(formats=("pdf", "email"), theme=str(theme))
    made = export(loaded, request, tmp_path / "out")
    assert {each.suffix for each in made.written} == {".pdf", ".html", ".eml", ".txt"}
    own = tomllib.loads(example.text)
    html = next(each for each in made.written if each.suffix == ".html").read_text(encoding="utf-8")
    assert own["color"]["accent"] in html
    assert load_theme(str(theme)).token("color.accent") == own["color"]["accent"]


def test_there_is_a_theme_of_ten_lines() -> None:
    assert any(len(each.text.splitlines()) <= 10 for each in own_themes())


@pytest.mark.parametrize("example", own_themes(), ids=str)
def test_a_theme_of_ones_own_sets_only_tokens_that_there_are(example: Example) -> None:
    tables = {name: value for name, value in tomllib.loads(example.text).items() if isinstance(value, dict)}
    assert set(leaves(tables)) <= set(leaves(BASE))


# Commands


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(program)
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        assert command is not None
        yield name, command


def options(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield from (name for name in parameter.opts if name.startswith("--"))


COMMAND_PAGES = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "README.md", DOCS / "operations.md"))


@pytest.mark.parametrize(
    ("name", "command"), list(commands()), ids=lambda value: str(getattr(value, "name", value))
)
def test_a_command_is_documented_with_its_options(name: str, command: click.Command) -> None:
    assert f"exporter {name}" in COMMAND_PAGES
    missing = [
        option for option in options(command) if not re.search(rf"`[^`\n]*{option}\b[^`\n]*`", COMMAND_PAGES)
    ]
    assert missing == []


def shown_commands() -> Iterator[Any]:
    """Yield every line of the documents that calls the program, with its place."""
    for page in PAGES:
        for example in examples(page):
            if example.language in {"console", "sh"}:
                for line in example.text.splitlines():
                    for call in re.findall(r"(?:\$ |&& |\.venv/bin/|env )ex(?:porter|port) ([^#|&]*)", line):
                        yield pytest.param(call.split(), id=f"{page.name}: {call.strip()}")
        for call in re.findall(r"`(?:\.venv/bin/)?exporter ([a-z][^`]*)`", without_examples(page)):
            yield pytest.param(call.split(), id=f"{page.name}: {call.strip()}")


@pytest.mark.parametrize("call", list(shown_commands()))
def test_a_command_shown_exists_with_its_options(call: list[str]) -> None:
    known = dict(commands())
    assert call[0] in known
    has = {name for parameter in known[call[0]].params for name in parameter.opts}
    given = {word.split("=")[0] for word in call[1:] if re.match(r"--?[a-z]", word)}
    assert given <= has | {"-h", "--help"}


def test_options_named_in_prose_exist() -> None:
    every = {option for _, command in commands() for option in options(command)} | {
        "--help",
        "--version",
        "--accept",
    }
    shown = {
        option
        for page in PAGES
        for code in re.findall(r"`([^`\n]*)`", without_examples(page))
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", code)
    }
    assert shown - every == set()


# Links


def links() -> Iterator[Any]:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_examples(page))):
            if not re.match(r"[a-z]+:", target):
                yield pytest.param(page, target, id=f"{page.name} {target}")


def anchors(page: Path) -> set[str]:
    """Return the anchors that hosts of Markdown make of headings: lower case, hyphens, no punctuation."""
    headings = re.findall(r"^#+ (.+)$", without_examples(page), re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(("page", "target"), list(links()))
def test_a_relative_link_leads_somewhere(page: Path, target: str) -> None:
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    assert file.exists()
    assert file.is_relative_to(ROOT)
    if anchor:
        assert anchor in anchors(file)


MADE_UP = {"exporter/writers/web.py", "exporter/locale/fr.po"}
"""What docs/adding.md adds for example."""


def test_paths_named_in_the_documents_exist() -> None:
    pattern = re.compile(r"`((?:exporter|tests|docs|themes|issues)/[\w./-]*\w/?)`")
    missing = [
        f"{page.name}: {path}"
        for page in PAGES
        for path in pattern.findall(without_examples(page))
        if path not in MADE_UP and not (ROOT / path).exists()
    ]
    assert missing == []


def test_every_language_of_the_issue_named_in_the_readme_is_there() -> None:
    loaded = load(ROOT / "issues/2026-08-27")
    assert languages_of(loaded, Request(formats=("text",), languages=("all",))) == ("zh", "en")
