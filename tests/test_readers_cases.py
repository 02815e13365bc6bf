"""The handed hard cases, as far as the readers decide them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from exporter.errors import SourceError
from exporter.model import blocks, inlines, plain, walk
from exporter.readers import load
from tests.reading import as_line, prose

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.model import Version


@pytest.fixture
def cases(shared: Path) -> Path:
    return shared / "cases" / "inputs"


def _problems(path: Path, **options: object) -> list[str]:
    begin = time.monotonic()
    with pytest.raises(SourceError) as caught:
        load(path, **options)  # type: ignore[arg-type]
    assert time.monotonic() - begin < 5
    assert all(problem.place and problem.place.file.endswith(path.name) for problem in caught.value.problems) or (
        path.parent.name == "C03"
    )
    return [as_line(problem) for problem in caught.value.problems]


def _text(version: Version) -> str:
    return "\n".join(plain(block.children) for block in walk(version) if isinstance(block, blocks.Paragraph))


def test_a07_only_the_undefined_mark_is_a_problem(cases: Path) -> None:
    assert _problems(cases / "A07" / "issue.md") == ["71:7 the footnote [^missing] is not defined"]


def test_a08_the_missing_alternative_text_is_named_with_its_line(cases: Path) -> None:
    assert _problems(cases / "A08" / "issue.md") == ["13:1 the picture alpha.png has no alternative text"]


def test_a10_three_thousand_rows_are_read(cases: Path) -> None:
    table = load(cases / "A10").issue.original.lead[0]
    assert isinstance(table, blocks.Table)
    assert len(table.rows) == 3000


def test_a11_every_outside_picture_is_named_and_the_plain_link_stays(cases: Path) -> None:
    found = _problems(cases / "A11" / "doc" / "issue.md")
    assert [problem.partition(":")[0] for problem in found] == ["5", "8", "9", "10", "11"]


def test_a12_the_broken_formula_is_named_with_its_line(cases: Path) -> None:
    assert any(
        problem.startswith("13:6 the formula cannot be set") for problem in _problems(cases / "A12" / "issue.md")
    )


def test_b02_raw_html_is_text_and_nothing_is_swallowed(cases: Path) -> None:
    loaded = load(cases / "B02")
    text = _text(loaded.issue.original)
    for part in ("<br>", "MSO-ONLY", "裸表格", 'alert("XSS-B02")', "点我", "END-B02"):
        assert part in text
    assert {notice.code for notice in loaded.notices} == {"raw-html"}
    assert {notice.place.line for notice in loaded.notices if notice.place} == {
        *(7, 9, 11, 13, 14, 15, 17, 19, 20, 21, 22, 23)
    }


@pytest.mark.parametrize("name", ["issue.md", "issue_nel.md"])
def test_c03_line_breaks_in_header_fields_are_problems(cases: Path, name: str) -> None:
    found = " ".join(_problems(cases / "C03" / name))
    for field in ("title", "email.from.name", "email.to.address"):
        assert f"{field} must be a single line" in found


def test_d04_links_are_ascii_and_end_where_they_should(cases: Path) -> None:
    loaded = load(cases / "D04")
    links = [node for node in walk(loaded.issue.original) if isinstance(node, inlines.Link)]
    assert all(link.target.isascii() and "%25" not in link.target for link in links)
    assert [plain(link.children) for link in links[:2]] == [
        "https://example.org/路径/文件?键=值#章节",
        "https://example.org/a_(b)",
    ]
    assert links[2].target == "https://xn--fsqu00a.example/%E8%B7%AF%E5%BE%84"
    references = [node.target for node in walk(loaded.issue.original) if isinstance(node, inlines.Reference)]
    assert references == ["小节-一", "小节-一-1"]
    assert [notice.code for notice in loaded.notices] == ["relative-link", "empty-link"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("issue_dup.md", "5:1 the key title stands twice: in line 2 and in line 5"),
        ("issue_dup.json", "1:62 the key title stands twice: in line 1"),
        ("issue_tab.md", "6:1 a tab cannot indent YAML"),
        ("issue_bomb.md", "8:38 the aliases expand to more than the limit of 10000 nodes"),
        ("issue_cycle.yaml", "6:15 *s stands inside what it names, from line 4 on: that would never end"),
        ("issue_tag.yaml", "1:8 the tag !!python/object/apply:os.system is not allowed"),
    ],
)
def test_e02_each_is_refused_quickly_with_a_line(cases: Path, name: str, problem: str) -> None:
    assert problem in _problems(cases / "E02" / name)


@pytest.mark.parametrize("name", ["bom_crlf", "cr_only", "crlf"])
def test_e03_marks_and_line_ends_make_no_difference(cases: Path, name: str) -> None:
    def value(stem: str) -> tuple[Version, ...]:
        return load(cases / "E03" / f"{stem}.md").issue.versions

    assert value(name)[0].model_copy(update={"title": ""}) == value("utf8_bom")[0].model_copy(update={"title": ""})


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("gb18030", "2:8 the file is not UTF-8 from byte 11 on"),
        ("big5", "2:8 the file is not UTF-8 from byte 11 on"),
        ("utf16le_bom", "1:1 the file is not UTF-8: it begins at byte 0 with the mark of UTF-16"),
        ("broken_utf8", "7:40 the file is not UTF-8 from byte 103 on"),
        ("nul", "12:1 a NUL stands at byte 146"),
    ],
)
def test_e03_other_encodings_are_refused_with_the_offset(cases: Path, name: str, problem: str) -> None:
    assert _problems(cases / "E03" / f"{name}.md") == [problem]


@pytest.mark.parametrize(
    ("name", "encoding"), [("gb18030", "gb18030"), ("utf16le_bom", "utf-16"), ("big5", "big5")]
)
def test_e03_they_are_read_on_request(cases: Path, name: str, encoding: str) -> None:
    issue = load(cases / "E03" / f"{name}.md", encoding=encoding).issue.original
    assert "\ufffd" not in _text(issue)
    assert encoding == "big5" or "镕、㐂、🧪" in _text(issue)


def test_e04_only_the_fences_of_the_header_divide(cases: Path) -> None:
    issue = load(cases / "E04").issue.original
    assert issue.title == "河口报告---2026 年"
    assert "SUM-LINE3" in prose(issue.summary[-1])
    kinds = [block.kind for block in issue.lead]
    assert kinds.count("thematic-break") == 2
    assert "code-block" in kinds
    assert "heading" in kinds
    assert "AFTER-HR1" in _text(issue)
    assert "AFTER-HR2" in _text(issue)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("no_frontmatter", "2:1 the front matter is no mapping of keys"),
        ("unclosed", "1:1 the front matter is opened in line 1 and never closed"),
        ("dots_end", "5:1 the front matter is opened in line 1 and never closed"),
    ],
)
def test_e04_what_is_no_header_says_which(cases: Path, name: str, problem: str) -> None:
    assert _problems(cases / "E04" / f"{name}.md") == [problem]


def test_e06_soft_breaks_and_quotes_stay_as_meant(cases: Path) -> None:
    text = _text(load(cases / "E06").issue.original)
    assert "断开，中文之间不应出现空格" in text
    assert "English words" in text
    assert "words 之间" in text
    for part in ('说"直引号"', "说'单引号'", "5'10\"", "don't", "--", "...", "(c)"):
        assert part in text


def test_e07_rows_with_too_many_cells_are_named(cases: Path) -> None:
    assert [problem.partition(" ")[0] for problem in _problems(cases / "E07" / "issue.md")] == [
        "10:1",
        "13:1",
        "15:1",
    ]


def test_e08_braces_are_text(cases: Path) -> None:
    issue = load(cases / "E08").issue.original
    assert issue.title == "花括号 {{ title }}"
    for part in ("{{ 7*7 }}", "{% raw %}", "{# 注释 #}", "${{ secrets.X }}", "{0}", "%(name)s", "END-E08"):
        assert part in _text(issue)


@pytest.mark.parametrize("name", ["laugh", "nested", "xxe"])
def test_e10_hostile_drawings_are_refused_quickly(cases: Path, name: str) -> None:
    (problem,) = _problems(cases / "E10" / f"issue_{name}.md")
    assert problem.startswith(f"7:1 the picture {name}.svg ")


@pytest.mark.parametrize("name", ["script", "external", "nosize"])
def test_e10_static_parts_are_drawn(cases: Path, name: str) -> None:
    (asset,) = load(cases / "E10" / f"issue_{name}.md").assets.values()
    for part in (b"alert", b"file:", b"127.0.0.1"):
        assert part not in asset.content
    assert b"<rect" in asset.content


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing", "is not there"),
        ("empty", "is empty"),
        ("html", "is an HTML page"),
        ("dir", "is "),
        ("truncated", "is damaged"),
        ("bomb", "is over the limit of 50 megapixels"),
    ],
)
def test_e11_bad_pictures_are_named_with_line_and_reason(cases: Path, name: str, reason: str) -> None:
    (problem,) = _problems(cases / "E11" / f"issue_{name}.md")
    assert problem.startswith(f"9:1 the picture {name}.png {reason}")


def test_e11_the_type_comes_from_the_content(cases: Path) -> None:
    (asset,) = load(cases / "E11" / "issue_jpeg_named.md").assets.values()
    assert asset.media_type == "image/jpeg"


def test_e12_every_mode_becomes_png_jpeg_or_gif(cases: Path) -> None:
    assets = load(cases / "E12").assets
    assert {asset.media_type for asset in assets.values()} == {"image/png", "image/jpeg", "image/gif"}
    assert (assets["exif6.jpg"].width, assets["exif6.jpg"].height) == (200, 300)


def test_g05_names_are_found_and_another_case_is_reported(cases: Path) -> None:
    (file,) = (cases / "G05").glob("*/*.md")
    (problem,) = _problems(file, root=cases / "G05")
    assert problem == "13:1 the picture ../É图.PNG is not there"
    assert load(cases / "G05" / "-dash.md").issue.id == "-dash"
