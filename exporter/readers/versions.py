"""One version of an issue: its front matter validated, its ids made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from exporter.model import Version
from exporter.readers.ids import check_ids, with_ids
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
        _infer_kinds(values)
    if default_language:
        values.setdefault("language", default_language)
    context = {"inlines": markdown.inlines, "blocks": markdown.blocks, "body": markdown.body}
    try:
        version = Version.model_validate(values, context=context)
    except ValidationError as error:
        report(error, values, Version, findings)
        return None
    version = version.model_copy(update={"notes": (*version.notes, *markdown.notes)}).at(tree.place)
    check_ids(version, findings)
    return with_ids(version)


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


def _infer_kinds(values: Mapping) -> None:
    """Let entries written by hand leave away their kind, and their fields be a mapping."""
    bodies = [values.get("lead")]
    sections = values.get("sections")
    if isinstance(sections, list):
        bodies += [section.get("body") for section in sections if isinstance(section, Mapping)]
    for body in bodies:
        for node in body if isinstance(body, list) else ():
            if isinstance(node, Mapping) and "kind" not in node and "title" in node:
                node["kind"] = "entry"
            if isinstance(node, Mapping) and node.get("kind") == "entry":
                _list_fields(node)


def _list_fields(entry: Mapping) -> None:
    fields = entry.get("fields")
    if not isinstance(fields, Mapping):
        return
    listed = Sequence(fields.place)
    for name, value in fields.items():
        field = Mapping(fields.keys_at[name])
        field.keys_at = {"name": fields.keys_at[name], "value": fields.keys_at[name]}
        field |= {"name": name, "value": value}
        listed.append(field)
    entry["fields"] = listed


def language_of(tree: Mapping) -> str | None:
    """Return the language that a front matter names."""
    language = tree.get("language")
    return str(language) if isinstance(language, str) else None


def same_language(one: str, other: str) -> bool:
    """Tell whether two tags may name one version: ``zh`` and ``zh-Hans``."""
    short, long = sorted((one.lower(), other.lower()), key=len)
    return long == short or long.startswith(f"{short}-")


def issue_id(name: str) -> str:
    """Return an id made from the name of a folder or file."""
    cleaned = re.sub(r"[\s\"'<>#`\\{}/:*?|\x00-\x1f\x7f\ud800-\udfff]+", "-", name).strip("-.")
    return cleaned or "issue"
