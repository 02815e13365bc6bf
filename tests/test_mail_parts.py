"""Real parts read and carry the messages: notmuch (GMime), NeoMutt, Postfix; every Python writes the same bytes."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import random
import smtplib
import struct
import subprocess
import termios
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from exporter.message.build import Attachment, InlinePicture, build_message
from exporter.message.headers import text_field
from exporter.message.parts import text_part
from exporter.writers import Options
from tests.conftest import ROOT, tool
from tests.postfix import Postfix, postfix
from tests.samples import all_blocks, edition_of
from tests.test_email import SHOWCASE, message_of, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PDF = Attachment("研究简报 2026-08-27（终稿）.pdf", "application/pdf", random.Random(1).randbytes(200_000))  # noqa: S311
GOLDEN = ROOT / "tests" / "golden" / "message"
LANGUAGES = ("zh", "en")


@pytest.fixture(scope="module")
def messages() -> Mapping[str, bytes]:
    """The showcase with an attachment, as it leaves the writer."""
    return {
        language: read(SHOWCASE, language, Options(body="auto", attachments=(PDF,))).files[".eml"]
        for language in LANGUAGES
    }


# Readers


def maildir(folder: Path, messages: Mapping[str, bytes]) -> Path:
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for name, content in messages.items():
        (folder / "cur" / f"{name}:2,S").write_bytes(content)
    return folder


def notmuch(folder: Path, *arguments: str) -> Any:
    """Return what notmuch says of a maildir, which it indexes first."""
    program = tool("notmuch")
    config = folder / "notmuch.config"
    config.write_text(f"[database]\npath={folder}\n[user]\nname=a\nprimary_email=a@example.org\n")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "NOTMUCH_CONFIG": str(config)}
    subprocess.run([program, "new", "--quiet"], env=environment, check=True, capture_output=True)
    done = subprocess.run([program, *arguments], env=environment, check=True, capture_output=True)
    return json.loads(done.stdout)


def shown(found: Any) -> Iterator[dict[str, Any]]:
    """Yield every message and every part that ``notmuch show`` nests in lists and fields."""
    if isinstance(found, dict):
        yield found
        yield from shown(list(found.values()))
    elif isinstance(found, list):
        for each in found:
            yield from shown(each)


@pytest.mark.parametrize("language", LANGUAGES)
def test_gmime_reads_subject_sender_plain_part_and_attachment(
    messages: Mapping[str, bytes], language: str, tmp_path: Path
) -> None:
    folder = maildir(tmp_path / "mail", {"one": messages[language]})
    parts = list(shown(notmuch(folder, "show", "--format=json", "--entire-thread=false", "*")))
    headers = next(part["headers"] for part in parts if "headers" in part)
    own = message_of(messages[language])
    assert headers["Subject"] == str(own["subject"])
    assert headers["From"] == str(own["from"])
    assert headers["Date"] == own["date"]
    plain = next(part["content"] for part in parts if part.get("content-type") == "text/plain")
    assert edition_words(language) <= set(plain.split())
    (attached,) = (part for part in parts if part.get("content-disposition") == "attachment")
    assert attached["filename"] == PDF.name
    assert attached["content-type"] == "application/pdf"


def neomutt(home: Path, content: bytes, keys: str) -> None:
    """Open a maildir that holds one message in NeoMutt, on a terminal of its own, and press the keys."""
    folder = maildir(home / "mail", {"one": content})
    (home / "rc").write_text(
        f"set folder={folder}\nset charset=utf-8\nset pipe_decode=yes\nset quit=yes\nset header_cache=''\n"
        "unset wait_key\nunset confirmappend\nset attach_save_dir=./\nset attach_save_without_prompting=yes\n"
        "ignore *\nunignore from subject\nalternative_order text/plain\n"
    )
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    reader = subprocess.Popen(
        [tool("neomutt"), "-n", "-F", home / "rc", "-f", folder, "-e", f'push "{keys}"'],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=home,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm", "LC_ALL": "C.UTF-8"},
        start_new_session=True,
    )
    os.close(terminal)
    drain = threading.Thread(target=_drain, args=(screen,), daemon=True)
    drain.start()
    try:
        assert reader.wait(30) == 0
    finally:
        reader.kill()
        reader.wait()
        drain.join()
        os.close(screen)


def _drain(screen: int) -> None:
    # Linux ends a terminal that nobody writes to with EIO.
    with contextlib.suppress(OSError):
        while os.read(screen, 65536):
            pass


@pytest.mark.parametrize("language", LANGUAGES)
def test_neomutt_shows_the_plain_part_and_saves_the_attachment_under_its_name(
    messages: Mapping[str, bytes], language: str, tmp_path: Path
) -> None:
    keys = "<pipe-message>cat > shown<enter><view-attachments><last-entry><save-entry><exit><exit>"
    neomutt(tmp_path, messages[language], keys)
    own = message_of(messages[language])
    head, _, body = (tmp_path / "shown").read_text(encoding="utf-8").partition("\n\n")
    unfolded = head.replace("\n ", " ")
    assert f"Subject: {own['subject']}\n" in unfolded
    assert f"From: {own['from']}\n" in unfolded
    assert edition_words(language) <= set(body.split())
    assert "<p" not in body
    assert (tmp_path / PDF.name).read_bytes() == PDF.content


def edition_words(language: str) -> set[str]:
    """Return the longer words of the text edition that no line break of a reader can part."""
    text = read(SHOWCASE, language).files[".txt"].decode()
    found = {word for word in text.split() if word.isascii() and len(word) > 5 and word.isalnum()}
    assert len(found) > 50
    return found


# Subjects

WORDS = (
    *"研究简报的记忆与经验分开长轨迹任务：「成功率」提高了——但代价仍不清楚……①㐂𠮷",
    *("memory ", "agents ", "(v2) ", "τ²-Bench ", "naïve ", "=?utf-8?b?", "a_b ", "C++, ", "100 % "),
    *("🧪", "👩🏽‍🔬", "🇨🇳", "❤️", "é", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
)


def subjects(count: int) -> list[str]:
    chance = random.Random(20260827)  # noqa: S311 - the same subjects at every run
    made = ["".join(chance.choices(WORDS, k=chance.randint(1, 60))) for _ in range(count)]
    return [" ".join(subject.split()) or "空" for subject in made]


def small_message(subject: str, number: int) -> bytes:
    body = text_part("正文\n", "text/plain").serialized()
    head = text_field("Subject", subject) + f"From: a@example.org\r\nMessage-ID: <{number}@example.org>\r\n"
    return head.encode("ascii") + body


def test_three_thousand_subjects_read_back_in_the_standard_library() -> None:
    for number, subject in enumerate(subjects(3000)):
        assert str(message_of(small_message(subject, number))["subject"]) == subject


def test_three_thousand_subjects_read_back_in_gmime(tmp_path: Path) -> None:
    own = dict(enumerate(subjects(3000)))
    folder = maildir(tmp_path / "mail", {str(number): small_message(text, number) for number, text in own.items()})
    parts = shown(notmuch(folder, "show", "--format=json", "--body=false", "--entire-thread=false", "*"))
    found = {int(part["id"].partition("@")[0]): part["headers"]["Subject"] for part in parts if "headers" in part}
    assert found == own


# Carriers


@pytest.fixture(scope="module")
def relay() -> Iterator[Postfix]:
    with postfix() as running:
        yield running


def sent(relay: Postfix, content: bytes) -> bytes:
    """Hand a message over as a sender does, and return what lies in the recipient's maildir."""
    with smtplib.SMTP("127.0.0.1", relay.port, local_hostname="sender.example", timeout=30) as server:
        assert server.sendmail("daily@shushu.example", ["reader@example.org"], content) == {}
    return relay.delivered()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_survives_postfix_byte_for_byte(
    messages: Mapping[str, bytes], language: str, relay: Postfix
) -> None:
    assert sent(relay, messages[language]) == messages[language]


