"""An issue as canonical JSON, which ``load`` reads back to the same value."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

from exporter.model import Node

if TYPE_CHECKING:
    from exporter.model import Issue


def dump_issue(issue: Issue) -> str:
    """Return the issue as JSON with every version written out and nothing that is the default."""
    return json.dumps(_plain(issue), ensure_ascii=False, indent=2) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Node):
        fields = type(value).model_fields
        return {
            field.alias or name: _plain(getattr(value, name))
            for name, field in fields.items()
            if name == "kind"
            or field.is_required()
            or getattr(value, name) != field.get_default(call_default_factory=True, validated_data={})
        }
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value.isoformat() if isinstance(value, dt.date) else value
