"""Every word, date and number that an edition adds to its content, in the edition's language.

A language is one file, ``locale/<name>.po``: labels, date patterns and plural rule. The catalogues are read at
run time, so there is nothing to compile and nothing to forget when packaging. The only module that imports
Babel, and it does so when the first label is asked for.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import datetime as dt
import difflib
import functools
import io
import re
from dataclasses import dataclass
from decimal import localcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from exporter.catalogues import PLACE, Catalogue, Message, faults
from exporter.errors import EditionError
from exporter.notices import Notice
from exporter.numerals import EXACT, NAMED_FORMATS, Numeral, check_pattern, parse_number, parse_whole, unquoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from decimal import Decimal

    import babel.messages
    from babel.core import Locale
    from babel.numbers import NumberPattern

Series = Literal["figure", "table", "chart", "code", "equation"]
DateStyle = Literal["full", "long", "medium", "iso"]

CATALOGUES: Final = Path(__file__).parent / "locale"
REFERENCE: Final = "en"
"""The catalogue that has every key, and the only one that others fall back to: single Simplified words in a
Traditional text read worse than English ones."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language that has a catalogue.

    Attributes:
        language: ISO 639 code, such as ``zh``.
        script: ISO 15924 code where the catalogue's name has one, such as ``Hans``.
    """

    language: str
    script: str | None = None

    def __str__(self) -> str:
        return f"{self.language}_{self.script}" if self.script else self.language

    @property
    def tag(self) -> str:
        """The BCP 47 tag for ``lang`` attributes: ``zh-Hans``, ``en``."""
        return str(self).replace("_", "-")

    @property
    def short(self) -> str:
        """The shortest tag that means the same, for file names: ``zh``, ``zh-Hant``, ``en``."""
        return self.language if self.script in {None, _likely_script(self.language)} else self.tag


def languages(*, directory: Path = CATALOGUES) -> tuple[str, ...]:
    """Return the BCP 47 tags of all languages that have a catalogue, sorted."""
    return tuple(name.replace("_", "-") for name in _names(directory))


def parse_language(tag: str, *, directory: Path = CATALOGUES) -> Language:
    """Find the catalogue's language for a BCP 47 tag, by language and script.

    Regions, variants and extensions matter only for the script that they imply (RFC 5646, CLDR's likely subtags):
    ``zh-HK`` is ``zh_Hant``, ``en-GB`` is ``en``.

    Raises:
        EditionError: The tag is malformed, or no catalogue has its language; the nearest is named.
    """
    if language := _find_language(tag, directory):
        return language
    tags = languages(directory=directory)
    near = difflib.get_close_matches(tag, tags, n=1, cutoff=0.3)
    raise EditionError(
        f"there are no labels in the language {tag!r}" + (f"; the nearest is {near[0]}" if near else ""),
        hint=f"languages that have labels: {', '.join(tags)}",
    )


def language_tag(tag: str) -> str:
    """Return the canonical tag for ``lang`` attributes: ``zh-CN`` → ``zh-Hans``, ``fr-ca`` → ``fr-CA``.

    Tags that mean the same catalogue become equal; others, of a quotation in French, keep all their subtags.

    Raises:
        EditionError: The tag is malformed.
    """
    if language := _find_language(tag, CATALOGUES):
        return language.tag
    if match := _match_tag(tag):
        language_part, *others = match[0].split("-")
        return "-".join((language_part.lower(), *map(_canonical_subtag, others)))
    raise EditionError(f"{tag!r} is not a language tag", hint="write a BCP 47 tag: zh-Hans, en, fr-CA")


@dataclass(frozen=True)
class Labels:
    """The labels, dates, numbers and lists of one language.

    A label that the catalogue lacks (absent, empty or fuzzy) falls back to English; ``missing`` names it.

    Attributes:
        tag: Any BCP 47 tag; made canonical (``zh-Hans``).
        directory: The folder of the catalogues.
    """

    tag: str
    directory: Path = dataclasses.field(default=CATALOGUES, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tag", parse_language(self.tag, directory=self.directory).tag)

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the label of `key`, its ``{name}`` places filled with `values`.

        Raises:
            EditionError: There is no such label in this language nor in English, or values and places differ.
        """
        _, message = self._find(key)
        if message.plural:
            raise EditionError(f"the label {key!r} needs a count")
        return _fill(key, message.forms[0], values)

    def plural(self, key: str, count: int, /, **values: object) -> str:
        """Return the label of `key` in the form that the catalogue's plural rule gives for `count`.

        ``{count}`` is filled with the count as this language writes it.
        """
        source, message = self._find(key)
        if not message.plural:
            raise EditionError(f"the label {key!r} has no plural forms")
        form = message.forms[source.plural_form(abs(count))]
        return _fill(key, form, {"count": self.number(count), **values}, optional=frozenset({"count"}))

    def has(self, key: str) -> bool:
        """Tell whether there is a label of `key`, in this language or in English."""
        return any(key in source.messages for source in self._sources)

    @property
    def missing(self) -> tuple[str, ...]:
        """The keys that this language's catalogue lacks, in the order of the English one."""
        own, *_ = self._sources
        return tuple(
            key for key in _source(self.directory, REFERENCE).catalogue.messages if key not in own.messages
        )

    def notices(self) -> tuple[Notice, ...]:
        """Return a notice ``missing-label`` for each missing label, naming locale and key."""
        own, *others = self._sources
        instead = f"; {others[0].name} is used instead" if others else ""
        return tuple(
            Notice(
                code="missing-label",
                message=f"the catalogue {own.name} lacks the label {key!r}{instead}",
                hint=f"add a msgstr to {own.name}.po",
            )
            for key in self.missing
        )

    def date(self, value: dt.date, style: DateStyle = "long") -> str:
        """Return a calendar day; of a date with time the day as written, whatever its time zone."""
        if style == "iso":
            return value.isoformat()[:10]
        source, message = self._find(f"pattern-date-{style}")
        return _format_date(value, message.forms[0], source.name)

    def date_range(self, start: dt.date, end: dt.date) -> str:
        """Return two calendar days and what lies between, with what they share written once.

        Raises:
            EditionError: The range ends before it starts.
        """
        first, last = _day(start), _day(end)
        if last < first:
            raise EditionError(f"the range of dates ends on {last}, before it starts on {first}")
        if first == last:
            return self.date(first)
        shared = "years" if first.year != last.year else "months" if first.month != last.month else "days"
        source, message = self._find(f"pattern-range-{shared}")
        return _format_range(first, last, message.forms[0], source.name)

    def number(self, value: Decimal | int | str, pattern: str | None = None) -> str:
        """Return a number with this language's separators and U+2212 as its minus.

        Without a pattern every digit is kept, trailing zeros too; a ``+`` of the source is kept with any
        pattern that has no sign of its own. A pattern rounds half to even (CLDR, GB/T 8170).

        Args:
            value: A number, or its text as `parse_number` reads it: ``1,234.50``, ``−3``, ``63.7%``.
            pattern: A CLDR number pattern.

        Raises:
            EditionError: The text is no number, or the pattern no pattern.
        """
        if pattern is not None and (error := check_pattern(pattern)):
            raise EditionError(error)
        numeral = parse_number(value)
        if pattern is None and numeral.percent:
            return self.percent(value)
        if numeral.percent and "%" not in (pattern or ""):
            raise EditionError(f"{str(value)!r} is a percentage, and the format {pattern!r} has no percent sign")
        return _format_number(numeral, self._name, pattern)

    def percent(self, value: Decimal | int | str) -> str:
        """Return a share as a percentage with all its digits: ``0.637`` and ``63.7%`` are both 63.7%."""
        numeral = parse_number(value)
        return _format_number(numeral, self._name, None, percent=True)

    def format_cell(self, text: str, format: str) -> str:  # noqa: A002 - the option's name in a table
        """Return the text of a table cell, printed by the format of its column.

        Args:
            text: The cell as written. Empty cells and dashes stay as they are.
            format: ``text``, ``integer``, ``percent``, ``date`` (ISO 8601 in, medium style out) or a CLDR
                number pattern.

        Raises:
            EditionError: The cell does not fit its format, or there is no such format.
        """
        if error := check_format(format):
            raise EditionError(error)
        content = text.strip()
        if format == "text" or content in _NOTHING:
            return text
        match format:
            case "integer":
                return _format_number(parse_whole(content), self._name, None)
            case "percent":
                return self.percent(content)
            case "date":
                return self.date(_parse_date(content), "medium")
            case pattern:
                return self.number(content, pattern)

    def listing(self, items: Sequence[str]) -> str:
        """Return items as a list within a sentence: A、B和C; A, B, and C."""
        from babel.lists import format_list

        return format_list(tuple(items), locale=self._name)

    def quote(self, text: str) -> str:
        """Return text between the quotation marks of this language."""
        return self("quoted", text=text)

    def numbered(self, series: Series, number: int | str) -> str:
        """Return the start of a caption, 图 1 or Figure 1, that no line end divides."""
        return self(f"numbered-{series}", number=number).replace(" ", "\N{NO-BREAK SPACE}")

    def reference(self, series: Series, number: int | str) -> str:
        """Return a reference to a numbered thing as worded inside a sentence."""
        return self(f"reference-{series}", number=number).replace(" ", "\N{NO-BREAK SPACE}")

    @property
    def _name(self) -> str:
        return self.tag.replace("-", "_")

    @property
    def _sources(self) -> tuple[_Source, ...]:
        names = dict.fromkeys((self._name, REFERENCE))
        return tuple(_source(self.directory, name) for name in names)

    def _find(self, key: str) -> tuple[_Source, Message]:
        for source in self._sources:
            if message := source.messages.get(key):
                return source, message
        known = difflib.get_close_matches(key, self._sources[-1].catalogue.messages, n=1)
        raise EditionError(
            f"there is no label {key!r} in {' or '.join(source.name for source in self._sources)}",
            hint=f"the nearest is {known[0]!r}" if known else None,
        )


def check_format(format: str) -> str | None:  # noqa: A002 - the option's name in a table
    """Return what is wrong with the format of a table column, or None when nothing is."""
    return None if format in NAMED_FORMATS else check_pattern(format)


def label_names(kind: str, *, directory: Path = CATALOGUES) -> tuple[str, ...]:
    """Return the names of a kind's labels: ``why`` for ``heading-why``, in the order of the English catalogue."""
    keys = _source(directory, REFERENCE).catalogue.messages
    return tuple(key.removeprefix(f"{kind}-") for key in keys if key.startswith(f"{kind}-"))


def check_catalogues(*, directory: Path = CATALOGUES) -> tuple[str, ...]:
    """Return everything that is wrong with the catalogues, each finding naming locale and key.

    English is the reference: its keys are the keys of all, and its places (``{name}``) those of every other.
    """
    reference = _read_catalogue(directory / f"{REFERENCE}.po")
    catalogues = [_read_catalogue(directory / f"{name}.po") for name in _names(directory)]
    return tuple(finding for each in catalogues for finding in (*faults(each, reference), *_library_faults(each)))


# Catalogues

_NONE: Final = frozenset[str]()
_COUNTS: Final = range(201)
_SAMPLE: Final = dt.date(2026, 9, 7)
_RANGE_ENDS: Final = {
    "pattern-range-days": dt.date(2026, 9, 18),
    "pattern-range-months": dt.date(2026, 10, 18),
    "pattern-range-years": dt.date(2027, 10, 18),
}


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a label is looked up: one catalogue, its usable messages, its plural rule."""

    catalogue: Catalogue
    messages: Mapping[str, Message]
    plural_form: Callable[[int], int]

    @property
    def name(self) -> str:
        return self.catalogue.name


@functools.cache
def _source(directory: Path, name: str) -> _Source:
    catalogue = _read_catalogue(directory / f"{name}.po")
    usable = {key: message for key, message in catalogue.messages.items() if catalogue.is_usable(message)}
    return _Source(catalogue, MappingProxyType(usable), _plural_form(catalogue))


def _plural_form(catalogue: Catalogue) -> Callable[[int], int]:
    """Compile a plural rule; the standard library's compiler lets nothing but arithmetic pass."""
    import gettext

    try:
        rule = gettext.c2py(catalogue.plural_rule)
        if all(0 <= rule(number) < catalogue.plural_count for number in _COUNTS):
            return rule
    except (ValueError, ZeroDivisionError) as error:
        raise EditionError(f"{catalogue.name}: Plural-Forms is no rule: {error}") from error
    raise EditionError(f"{catalogue.name}: Plural-Forms chooses a form that it does not have")


_PO_LINE: Final = re.compile(rb'(#.*|(msg(id|id_plural|str|str\[\d\]) )?"([^"\\]|\\.)*"|)\s*')


def _read_catalogue(path: Path) -> Catalogue:
    from babel.messages.pofile import PoFileError, read_po

    try:
        content = path.read_bytes()
        catalog = read_po(io.BytesIO(content), locale=path.stem, abort_invalid=True)
    except (OSError, ValueError, LookupError, PoFileError) as error:
        raise EditionError(f"the catalogue {path.name} cannot be read: {error}") from error
    # Babel takes the quotes of a string for granted and cuts a character off where they are missing.
    for number, line in enumerate(content.splitlines(), 1):
        if not _PO_LINE.fullmatch(line):
            raise EditionError(f"the catalogue {path.name} cannot be read: line {number} is no line of a .po file")
    messages = [_message(message) for message in catalog if message.id]
    keys = collections.Counter(re.findall(rb'^msgid "(.+)"', content, re.MULTILINE))
    return Catalogue(
        name=path.stem,
        language=str(catalog.locale),
        charset=catalog.charset.lower(),
        fuzzy=catalog.fuzzy,
        plural_rule=catalog.plural_expr,
        plural_count=catalog.num_plurals,
        messages=MappingProxyType({message.key: message for message in messages}),
        repeated=tuple(key.decode(errors="replace") for key, count in keys.items() if count > 1),
    )


def _message(message: babel.messages.Message) -> Message:
    forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
    return Message(
        key=message.id if isinstance(message.id, str) else message.id[0],
        forms=forms,
        plural=isinstance(message.id, tuple),
        fuzzy=message.fuzzy,
        comment=" ".join(filter(None, message.user_comments)),
    )


def _fill(key: str, form: str, values: Mapping[str, object], *, optional: frozenset[str] = _NONE) -> str:
    """Fill the places of a label; a value is never a template, for each place is filled once."""
    if wrong := sorted((set(PLACE.findall(form)) ^ values.keys()) - optional):
        raise EditionError(f"the label {key!r} and its values disagree about {', '.join(wrong)}")
    return PLACE.sub(lambda place: str(values[place[1]]), form)


def _library_faults(catalogue: Catalogue) -> Iterator[str]:
    """Say where a catalogue contradicts CLDR: plural forms, patterns of dates."""
    import gettext

    from babel.messages.plurals import get_plural

    theirs = get_plural(catalogue.name)
    try:
        ours = _plural_form(catalogue)
        if [ours(n) for n in _COUNTS] != [gettext.c2py(theirs.plural_expr)(n) for n in _COUNTS]:
            yield f"{catalogue.name}: Plural-Forms is not the language's {theirs.plural_forms}"
    except EditionError as error:
        yield error.message
    patterns = (
        (key, message.forms[0]) for key, message in catalogue.messages.items() if key.startswith("pattern-")
    )
    for key, pattern in patterns:
        yield from (f"{catalogue.name}: {key!r} {fault}" for fault in _pattern_faults(pattern, key, catalogue.name))


def _pattern_faults(pattern: str, key: str, locale: str) -> Iterator[str]:
    last = _RANGE_ENDS.get(key)
    try:
        text = _format_range(_SAMPLE, last, pattern, locale) if last else _format_date(_SAMPLE, pattern, locale)
    except (ValueError, KeyError, AttributeError) as error:
        yield f"is not a pattern of dates: {error}"
        return
    if not all(part in text for part in ("2026", "7", f"{last.day if last else ''}")):
        yield f"leaves out a day or the year: {text}"


# Languages

_TAG: Final = re.compile(
    r"(?P<language>[a-z]{2,3})(?P<extended>-[a-z]{3})?(-(?P<script>[a-z]{4}))?"
    r"(-(?P<region>[a-z]{2}|\d{3}))?(-[a-z0-9]+)*",
    re.IGNORECASE | re.ASCII,
)


@functools.cache
def _names(directory: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in directory.glob("*.po")))


