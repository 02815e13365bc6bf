from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from exporter.cli import console, program
from exporter.cli.options import millimeters

COMMANDS = ("pdf", "email", "text", "all", "check", "new", "import", "schema", "themes", "doctor")

ISSUE = """---
title: 测试一期
date: 2026-08-27
language: zh
---

# 第一部分

在GPT上提高12.5%。
"""
ENGLISH = """---
title: A test issue
date: 2026-08-27
language: en
---

# Part one

It rose by 12.5%.
"""
FIVE_MISTAKES = """---
title: 错误
date: 2026-13-45
languages: zh
---

# 一

见[](#nowhere)与脚注[^gone]。

:::{figure} missing.svg
:name: fig
:sise: 3

无替代文字
:::
"""


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def paths(self) -> list[str]:
        return self.out.splitlines()


@pytest.fixture
def exporter(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Result:
        monkeypatch.setattr(sys, "argv", ["exporter", *map(str, arguments)])
        code = console.run(program)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture
def issue(tmp_path: Path) -> Path:
    folder = tmp_path / "issues" / "first"
    folder.mkdir(parents=True)
    (folder / "issue.md").write_text(ISSUE, encoding="utf-8")
    (folder / "issue.en.md").write_text(ENGLISH, encoding="utf-8")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(exporter: Any, command: str) -> None:
    result = exporter(command, "-h")
    assert result.code == 0
    assert f"Example: exporter {command}" in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(root: Path, command: str) -> None:
    pages = [root / "README.md", *(root / "docs").glob("*.md")]
    assert any(f"exporter {command}" in page.read_text(encoding="utf-8") for page in pages)


def test_help_and_version_are_there(exporter: Any) -> None:
    assert all(command in exporter("--help").out for command in COMMANDS)
    assert exporter("--version").out.startswith("exporter, version ")


def test_text_is_written_under_the_issues_id(exporter: Any, issue: Path) -> None:
    result = exporter("text", issue)
    assert (result.code, result.paths) == (0, ["out/first/first.zh.txt"])
    assert "12.5%" in Path("out/first/first.zh.txt").read_text(encoding="utf-8")
    assert Path("out/first/manifest.json").is_file()


def test_every_language_is_written_on_all(exporter: Any, issue: Path) -> None:
    result = exporter("text", issue, "-l", "all", "-o", "editions")
    assert result.paths == ["editions/first/first.zh.txt", "editions/first/first.en.txt"]


def test_email_writes_page_message_and_text(exporter: Any, issue: Path) -> None:
    result = exporter("email", issue)
    assert [Path(path).suffix for path in result.paths] == [".html", ".eml", ".txt"]


def test_all_writes_every_edition_in_every_language(exporter: Any, issue: Path) -> None:
    result = exporter("all", issue)
    assert result.code == 0, result.err
    names = {Path(path).name for path in result.paths}
    assert names == {
        f"first.{language}.{end}" for language in ("zh", "en") for end in ("pdf", "html", "eml", "txt")
    }


def test_a_second_run_writes_nothing_and_says_so(exporter: Any, issue: Path) -> None:
    exporter("text", issue)
    before = Path("out/first/first.zh.txt").stat().st_mtime_ns
    result = exporter("text", issue)
    assert (result.code, result.out) == (0, "")
    assert "nothing changed" in result.err
    assert Path("out/first/first.zh.txt").stat().st_mtime_ns == before


def test_force_writes_what_has_not_changed(exporter: Any, issue: Path) -> None:
    exporter("text", issue)
    assert exporter("text", issue, "--force").paths


def test_a_changed_source_is_exported_again(exporter: Any, issue: Path) -> None:
    exporter("text", issue)
    (issue / "issue.md").write_text(ISSUE.replace("12.5", "13.5"), encoding="utf-8")
    assert exporter("text", issue).paths
    assert "13.5%" in Path("out/first/first.zh.txt").read_text(encoding="utf-8")


def test_a_changed_option_is_exported_again(exporter: Any, issue: Path) -> None:
    exporter("text", issue)
    assert exporter("text", issue, "--width", "60").paths


def test_other_labels_are_another_recipe(exporter: Any, issue: Path) -> None:
    exporter("text", issue)
    assert exporter("text", issue, "--labels", "en").paths == ["out/first/first.zh.txt"]
    assert "August 27, 2026" in Path("out/first/first.zh.txt").read_text(encoding="utf-8")
    assert not exporter("text", issue, "--labels", "en-GB").paths, "the same catalogue, so the same bytes"
    assert exporter("text", issue, "--labels", "fr").code != 0


def test_one_edition_goes_to_a_file_or_to_standard_output(exporter: Any, issue: Path, monkeypatch: Any) -> None:
    assert exporter("text", issue, "-o", "deep/own.txt").paths == ["deep/own.txt"]
    written = Path("deep/own.txt").read_bytes()
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer, encoding="utf-8"))
    exporter("text", issue, "-o", "-")
    assert buffer.getvalue() == written


