"""--attach-pdf: the print edition in the message, typeset once, the same bytes at every build."""

from __future__ import annotations

import email
import email.policy
import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from exporter.batch import Request, export, single
from exporter.cli import program
from exporter.readers import load
from exporter.writers import WRITERS, Options, Output, Writer

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path

    from exporter.readers import Loaded

PAGE = "---\ntitle: 简报\ndate: 2026-08-27\nlanguage: zh\nid: 简报 42\n---\n\n## 一\n\n正文一段。\n"
PRINT = b"%PDF-1.7 a print edition\n%%EOF\n"


@pytest.fixture
def issue(tmp_path: Path) -> Path:
    path = tmp_path / "issue" / "issue.md"
    path.parent.mkdir()
    path.write_text(PAGE, encoding="utf-8")
    return path


@pytest.fixture
def typeset(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand in for the print writer, which has its own tests, and note each edition that it is given."""
    made: list[str] = []
    real = Writer.write

    def write(self: Writer, edition: Any, options: Options) -> Output:
        if self.format != "pdf":
            return real(self, edition, options)
        made.append(edition.language)
        return Output({".pdf": PRINT})

    monkeypatch.setattr(Writer, "write", write)
    return made


def asked(*formats: Any, **changes: Any) -> Request:
    return Request(formats=formats, attach_pdf=True, **changes)


def message(folder: Path) -> EmailMessage:
    (path,) = folder.rglob("*.eml")
    return parsed(path.read_bytes())


def parsed(content: bytes) -> EmailMessage:
    found = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(found, email.message.EmailMessage)
    return found


def loaded(issue: Path) -> Loaded:
    return load(issue)


def test_the_message_carries_the_pdf_that_stands_beside_it(issue: Path, tmp_path: Path) -> None:
    """The only test here that typesets."""
    out = tmp_path / "out"
    done = CliRunner().invoke(program, ["all", str(issue), "-o", str(out), "--attach-pdf"])
    assert done.exit_code == 0, done.output
    found = message(out)
    assert found.get_content_type() == "multipart/mixed"
    (attachment,) = found.iter_attachments()
    (print_edition,) = out.rglob("*.pdf")
    assert attachment.get_content_type() == "application/pdf"
    assert attachment.get_filename() == print_edition.name
    assert attachment.get_content() == print_edition.read_bytes()


def test_the_name_has_an_ascii_stand_in(issue: Path, tmp_path: Path, typeset: list[str]) -> None:
    export(loaded(issue), asked("email"), tmp_path / "out")
    (path,) = (tmp_path / "out").rglob("*.eml")
    assert b"filename*=utf-8''%E7%AE%80%E6%8A%A5%2042.zh.pdf;\r\n filename=42.zh.pdf\r\n" in path.read_bytes()
    assert typeset == ["zh"]


def test_without_the_option_nothing_is_attached_and_nothing_typeset(
    issue: Path, tmp_path: Path, typeset: list[str]
) -> None:
    export(loaded(issue), Request(formats=("email",)), tmp_path / "out")
    assert message(tmp_path / "out").get_content_type() == "multipart/alternative"
    assert typeset == []


@pytest.mark.parametrize("force", [False, True])
def test_a_run_of_all_formats_typesets_once(
    issue: Path, tmp_path: Path, typeset: list[str], *, force: bool
) -> None:
    export(loaded(issue), asked("pdf", "email", force=force), tmp_path / "out")
    assert typeset == ["zh"]
    assert next(message(tmp_path / "out").iter_attachments()).get_content() == PRINT


def test_a_pdf_that_is_there_already_is_attached_as_it_is(issue: Path, tmp_path: Path, typeset: list[str]) -> None:
    export(loaded(issue), Request(formats=("pdf",)), tmp_path / "out")
    export(loaded(issue), asked("email"), tmp_path / "out")
    assert typeset == ["zh"]


def test_a_damaged_pdf_is_not_attached(issue: Path, tmp_path: Path, typeset: list[str]) -> None:
    export(loaded(issue), Request(formats=("pdf",)), tmp_path / "out")
    (path,) = (tmp_path / "out").rglob("*.pdf")
    path.write_bytes(b"damaged")
    export(loaded(issue), asked("email"), tmp_path / "out")
    assert next(message(tmp_path / "out").iter_attachments()).get_content() == PRINT
    assert typeset == ["zh", "zh"]


def test_an_unchanged_message_is_left_and_nothing_is_typeset(
    issue: Path, tmp_path: Path, typeset: list[str]
) -> None:
    export(loaded(issue), asked("email"), tmp_path / "out")
    made = export(loaded(issue), asked("email"), tmp_path / "out")
    assert made.written == ()
    assert typeset == ["zh"]


def test_the_option_alone_makes_the_message_anew(issue: Path, tmp_path: Path, typeset: list[str]) -> None:
    for request in (Request(formats=("email",)), asked("email"), Request(formats=("email",))):
        made = export(loaded(issue), request, tmp_path / "out")
        assert [path.suffix for path in made.written] == [".html", ".eml", ".txt"]
    assert typeset == ["zh"]


def test_an_option_of_print_makes_the_message_anew(issue: Path, tmp_path: Path, typeset: list[str]) -> None:
    export(loaded(issue), asked("email"), tmp_path / "out")
    assert export(loaded(issue), asked("email", options=Options(paper="a5")), tmp_path / "out").written
    assert typeset == ["zh", "zh"]


def test_the_manifest_names_the_recipe_of_the_attached_edition(
    issue: Path, tmp_path: Path, typeset: list[str]
) -> None:
    export(loaded(issue), asked("pdf", "email"), tmp_path / "out")
    (path,) = (tmp_path / "out").rglob("manifest.json")
    mail, pdf = json.loads(path.read_text(encoding="utf-8"))["editions"]
    assert mail["attached"] == {"简报 42.zh.pdf": pdf["recipe"]}
    assert mail["toolchain"]["weasyprint"] == pdf["toolchain"]["weasyprint"]
    assert typeset == ["zh"]


def test_one_message_file_has_the_same_bytes_as_a_whole_run(
    issue: Path, tmp_path: Path, typeset: list[str]
) -> None:
    export(loaded(issue), asked("pdf", "email"), tmp_path / "out")
    (path,) = (tmp_path / "out").rglob("*.eml")
    assert single(loaded(issue), asked("email"), ".eml")[0] == path.read_bytes()
    assert typeset == ["zh", "zh"]


def test_a_message_that_many_servers_refuse_is_a_notice(
    issue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Writer.write
    heavy = Output({".pdf": bytes(7_700_000)})
    monkeypatch.setattr(
        Writer,
        "write",
        lambda self, edition, options: heavy if self is WRITERS["pdf"] else real(self, edition, options),
    )
    made = export(loaded(issue), asked("email"), tmp_path / "out")
    assert "heavy-message" in [notice.code for notice in made.notices]
