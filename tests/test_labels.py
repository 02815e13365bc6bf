"""Labels, dates and numbers: every language complete, and formats that a new CLDR release cannot change."""

from __future__ import annotations

import datetime as dt
import os
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.errors import EditionError
from exporter.labels import (
    CATALOGUES,
    Labels,
    check_catalogues,
    check_format,
    language_tag,
    languages,
    parse_language,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EN, HANS, HANT = Labels("en"), Labels("zh"), Labels("zh-Hant")
ALL = pytest.mark.parametrize("labels", [EN, HANS, HANT], ids=lambda labels: labels.tag)
KEYS = re.findall(r'^msgid "(.+)"$', (CATALOGUES / "en.po").read_text(encoding="utf-8"), re.MULTILINE)

DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=6)
DAYS = st.dates(min_value=dt.date(1583, 1, 1))


@pytest.fixture
def edited(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """Copy the catalogues and replace `old` by `new` in one of them."""

    def edit(name: str, old: str, new: str) -> Path:
        directory = tmp_path / "locale"
        shutil.copytree(CATALOGUES, directory, dirs_exist_ok=True)
        text = (directory / f"{name}.po").read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {name}.po"
        (directory / f"{name}.po").write_text(text.replace(old, new), encoding="utf-8")
        return directory

    return edit


# Languages


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        *((tag, "zh_Hans") for tag in ("zh", "zh-CN", "zh-Hans", "ZH-hans-cn", "zh-SG", "zh_CN", "cmn-Hans")),
        *((tag, "zh_Hant") for tag in ("zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-Hant-CN", "zh-cmn-Hant")),
        *((tag, "zh_Hans") for tag in ("zh-Hans-TW", "zh-CN-u-ca-gregory", "zh-XX")),
        *((tag, "en") for tag in ("en", "en-US", "en-GB", "EN-us", "en-Latn-US", "en-US-x-press")),
    ],
)
def test_a_tag_finds_its_catalogue_by_language_and_script(tag: str, name: str) -> None:
    assert str(parse_language(tag)) == name


@pytest.mark.parametrize("tag", ["ja", "zh-Latn", "zh-yue", "en-Shaw", "xx", "", "zh+en", "../en", "C", "中文"])
def test_a_language_without_catalogue_is_an_error_that_lists_those_with_one(tag: str) -> None:
    with pytest.raises(EditionError) as caught:
        parse_language(tag)
    assert repr(tag) in caught.value.message
    assert caught.value.hint == "languages that have labels: en, zh-Hans, zh-Hant"


def test_an_unknown_language_error_names_the_nearest() -> None:
    with pytest.raises(EditionError, match=r"the nearest is zh-Hant$"):
        parse_language("zh-Hanx-TW-x")


def test_tags_and_short_names_are_canonical() -> None:
    assert languages() == ("en", "zh-Hans", "zh-Hant")
    assert [parse_language(tag).short for tag in languages()] == ["en", "zh", "zh-Hant"]
    assert [language_tag(tag) for tag in ("zh-CN", "zh-hk", "en-gb")] == ["zh-Hans", "zh-Hant", "en"]
    assert Labels("zh-CN") == HANS
    assert HANS.tag == "zh-Hans"


def test_the_tag_of_a_foreign_quotation_needs_no_catalogue() -> None:
    assert [language_tag(tag) for tag in ("fr-ca", "JA", "sr-latn-rs")] == ["fr-CA", "ja", "sr-Latn-RS"]
    with pytest.raises(EditionError, match="not a language tag"):
        language_tag('en" onclick="x')


# Catalogues


def test_the_catalogues_have_no_fault() -> None:
    assert check_catalogues() == ()


def test_there_are_enough_labels_and_none_is_missing() -> None:
    assert len(KEYS) >= 60
    assert [labels.missing for labels in (EN, HANS, HANT)] == [(), (), ()]
    assert [labels.notices() for labels in (EN, HANS, HANT)] == [(), (), ()]


