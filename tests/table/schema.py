"""The JSON schema of a typed value, made from its annotations: what the files beside the types must say."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

PLAIN: dict[Any, dict[str, str]] = {
    int: {"type": "integer"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
}


def make_schema(root: type) -> dict[str, Any]:
    """Every key of every value is required and no other is allowed, so that nothing drifts in silence."""
    named: dict[str, Any] = {}
    reference = _describe(root, named)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": root.__name__}
    return {**head, **reference, "$defs": dict(sorted(named.items()))}


def _describe(kind: Any, named: dict[str, Any]) -> dict[str, Any]:
    if kind in PLAIN:
        return PLAIN[kind]
    if is_dataclass(kind) and isinstance(kind, type):
        return _describe_value(kind, named)
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _describe(arguments[0], named)}
    if get_origin(kind) is Mapping:
        return {"type": "object", "additionalProperties": _describe(arguments[1], named)}
    if get_origin(kind) is UnionType:
        return {"anyOf": [_describe(argument, named) for argument in arguments]}
    raise TypeError(f"no JSON for {kind}")


def _describe_value(kind: type, named: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in named:
        named[kind.__name__] = {}
        hints = get_type_hints(kind)
        own = {field.name: _describe(hints[field.name], named) for field in fields(kind)}
        named[kind.__name__] = {
            "type": "object",
            "properties": own,
            "required": list(own),
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{kind.__name__}"}


def write_schemas() -> None:
    """Write the files anew after a change of the types."""
    import json
    from pathlib import Path

    import django

    django.setup()
    from games.pages.replay import Replay
    from games.pages.table_words import PlayedTable, WatchedTable
    from games.play.table_state import TableState

    for kind, path in (
        (TableState, "games/play/table_state.schema.json"),
        (PlayedTable, "games/pages/played_table.schema.json"),
        (WatchedTable, "games/pages/watched_table.schema.json"),
        (Replay, "games/pages/replay.schema.json"),
    ):
        Path(path).write_text(json.dumps(make_schema(kind), indent=1) + "\n")


if __name__ == "__main__":
    write_schemas()
