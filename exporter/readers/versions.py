"""One version of an issue: its front matter validated, its ids made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from exporter.model import Version
from exporter.readers.headings import check_headings
from exporter.readers.ids import check_ids, with_ids
from exporter.readers.markdown.entry_fields import linked
from exporter.readers.publications import without_empty
from exporter.readers.structured.trees import Mapping, Sequence
from exporter.readers.structured.validation import report
from exporter.readers.written import Written

if TYPE_CHECKING:
    from exporter.notices import Place
    from exporter.readers.findings import Findings
    from exporter.readers.markdown import Markdown

_BODY = ("lead", "sections", "notes")

# What a translation need not repeat. Prose comes with its language marked, the rest as it is.
_NEUTRAL = (
    *("date", "number", "volume", "kind", "rating", "tags", "authors", "coverage"),
    *("theme", "paper", "numbering", "email"),
)
_PROSE = ("subtitle", "summary", "method")


UNKNOWN_LANGUAGE = "und"
"""Language of a makeshift version whose own is wrong (BCP 47)."""


def version_of(
    tree: Mapping, markdown: Markdown, *, body: Written | None = None, default_language: str | None = None
) -> Version | None:
    """Return a version from its keys, and from its Markdown body when it has one."""
    findings = markdown.findings
    values = without_empty(tree, Version)
    if body is not None:
        for key in _BODY:
            if key in values:
                findings.problem(f"unknown key {key}", tree.keys_at[key], "in Markdown the body holds the sections")
                del values[key]
        lead, sections = markdown.document(body)
        values |= {"lead": lead, "sections": sections}
    else:
        _read_entries(values, markdown)
    if default_language:
        values.setdefault("language", default_language)
    version = _validated(values, markdown)
    if version is None:
        return None
    version = version.model_copy(update={"notes": (*version.notes, *markdown.notes)}).at(tree.place)
    check_ids(version, findings)
    check_headings(version, findings)
    return with_ids(version)


def _validated(values: Mapping, markdown: Markdown) -> Version | None:
    """Return the version, or a makeshift one without what is wrong, so that its references are still checked."""
    context = {"inlines": markdown.inlines, "blocks": markdown.blocks, "body": markdown.body}
    notes = list(markdown.notes)
    try:
        return Version.model_validate(values, context=context)
    except ValidationError as error:
        report(error, values, Version, markdown.findings)
        wrong = {str(details["loc"][0]) for details in error.errors(include_url=False) if details["loc"]}
    if wrong & set(_BODY):
        return None
    markdown.notes[:] = notes
    makeshift = {"title": "?", "date": "1970-01-01", "language": UNKNOWN_LANGUAGE}
    kept = {key: value for key, value in values.items() if key not in wrong}
    return Version.model_validate(makeshift | kept, context=context)


def inherit(tree: Mapping, original: Mapping, language: str | None, findings: Findings) -> None:
    """Give a translation what its front matter lacks and the original's has."""
    for key in (*_NEUTRAL, *_PROSE):
        if tree.get(key) is not None or original.get(key) is None:
            continue
        value = original[key]
        if key in _PROSE:
            findings.notice(
                "missing-translation", f"{key} is not translated: the original's stands in for it", tree.place
            )
            if isinstance(value, Written):
                value = Written(value, value.file, value.rows, language)
        tree[key] = value
        tree.keys_at[key] = original.keys_at[key]


def check_titles(tree: Any, place: Place, findings: Findings) -> bool:
    """Report a source that is no mapping at all."""
    if isinstance(tree, Mapping):
        return True
    what = "holds no keys" if tree is None else "is no mapping of keys"
    findings.problem(f"the front matter {what}", place, "write title, date and language, one a line")
    return False


def _read_entries(values: Mapping, markdown: Markdown) -> None:
    """Let entries written by hand leave away their kind and have fields as a mapping; read those as Markdown's."""
    bodies = [values.get("lead")]
    sections = values.get("sections")
    if isinstance(sections, list):
        bodies += [section.get("body") for section in sections if isinstance(section, Mapping)]
    for body in bodies:
        for node in body if isinstance(body, list) else ():
            if isinstance(node, Mapping) and "kind" not in node and "title" in node:
                node["kind"] = "entry"
            if isinstance(node, Mapping) and node.get("kind") == "entry":
                _read_fields(node, markdown)


def _read_fields(entry: Mapping, markdown: Markdown) -> None:
    fields = entry.get("fields")
    if isinstance(fields, Mapping):
        fields = entry["fields"] = _listed(fields)
    for field in fields if isinstance(fields, list) else ():
        if isinstance(field, Mapping) and isinstance(value := field.get("value"), Written):
            field["value"] = linked(str(field.get("name")), markdown.inlines(value))


def _listed(fields: Mapping) -> Sequence:
    listed = Sequence(fields.place)
    for name, value in fields.items():
        place = fields.keys_at[name]
        field = Mapping(place)
        field.keys_at = {"name": place, "value": place}
        field |= {"name": name, "value": value}
        listed.append(field)
    return listed


def language_of(tree: Mapping) -> str | None:
    """Return the language that a front matter names."""
    language = tree.get("language")
    return str(language) if isinstance(language, str) else None


def may_name(tag: str, language: str) -> bool:
    """Tell whether a file's tag may stand for a language: ``en`` for ``en-GB``, ``zh-Hans`` for ``zh``."""
    short, long = sorted((tag.lower(), language.lower()), key=len)
    return long == short or long.startswith(f"{short}-")


def script_of(language: str) -> str:
    """Return a tag by which versions differ: ``zh``, ``zh-Hans`` and ``zh-CN`` are one."""
    tag = language.lower()
    if tag in {"zh", "zh-cn", "zh-sg", "zh-my"} or tag.startswith("zh-hans"):
        return "zh-hans"
    return "zh-hant" if tag in {"zh-tw", "zh-hk", "zh-mo"} or tag.startswith("zh-hant") else tag


def issue_id(name: str) -> str:
    """Return an id made from the name of a folder or file, which may hold what an id may not."""
    return re.sub(r"[/\\:*?\"<>|\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]+", "-", name).strip(" .") or "issue"