@pytest.mark.parametrize(
    ("name", "old", "new", "finding"),
    [
        ("zh_Hans", 'msgstr "目录"', 'msgstr ""', "zh_Hans: 'contents' has no text"),
        ("en", 'msgstr "Contents"', 'msgstr "contents"', "en: 'contents' says its own key"),
        ("zh_Hans", 'msgstr "目录"', 'msgstr "目录 TOC"', "zh_Hans: 'contents' has Latin words: TOC"),
        (
            "zh_Hant",
            'msgstr "目錄"',
            'msgstr "目录"',
            "zh_Hant: 'contents' has characters of another script: 录",
        ),
        (
            "zh_Hans",
            'msgstr "目录"',
            'msgstr "目錄"',
            "zh_Hans: 'contents' has characters of another script: 錄",
        ),
        (
            "zh_Hans",
            'msgid "contents"',
            'msgid "contentz"',
            "zh_Hans: 'contents' is missing\nzh_Hans: 'contentz' is not in en",
        ),
        ("zh_Hans", 'msgid "contents"', '#, fuzzy\nmsgid "contents"', "zh_Hans: 'contents' is fuzzy"),
        (
            "zh_Hans",
            'msgstr "第 {volume} 卷"',
            'msgstr "第 {number} 卷"',
            "zh_Hans: 'volume' has the places ['number'], the reference has ['volume']",
        ),
        (
            "zh_Hans",
            'msgstr "第 {volume} 卷"',
            'msgstr "第 {volume} {} 卷"',
            "zh_Hans: 'volume' has a brace outside a {place}",
        ),
        (
            "zh_Hans",
            'msgstr "目录"',
            'msgstr "目录 "',
            "zh_Hans: 'contents' has white space at an end, or another space than U+0020",
        ),
        ("en", 'msgstr[1] "{count} entries"\n', "", "en: 'entry-count' has no text"),
        (
            "en",
            "plural=(n != 1)",
            "plural=(n > 1)",
            "en: Plural-Forms is not the language's nplurals=2; plural=(n != 1);",
        ),
        ("en", "plural=(n != 1)", "plural=n", "en: Plural-Forms chooses a form that it does not have"),
        (
            "zh_Hant",
            "Language: zh_Hant",
            "Language: zh_Hans",
            "zh_Hant: the header's Language is zh_Hans",
        ),
        (
            "en",
            'msgstr "EEEE, MMMM d, y"',
            'msgstr "EEEE, MMMM d"',
            "en: 'pattern-date-full' leaves out a day or the year: Monday, September 7",
        ),
        (
            "en",
            "# Heading of the list of contents.\n",
            "",
            "en: 'contents' has no comment that says where it is printed",
        ),
        (
            "en",
            'msgid "contents"',
            'msgid "summary"\nmsgstr "Summary"\n\n# x\nmsgid "contents"',
            "en: 'summary' is there more than once",
        ),
        ("en", "charset=utf-8", "charset=latin-1", "en: the header's charset is latin-1, not utf-8"),
        ("en", 'msgid ""', '#, fuzzy\nmsgid ""', "en: the header is fuzzy"),
        ("en", 'msgid "contents"', 'msgid "Contents"', "en: 'Contents' is not a kebab-case key"),
        (
            "zh_Hans",
            'msgid "contents"\nmsgstr ',
            'msgid "contents"\nmsgid_plural "contents"\nmsgstr[0] ',
            "zh_Hans: 'contents' has plural forms in one language only",
        ),
        (
            "zh_Hans",
            'msgstr "y年M月d日 EEEE"',
            'msgstr "y年M月d日 eeeeeeeee"',
            "zh_Hans: 'pattern-date-full' is not",
        ),
    ],
)
def test_a_fault_of_a_catalogue_is_found_with_its_locale_and_key(
    edited: Callable[[str, str, str], Path], name: str, old: str, new: str, finding: str
) -> None:
    assert finding in "\n".join(check_catalogues(directory=edited(name, old, new)))


