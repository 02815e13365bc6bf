"""The text edition: every fact is there, aligned and within its columns, fixed and flowed."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.edition import make_edition
from exporter.errors import WriterError
from exporter.masthead import stars_of
from exporter.model import Issue
from exporter.model.walk import plain, walk
from exporter.readers import load, load_text
from exporter.readers.briefing import import_text
from exporter.theme import load_theme
from exporter.typography.width import ambiguous_width, graphemes, printable, width
from exporter.typography.wrap import is_address
from exporter.writers import Options
from exporter.writers.text import flowed_edition, text_edition, write
from exporter.writers.text_blocks import folded
from exporter.writers.text_pieces import QUOTE, Piece, fixed, flowed
from tests.conftest import ROOT, THOROUGH
from tests.samples import all_blocks, edition_of, paragraph, row, sample_assets, text
from tests.test_wrap import PARAGRAPHS

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.edition import Edition

LANGUAGES = ("zh", "en")


def edition(*body: dict[str, Any], language: str = "zh", **more: Any) -> Edition:
    """Return an edition with the blocks in one section."""
    version = {
        "title": "T",
        "date": "2026-09-07",
        "language": language,
        "sections": [{"id": "s", "title": [text("S")], "body": list(body)}],
        **more,
    }
    issue = Issue.model_validate({"id": "x", "versions": [version]})
    return make_edition(issue, sample_assets(), language=language, theme=load_theme("base"))


def body_of(*body: dict[str, Any], columns: int = 78, **more: Any) -> str:
    """Return the text of the blocks of one section, without masthead and colophon."""
    shown = text_edition(edition(*body, **more), width=columns)
    return shown.partition("\nS\n===\n\n")[2].partition("\n\n\n---")[0]


def from_markdown(source: str, *, language: str = "zh", width: int = 78) -> str:
    issue = load_text(f"---\ntitle: T\ndate: 2026-09-07\nlanguage: {language}\n---\n\n{source}").issue
    return text_edition(make_edition(issue, {}, language=language, theme=load_theme("base")), width=width)


def unflow(message: str) -> list[str]:
    """Return the paragraphs of format=flowed; delsp=yes text, each after its quote marks (RFC 3676 §4)."""
    paragraphs: list[str] = []
    pending: str | None = None
    for line in message.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        soft = content.endswith(" ") and content != "-- "
        pending = (pending or ">" * depth) + content.removesuffix(" " if soft else "")
        if not soft:
            paragraphs.append(pending)
            pending = None
    assert pending is None, "the last paragraph never ends"
    return paragraphs


def at_columns(line: str, ambiguous: int) -> list[str]:
    """Return what stands at each display column; a wide character takes two."""
    result: list[str] = []
    for unit in graphemes(line):
        result += [unit] * width(unit, ambiguous=ambiguous)
    return result


# The whole edition


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_is_utf8_with_lf_and_no_trailing_spaces(language: str) -> None:
    content = write(edition_of(all_blocks(), language), Options()).files[".txt"]
    assert not content.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in content
    assert content.endswith(b"\n")
    assert not content.endswith(b"\n\n")
    assert not [line for line in content.decode().split("\n") if line != line.rstrip()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [78, 60, 40])
def test_the_independent_checker_accepts_the_edition(
    language: str, columns: int, shared: Path, tmp_path: Path
) -> None:
    file = tmp_path / "x.txt"
    showcase = load(ROOT / "issues" / "2026-08-27")
    editions = (
        edition_of(all_blocks(), language),
        make_edition(showcase.issue, showcase.assets, language=language, theme=load_theme("base")),
    )
    for edition in editions:
        file.write_bytes(write(edition, Options(width=columns)).files[".txt"])
        accepted_by_checker(shared, file, columns)


@pytest.mark.parametrize("columns", [78, 60, 40])
def test_the_independent_checker_accepts_the_imported_briefing(columns: int, shared: Path, tmp_path: Path) -> None:
    source = (shared / "briefings" / "2026-08-27.txt").read_text(encoding="utf-8")
    imported = import_text(source, file="briefing.txt").files["issue.md"].decode()
    loaded = load_text(imported, form="markdown", folder=tmp_path)
    edition = make_edition(loaded.issue, loaded.assets, language="zh", theme=load_theme("base"))
    (tmp_path / "x.txt").write_bytes(write(edition, Options(width=columns)).files[".txt"])
    accepted_by_checker(shared, tmp_path / "x.txt", columns)


def test_pipes_of_a_handed_table_stay_in_their_cells(shared: Path) -> None:
    source = (shared / "cases" / "inputs" / "E07" / "issue.md").read_text(encoding="utf-8")
    planted = ("OVER", "EXTRA", "$|x|$")  # pipes that part cells: each is a problem with its line
    sound = "".join(line for line in source.splitlines(keepends=True) if not any(word in line for word in planted))
    loaded = load_text(sound, form="markdown")
    made = text_edition(make_edition(loaded.issue, {}, language="zh", theme=load_theme("base")))
    assert re.search(r"或 +a \| b +转义", made)
    assert re.search(r"文字 +甲 \| 乙 +文字竖线", made)


def accepted_by_checker(shared: Path, file: Path, columns: int) -> None:
    checker = shared / "cases" / "checks" / "check_text.py"
    done = subprocess.run(
        [sys.executable, checker, file, str(columns)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "OK\n")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [24, 40, 60, 78, 120])
def test_no_line_is_wider_than_the_page_unless_it_is_an_address(language: str, columns: int) -> None:
    made = edition_of(all_blocks(), language)
    wide = [
        line
        for line in text_edition(made, width=columns).split("\n")
        if width(line, ambiguous=ambiguous_width(made.tag)) > columns and not is_address(line)
    ]
    assert wide == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_issue_is_in_the_edition(language: str) -> None:
    made = edition_of(all_blocks(), language)
    seen = re.sub(r"\s", "", text_edition(made))
    masthead = made.masthead
    facts = [
        masthead.publication, masthead.kind, masthead.date, masthead.rating_text, *masthead.tags, *masthead.authors,
        plain(masthead.coverage), masthead.license, masthead.issn, masthead.url, made.title,
    ]  # fmt: skip
    for node in walk(made.version):
        match node.__dict__.get("kind"):
            case "text" | "code":
                facts.append(node.__dict__["text"])
            case "code-block":
                facts += node.__dict__["text"].split("\n")
            case "figure":
                facts += [node.__dict__["alt"], node.__dict__["path"] if node.__dict__["alt"] else ""]
            case "link":
                facts.append(node.__dict__["target"])
            case "only":
                facts = [fact for fact in facts if fact]
    only = {"只在纸上出现的一段。", "A paragraph that appears on paper alone."}
    missing = [fact for fact in facts if re.sub(r"\s", "", fact) not in seen and fact not in only]
    assert missing == []


def test_blocks_for_other_formats_alone_are_left_out() -> None:
    paper = {"kind": "only", "formats": ["pdf", "email"], "children": [paragraph("paper")]}
    shown = body_of({"kind": "only", "formats": ["text"], "children": [paragraph("letters")]}, paper)
    assert shown == "letters"


def test_the_last_line_says_that_this_was_all() -> None:
    lines = text_edition(edition_of(all_blocks(), "en")).rstrip("\n").split("\n")
    assert lines[-2] == "End of Specimen: one of every element"
    assert set(lines[-1]) == {"*"}


def test_seventy_hyphens_follow_the_masthead_and_thirty_stand_between_entries() -> None:
    entries = [{"kind": "entry", "id": name, "title": [text(name)], "body": [paragraph(name)]} for name in "abc"]
    lines = text_edition(edition(*entries)).split("\n")
    assert lines.index("-" * 70) < lines.index("目录")
    assert lines.count("-" * 30) == 2


def test_contents_name_sections_and_numbered_entries_in_order() -> None:
    shown = text_edition(edition_of(all_blocks(), "en"))
    assert "Contents\n========\n\nPart One\n  1. Entry: separating “memory” from experience\n" in shown


def test_fields_are_aligned_beside_their_labels() -> None:
    fields = [
        {"name": "title", "value": [text("word " * 30)]},
        {"name": "自定 custom", "value": [text("value")]},
    ]
    shown = body_of({"kind": "entry", "id": "e", "title": [text("E")], "fields": fields})
    assert "\n标题：       word word" in shown
    assert "\n             word word" in shown
    assert "\n自定 custom：value" in shown


def test_a_field_without_a_value_still_shows_its_label() -> None:
    fields = [{"name": "title", "value": []}]
    assert body_of({"kind": "entry", "id": "e", "title": [text("E")], "fields": fields}).endswith("\n标题：")


def test_too_few_columns_are_refused() -> None:
    with pytest.raises(WriterError, match="24 columns"):
        write(edition(), Options(width=10))


def test_a_chart_says_its_alt_text_and_its_data() -> None:
    written = text_edition(edition({"kind": "chart", "spec": "{}", "data": "name,score\nA,1.5\n", "alt": "a rise"}))
    assert all(word in written for word in ("a rise", "name", "score", "A", "1.5"))


def test_further_lines_of_the_mail_writer_stand_in_the_colophon() -> None:
    footer = (("退订", "https://example.org/leave"),)
    for shown in (text_edition(edition(), footer=footer), flowed_edition(edition(), footer=footer)):
        assert "退订：https://example.org/leave" in shown


@pytest.mark.parametrize(("rating", "shown"), [(0, "☆☆☆☆☆"), (4, "★★★★☆"), (4.5, "★★★★½"), (5, "★★★★★")])
def test_a_rating_is_five_stars(rating: float, shown: str) -> None:
    assert stars_of(rating) == shown


def test_a_part_in_another_language_says_so() -> None:
    entry = {"kind": "entry", "id": "e", "title": [text("E")], "language": "en", "body": [paragraph("text")]}
    assert "（本段未译，以下为原文。）" in body_of(entry)


def test_the_text_edition_needs_no_print_or_mail_library() -> None:
    code = (
        "import sys; from tests.samples import *; from exporter.writers.text import text_edition;"
        "text_edition(edition_of(all_blocks())); print([m for m in ('weasyprint', 'mjml', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# Blocks


def test_items_hang_behind_their_markers_at_every_depth() -> None:
    inner = {"kind": "list", "ordered": True, "start": 9, "items": [{"children": [paragraph("x " * 30)]}] * 2}
    shown = body_of({"kind": "list", "items": [{"children": [paragraph("a"), inner]}]}, columns=40)
    assert shown.startswith("  - a\n     9. x x")
    assert "\n        x x" in shown
    assert "\n    10. x x" in shown


def test_a_task_shows_whether_it_is_done() -> None:
    items = [{"children": [paragraph("a")], "checked": True}, {"children": [paragraph("b")], "checked": False}]
    assert body_of({"kind": "list", "items": items}) == "  ☑ a\n  ☐ b"


def test_quotations_keep_their_depth_and_say_who_speaks() -> None:
    inner = {"kind": "quote", "children": [paragraph("second")]}
    quote = {"kind": "quote", "children": [paragraph("first"), inner], "attribution": [text("编辑部")]}
    assert body_of(quote) == "> first\n>\n> > second\n> ——编辑部"


def test_deep_nesting_leaves_room_for_the_text() -> None:
    block: dict[str, Any] = paragraph("words that go on and on, " * 3)
    for _ in range(12):
        block = {"kind": "quote", "children": [{"kind": "list", "items": [{"children": [block]}]}]}
    lines = text_edition(edition(block), width=40).split("\n")
    assert max(map(width, lines)) <= 40
    assert not [line for line in lines if line.startswith(">") and len(line.strip("> -")) == 1]


def test_a_figure_says_its_number_caption_alt_text_and_file() -> None:
    figure = {"kind": "figure", "path": "scores.svg", "alt": "两条", "caption": [text("得分")], "id": "f"}
    assert body_of(figure) == "[图\u00a01] 得分\n    图片说明：两条\n    图片文件：scores.svg"


def test_an_alt_text_that_is_the_caption_is_printed_once() -> None:
    figure = {"kind": "figure", "path": "scores.svg", "alt": "得分", "caption": [text("得分")]}
    assert body_of(figure) == "[图片] 得分\n    图片文件：scores.svg"


def test_a_decoration_has_nothing_to_say() -> None:
    assert body_of(paragraph("a"), {"kind": "figure", "path": "badge.png", "alt": ""}, paragraph("b")) == "a\n\nb"


def test_struck_text_is_marked_in_words() -> None:
    struck = {"kind": "strikethrough", "children": [text("旧")]}
    assert body_of(paragraph("新", struck)) == "新［已删：旧］"


def test_emphasis_adds_no_marks() -> None:
    strong = {"kind": "strong", "children": [{"kind": "emphasis", "children": [text("b")]}]}
    assert body_of(paragraph("a ", strong, " c")) == "a b c"


def test_code_keeps_its_spaces_inside_a_line() -> None:
    assert body_of(paragraph("x ", {"kind": "code", "text": "a  b"})) == "x a  b"


def test_a_formula_is_readable_and_has_its_number_at_the_edge() -> None:
    shown = body_of({"kind": "math-block", "tex": r"\frac{a}{b}=10^{-3}", "id": "eq"})
    assert re.fullmatch(r" {4}a/b = 10⁻³ +\(1\)", shown)
    assert width(shown, ambiguous=2) == 78


def test_code_is_verbatim_and_numbered_when_asked() -> None:
    code = {"kind": "code-block", "text": "def f():\n\n    return (1,\n    )", "lines": True}
    assert body_of(code) == "    1  def f():\n    2\n    3      return (1,\n    4      )"


CODE = st.text("abc xyz_(){}=,.\"'\\文：", max_size=200).map(lambda line: line.rstrip(" ")).filter(bool)


@THOROUGH
@given(CODE, st.integers(20, 80))
def test_a_folded_line_of_code_unfolds_to_itself(code: str, columns: int) -> None:
    lines = folded(code, columns)
    assert all(width(line) <= columns for line in lines)
    unfolded = lines[0]
    for line in lines[1:]:
        assert unfolded.endswith("\\")
        unfolded = unfolded[:-1] + line.lstrip(" ")
    assert unfolded == code


def test_folded_code_says_so() -> None:
    shown = body_of({"kind": "code-block", "text": "call(argument) " * 10})
    assert "NOTE: '\\' line wrapping per RFC 8792" in shown


# Tables

CELLS = st.text("研究ab é“”…α👍12.", max_size=24).map(lambda cell: " ".join(cell.split()))
TABLES = st.integers(1, 4).flatmap(
    lambda wide: st.lists(st.lists(CELLS, min_size=wide, max_size=wide), min_size=2, max_size=5)
)


@THOROUGH
@given(TABLES, st.sampled_from(LANGUAGES), st.sampled_from([40, 60, 78]))
def test_columns_begin_at_the_same_display_column_in_every_row(
    cells: list[list[str]], language: str, columns: int
) -> None:
    table = {
        "kind": "table",
        "columns": [{"align": "left"}] * len(cells[0]),
        "head": [row(*cells[0])],
        "rows": [row(*each) for each in cells[1:]],
    }
    shown = body_of(table, language=language, columns=columns).split("\n")
    ambiguous = 2 if language == "zh" else 1
    rules = [line for line in shown if re.fullmatch(r"-+(  -+)*", line)]
    if len(rules) != 3 or len(rules[1].split("  ")) != len(cells[0]):
        return  # the record layout, or a table of nothing
    gaps = [index for index, char in enumerate(rules[1]) if char == " "]
    for line in shown:
        if line not in rules:
            placed = at_columns(line, ambiguous)
            assert not [index for index in gaps if index < len(placed) and placed[index].strip()]


def test_decimal_points_meet() -> None:
    table = {
        "kind": "table",
        "columns": [{}, {"align": "decimal"}],
        "head": [row("k", "value")],
        "rows": [row("a", "12.5"), row("b", "-7"), row("c", "1,000.25"), row("d", "—"), row("e", "3.1%")],
    }
    lines = body_of(table, language="en").split("\n")
    assert lines[3:8] == ["a     12.5", "b     -7", "c  1,000.25", "d      —", "e      3.1%"]


def test_names_with_digits_are_no_figures() -> None:
    table = {"kind": "table", "columns": [{}, {}], "rows": [row("r9", "9"), row("r10", "10")]}
    assert body_of(table).split("\n")[1:3] == ["r9    9", "r10  10"]


def test_a_table_wider_than_the_page_becomes_one_labeled_block_a_row() -> None:
    heads = [f"column {index}" for index in range(14)]
    rows = [[f"row {line}", *(f"{line}{index:05}" for index in range(1, 14))] for line in range(12)]
    table = {"kind": "table", "columns": [{}] * 14, "head": [row(*heads)], "rows": [row(*each) for each in rows]}
    shown = body_of(table, columns=40)
    assert [value for each in rows for value in each if value not in shown] == []
    assert "column 0：row 3\n  column 1： 300001\n" in shown


def test_long_cells_are_wrapped_and_rows_then_stand_apart() -> None:
    table = {
        "kind": "table",
        "columns": [{}, {}],
        "head": [row("a", "b")],
        "rows": [row("x", "words " * 12), row("y", "z")],
    }
    lines = body_of(table, columns=40).split("\n")
    assert all(width(line) <= 40 for line in lines)
    assert lines[lines.index("y  z") - 1] == ""


def test_a_table_has_its_caption_above_and_its_notes_and_source_below() -> None:
    table = {
        "kind": "table", "id": "t", "columns": [{}], "head": [row("h")], "rows": [row("v")],
        "caption": [text("题")], "notes": [text("注解")], "source": [text("某处")],
    }  # fmt: skip
    lines = body_of(table).split("\n")
    assert lines[0] == "表\u00a01\u00a0 题"
    assert lines[-2:] == ["注：注解", "资料来源：某处"]


# References


def link(target: str, shown: str) -> dict[str, Any]:
    return {"kind": "link", "target": target, "children": [text(shown)]}


def test_links_and_footnotes_count_in_one_series_and_are_gathered_once() -> None:
    mark = {"kind": "note-reference", "note": "n"}
    notes = [{"id": "n", "children": [paragraph("注文，见", link("https://b.example/", "乙"))]}]
    prose = paragraph(
        "见", link("https://a.example/x", "甲"), "与", mark, "，再见", link("https://a.example/x", "甲"), mark
    )
    shown = body_of(prose, notes=notes)
    assert shown == (
        "见甲[1]与[2]，再见甲[1][2]\n\n注释与链接\n[1] https://a.example/x\n[2] 注文，见乙[3]\n[3] https://b.example/"
    )


def test_an_address_that_is_its_own_text_stays_in_the_text() -> None:
    prose = paragraph("见", link("https://example.org/%E8%B7%AF", "https://example.org/路"), "。后文")
    assert body_of(prose) == "见 <https://example.org/%E8%B7%AF>。后文"
    alone = paragraph("see ", link("https://example.org/a", "https://example.org/a"))
    assert body_of(alone, language="en") == "see https://example.org/a"


def test_a_mail_address_stays_in_the_text_without_its_scheme() -> None:
    assert body_of(paragraph(link("mailto:a@example.org", "a@example.org"))) == "a@example.org"


def test_every_section_lists_its_own_links() -> None:
    part = {"body": [paragraph(link("https://a.example/", "甲"))], "title": [text("P")]}
    shown = text_edition(edition(sections=[{"id": "a", **part}, {"id": "b", **part}]))
    assert re.findall(r"^\[\d\] .*", shown, re.MULTILINE) == ["[1] https://a.example/", "[2] https://a.example/"]


# Flowed text


@THOROUGH
@given(PARAGRAPHS, st.integers(0, 3), st.sampled_from(["", "  - ", "    "]), st.sampled_from([1, 2]))
def test_unflowing_gives_the_paragraph(source: str, depth: int, lead: str, ambiguous: int) -> None:
    content = " ".join(filter(None, source.split(" ")))
    lines = list(flowed([Piece(source, QUOTE * depth + lead, QUOTE * depth)], 60, ambiguous=ambiguous))
    assert unflow("\n".join(lines)) == [">" * depth + (lead + content).rstrip(" ")]


@THOROUGH
@given(PARAGRAPHS, st.integers(0, 3))
def test_flowed_lines_keep_to_78_columns_and_never_begin_a_signature(source: str, depth: int) -> None:
    for content in (source, f"-- {source}", f"From {source}", f">{source}"):
        for line in flowed([Piece(content, QUOTE * depth, QUOTE * depth)], 72, ambiguous=2):
            assert width(line, ambiguous=2) <= 78 or is_address(line)
            assert line.lstrip("> ") != "-- "
            assert depth or not re.match(r">|From ", line)


def test_a_paragraph_of_two_hyphens_is_not_a_signature() -> None:
    for source in ("--", "-- " + "文" * 60, "--\nafter"):
        assert "-- " not in list(flowed([Piece(source)], 24, ambiguous=2))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_flowed_edition_holds_the_paragraphs_of_the_fixed_one(language: str) -> None:
    made = edition_of(all_blocks(), language)
    paragraphs = [part.lstrip("> ") for part in unflow(flowed_edition(made))]
    for node in walk(made.version.summary):
        if node.__dict__.get("kind") == "text":
            assert node.__dict__["text"] in paragraphs
    squeezed = re.sub(r"[\s>-]", "", text_edition(made, width=71))
    assert re.sub(r"[\s>-]", "", "".join(paragraphs)) == squeezed


def test_a_hard_break_is_kept_in_fixed_and_in_flowed_text() -> None:
    piece = Piece("a\nb")
    assert list(fixed([piece], 40, ambiguous=1)) == list(flowed([piece], 40, ambiguous=1)) == ["a", "b"]


# Reported faults (../shared/cases)


def case(shared: Path, name: str) -> str:
    return (shared / "cases" / "inputs" / name / "issue.md").read_text().partition("\n---\n")[2]


def test_case_d02_columns_hold_with_emoji_and_invisible_characters(shared: Path) -> None:
    shown = from_markdown(case(shared, "D02"))
    lines = shown.split("\n")
    rule = next(index for index, line in enumerate(lines) if re.fullmatch(r"-+  -+  -+", line))
    third = lines[rule].rindex("  ") + 2
    end = next(index for index, line in enumerate(lines) if index > rule and re.fullmatch("-+", line))
    for line in lines[rule + 1 : end]:
        placed = at_columns(line, 2)
        assert placed[third - 1] == placed[third - 2] == " "
        assert placed[third] != " "
    assert "a\u00a0b" in shown
    assert "softhyphen" in shown
    assert not set(shown) & {"\u200b", "\u00ad", "\u2066", "\u2069"}


def test_case_d04_addresses_are_encoded_whole_and_free_of_chinese_marks(shared: Path) -> None:
    shown = from_markdown(case(shared, "D04"))
    assert re.findall(r"https?://[^\s>]*[^\x00-\x7f]", shown) == []
    assert "<https://example.org/a_(b)>）结束" in shown
    assert "%25" not in shown


def test_case_e06_soft_breaks_join_and_quotes_stay(shared: Path) -> None:
    joined = from_markdown(case(shared, "E06"), width=200)
    for expected in (
        "断开，中文之间不应出现空格",
        "English words 之间 and 中文 mixed",
        "--与省略号...与(c)应",
        "\n第二行。\n第三行。",
    ):
        assert expected in joined


def test_case_e07_an_escaped_pipe_stays_in_its_cell() -> None:
    shown = from_markdown(
        "| 运算 | 符号 | 含义 |\n|---|---|---|\n| 或 | `a \\| b` | 转义 |\n| 文字 | 甲 \\| 乙 | 竖线 |"
    )
    assert "\n或    a | b    转义\n文字  甲 | 乙  竖线\n" in shown


def test_case_a07_marks_and_notes_agree_without_gaps(shared: Path) -> None:
    source = re.sub(r"\[\^(missing|zz)\](?!:)", "", case(shared, "A07"))
    shown = from_markdown(source)
    listed = [int(number) for number in re.findall(r"^\[(\d+)\] ", shown, re.MULTILINE)]
    marks = {int(number) for number in re.findall(r"(?<!\n)\[(\d+)\]", shown)}
    assert listed == list(range(1, len(listed) + 1))
    assert marks == set(listed)
    for name in ("FN-T1", "FN-T2", "FN-SHARED", *(f"FN-{kind}{index}" for kind in "AB" for index in range(1, 13))):
        assert len(re.findall(rf"{name}(?!\d)", shown)) == 1


def test_case_c06_lines_of_dots_stay(shared: Path) -> None:
    lines = from_markdown(case(shared, "C06")).split("\n")
    assert {".", "..两个点", ".这一行以点开头"} <= set(lines)
    assert any("END-C06" in line for line in lines)


def test_case_c07_flowed_text_is_stuffed_and_hides_nothing(shared: Path) -> None:
    issue = load_text(f"---\ntitle: T\ndate: 2026-09-07\nlanguage: zh\n---\n{case(shared, 'C07')}").issue
    made = make_edition(issue, {}, language="zh", theme=load_theme("base"))
    lines = flowed_edition(made).split("\n")
    assert "> 引用第一行引用第二行" in lines
    assert ">> 二级引用" in lines
    assert "-- " not in lines
    assert any(line.startswith(" From the field") for line in lines)
    paragraphs = unflow("\n".join(lines))
    for node in walk(made.version):
        if node.__dict__.get("kind") == "text":
            assert any(printable(node.__dict__["text"]).strip() in part for part in paragraphs)


def test_a_wide_table_without_rows_still_shows_its_head() -> None:
    names = [f"column {number} with a long name" for number in range(12)]
    table = {"kind": "table", "columns": [{} for _ in names], "head": [row(*names)]}
    version = {"title": "t", "date": "2026-08-27", "language": "en", "lead": [table]}
    made = text_edition(edition_of(Issue.model_validate({"id": "x", "versions": [version]}), "en"))
    assert all(name in " ".join(made.split()) for name in names)


def test_the_width_of_ambiguous_characters_can_be_set() -> None:
    from exporter.writers.text import write as write_text

    version = {"title": "t", "date": "2026-08-27", "language": "zh", "lead": [paragraph("αβγ“”…" * 30)]}
    edition = edition_of(Issue.model_validate({"id": "x", "versions": [version]}), "zh")
    lengths = {}
    for ambiguous in (1, 2):
        made = write_text(edition, Options(width=40, ambiguous=ambiguous)).files[".txt"].decode()
        lengths[ambiguous] = max(len(one) for one in made.splitlines() if "α" in one)
        assert all(width(one, ambiguous=ambiguous) <= 40 for one in made.splitlines() if "α" in one)
    assert lengths[1] > lengths[2]
