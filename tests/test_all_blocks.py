"""The issue of every block, inline and option: each finished edition is read back, and every fact of it is found.

What is to be found comes from the model, not from the writers: cells of tables, captions, alternative texts,
formulas, lines of code, prose. Editions are read as their readers do: the PDF's text layer and tags, the message
through the standard parser, the text file.
"""

from __future__ import annotations

import email
import email.policy
import functools
import html
import io
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lxml.html
import pikepdf
import pypdfium2
import pytest

from exporter import math, readers
from exporter.edition import Edition, make_edition
from exporter.model import blocks, inlines
from exporter.model.base import Node
from exporter.theme import load_theme
from exporter.writers import WRITERS, Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from email.message import EmailMessage

    from exporter.model.inlines import Inlines
    from tests.verapdf import Validator

SOURCE = Path(__file__).parent / "golden" / "all-blocks" / "source"
LANGUAGES = ("zh", "en")
FORMATS = ("pdf", "email", "text")


@functools.cache
def loaded() -> readers.Loaded:
    return readers.load(SOURCE)


@functools.cache
def edition(language: str) -> Edition:
    return make_edition(loaded().issue, loaded().assets, language=language, theme=load_theme("base"))


@functools.cache
def written(language: str, name: str, profile: str = "screen") -> dict[str, bytes]:
    options = Options(body="full", profile=profile)  # type: ignore[arg-type]
    return dict(WRITERS[name].write(edition(language), options).files)  # type: ignore[index]


# --- What is to be found ----------------------------------------------------------------------------------------


def nodes(language: str, name: str) -> Iterator[Node]:
    """Yield what an edition of a format shows, in reading order."""
    version = edition(language).version
    stack: list[Any] = [version.notes, version.sections, version.lead, version.summary, version.method]
    while stack:
        item = stack.pop()
        if isinstance(item, blocks.Only) and name not in item.formats:
            continue
        if isinstance(item, Node):
            yield item
            stack.extend(reversed([each for each in item.__dict__.values() if isinstance(each, Node | tuple)]))
        elif isinstance(item, tuple):
            stack.extend(reversed(item))


def squeezed(text: str) -> str:
    """Return a text without blanks and marks of line breaking: editions may break lines anywhere."""
    return re.sub(r"[\s\u00ad\u200b-\u200d\u2060\ufeff]+", "", unicodedata.normalize("NFC", text))


def leaves(line: Inlines) -> Iterator[str]:
    """Yield the pieces of a line between which an edition may add marks, numbers and pages."""
    for node in line:
        match node:
            case inlines.Text() | inlines.Code():
                yield squeezed(node.text)
            case inlines.Math():
                yield f"\0{node.tex}"
            case inlines.Image():
                yield f"\1{node.alt}"
            case inlines.LineBreak() | inlines.NoteReference():
                yield ""
            case _:
                yield from leaves(node.children)


@dataclass(frozen=True)
class Found:
    """An edition as read back.

    Attributes:
        text: Its running text, squeezed.
        alternates: Alternative texts of its pictures and formulas, squeezed.
        hyphens: The text has the hyphens that the source has, and no others.
    """

    text: str
    alternates: frozenset[str]
    hyphens: bool = True

    def holds(self, *lines: Inlines, gap: int = 20) -> bool:
        """Tell whether lines stand in the text one behind the other, pictures and formulas by their alternates."""
        pattern: list[str] = []
        for piece in (piece for line in lines for piece in (*leaves(line), "")):
            if piece.startswith(("\0", "\1")):
                shown = squeezed(math.linear(piece[1:]) if piece[0] == "\0" else piece[1:])
                if not any(shown in each for each in self.alternates) and shown not in self.text:
                    return False
                pattern.append(f"(?:{re.escape(shown)})?")
            elif piece:
                pattern.append(re.escape(piece if self.hyphens else piece.replace("-", "")))
        return not pattern or re.search(f".{{0,{gap}}}?".join(pattern), self.text) is not None


@functools.cache
def found(language: str, name: str) -> Found:
    files = written(language, name)
    if name == "text":
        return Found(squeezed(unfolded(files[".txt"].decode())), frozenset())
    if name == "pdf":
        # A line of print may end in a hyphen that the text does not have: none counts.
        text = re.sub("[-\x02\ufffe]", "", pdf_text(files[".pdf"]))
        return Found(squeezed(text), frozenset(map(squeezed, pdf_alternates(files[".pdf"]))), hyphens=False)
    page = page_of(language)
    alternates = frozenset(map(squeezed, strings(page, "//img/@alt")))
    return Found(squeezed(" ".join(strings(page, "//body//text()"))), alternates)