def test_a_deleted_msgstr_makes_a_notice_that_names_locale_and_key(
    edited: Callable[[str, str, str], Path],
) -> None:
    labels = Labels("zh", directory=edited("zh_Hans", 'msgstr "目录"', 'msgstr ""'))
    assert labels("contents") == "Contents"
    (notice,) = labels.notices()
    assert notice.code == "missing-label"
    assert notice.message == "the catalogue zh_Hans lacks the label 'contents'; en is used instead"


def test_traditional_chinese_falls_back_to_english_and_never_to_simplified(
    edited: Callable[[str, str, str], Path],
) -> None:
    labels = Labels("zh-TW", directory=edited("zh_Hant", 'msgstr "目錄"', 'msgstr ""'))
    assert labels("contents") == "Contents"
    assert labels.missing == ("contents",)


def test_a_fuzzy_label_is_not_used(edited: Callable[[str, str, str], Path]) -> None:
    labels = Labels("zh", directory=edited("zh_Hans", 'msgid "contents"', '#, fuzzy\nmsgid "contents"'))
    assert labels("contents") == "Contents"
    assert labels.missing == ("contents",)


def test_a_plural_without_all_forms_falls_back(edited: Callable[[str, str, str], Path]) -> None:
    labels = Labels("zh", directory=edited("zh_Hans", 'msgstr[0] "{count} 条"', 'msgstr[0] ""'))
    assert [labels.plural("entry-count", count) for count in (1, 2)] == ["1 entry", "2 entries"]
    assert labels.missing == ("entry-count",)


def test_a_missing_date_pattern_falls_back_with_its_words(edited: Callable[[str, str, str], Path]) -> None:
    key = 'msgid "pattern-date-full"'
    labels = Labels("zh", directory=edited("zh_Hans", key, f"#, fuzzy\n{key}"))
    assert labels.date(dt.date(2026, 9, 7), "full") == "Monday, September 7, 2026"


def test_a_label_missing_in_english_too_is_an_error(edited: Callable[[str, str, str], Path]) -> None:
    labels = Labels("en", directory=edited("en", 'msgstr "Contents"', 'msgstr ""'))
    assert labels.missing == ("contents",)
    with pytest.raises(EditionError, match="no label 'contents' in en"):
        labels("contents")


def test_a_plural_rule_that_is_no_rule_is_an_edition_error(edited: Callable[[str, str, str], Path]) -> None:
    directory = edited("en", "plural=(n != 1)", "plural=__import__('os')")
    with pytest.raises(EditionError, match="en: Plural-Forms is no rule"):
        Labels("en", directory=directory)("contents")
    assert any("Plural-Forms is no rule" in finding for finding in check_catalogues(directory=directory))


def test_an_unreadable_catalogue_is_an_edition_error(edited: Callable[[str, str, str], Path]) -> None:
    directory = edited("zh_Hans", 'msgstr "目录"', 'msgstr ""')
    (directory / "zh_Hans.po").write_bytes("\ufeff图".encode("gb18030"))
    with pytest.raises(EditionError, match=r"zh_Hans\.po cannot be read"):
        Labels("zh", directory=directory)("contents")


def test_a_broken_catalogue_is_an_edition_error(edited: Callable[[str, str, str], Path]) -> None:
    with pytest.raises(EditionError, match=r"zh_Hans\.po cannot be read"):
        Labels("zh", directory=edited("zh_Hans", 'msgstr "目录"', "msgstr 目录"))("contents")


# Labels


@ALL
@pytest.mark.parametrize("key", KEYS)
def test_every_label_can_be_printed(labels: Labels, key: str) -> None:
    _, message = labels._find(key)
    values = dict.fromkeys(re.findall(r"\{([a-z]+)\}", message.forms[-1]), "7")
    printed = labels.plural(key, 7) if message.plural else labels(key, **values)
    assert labels.has(key)
    assert printed
    assert not re.search(r"[{}\u202f\u2009]", printed)


def test_an_unknown_label_is_an_error_that_names_the_nearest() -> None:
    assert not HANS.has("content")
    with pytest.raises(EditionError, match="no label 'content' in zh_Hans or en") as caught:
        HANS("content")
    assert caught.value.hint == "the nearest is 'contents'"


