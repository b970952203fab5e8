"""What a picture shows as flat rows, for files that programs read."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def list_rows(values: Iterable[Any]) -> list[dict[str, Any]]:
    """Dataclasses, named tuples and mappings as flat rows; what is nested gets joined names such as `shown_low`."""
    return [_flatten(value) for value in values]


def _flatten(value: Any, prefix: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, part in (_fields_of(value) or {}).items():
        name = f"{prefix}{key}"
        row |= {name: part} if _fields_of(part) is None else _flatten(part, f"{name}_")
    return row


def _fields_of(value: Any) -> Mapping[str, Any] | None:
    """The parts of a value by name; None for one that has no parts."""
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: getattr(value, part.name) for part in fields(value)}
    return value if isinstance(value, Mapping) else None

