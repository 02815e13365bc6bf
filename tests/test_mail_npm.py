"""Second opinions of the e-mail edition: npm's MJML in strict mode, and emailens, both pinned in tests/npm."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any, cast

import mjml
import pytest

from exporter.writers import Options
from exporter.writers.email import write
from tests.conftest import ROOT, lacking, tool
from tests.samples import all_blocks, edition_of
from tests.test_email import SHOWCASE, body_of, message_of, read

if TYPE_CHECKING:
    from exporter.writers import Output

FOLDER = ROOT / "tests" / "npm"
PLAIN_MJML = (
    "<mjml><mj-body><mj-section><mj-column><mj-text>Any text.</mj-text>"
    '<mj-button background-color="#b3261e" color="#ffffff">Read on</mj-button>'
    "</mj-column></mj-section></mj-body></mjml>"
)
WRONG_MJML = PLAIN_MJML.replace("<mj-text>", '<mj-text colour="red">')
WRONG_HTML = (
    '<html><head><link rel="stylesheet" href="https://example.org/a.css"></head>'
    '<body><p>Text</p><a href="">here</a></body></html>'
)


def opinions(**asked: object) -> dict[str, dict[str, list[str]]]:
    """Return what both say of MJML sources and of HTML pages, by name."""
    node = tool("node")
    if not (FOLDER / "node_modules" / "mjml").is_dir():
        lacking("the npm parts of tests/npm are not installed: make test installs them")
    done = subprocess.run(
        [node, FOLDER / "check.mjs"], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return cast("dict[str, dict[str, list[str]]]", json.loads(done.stdout))


@pytest.fixture(scope="module")
def said() -> dict[str, dict[str, list[str]]]:
    """Ask once, of the MJML as the compiler gets it and of the finished pages."""
    sources: dict[str, str] = {}
    pages: dict[str, dict[str, str]] = {}
    compiler = mjml.mjml2html
    with pytest.MonkeyPatch.context() as patch:

        def note(name: str, output: Output) -> None:
            header = str(message_of(output.files[".eml"])["list-unsubscribe"])
            pages[name] = {"page": with_plain_targets(body_of(output)), "unsubscribe": header}

        def compiled(source: str, **options: Any) -> str:
            sources[f"source {len(sources)}"] = source
            return compiler(source, **options)

        patch.setattr(mjml, "mjml2html", compiled)
        for language in ("zh", "en"):
            note(f"showcase {language}", read(SHOWCASE, language))
            for body in ("full", "digest"):
                edition = edition_of(all_blocks(), language)
                note(f"specimen {language} {body}", write(edition, Options(body=body)))
    plain = {"page": compiler(PLAIN_MJML, fonts={}), "unsubscribe": "<mailto:a@example.org>"}
    assert len(sources) == len(pages) == 6
    return opinions(
        mjml=sources | {"wrong": WRONG_MJML},
        html=pages | {"plain": plain, "wrong": {"page": WRONG_HTML}},
    )


def with_plain_targets(page: str) -> str:
    """Return the page with ids for ``<a name>``: Gmail needs it, emailens takes each for a link without address."""
    targets = re.compile(r'<a (?![^>]*href=)[^>]*\bid="([^"]+)"[^>]*></a>')
    assert targets.search(page)
    return targets.sub(r'<span id="\1"></span>', page)


def test_the_strict_compiler_of_npm_accepts_the_source(said: dict[str, dict[str, list[str]]]) -> None:
    assert {name: errors for name, errors in said["mjml"].items() if errors and name != "wrong"} == {}


def test_the_strict_compiler_would_name_a_wrong_attribute(said: dict[str, dict[str, list[str]]]) -> None:
    assert "colour is illegal" in said["mjml"]["wrong"][0]


def test_emailens_finds_no_error_of_ours(said: dict[str, dict[str, list[str]]]) -> None:
    # Whatever MJML compiles has two: font-size:0 around each block passes for hidden text, and the ground of a
    # button, which stands in background, is not seen (test_mail_screens.py measures contrast in a browser).
    compilers = set(said["html"]["plain"])
    assert len(compilers) <= 2
    own = {name: set(errors) - compilers for name, errors in said["html"].items()}
    assert {name: errors for name, errors in own.items() if errors and name != "wrong"} == {}


def test_emailens_would_name_a_remote_stylesheet_and_an_empty_link(said: dict[str, dict[str, list[str]]]) -> None:
    wrong = "\n".join(said["html"]["wrong"])
    assert "gmail-web: <link>: Gmail does not support external stylesheets." in wrong
    assert "links: empty-href" in wrong