def test_values_are_never_templates() -> None:
    assert EN("end-of", title="{title} {0} {title.__class__} %(name)s {{ 7*7 }} \\1 \\g<0>") == (
        "End of {title} {0} {title.__class__} %(name)s {{ 7*7 }} \\1 \\g<0>"
    )


@pytest.mark.parametrize("values", [{}, {"name": "x"}, {"title": "x", "name": "y"}])
def test_values_and_places_must_agree(values: dict[str, str]) -> None:
    with pytest.raises(EditionError, match="'end-of' and its values disagree"):
        EN("end-of", **values)


def test_plurals_follow_the_language() -> None:
    assert [EN.plural("entry-count", count) for count in (0, 1, 2, 1234)] == [
        "0 entries",
        "1 entry",
        "2 entries",
        "1,234 entries",
    ]
    assert [HANS.plural("entry-count", count) for count in (0, 1, 2)] == ["0 条", "1 条", "2 条"]
    assert [HANT.plural("paper-count", count) for count in (1, 2)] == ["1 篇論文", "2 篇論文"]


def test_a_plural_label_needs_a_count_and_a_plain_one_takes_none() -> None:
    with pytest.raises(EditionError, match="needs a count"):
        EN("entry-count")
    with pytest.raises(EditionError, match="no plural forms"):
        EN.plural("contents", 2)


def test_numbered_things_never_part_from_their_number() -> None:
    assert [labels.numbered("figure", 1) for labels in (EN, HANS, HANT)] == [
        "Figure\N{NO-BREAK SPACE}1",
        "图\N{NO-BREAK SPACE}1",
        "圖\N{NO-BREAK SPACE}1",
    ]
    assert [labels.reference("equation", 2) for labels in (EN, HANS)] == [
        "Equation\N{NO-BREAK SPACE}(2)",
        "式（2）",
    ]


def test_lists_and_quotation_marks_are_the_language_s() -> None:
    assert EN.listing(["A", "B", "C"]) == "A, B, and C"
    assert HANS.listing(["A", "B", "C"]) == "A、B和C"
    assert EN.listing(["{0}", "A"]) == "{0} and A"
    assert [EN.listing([]), EN.listing(["A"])] == ["", "A"]
    assert [labels.quote("x") for labels in (EN, HANS, HANT)] == ["“x”", "“x”", "「x」"]


# Dates

DAY = dt.date(2026, 9, 7)


@pytest.mark.parametrize(
    ("labels", "full", "long", "medium"),
    [
        (EN, "Monday, September 7, 2026", "September 7, 2026", "Sep 7, 2026"),
        (HANS, "2026年9月7日 星期一", "2026年9月7日", "2026年9月7日"),
        (HANT, "2026年9月7日 星期一", "2026年9月7日", "2026年9月7日"),
    ],
    ids=["en", "zh-Hans", "zh-Hant"],
)
def test_dates_are_pinned(labels: Labels, full: str, long: str, medium: str) -> None:
    assert labels.date(DAY, "full") == full
    assert labels.date(DAY) == labels.date(DAY, "long") == long
    assert labels.date(DAY, "medium") == medium
    assert labels.date(DAY, "iso") == "2026-09-07"


@ALL
@given(day=DAYS, hours=st.integers(-12, 14), time=st.times())
def test_a_time_and_its_zone_never_move_the_day(labels: Labels, day: dt.date, hours: int, time: dt.time) -> None:
    moment = dt.datetime.combine(day, time, dt.timezone(dt.timedelta(hours=hours)))
    for style in ("full", "long", "medium", "iso"):
        assert labels.date(moment, style) == labels.date(day, style)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC", "Asia/Shanghai"])
def test_the_machine_s_zone_never_moves_the_day(zone: str) -> None:
    program = (
        "import datetime as dt; from exporter.labels import Labels;"
        "print(Labels('zh').date(dt.datetime.fromisoformat('2026-01-01T00:30:00+08:00')))"
    )
    environment = {**os.environ, "TZ": zone, "PYTHONUTF8": "1"}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    assert run.stdout.decode().strip() == "2026年1月1日"


