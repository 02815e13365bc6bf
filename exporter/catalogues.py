"""What a catalogue of labels holds, and everything that can be wrong with one; knows no library."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PLACE: Final = re.compile(r"\{([a-z]+)\}")
"""A place for a value in a label. Only plain names: a value is never looked into."""


@dataclass(frozen=True, slots=True)
class Message:
    """One label as its ``.po`` file has it.

    Attributes:
        key: The msgid.
        forms: The texts: one, or one for each plural form; an untranslated one is empty.
        plural: It has a msgid_plural.
        fuzzy: It waits for its translator's confirmation and is not used.
        comment: The translator comment that says where the label is printed.
    """

    key: str
    forms: tuple[str, ...]
    plural: bool = False
    fuzzy: bool = False
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All messages of one language, in the file's order, and the header's claims.

    Attributes:
        name: The file's stem: ``zh_Hans``.
        language: What the header says.
        charset: What the header says, lower case.
        fuzzy: The header is marked so.
        plural_rule: The C expression of Plural-Forms.
        plural_count: The number of plural forms of the header.
        messages: By key.
        repeated: Keys that the file has more than once.
    """

    name: str
    language: str
    charset: str
    fuzzy: bool
    plural_rule: str
    plural_count: int
    messages: Mapping[str, Message]
    repeated: tuple[str, ...] = ()

    def form_count(self, message: Message) -> int:
        """Return how many texts a message must have."""
        return self.plural_count if message.plural else 1

    def is_usable(self, message: Message) -> bool:
        """Tell whether a message has every text that it must have and awaits no confirmation."""
        return not message.fuzzy and len(message.forms) == self.form_count(message) and all(message.forms)


def faults(catalogue: Catalogue, reference: Catalogue) -> Iterator[str]:
    """Say everything that is wrong with a catalogue, each finding naming it and the key.

    The reference's keys are the keys of all, and its places (``{name}``) those of every translation.
    """
    name = catalogue.name
    if catalogue.language != name:
        yield f"{name}: the header's Language is {catalogue.language}"
    if catalogue.charset != "utf-8":
        yield f"{name}: the header's charset is {catalogue.charset}, not utf-8"
    if catalogue.fuzzy:
        yield f"{name}: the header is fuzzy"
    yield from (f"{name}: {key!r} is missing" for key in reference.messages if key not in catalogue.messages)
    yield from (
        f"{name}: {key!r} is not in {reference.name}" for key in catalogue.messages if key not in reference.messages
    )
    yield from (f"{name}: {key!r} is there more than once" for key in catalogue.repeated)
    for key, message in catalogue.messages.items():
        original = reference.messages.get(key, message)
        for fault in (*_message_faults(message, catalogue), *_translation_faults(message, original)):
            yield f"{name}: {key!r} {fault}"


_KEY: Final = re.compile(r"[a-z]+(-[a-z]+)*")
_LATIN_WORDS: Final = frozenset({"arXiv", "CSV", "DOI", "GitHub", "ISSN", "ORCID", "PDF", "TeX", "URL"})
"""What a label in another script may say in Latin letters."""
_CHARACTER_SETS: Final = {"Hans": "gb2312", "Hant": "big5"}
"""The old national character sets hold most characters in one form only, and so tell the scripts apart."""


def _message_faults(message: Message, catalogue: Catalogue) -> Iterator[str]:
    """Say what is wrong with one message, each as the rest of a sentence about its key."""
    if not _KEY.fullmatch(message.key):
        yield "is not a kebab-case key"
    if not message.comment:
        yield "has no comment that says where it is printed"
    if message.fuzzy:
        yield "is fuzzy"
    if len(message.forms) != catalogue.form_count(message):
        yield f"has {len(message.forms)} of {catalogue.form_count(message)} plural forms"
    for form in message.forms:
        yield from _form_faults(form, message.key)
        if not message.key.startswith("pattern-"):
            yield from _script_faults(PLACE.sub(" ", form), catalogue.name.partition("_")[2])


def _translation_faults(message: Message, original: Message) -> Iterator[str]:
    if message.plural != original.plural:
        yield "has plural forms in one language only"
    here, there = _places(message), _places(original)
    if here != there:
        yield f"has the places {sorted(here)}, the reference has {sorted(there)}"


def _places(message: Message) -> set[str]:
    """Return the places of the last form; the form for one may do without its number."""
    return {place for form in message.forms[-1:] for place in PLACE.findall(form)}


def _form_faults(form: str, key: str) -> Iterator[str]:
    if not form:
        yield "has no text"
    if form == key:
        yield "says its own key"
    if form != form.strip() or re.search(r"[^\S ]", form):
        yield "has white space at an end, or another space than U+0020"
    if re.search(r"[{}]", PLACE.sub("", form)):
        yield "has a brace outside a {place}"


def _script_faults(text: str, script: str) -> Iterator[str]:
    if not script:
        return
    if latin := set(re.findall(r"[A-Za-z]+", text)) - _LATIN_WORDS:
        yield f"has Latin words: {', '.join(sorted(latin))}"
    charset = _CHARACTER_SETS.get(script, "utf-8")
    if foreign := [char for char in text if _is_han(char) and not _fits(char, charset)]:
        yield f"has characters of another script: {''.join(foreign)}"


def _is_han(char: str) -> bool:
    return unicodedata.name(char, "").startswith("CJK UNIFIED IDEOGRAPH")


def _fits(char: str, charset: str) -> bool:
    try:
        char.encode(charset)
    except UnicodeEncodeError:
        return False
    return True