def test_a_file_takes_one_edition(exporter: Any, issue: Path) -> None:
    result = exporter("text", issue, "-l", "all", "-o", "x.txt")
    assert result.code == 2
    assert "hint:" in result.err
    assert not Path("x.txt").exists()


def test_a_pdf_to_a_terminal_is_refused(exporter: Any, issue: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    result = exporter("pdf", issue, "-o", "-")
    assert result.code == 2
    assert "terminal" in result.err


def test_five_mistakes_are_listed_at_once_with_line_and_column(exporter: Any, issue: Path) -> None:
    (issue / "issue.md").write_text(FIVE_MISTAKES, encoding="utf-8")
    result = exporter("check", issue)
    assert result.code == 3
    errors = [line for line in result.err.splitlines() if line.startswith("error:")]
    assert len(errors) >= 5, result.err
    for line, words in ((3, "date"), (4, "languages"), (9, "nowhere"), (9, "gone"), (13, "sise")):
        assert any(words in error and f"issue.md:{line}:" in error for error in errors), (line, words, result.err)
    assert "hint:" in result.err


def test_problems_do_not_hide_the_notices(exporter: Any, issue: Path) -> None:
    (issue / "issue.md").write_text(ISSUE + "\n正文[^gone]。\n\n[^unused]: 无人引用\n", encoding="utf-8")
    result = exporter("check", issue)
    assert result.code == 3
    assert "[^gone]" in result.err
    assert "notice: " in result.err
    assert "unused" in result.err


def test_check_writes_nothing(exporter: Any, issue: Path) -> None:
    assert exporter("check", issue).code == 0
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["text", "{issue}", "-l", "fr"], 4, "no version in 'fr'"),
        (["text", "{issue}", "-l", "zh+en"], 4, "side by side"),
        (["text", "{issue}", "-t", "bsae"], 5, "did you mean base"),
        (["text", "{issue}", "-o", "{issue}/issue.md"], 7, "cannot write"),
        (["text", "nowhere"], 3, "nowhere"),
        (["text"], 2, "Missing argument"),
        (["tetx", "{issue}"], 2, "Did you mean text"),
        (["pdf", "{issue}", "--bleed", "3 parsecs"], 2, "3mm"),
        (["text", "{issue}", "--width", "3"], 2, "30<=x<=200"),
        (["email", "{issue}", "--inline-images", "--hosted-images", "https://e.org"], 2, "exclude each other"),
    ],
)
def test_failures_have_their_exit_codes(
    exporter: Any, issue: Path, arguments: list[str], code: int, words: str
) -> None:
    result = exporter(*(argument.replace("{issue}", str(issue)) for argument in arguments))
    assert result.code == code, result.err
    assert result.err.startswith("error: ")
    assert words in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