def unfolded(text: str) -> str:
    """Return text with the lines of code joined again that RFC 8792 folds."""
    return re.sub(r"\\\n *", "", text)


def pdf_text(content: bytes) -> str:
    with pypdfium2.PdfDocument(content) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


def pdf_alternates(content: bytes) -> list[str]:
    with pikepdf.open(io.BytesIO(content)) as pdf:
        return [
            str(item["/Alt"]) for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/Alt" in item
        ]


@functools.cache
def message(language: str) -> EmailMessage:
    parsed = email.message_from_bytes(written(language, "email")[".eml"], policy=email.policy.default)
    assert isinstance(parsed, email.message.EmailMessage)
    return parsed


def page_of(language: str) -> Any:
    """Return the tree of the message's page."""
    return lxml.html.document_fromstring(html_of(message(language)))


def strings(page: Any, path: str) -> list[str]:
    """Return what an XPath of texts or attributes finds."""
    return [str(each) for each in page.xpath(path)]


def html_of(parsed: EmailMessage) -> str:
    return str(next(part for part in parsed.walk() if part.get_content_type() == "text/html").get_content())


def missing(language: str, name: str, lines: Iterable[tuple[Inlines, ...]]) -> list[str]:
    here = found(language, name)
    return ["|".join("".join(leaves(line)) for line in each) for each in lines if not here.holds(*each)]


each_edition = pytest.mark.parametrize(
    ("language", "name"), [(language, name) for language in LANGUAGES for name in FORMATS]
)


# --- Facts ------------------------------------------------------------------------------------------------------


@each_edition
def test_every_line_of_prose_is_found(language: str, name: str) -> None:
    kinds = (blocks.Paragraph, blocks.Heading)
    lines = [(node.children,) for node in nodes(language, name) if isinstance(node, kinds)]
    assert len(lines) > 45
    assert missing(language, name, lines) == []


@each_edition
def test_every_caption_credit_source_note_and_title_is_found(language: str, name: str) -> None:
    keys = ("caption", "credit", "source", "notes", "attribution", "title", "term", "value")
    lines = [
        (value,)
        for node in nodes(language, name)
        for key in keys
        if isinstance(value := getattr(node, key, None), tuple) and value
    ]
    assert len(lines) > 55
    assert missing(language, name, lines) == []


@each_edition
def test_every_cell_of_every_table_is_found(language: str, name: str) -> None:
    tables = [node for node in nodes(language, name) if isinstance(node, blocks.Table)]
    assert len(tables) == 10
    cells = [(cell.children,) for table in tables for row in (*table.head, *table.rows) for cell in row]
    assert len(cells) > 500
    lost = missing(language, name, cells)
    if name == "text":
        lines = [squeezed(line) for line in written(language, "text")[".txt"].decode().split("\n")]
        lost = [cell for cell in lost if not wrapped(cell, lines)]
    assert lost == []


def wrapped(cell: str, lines: list[str]) -> bool:
    """Tell whether a cell stands in a column, a part of it in each of some lines that follow one another."""
    for start in range(len(lines)):
        rest = cell
        for line in lines[start:]:
            taken = next((size for size in range(len(rest), 1, -1) if rest[:size] in line), 0)
            rest = rest[taken:]
            if not taken or not rest:
                break
        if not rest:
            return True
    return False


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rows_of_tables_stand_in_print_cell_by_cell(language: str) -> None:
    tables = [node for node in nodes(language, "pdf") if isinstance(node, blocks.Table)]
    rows = [tuple(cell.children for cell in row) for table in tables for row in (*table.head, *table.rows)]
    assert missing(language, "pdf", rows) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_of_the_message_are_the_issue_s_cell_by_cell(language: str) -> None:
    page = page_of(language)
    shown = [[list(map(cell_text, row)) for row in table.iter("tr")] for table in page.find_class("rows")]
    tables = [node for node in nodes(language, "email") if isinstance(node, blocks.Table)]
    expected = [
        [[cell_words(cell.children, language) for cell in row] for row in (*table.head, *table.rows)]
        for table in tables
    ]
    assert shown == expected


def cell_text(cell: Any) -> str:
    """Return the text of a cell without the label that it has as part of a card."""
    for key in cell.find_class("key"):
        key.drop_tree()
    return squeezed("".join(cell.itertext()))