@given(day=DAYS)
def test_a_chinese_date_has_the_numbers_of_its_day(day: dt.date) -> None:
    assert HANS.date(day) == f"{day.year}年{day.month}月{day.day}日"


@pytest.mark.parametrize(
    ("end", "english", "chinese"),
    [
        (dt.date(2026, 8, 25), "August 25, 2026", "2026年8月25日"),
        (dt.date(2026, 8, 26), "August 25–26, 2026", "2026年8月25日至26日"),
        (dt.date(2026, 9, 2), "August 25–September 2, 2026", "2026年8月25日至9月2日"),
        (dt.date(2027, 1, 3), "August 25, 2026–January 3, 2027", "2026年8月25日至2027年1月3日"),
    ],
)
def test_a_range_of_dates_says_what_is_shared_once(end: dt.date, english: str, chinese: str) -> None:
    start = dt.date(2026, 8, 25)
    assert EN.date_range(start, end) == english
    assert HANS.date_range(start, end) == HANT.date_range(start, end) == chinese


def test_a_range_that_ends_before_it_starts_is_an_error() -> None:
    with pytest.raises(EditionError, match="ends on 2026-08-25, before it starts on 2026-08-26"):
        EN.date_range(dt.date(2026, 8, 26), dt.date(2026, 8, 25))


@ALL
@given(first=DAYS, second=DAYS)
def test_a_range_holds_both_days_in_plain_spaces(labels: Labels, first: dt.date, second: dt.date) -> None:
    start, end = sorted((first, second))
    text = labels.date_range(start, end)
    assert {start.year, end.year, start.day, end.day} <= {int(digits) for digits in re.findall(r"\d+", text)}
    assert not re.search("[\u2009\u202f]", text)


# Numbers


def read(text: str) -> Decimal:
    """Read a printed number back."""
    number = Decimal(re.sub("[,%]", "", text).replace("\N{MINUS SIGN}", "-"))
    return number.scaleb(-2) if text.endswith("%") else number


@ALL
@given(value=DECIMALS)
def test_a_number_without_pattern_keeps_every_digit(labels: Labels, value: Decimal) -> None:
    text = labels.number(value)
    assert read(text) == value
    assert read(text).as_tuple().exponent == value.as_tuple().exponent
    assert "-" not in text


@ALL
@given(value=st.integers(-(10**40), 10**40))
def test_whole_numbers_of_any_size_are_exact(labels: Labels, value: int) -> None:
    assert labels.number(value) == f"{value:,}".replace("-", "\N{MINUS SIGN}")
    assert labels.format_cell(str(value), "integer") == labels.number(value)


@ALL
@given(value=DECIMALS)
def test_a_percentage_keeps_every_digit(labels: Labels, value: Decimal) -> None:
    assert read(labels.percent(value)) == value
    assert labels.percent(labels.percent(value)) == labels.percent(value)


@ALL
@given(value=DECIMALS, places=st.integers(0, 6))
def test_a_pattern_rounds_to_its_places(labels: Labels, value: Decimal, places: int) -> None:
    text = labels.number(value, "#,##0" + ("." + "0" * places if places else ""))
    assert read(text) == round(value, places)