def test_a_bug_is_one_line_and_shows_its_trace_on_request(exporter: Any, issue: Path, monkeypatch: Any) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("exporter.writers.Writer.write", broken)
    quiet, loud = exporter("text", issue), exporter("text", issue, "-v")
    assert (quiet.code, loud.code) == (1, 1)
    assert "Traceback" not in quiet.err
    assert "planted" in quiet.err
    assert "Traceback" in loud.err


def test_an_interrupt_exits_with_130(exporter: Any, issue: Path, monkeypatch: Any) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("exporter.writers.Writer.write", interrupted)
    assert exporter("text", issue).code == 130
    assert not Path("out/first/first.zh.txt").exists()


def test_a_failed_issue_does_not_stop_the_others(exporter: Any, issue: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_text("no front matter", encoding="utf-8")
    result = exporter("text", tmp_path / "bad.md", issue)
    assert result.code == 3
    assert result.paths == ["out/first/first.zh.txt"]


def test_issues_in_worker_processes_come_out_the_same(exporter: Any, issue: Path, tmp_path: Path) -> None:
    (tmp_path / "second.md").write_text(ISSUE, encoding="utf-8")
    result = exporter("text", issue, tmp_path / "second.md", "-j", "2")
    assert result.code == 0, result.err
    assert result.paths == ["out/first/first.zh.txt", "out/second/second.zh.txt"]
    exporter("text", issue, "-o", "alone")
    assert Path("alone/first/first.zh.txt").read_bytes() == Path("out/first/first.zh.txt").read_bytes()


def test_two_issues_with_one_id_are_refused_before_any_work(exporter: Any, issue: Path, tmp_path: Path) -> None:
    (tmp_path / "FIRST.md").write_text(ISSUE, encoding="utf-8")
    result = exporter("text", issue, tmp_path / "FIRST.md")
    assert result.code == 3
    assert "FIRST" in result.err
    assert not Path("out").exists()


def test_strict_takes_notices_for_errors_and_writes_nothing(exporter: Any, issue: Path) -> None:
    (issue / "issue.md").write_text(ISSUE + "\n<b>raw</b>\n", encoding="utf-8")
    assert exporter("text", issue, "-o", "lenient").code == 0
    result = exporter("text", issue, "--strict")
    assert result.code == 8
    assert "notice:" in result.err
    assert not Path("out/first/first.zh.txt").exists()


def test_json_notices_are_one_object_a_line(exporter: Any, issue: Path) -> None:
    (issue / "issue.md").write_text(ISSUE + "\n<b>raw</b>\n", encoding="utf-8")
    result = exporter("check", issue, "--json")
    found = [json.loads(line) for line in result.err.splitlines()]
    assert any(
        one["kind"] == "notice" and one["code"] == "raw-html" and one["place"]["line"] == 11 for one in found
    )


def test_quiet_says_nothing_but_errors(exporter: Any, issue: Path) -> None:
    (issue / "issue.md").write_text(ISSUE + "\n<b>raw</b>\n", encoding="utf-8")
    assert exporter("text", issue, "-q").err == ""


def test_an_unchanged_edition_still_tells_its_notices(exporter: Any, issue: Path) -> None:
    (issue / "issue.md").write_text(ISSUE + "\n<b>raw</b>\n", encoding="utf-8")
    first, second = exporter("text", issue), exporter("text", issue)
    assert [line for line in first.err.splitlines() if line.startswith("notice")] == [
        line for line in second.err.splitlines() if line.startswith("notice")
    ]


def test_no_control_character_of_a_source_reaches_the_terminal() -> None:
    assert console.printable("a\x1b[31m\u202eb\x07\n") == "a\\u001b[31m\\u202eb\\u0007\n"


def test_new_makes_an_issue_that_exports_at_once(exporter: Any) -> None:
    assert exporter("new", "fresh").code == 0
    assert exporter("check", "fresh", "--strict").code == 0, exporter("check", "fresh").err
    result = exporter("text", "fresh", "-l", "all", "--strict")
    assert result.code == 0, result.err
    assert len(result.paths) == 2


def test_new_overwrites_nothing(exporter: Any, issue: Path) -> None:
    result = exporter("new", issue)
    assert result.code == 7
    assert (issue / "issue.md").read_text(encoding="utf-8") == ISSUE


def test_an_issue_comes_from_standard_input(exporter: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ISSUE.encode()), encoding="ascii"))
    result = exporter("text", "-", "-o", "x.txt")
    assert result.code == 0, result.err
    assert "12.5%" in Path("x.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("what", ["issue", "publication", "theme"])
def test_schemas_are_valid_and_described(exporter: Any, what: str) -> None:
    import jsonschema

    schema = json.loads(exporter("schema", what).out)
    jsonschema.Draft202012Validator.check_schema(schema)
    if what != "theme":
        bare = [
            name
            for name, field in schema["properties"].items()
            if "description" not in field and "$ref" not in field
        ]
        assert bare == []


def test_the_schema_accepts_what_the_reader_accepts(exporter: Any) -> None:
    import jsonschema

    schema = json.loads(exporter("schema").out)
    issue = {
        "$schema": "issue.schema.json",
        "id": "x",
        "title": {"zh": "题", "en": "Title"},
        "date": "2026-08-27",
        "sections": [{"title": "# *One*", "body": "Text with **Markdown**."}],
    }
    jsonschema.validate(issue, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**issue, "titel": "x"}, schema)


