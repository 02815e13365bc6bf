"""JSON Schemas of what people write: an issue in YAML or JSON, publication.yaml and theme.toml."""

from __future__ import annotations

from typing import Any

from exporter.model import Publication, Version

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema(what: str) -> dict[str, Any]:
    """Return the JSON Schema of ``issue``, ``publication`` or ``theme``, with a description for every key."""
    match what:
        case "issue":
            return _issue()
        case "publication":
            return {"$schema": _DRAFT, "title": "publication.yaml", **_own(Publication.model_json_schema())}
        case _:
            return _theme()


def _issue() -> dict[str, Any]:
    own = _own(Version.model_json_schema())
    own["properties"] = {
        "$schema": {"type": "string", "description": "Address of this schema, for editors."},
        "id": {
            "type": "string",
            "minLength": 1,
            "description": "Name of the issue; the folder's or the file's name by default.",
        },
        **own["properties"],
    }
    for name in ("title", "number", "volume", "tags"):
        own["properties"][name] = _localized(own["properties"][name])
    own["required"] = [name for name in own.get("required", []) if name != "language"]
    return {"$schema": _DRAFT, **own, "title": "issue"}


def _localized(field: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a text that may also be a mapping by language."""
    description = field.pop("description", "")
    by_language = {
        "type": "object",
        "description": "By language",
        "propertyNames": {"pattern": "^[a-z]{2,3}(-[A-Za-z0-9]+)*$"},
        "additionalProperties": dict(field),
    }
    return {"description": description, "anyOf": [field, by_language, {"type": "number"}]}


def _own(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key != "description"} | {
        "description": found.get("description", "")
    }


def _theme() -> dict[str, Any]:
    """Return the schema of theme.toml: the tables that the base theme has, each with values of its kinds."""
    from exporter.theme import load_theme

    properties = {name: _kind(value) for name, value in load_theme("base").tokens.items()}
    properties["extends"] = {"type": "string", "description": "Theme that this one differs from; base by default."}
    properties["description"] = {"type": "string", "description": "What `exporter themes` prints beside its name."}
    return {
        "$schema": _DRAFT,
        "title": "theme.toml",
        "description": "A theme holds what differs from the theme that it extends.",
        "type": "object",
        "properties": properties,
    }


def _kind(value: object) -> dict[str, Any]:
    match value:
        case bool():
            return {"type": "boolean", "default": value}
        case int() | float():
            return {"type": "number", "default": value}
        case str():
            return {"type": "string", "default": value}
        case list():
            return {"type": "array", "default": value}
        case dict():
            return {"type": "object", "properties": {name: _kind(inner) for name, inner in value.items()}}
        case _:
            return {}
