"""The main job on real input: a pasted briefing in, every title, identifier and number in every edition.

Nothing of the briefing is kept in this repository; without ../shared these tests are skipped.
"""

from __future__ import annotations

import email
import re
import subprocess
import sys
from collections import Counter
from email import policy
from pathlib import Path

import pytest

from tests.conftest import run_tool, tool

# A number with what is written together with it: 2608.24876, +17.8, 10^-3, 4.8×10^-3, 30B-A3B, 25%.
NUMBER = re.compile(r"[A-Za-z.+−-]*\d[\dA-Za-z.,^%×/+−-]*", re.ASCII)
TITLES = (
    "Recursive Experiential–Working Memory Evolution for Long-Horizon Agent Harnesses",
    "CAFE: Self-Improving Search Agents Need Co-Evolving Feedback",
    "Joint Optimization of Tool Creation and Use for Large Language Model Agents",
    "Latent Action as Intention Enables Efficient Future Imagination for World Action Models",
    "Effective Learning Rate Governs Loss Dynamics in Language Model Pretraining",
    "SkillForge: Evolving Verifiable Skills for Reinforcement Learning Agents",
    "Paritok-4B",
    "When “Must” Becomes “Maybe”: Constraint Weakening in LLM Agent Workflows",
    "On-policy Distillation with Verifiable Reward",
    "SPO++: Stream-Aligned Policy Optimization for Asynchronous Agentic RL",
    "Data Mixing as Mixture Experiment",
    "AutoSaddler",
    "RobustTests",
)


def squeezed(text: str) -> str:
    """Return text without white space: an edition may break and space its lines as it likes."""
    return re.sub(r"\s+", "", text).replace("\u2212", "-")


@pytest.fixture(scope="session")
def source(shared: Path) -> str:
    return (shared / "briefings" / "2026-08-27.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def exported(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("briefing")
    briefing = shared / "briefings" / "2026-08-27.txt"
    for arguments in (["import", briefing, "-o", folder / "b"], ["all", folder / "b", "-o", folder / "out"]):
        command = [sys.executable, "-m", "exporter", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return folder / "out" / "b"


@pytest.fixture(scope="session")
def editions(exported: Path) -> dict[str, str]:
    message = email.message_from_bytes((exported / "b.zh.eml").read_bytes(), policy=policy.default)
    plain = message.get_body(preferencelist=("plain",))
    page = message.get_body(preferencelist=("html",))
    assert plain is not None
    assert page is not None
    html = re.sub(r"<(style|title)\b.*?</\1>|<[^>]+>", "", page.get_content(), flags=re.DOTALL)
    import html as entities

    return {
        "pdf": run_tool("pdftotext", exported / "b.zh.pdf", "-"),
        "message's text": plain.get_content(),
        "message's page": entities.unescape(html),
        "text": (exported / "b.zh.txt").read_text(encoding="utf-8"),
    }


EDITIONS = ("pdf", "message's text", "message's page", "text")


@pytest.mark.parametrize("name", EDITIONS)
def test_every_title_is_in_every_edition(editions: dict[str, str], name: str) -> None:
    found = squeezed(editions[name])
    assert [title for title in TITLES if squeezed(title) not in found] == []


@pytest.mark.parametrize("name", EDITIONS)
def test_every_arxiv_id_is_in_every_edition(source: str, editions: dict[str, str], name: str) -> None:
    ids = set(re.findall(r"\d{4}\.\d{5}", source))
    assert len(ids) == 9
    assert {one for one in ids if one not in squeezed(editions[name])} == set()


@pytest.mark.parametrize("name", EDITIONS)
def test_every_number_is_in_every_edition_as_often_as_in_the_source(
    source: str, editions: dict[str, str], name: str
) -> None:
    wanted = Counter(number.rstrip(".,") for number in NUMBER.findall(source))
    wanted["2026-08-27"] -= 1  # the page's own date, which the masthead prints as 2026年8月27日
    assert sum(wanted.values()) > 150
    found = squeezed(editions[name])
    short = {number: times for number, times in wanted.items() if found.count(squeezed(number)) < times}
    assert short == {}


def test_every_character_of_the_source_is_in_the_text(source: str, editions: dict[str, str]) -> None:
    """Nothing is dropped: the Han of each line stand in the edition, in their order."""
    found = re.sub(r"[^\u4e00-\u9fff]", "", editions["text"])
    lines = [re.sub(r"[^\u4e00-\u9fff]", "", line) for line in re.split(r"[：\n]", source)]
    assert [line for line in lines if len(line) > 12 and line not in found] == []


def test_the_print_edition_has_real_bold_and_no_missing_glyph(exported: Path) -> None:
    fonts = run_tool("pdffonts", exported / "b.zh.pdf").splitlines()[2:]
    assert fonts
    for line in fonts:
        name, embedded, subset = line.split()[0], *re.findall(r"\b(yes|no)\b", line)[:2]
        assert (embedded, subset) == ("yes", "yes"), line
        assert re.match(r"[A-Z]{6}\+", name), line
        assert " Custom " not in line, f"missing glyphs: {line}"
    names = " ".join(line.split()[0] for line in fonts)
    assert "CJK" in names
    assert "Bold" in names


def test_qpdf_finds_no_fault(exported: Path) -> None:
    run_tool("qpdf", "--check", exported / "b.zh.pdf")


@pytest.mark.parametrize(
    ("checker", "file"),
    [("check_eml.py", "b.zh.eml"), ("check_text.py", "b.zh.txt"), ("check_pdf.py", "b.zh.pdf")],
)
def test_the_handed_checkers_pass(shared: Path, exported: Path, checker: str, file: str) -> None:
    tool("pdftotext")
    command = [sys.executable, str(shared / "cases" / "checks" / checker), str(exported / file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