def _find_language(tag: str, directory: Path) -> Language | None:
    """Return the language of a tag as the name of its catalogue spells it, or None when there is none."""
    meant = _parse_tag(tag)
    if meant is None:
        return None
    without_script = Language(meant.language)
    written = (meant, without_script) if meant.script == _likely_script(meant.language) else (meant,)
    return next((language for language in written if str(language) in _names(directory)), None)


def _match_tag(tag: str) -> re.Match[str] | None:
    """Match a tag; `zh_CN` is POSIX, not BCP 47, but what else could be meant?"""
    return _TAG.fullmatch(tag.replace("_", "-"))


def _canonical_subtag(subtag: str) -> str:
    """Write a subtag as RFC 5646 §2.1.1 recommends: Hant, CA, 1996."""
    return subtag.upper() if len(subtag) == 2 else subtag.title() if len(subtag) == 4 else subtag.lower()


@functools.cache
def _parse_tag(tag: str) -> Language | None:
    """Return language and script of a tag; a script that is written counts more than one that a region implies.

    `Locale.parse` makes zh_Hans of zh_Hant_CN, and so sees only language and region.
    """
    from babel.core import Locale, UnknownLocaleError

    match = _match_tag(tag)
    if not match:
        return None
    # `zh-cmn-Hant` means `cmn-Hant`, and `zh-yue` is no Mandarin (RFC 5646, extended language subtags).
    language = (match["extended"] or match["language"]).strip("-")
    for candidate in filter(None, (match["region"] and f"{language}_{match['region']}", language)):
        try:
            locale = Locale.parse(candidate)
        except (UnknownLocaleError, ValueError):
            continue
        script = match["script"].title() if match["script"] else locale.script
        return Language(locale.language, script or _likely_script(locale.language))
    return None