@pytest.mark.parametrize("text", ["3mm", "0.3cm", "3", " 3 mm "])
def test_lengths_are_millimeters(text: str) -> None:
    assert millimeters(text) == pytest.approx(3)


def clean(*arguments: str, **changes: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": os.environ["PATH"], **changes}
    command = [sys.executable, "-m", "exporter", *arguments]
    return subprocess.run(command, capture_output=True, check=False, env=environment)


def test_a_hostile_environment_gives_the_same_bytes(issue: Path, tmp_path: Path) -> None:
    plain = clean("text", str(issue), "-o", str(tmp_path / "a"), LANG="C.UTF-8")
    hostile = clean(
        "text",
        str(issue),
        "-o",
        str(tmp_path / "b"),
        LANG="C",
        LC_ALL="POSIX",
        PYTHONUTF8="0",
        PYTHONIOENCODING="ascii",
        HOME="/nonexistent",
        TZ="America/Los_Angeles",
        PYTHONHASHSEED="7",
    )
    assert (plain.returncode, hostile.returncode) == (0, 0), hostile.stderr
    one, two = ((tmp_path / name / "first" / "first.zh.txt").read_bytes() for name in "ab")
    assert one == two


def test_a_closed_pipe_is_no_error(issue: Path) -> None:
    script = f"{sys.executable} -m exporter text {issue} -o - | head -c 10"
    done = subprocess.run(["/bin/bash", "-o", "pipefail", "-c", script], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert b"error" not in done.stderr


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['exporter', '--help']\n"
        "from exporter.cli import console, program\n"
        "console.run(program)\n"
        "heavy = {'weasyprint', 'babel', 'jinja2', 'pydantic', 'markdown_it', 'mjml', 'PIL', 'fontTools'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "HEAVY []" in done.stdout


@pytest.mark.parametrize("command", ["text", "email", "check"])
def test_mail_and_text_never_load_the_print_renderer(issue: Path, tmp_path: Path, command: str) -> None:
    script = (
        f"import sys; sys.argv = ['exporter', {command!r}, {str(issue)!r}, '-o', {str(tmp_path)!r}]\n"
        "from exporter.cli import console, program\n"
        "assert console.run(program) == 0\n"
        "print('weasyprint' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "False", done.stderr


def test_both_scripts_are_the_program(root: Path) -> None:
    import tomllib

    scripts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts["exporter"] == scripts["export"]
