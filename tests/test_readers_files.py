"""Files: encodings, line ends, names, paths that leave the folder, which files make an issue."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from exporter.errors import SourceError, UsageError
from exporter.readers import Limits, load
from tests.reading import HEAD, SVG, folder_problems, prose, write

TEXT = HEAD + "\n正文：河口、潮汐、镕、㐂、🧪。\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode("utf-8-sig"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.replace("\n", "\r\n").encode("utf-8-sig"),
    ],
    ids=["bom", "crlf", "cr", "bom and crlf"],
)
def test_a_mark_and_any_line_ends_are_read_as_the_plain_file(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, {"a/issue.md": TEXT, "b/issue.md": content})
    assert load(tmp_path / "a").issue.versions == load(tmp_path / "b").issue.versions


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-16-le"])
def test_another_encoding_is_read_on_request(tmp_path: Path, encoding: str) -> None:
    write(tmp_path, {"issue.md": TEXT.encode(encoding)})
    issue = load(tmp_path, encoding=encoding).issue.original
    assert prose(issue.lead[0]) == "正文：河口、潮汐、镕、㐂、🧪。"


@pytest.mark.parametrize(("encoding", "title"), [("gb18030", "河口"), ("big5", "河口")])
def test_another_encoding_is_never_guessed(tmp_path: Path, encoding: str, title: str) -> None:
    write(tmp_path, {"issue.md": HEAD.replace("试刊", title).encode(encoding)})
    with pytest.raises(SourceError) as caught:
        load(tmp_path)
    (problem,) = caught.value.problems
    assert problem.message == "the file is not UTF-8 from byte 11 on"
    assert problem.place is not None
    assert (problem.place.line, problem.place.column) == (2, 8)
    assert problem.hint is not None
    assert f"--encoding {encoding}" in problem.hint


def test_utf_16_is_recognized_and_refused(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": TEXT.encode("utf-16")})
    assert folder_problems(tmp_path) == [
        "issue.md:1:1 the file is not UTF-8: it begins at byte 0 with the mark of UTF-16"
    ]


def test_a_damaged_character_is_told_apart_from_another_encoding(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD.encode() + "文".encode() + b"\xe6\x96\n"})
    with pytest.raises(SourceError) as caught:
        load(tmp_path)
    (problem,) = caught.value.problems
    assert problem.message == f"the file is not UTF-8 from byte {len(HEAD.encode()) + 3} on"
    assert problem.hint is not None
    assert "damaged" in problem.hint


@pytest.mark.parametrize(
    ("char", "name"),
    [("\0", "a NUL"), ("\x1b", "the control character U+001B"), ("\x0b", "the control character U+000B")],
)
def test_control_characters_are_problems_with_line_and_byte(tmp_path: Path, char: str, name: str) -> None:
    write(tmp_path, {"issue.md": HEAD + f"文{char}后\n"})
    offset = len(HEAD.encode()) + 3
    assert folder_problems(tmp_path) == [f"issue.md:6:2 {name} stands at byte {offset}"]


def test_an_unknown_encoding_is_a_mistake_of_use(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": TEXT})
    with pytest.raises(UsageError, match="there is no encoding klingon"):
        load(tmp_path, encoding="klingon")


def test_a_source_over_the_limit_is_refused_with_the_limit(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + "文" * 400})
    problem = folder_problems(tmp_path, limits=Limits(source_bytes=1024))
    assert problem == ["issue.md:0:0 the issue issue.md has 1.22 KiB, more than the limit of 1 KiB"]


@pytest.mark.parametrize(
    "path", ["../a.svg", "sub/../../a.svg", "/etc/hostname", "..", "link.svg", "folder/../../a.svg"]
)
def test_no_path_leaves_the_folder(tmp_path: Path, path: str) -> None:
    write(tmp_path, {"a.svg": SVG, "issue/issue.md": HEAD + f"![图](<{path}>)\n", "issue/folder/x": ""})
    (tmp_path / "issue" / "link.svg").symlink_to(tmp_path / "a.svg")
    (tmp_path / "issue" / "sub").symlink_to(tmp_path / "issue" / "folder")
    (problem,) = folder_problems(tmp_path / "issue")
    assert problem.startswith(f"issue.md:6:1 the picture {path} ")
    assert "outside" in problem or "not relative" in problem or "is a folder" in problem


def test_a_symbolic_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + "![图](b.svg)\n", "a.svg": SVG})
    (tmp_path / "b.svg").symlink_to("a.svg")
    assert load(tmp_path).assets["b.svg"].width == 40


def test_the_root_may_be_a_folder_above(tmp_path: Path) -> None:
    write(tmp_path, {"a.svg": SVG, "issue/issue.md": HEAD + "![图](../a.svg)\n"})
    assert set(load(tmp_path / "issue", root=tmp_path).assets) == {"../a.svg"}


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/a.png",
        "//127.0.0.1/a.png",
        "file:///etc/hostname",
        "data:image/png;base64,AA",
        "ftp://a/b.png",
    ],
)
def test_pictures_from_elsewhere_are_refused(tmp_path: Path, address: str) -> None:
    write(tmp_path, {"issue.md": HEAD + f"![图]({address})\n"})
    assert folder_problems(tmp_path) == [
        f"issue.md:6:1 a picture cannot come from {address}: only files in the issue's folder are read"
    ]


@pytest.mark.parametrize(("name", "written"), [("NFC", "NFD"), ("NFD", "NFC"), ("NFC", "NFC")])
def test_names_match_in_any_normalization(tmp_path: Path, name: str, written: str) -> None:
    file, path = (unicodedata.normalize(form, "é图.svg") for form in (name, written))  # type: ignore[arg-type]
    write(tmp_path, {"issue.md": HEAD + f"![图]({path})\n", file: SVG})
    assert len(load(tmp_path).assets) == 1


@pytest.mark.parametrize("written", ["<图 (1)#2?.svg>", "%E5%9B%BE%20%281%29%232%3F.svg"])
def test_spaces_hashes_and_percent_encoding_are_kept_or_decoded(tmp_path: Path, written: str) -> None:
    write(tmp_path, {"issue.md": HEAD + f"![图]({written})\n", "图 (1)#2?.svg": SVG})
    assert len(load(tmp_path).assets) == 1


def test_another_case_is_reported_not_guessed(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD + "![图](É图.SVG)\n", "é图.svg": SVG})
    with pytest.raises(SourceError) as caught:
        load(tmp_path)
    (problem,) = caught.value.problems
    assert problem.message == "the picture É图.SVG is not there"
    assert problem.hint == "there is é图.svg: upper and lower case differ"


def test_a_name_that_is_no_text_is_read_and_shown_escaped(tmp_path: Path) -> None:
    file = os.fsencode(tmp_path) + b"/bad\xff.md"
    Path(os.fsdecode(file)).write_text(HEAD + "文[^a]。\n", encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        load(Path(os.fsdecode(file)))
    str(caught.value).encode()
    assert "bad\\xff.md" in str(caught.value)
    Path(os.fsdecode(file)).write_text(HEAD + "文。\n", encoding="utf-8")
    assert load(Path(os.fsdecode(file))).issue.id == "bad-"


def test_a_missing_file_and_an_empty_folder_say_what_to_do(tmp_path: Path) -> None:
    assert folder_problems(tmp_path / "none.md") == ["none.md:0:0 there is no such file or folder"]
    (tmp_path / "a").mkdir()
    assert "the folder has no issue.md or issue.yaml" in folder_problems(tmp_path / "a")[0]
    write(tmp_path, {"b.docx": b""})
    assert "an issue ends in .md" in folder_problems(tmp_path / "b.docx")[0]


def test_translations_are_versions_behind_the_original(tmp_path: Path) -> None:
    english = "---\ntitle: Trial\nlanguage: en\n---\n\nText.\n"
    write(tmp_path, {"issue.md": HEAD + "文。\n", "issue.en.md": english, "issue.old.txt": ""})
    for path in (tmp_path, tmp_path / "issue.md"):
        loaded = load(path)
        assert [version.language for version in loaded.issue.versions] == ["zh", "en"]
        assert loaded.issue.versions[1].date == loaded.issue.versions[0].date
        assert [source.path for source in loaded.sources] == ["issue.md", "issue.en.md"]


def test_a_translation_may_refer_to_what_only_the_original_has(tmp_path: Path) -> None:
    english = "---\ntitle: Trial\n---\n\nSee [](#jia).\n"
    write(tmp_path, {"issue.md": HEAD + "# 甲 {#jia}\n", "issue.en.md": english})
    assert load(tmp_path).issue.versions[1].language == "en"


def test_prose_that_a_translation_lacks_stands_in_with_its_language(tmp_path: Path) -> None:
    original = HEAD.replace("language: zh\n", "language: zh\nsummary: 摘要。\nnumber: 7\n")
    write(tmp_path, {"issue.md": original, "issue.en.md": "---\ntitle: Trial\n---\n"})
    loaded = load(tmp_path)
    english = loaded.issue.versions[1]
    assert english.number == "7"
    assert english.summary[0].children[0].language == "zh"  # type: ignore[union-attr]
    assert [notice.code for notice in loaded.notices] == ["missing-translation"]


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("title: T\nlanguage: fr", "issue.en.md:3:1 the file is named for en, but its language is fr"),
        ("title: T\nid: other", "issue.en.md:3:5 the id other is not the original's, own"),
    ],
)
def test_a_translation_that_contradicts_is_a_problem(tmp_path: Path, head: str, problem: str) -> None:
    original = HEAD.replace("language: zh\n", "language: zh\nid: own\n")
    write(tmp_path, {"issue.md": original, "issue.en.md": f"---\n{head}\n---\n"})
    assert problem in folder_problems(tmp_path)


def test_two_versions_in_one_language_are_a_problem(tmp_path: Path) -> None:
    write(tmp_path, {"issue.md": HEAD, "issue.zh.md": HEAD})
    assert folder_problems(tmp_path) == ["issue.zh.md:2:1 two versions are in zh"]


@pytest.mark.parametrize(
    ("one", "other", "same"), [("zh", "zh-Hans", True), ("zh-CN", "zh", True), ("zh", "zh-Hant", False)]
)
def test_chinese_in_two_scripts_is_two_languages(tmp_path: Path, one: str, other: str, same: bool) -> None:  # noqa: FBT001
    heads = [HEAD.replace("language: zh", f"language: {tag}") for tag in (one, other)]
    write(tmp_path, {"issue.md": heads[0], f"issue.{other}.md": heads[1]})
    if same:
        assert folder_problems(tmp_path) == [f"issue.{other}.md:2:1 two versions are in {other}"]
    else:
        assert len(load(tmp_path).issue.versions) == 2


def test_a_broken_original_does_not_make_the_references_of_its_translation_wrong(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"issue.md": HEAD.replace("date", "dat") + "# 甲 {#a}\n", "issue.en.md": "---\ntitle: T\n---\n[](#a)\n"},
    )
    assert not [problem for problem in folder_problems(tmp_path) if "leads to no id" in problem]


def test_the_problems_of_all_files_are_listed_together_by_place(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "publication.yaml": "nam: 甲\n",
            "a/issue.md": HEAD + "[x](javascript:a)\n\n文[^z]\n",
            "a/issue.en.md": "---\ntitle: T\n---\n![](a.png)\n",
        },
    )
    found = folder_problems(tmp_path / "a")
    assert [problem.split(":")[0] for problem in found] == [
        *(["issue.en.md"] * 2),
        *(["issue.md"] * 2),
        *(["publication.yaml"] * 2),
    ]


def test_the_publication_is_the_first_one_above(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "publication.yaml": "name: 远\n",
            "issues/publication.yaml": "name: {zh: 近, en: Near}\nlanguage: en\nlogo: l.svg\n",
            "issues/l.svg": SVG,
            "issues/a/issue.md": "---\ntitle: T\ndate: 2026-08-27\n---\n",
        },
    )
    loaded = load(tmp_path / "issues" / "a")
    assert loaded.issue.publication is not None
    assert loaded.issue.publication.name == {"zh": "近", "en": "Near"}
    assert loaded.issue.original.language == "en"
    assert set(loaded.assets) == {"publication:l.svg"}
    assert [source.path for source in loaded.sources] == ["issue.md", "../publication.yaml", "../l.svg"]


def test_another_publication_may_be_named(tmp_path: Path) -> None:
    write(tmp_path, {"p/other.yaml": "name: 别\n", "issue.md": HEAD, "publication.yaml": "name: 甲\n"})
    loaded = load(tmp_path, publication=tmp_path / "p" / "other.yaml")
    assert loaded.issue.publication is not None
    assert loaded.issue.publication.name == "别"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nam: 甲\n", "publication.yaml:1:1 unknown key nam"),
        ("name: 甲\nissn: 2049-3631\n", "publication.yaml:2:7 issn has the wrong check digit: it should be 0"),
        ("name: [甲]\n", "publication.yaml:1:7 name must be a text"),
        (
            "name: 甲\nurl: example.org\n",
            "publication.yaml:2:6 url must be a URL that begins with https://, http:// or mailto:",
        ),
        ("name: {zh: 甲, deutsch: B}\n", "publication.yaml:1:"),
        ("name: 甲\nlogo: ../x.svg\n", "publication.yaml:2:1 the picture ../x.svg is not there"),
        ("[]\n", "publication.yaml:1:1 the publication must be a mapping of keys"),
    ],
)
def test_what_is_wrong_with_a_publication_is_told_at_its_place(tmp_path: Path, text: str, problem: str) -> None:
    write(tmp_path, {"publication.yaml": text, "issue.md": HEAD})
    assert any(found.startswith(problem) for found in folder_problems(tmp_path))