def _likely_script(language: str) -> str | None:
    from babel.core import get_global

    likely = str(get_global("likely_subtags").get(language, "")).split("_")
    return likely[1] if len(likely) > 1 else None


# Dates

_ISO_DATE: Final = re.compile(r"(\d{4}-\d{2}-\d{2})([T ]\S+)?", re.ASCII)


def _day(value: dt.date) -> dt.date:
    """Return the calendar day as written: a time zone must not move it."""
    return dt.date(value.year, value.month, value.day)


def _format_date(value: dt.date, pattern: str, locale: str) -> str:
    from babel.dates import format_date

    return _plain_spaces(format_date(_day(value), pattern, locale=locale))


def _format_range(first: dt.date, last: dt.date, pattern: str, locale: str) -> str:
    from babel.dates import split_interval_pattern

    parts = split_interval_pattern(pattern)
    return "".join(_format_date(day, part, locale) for day, part in zip((first, last), parts, strict=True))


def _parse_date(text: str) -> dt.date:
    try:
        if match := _ISO_DATE.fullmatch(text):
            return dt.date.fromisoformat(match[1])
    except ValueError:
        pass
    raise EditionError(f"{text!r} is not a date", hint="write the date as year-month-day: 2026-08-27")


# Numbers

_NOTHING: Final = frozenset({"", "-", "–", "—", "——"})
"""Cells that say that there is no number."""