def cell_words(line: Inlines, language: str) -> str:
    words = ""
    for node in line:
        if isinstance(node, inlines.NoteReference):
            words += str(edition(language).note_numbers[node.note])
        elif isinstance(node, inlines.Math):
            words += squeezed(math.linear(node.tex))
        else:
            words += "".join(leaves((node,)))
    return words


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rows_of_tables_stand_in_the_text_in_order(language: str) -> None:
    lines = [squeezed(line) for line in written(language, "text")[".txt"].decode().split("\n")]
    at = 0
    for table in (node for node in nodes(language, "text") if isinstance(node, blocks.Table)):
        for row in table.rows:
            first = min(at_line(lines, at, cell.children) for cell in row if any(leaves(cell.children)))
            assert first < len(lines), row
            at = first


def at_line(lines: list[str], start: int, line: Inlines) -> int:
    """Return the first line that holds the beginning of a cell, which may be wrapped."""
    words = next(piece for piece in leaves(line) if piece)
    wanted = squeezed(math.linear(words[1:])) if words.startswith("\0") else words[:6]
    return next((at for at in range(start, len(lines)) if wanted in lines[at]), len(lines))


@each_edition
def test_every_alternative_text_is_found(language: str, name: str) -> None:
    here = found(language, name)
    texts = {node.alt for node in nodes(language, name) if isinstance(node, blocks.Figure | inlines.Image)} - {""}
    assert len(texts) == 13
    if name == "text":
        assert [text for text in texts if squeezed(text) not in here.text] == []
    else:
        assert {squeezed(text) for text in texts} <= here.alternates


@each_edition
def test_every_formula_is_found(language: str, name: str) -> None:
    here = found(language, name)
    formulas = {node.tex for node in nodes(language, name) if isinstance(node, blocks.MathBlock | inlines.Math)}
    assert len(formulas) == 7
    shown = [squeezed(math.linear(tex)) for tex in formulas]
    assert [
        each for each in shown if each not in here.text and not any(each in alt for alt in here.alternates)
    ] == []


@each_edition
def test_every_line_of_code_is_found(language: str, name: str) -> None:
    here = found(language, name)
    lines = [
        line
        for node in nodes(language, name)
        if isinstance(node, blocks.CodeBlock)
        for line in node.text.split("\n")
    ]
    assert len(lines) == 6
    assert [line for line in lines if not here.holds((inlines.Code(text=line),))] == []


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_only_for_others_is_absent(name: str) -> None:
    here = found("zh", name).text
    alone = {"pdf": "只在纸上的一句", "email": "只在信里的一句", "text": "只在纯文本里的一句"}
    assert {key for key, words in alone.items() if words in here} == {name}
    assert ("信与纯文本都有的一句" in here) == (name != "pdf")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plain_part_of_the_message_holds_what_the_text_edition_holds(language: str) -> None:
    part = message(language).get_body(("plain",))
    assert part is not None
    # Flowed and fixed lines break at different places; tables may be records in one of them alone.
    plain = squeezed(unfolded(str(part.get_content())))
    here = Found(plain, frozenset())
    lines = [node.children for node in nodes(language, "text") if isinstance(node, blocks.Paragraph)]
    assert [line for line in lines if not here.holds(line)] == []


# --- Files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_message_has_each_picture_once_and_uses_all(language: str) -> None:
    parts = [part for part in message(language).walk() if part.get_content_maintype() == "image"]
    names = [str(part["Content-ID"]).strip("<>") for part in parts]
    contents = [part.get_payload(decode=True) for part in parts]
    used = set(re.findall(r'src="cid:([^"]+)"', html_of(message(language))))
    assert len(names) == len(set(names)) == len(set(contents)) > 12
    assert set(names) == used
    assert {part.get_content_subtype() for part in parts} <= {"png", "jpeg", "gif"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_anchors_of_the_message_stand_once_and_links_lead_to_them(language: str) -> None:
    page = page_of(language)
    ids = strings(page, "//@id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in strings(page, "//a/@href") if link.startswith("#")} <= set(ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_shows_raw_markup(language: str) -> None:
    for name in FORMATS:
        text = html.unescape(found(language, name).text)
        assert not re.search(r":::|\]\(#|\{#|\\frac", text), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_archived_pdf_passes_the_validator(validator: Validator, tmp_path: Path, language: str) -> None:
    path = tmp_path / "all-blocks.pdf"
    path.write_bytes(written(language, "pdf", "archive")[".pdf"])
    for flavour in ("3a", "ua1"):
        assert validator.validate(path, flavour).failures == ()
