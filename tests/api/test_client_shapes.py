"""The client's shapes are the schema's: every field of every answer, with its type and whether it can be null."""

import inspect
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from aurum_league.client import shapes
from tests.api.test_schema import SCHEMA

COMPONENTS: dict[str, Any] = SCHEMA["components"]["schemas"]
SHAPES = {name: shape for name, shape in inspect.getmembers(shapes, is_typeddict)}
PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def describe_hint(hint: Any) -> set[str]:
    """The JSON types that an annotation allows, lists with what they hold, shapes by their component's name."""
    if hint is Any:
        return {"anything"}
    if get_origin(hint) in (UnionType, Union):
        return set().union(*map(describe_hint, get_args(hint)))
    if get_origin(hint) is list:
        return {f"list of {', '.join(sorted(describe_hint(get_args(hint)[0])))}"}
    if get_origin(hint) is dict:
        return {f"values of {', '.join(sorted(describe_hint(get_args(hint)[1])))}"}
    return {hint.__name__} if is_typeddict(hint) else {PLAIN[hint]}


def describe_schema(schema: dict[str, Any]) -> set[str]:
    """The same of a schema."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return {name} if "properties" in COMPONENTS[name] else describe_schema(COMPONENTS[name])
    for word in ("oneOf", "anyOf", "allOf"):
        if word in schema:
            return set().union(*map(describe_schema, schema[word]))
    if not schema.keys() - {"readOnly", "description", "title"}:
        return {"anything"}
    types = schema.get("type", [])
    return set().union(*(_describe_type(one, schema) for one in ([types] if isinstance(types, str) else types)))


def _describe_type(json_type: str, schema: dict[str, Any]) -> set[str]:
    if json_type == "array":
        return {f"list of {', '.join(sorted(describe_schema(schema['items'])))}"}
    if json_type == "object":
        held = schema.get("additionalProperties", {})
        return {f"values of {', '.join(sorted(describe_schema(held if isinstance(held, dict) else {})))}"}
    return {json_type}


@pytest.mark.parametrize("name", sorted(set(SHAPES) - {"Table"}))
def test_shape_is_the_schemas(name: str) -> None:
    """A field that was added to the API, taken away or changed is to be changed in aurum_league/client/shapes.py."""
    told = {field: describe_hint(hint) for field, hint in get_type_hints(SHAPES[name]).items()}
    documented = {field: describe_schema(schema) for field, schema in COMPONENTS[name]["properties"].items()}
    assert {field: _widen(said, documented.get(field, set())) for field, said in told.items()} == documented


def _widen(told: set[str], documented: set[str]) -> set[str]:
    """The client may know more of what an object holds than the schema says."""
    is_open = "values of anything" in documented
    return {"values of anything" if is_open and one.startswith("values of") else one for one in told}


def test_table_is_the_schemas_example() -> None:
    """What a seat sees has no component of its own: the example in the schema says what is there."""
    answer = SCHEMA["paths"]["/api/v1/matches/{match_id}/view"]["get"]["responses"]["200"]["content"]
    (example,) = answer["application/json"]["examples"].values()
    assert set(get_type_hints(shapes.Table)) <= set(example["value"])