def _format_number(numeral: Numeral, name: str, pattern: str | None, *, percent: bool = False) -> str:
    from babel.core import Locale

    locale = Locale.parse(name)
    layout = _layout(pattern) if pattern else _full_layout(numeral.value, locale, percent=percent)
    with localcontext(EXACT):
        # A percent sign in quotes is text: the cell's own 63.7% stays 63.7.
        value = numeral.value.scaleb(2) if numeral.percent and not layout.scale else numeral.value
        text = str(layout.apply(value, locale)).replace("E-", "E\N{MINUS SIGN}")
    plus = "+" if numeral.plus and "+" not in layout.prefix[0] else ""
    return _plain_spaces(plus + text)


def _layout(pattern: str) -> NumberPattern:
    from babel.numbers import parse_pattern

    layout = parse_pattern(pattern)
    signs = unquoted(pattern)
    # Babel also scales by a sign that is only quoted.
    layout.scale = 2 if "%" in signs else 3 if "‰" in signs else 0
    return _with_minus(layout)


def _full_layout(value: Decimal, locale: Locale, *, percent: bool) -> NumberPattern:
    """Return the locale's own layout with as many decimals as the value is written with."""
    layout = copy.copy((locale.percent_formats if percent else locale.decimal_formats)[None])
    decimals = max(0, -int(value.as_tuple().exponent) - layout.scale)
    layout.frac_prec = (decimals, decimals)
    return _with_minus(layout)


def _with_minus(layout: NumberPattern) -> NumberPattern:
    """Print negative numbers with U+2212: a hyphen before digits breaks the line and is too short."""
    layout.prefix = (layout.prefix[0], _minus(layout.prefix[1]))
    layout.suffix = (layout.suffix[0], _minus(layout.suffix[1]))
    return layout


def _minus(affix: str) -> str:
    return re.sub(r"'[^']*'|-", lambda part: "\N{MINUS SIGN}" if part[0] == "-" else part[0], affix)


def _plain_spaces(text: str) -> str:
    """Replace the thin spaces of some CLDR versions by U+00A0: many fonts lack them, and widths differ."""
    return re.sub("[\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}]", "\N{NO-BREAK SPACE}", text)
