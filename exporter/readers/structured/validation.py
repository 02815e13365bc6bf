"""What pydantic refuses, said in sentences about the source."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Any

from exporter.model import Node
from exporter.notices import Place
from exporter.readers.findings import alternatives, nearest
from exporter.readers.written import Written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from exporter.readers.findings import Findings

_KINDS = {
    "string_type": "must be a text",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be a mapping of keys",
    "model_type": "must be a mapping of keys",
    "model_attributes_type": "must be a mapping of keys",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "finite_number": "must be a number",
    "none_required": "must be empty",
    "union_tag_not_found": "needs a kind",
}


# An address or an author may be written as one text.
_SHORT_FORMS = frozenset({"address", "name"})

_EXAMPLES = {
    "title": "write title: and the headline",
    "date": "write the day of publication, such as date: 2026-08-27",
    "language": "write language: zh or language: en, or give the publication a language",
}


def report(error: ValidationError, tree: Any, model: type[Node], findings: Findings) -> None:
    """Add a problem for each thing that pydantic found in a tree of YAML or JSON, with its place."""
    found: dict[tuple[str, ...], tuple[ErrorDetails, Place]] = {}
    for details in error.errors(include_url=False):
        path, place = _locate(tree, details)
        if path not in found or _says_more(details, found[path][0]):
            found[path] = (details, place)
    for path, (details, place) in found.items():
        # A mapping of texts by language that is wrong inside is no text either, which goes without saying.
        inside = any(len(other) > len(path) and other[: len(path)] == path for other in found)
        if not (inside and details["type"] == "string_type"):
            findings.problem(*_sentence(".".join(path), details, place, model))


def reasons(error: ValidationError) -> list[str]:
    """Return what is wrong with the fields of one node, each a sentence."""
    return [
        f"{'.'.join(str(part) for part in details['loc'] if isinstance(part, str)) or 'it'} {_reason(details)}"
        for details in error.errors(include_url=False)
    ]


def keys_of(model: type[Node]) -> dict[str, Any]:
    """Return the keys of a model as written in a source, with the types of their values."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def models_in(annotation: Any) -> Iterator[type[Node]]:
    """Yield the models that a value of the annotated type may be or hold."""
    if isinstance(annotation, type) and issubclass(annotation, Node):
        yield annotation
    elif isinstance(annotation, typing.TypeAliasType if hasattr(typing, "TypeAliasType") else types.UnionType) or (
        typing.get_args(annotation)
    ):
        for argument in typing.get_args(annotation):
            yield from models_in(argument)


def _says_more(details: ErrorDetails, known: ErrorDetails) -> bool:
    """Compare what two members of a union said of one value: the member that fits it best says most."""
    shapes = ("dict_type", "model_type", "string_type")
    return known["type"] in shapes[:2] or (known["type"] == shapes[2] and details["type"] not in shapes)


def _sentence(name: str, details: ErrorDetails, place: Place, model: type[Node]) -> tuple[str, Place, str | None]:
    key = str(details["loc"][-1]) if details["loc"] else ""
    match details["type"]:
        case "extra_forbidden":
            known = [each for owner in _owners(model, details["loc"][:-1]) for each in keys_of(owner)]
            return f"unknown key {name}", place, nearest(key, known, what="known keys")
        case "missing":
            return f"{name} is missing", place, _EXAMPLES.get(name)
        case "literal_error" | "union_tag_invalid":
            tags = str(details.get("ctx", {}).get("expected" if "expected" in details["ctx"] else "expected_tags"))
            words = [word.strip("' ") for word in tags.replace(" or ", ",").split(",")]
            value = details["input"]
            value = value.get("kind") if isinstance(value, dict) else value
            message = f"{name} must be {alternatives(words)}, not {value}"
            return message, place, nearest(str(value), words) if len(words) > 1 else None
    reason = _reason(details)
    return reason if reason.startswith("an ") else f"{name} {reason}", place, None


def _reason(details: ErrorDetails) -> str:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind in {"greater_than_equal", "less_than_equal", "greater_than", "less_than"}:
        words = {"greater_than_equal": "at least", "less_than_equal": "at most"}
        bound = next(iter(context.values()))
        return f"must be {words.get(kind, kind.replace('_', ' '))} {bound:g}"
    if kind.startswith(("date_", "datetime_")):
        return "must be a date such as 2026-08-27"
    if kind == "string_too_long":
        return f"must not be longer than {context['max_length']} characters"
    return _KINDS.get(kind) or details["msg"][:1].lower() + details["msg"][1:]


def _locate(tree: Any, details: ErrorDetails) -> tuple[tuple[str, ...], Place]:
    """Follow a location down the tree; parts of it name members of unions and are no keys."""
    node, names, place = tree, list[str](), _place(tree)
    for part in details["loc"]:
        if isinstance(node, dict) and part in node:
            keys: Mapping[str, Place] = getattr(node, "keys_at", {})
            at_key = keys.get(str(part))
            node = node[part]
            place = at_key if details["type"] == "extra_forbidden" else (_place(node) or at_key or place)
            names.append(str(part))
        elif isinstance(node, Written) and part in _SHORT_FORMS:
            names.append(str(part))
        elif isinstance(node, list | tuple) and isinstance(part, int) and part < len(node):
            node = node[part]
            place = _place(node) or place
    if details["type"] == "missing":
        names.append(str(details["loc"][-1]))
    elif details["type"].startswith("union_tag"):
        names.append("kind")
    return tuple(names) or (str(details["loc"][-1]) if details["loc"] else "it",), place or Place("")


def _place(node: Any) -> Place | None:
    if isinstance(node, Written):
        return node.place()
    place = getattr(node, "place", None)
    return place if isinstance(place, Place) else None


def _owners(model: type[Node], location: tuple[int | str, ...]) -> list[type[Node]]:
    """Return the models that may stand at a location."""
    owners = [model]
    for part in location:
        if isinstance(part, int):
            continue
        tagged = [owner for owner in owners if owner.__name__ == part or _tag(owner) == part]
        if tagged:
            owners = tagged
            continue
        below = [
            each
            for owner in owners
            if part in keys_of(owner)
            for each in models_in(_annotation(keys_of(owner)[part]))
        ]
        owners = below or owners
    return list(dict.fromkeys(owners))


def _annotation(field: Any) -> Any:
    return field.annotation


def _tag(owner: type[Node]) -> Any:
    field = owner.model_fields.get("kind")
    return field.default if field is not None and isinstance(field.default, str) else None