def test_lone_dots_long_lines_and_from_survive_postfix(shared: Path, relay: Postfix) -> None:
    for case in ("C06", "C07"):
        content = read(shared / "cases" / "inputs" / case).files[".eml"]
        assert sent(relay, content) == content


def test_postfix_would_show_a_changed_byte(messages: Mapping[str, bytes], relay: Postfix) -> None:
    bare = messages["zh"].replace(b"Auto-Submitted: auto-generated\r\n", b"Auto-Submitted:\tauto-generated  \r\n")
    assert sent(relay, bare) == bare != messages["zh"]


# Every Python


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_has_the_same_bytes_on_every_python(language: str, *, accept: bool) -> None:
    """The page and the text of whole issues are compared in test_golden.py; this is what carries them."""
    edition = edition_of(all_blocks(), language)
    text = edition.version.title + "\n" + "从前有一行很长的正文，long lines of text, " * 6 + "\n.\nFrom here\n-- \n"
    made = build_message(
        edition,
        html=f"<!doctype html><title>{edition.title}</title><p>{text}<img src='cid:a@shushu.example' alt=''>",
        plain=text,
        pictures=[InlinePicture("a@shushu.example", "图一.png", "image/png", b"\x89PNG picture")],
        attachments=[Attachment("研究简报（终稿）.pdf", "application/pdf", b"%PDF print")],
    )
    path = GOLDEN / f"specimen.{language}.eml"
    if accept:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(made.content)
    assert made.content == path.read_bytes()
