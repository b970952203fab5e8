"""The same values as text for programs: CSV that no spreadsheet mistakes for formulas, and JSON."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def list_rows(values: Iterable[Any]) -> list[dict[str, Any]]:
    """Dataclasses, named tuples and mappings as flat rows; what is nested gets joined names such as `shown_low`."""
    return [_flatten(value) for value in values]


def write_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """Columns are the keys of the first row; no row gives an empty text."""
    listed = list(rows)
    if not listed:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(listed[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _guard(value) for key, value in row.items()} for row in listed)
    return out.getvalue()


def write_json(rows: Iterable[Mapping[str, Any]]) -> str:
    """A list of objects; times in ISO 8601."""
    return json.dumps(list(rows), default=str, ensure_ascii=False)


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


def _guard(value: Any) -> Any:
    """A name that a spreadsheet would run as a formula is quoted; numbers are left as they are."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