@pytest.mark.parametrize(
    ("cell", "column", "printed"),
    [
        ("007 arXiv", "text", "007 arXiv"),
        ("1.10", "text", "1.10"),
        ("1e3", "text", "1e3"),
        ("1234567", "integer", "1,234,567"),
        ("1,234,567", "integer", "1,234,567"),
        ("12.0", "integer", "12"),
        ("0.637", "percent", "63.7%"),
        ("0.50", "percent", "50%"),
        ("63.70%", "percent", "63.70%"),
        ("-4.2 %", "percent", "−4.2%"),
        ("63.7%", "0%", "64%"),
        ("0.637", "0.00%", "63.70%"),
        ("63.7", "0.0'%'", "63.7%"),
        ("63.7%", "0.0'%'", "63.7%"),
        ("1234567.5", "#,##0.00", "1,234,567.50"),
        ("2.5", "0", "2"),
        ("+3.20", "0.0", "+3.2"),
        ("3.2", "+0.0;-0.0", "+3.2"),
        ("+3.2", "+0.0;-0.0", "+3.2"),
        ("−3.2", "+0.0;-0.0", "−3.2"),
        ("-3.2", "0.0;(0.0)", "(3.2)"),
        ("-3", "'a-b' 0", "−a-b 3"),
        ("12", "0 ms", "12 ms"),
        ("0.00042", "0.0E0", "4.2E−4"),
        ("12345", "@@@", "12300"),
        ("-0.0", "0.0", "0.0"),
        (".5", "0.0", "0.5"),
        ("", "0.0", ""),
        ("—", "percent", "—"),
        (" - ", "date", " - "),
        ("2026-09-07", "date", "Sep 7, 2026"),
        ("2026-09-07T23:30:00-08:00", "date", "Sep 7, 2026"),
    ],
)
def test_a_cell_is_printed_by_the_format_of_its_column(cell: str, column: str, printed: str) -> None:
    assert EN.format_cell(cell, column) == printed


@pytest.mark.parametrize(
    ("cell", "column", "message"),
    [
        ("n/a", "0.0", "'n/a' is not a number"),
        ("1,23", "0.0", "'1,23' is not a number"),
        ("1_000", "integer", "'1_000' is not a number"),
        ("١٢", "integer", "'١٢' is not a number"),
        ("NaN", "percent", "'NaN' is not a number"),
        ("Infinity", "0", "'Infinity' is not a number"),
        ("12.5", "integer", "'12.5' is not a whole number"),
        ("12%", "integer", "'12%' is not a whole number"),
        ("12%", "0.0", "'12%' is a percentage, and the format '0.0' has no percent sign"),
        ("1e999", "0.0", "'1e999' has over 60 digits"),
        ("9" * 61, "integer", "has over 60 digits"),
        ("2026-02-30", "date", "'2026-02-30' is not a date"),
        ("20260907", "date", "'20260907' is not a date"),
        ("7 September", "date", "'7 September' is not a date"),
        ("12", "intger", "did you mean integer?"),
    ],
)
def test_a_cell_that_does_not_fit_its_format_is_an_error(cell: str, column: str, message: str) -> None:
    with pytest.raises(EditionError, match=re.escape(message)):
        EN.format_cell(cell, column)


@pytest.mark.parametrize(
    "column", ["text", "integer", "percent", "date", "0", "#", "#,##0.0#", "@@#", "0E0", "0;(0)", "0.0x", "0.0‰"]
)
def test_named_formats_and_number_patterns_are_formats(column: str) -> None:
    assert check_format(column) is None


@pytest.mark.parametrize(
    "column",
    ["", "number", "¤0", "*x0", "0.0.0", "0##", "0,", "#,,0", "0 0", "+0", "0-", "0\n", "'0", "0;0;0", "0" * 61],
)
def test_what_is_no_format_is_named(column: str) -> None:
    assert check_format(column)


@given(column=st.text(alphabet="#0,.@E+-;%‰'x ¤*", max_size=8), cell=DECIMALS)
def test_whatever_passes_for_a_pattern_prints_a_number(column: str, cell: Decimal) -> None:
    if check_format(column) is None:
        text = EN.number(cell, column)
        assert re.search(r"\d", text)
        assert not re.search("[\u2009\u202f]", text)


def test_a_bare_number_with_a_percent_sign_stays_a_percentage() -> None:
    assert HANS.number("-63.70%") == "−63.70%"
    with pytest.raises(EditionError, match="neither a format nor a CLDR number pattern"):
        HANS.number(1, "number")


# Cost


def test_importing_the_labels_does_not_import_babel() -> None:
    program = "import exporter.labels, sys; sys.exit(any(name.split('.')[0] == 'babel' for name in sys.modules))"
    subprocess.run([sys.executable, "-c", program], check=True)
