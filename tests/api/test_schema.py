"""The schema documents all there is, its examples hold, and the committed one is what the code says."""

import ast
import re
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.validation import validate_schema
from rest_framework.test import APIClient

from aurum_league.common.api.errors import CODES, SERVER_ERROR, TOO_LARGE
from tests.architecture.sources import CHECKOUT, PACKAGES, list_python

METHODS = ("get", "post", "put", "patch", "delete")
UNLISTED = {"schema", "docs/", "redoc/"}
"""Addresses that show the schema itself."""

OUT_OF_REACH = {"management", "supervision", "embedded", "cli", "benchmarks"}
TERMINAL = {"database.py", "setup.py", "environment.py", "connections.py", "mail.py", "secret.py"}
"""Codes that only a terminal shows."""

SCHEMA: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
OPERATIONS = [
    pytest.param(path, method, operation, id=f"{method} {path}")
    for path, operations in SCHEMA["paths"].items()
    for method, operation in operations.items()
    if method in METHODS
]


def test_schema_is_valid_openapi_3_1() -> None:
    assert SCHEMA["openapi"].startswith("3.1")
    validate_schema(SCHEMA)


def test_committed_schema_is_the_one_the_code_makes() -> None:
    """Make it again: manage.py spectacular --file docs/openapi.yaml"""
    made = yaml.safe_load(OpenApiYamlRenderer().render(SCHEMA, renderer_context={}))
    assert yaml.safe_load((CHECKOUT / "docs" / "openapi.yaml").read_text()) == made


def list_addresses(patterns: list[URLPattern | URLResolver], before: str = "") -> list[str]:
    found = []
    for pattern in patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += list_addresses(pattern.url_patterns, address)
        else:
            found.append(address)
    return found


def test_every_address_is_in_the_schema() -> None:
    ours = [address for address in list_addresses(get_resolver().url_patterns) if address.startswith("api/v1/")]
    named = {re.sub(r"<\w+:(\w+)>", r"{\1}", address.removeprefix("api/v1/")) for address in ours}
    documented = {path.removeprefix("/api/v1/") for path in SCHEMA["paths"]}
    assert {address for address in named if "^" not in address} - UNLISTED <= documented


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
def test_operation_is_documented(path: str, method: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    success = [status for status in operation["responses"] if status.startswith("2")]
    assert success and {"400", "401", "403", "404", "429"} <= set(operation["responses"])
    for status in success:
        for media in operation["responses"][status]["content"].values():
            assert media.get("examples"), "an operation has an example"
            check_examples(media, is_answer=True)
    for parameter in operation.get("parameters", ()):
        assert (
            parameter["in"] == "path"
            or parameter.get("description")
            or "enum" in str(parameter["schema"])
            or (parameter["schema"].get("type") in ("boolean", "string"))
        ), parameter
    if "requestBody" in operation and "multipart/form-data" not in operation["requestBody"]["content"]:
        body = operation["requestBody"]["content"]["application/json"]
        assert body.get("examples")
        check_examples(body)


def check_examples(media: dict[str, Any], is_answer: bool = False) -> None:
    """What a request says must be allowed; what an answer shows must be all there is, each field and no other."""
    schema = {**media["schema"], "components": SCHEMA["components"]}
    validator = jsonschema.Draft202012Validator(ask_for_all(schema) if is_answer else schema)
    for example in media["examples"].values():
        assert not [error.message for error in validator.iter_errors(example["value"])]


def ask_for_all(schema: Any) -> Any:
    """The schema, with every field of every object required and none allowed beside them."""
    if isinstance(schema, list):
        return [ask_for_all(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: ask_for_all(value) for name, value in schema.items()}
    if isinstance(properties := schema.get("properties"), dict) and schema.get("type") == "object":
        strict |= {"required": list(properties), "additionalProperties": False}
    return strict


def raised_codes() -> set[str]:
    """Every code that a LeagueError is made with in the source."""
    codes = set(CODES.values()) | {SERVER_ERROR, TOO_LARGE}
    for path in list_python(*PACKAGES):
        if OUT_OF_REACH & set(path.relative_to(CHECKOUT).parts[:-1]) or path.name in TERMINAL:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "LeagueError"):
                continue
            if node.args and isinstance(node.args[0], ast.Constant):
                codes.add(str(node.args[0].value))
    return codes


def test_every_error_code_is_documented() -> None:
    manual = (CHECKOUT / "docs" / "API.md").read_text()
    documented = set(re.findall(r"^\| `([a-z_]+)` \|", manual, re.MULTILINE))
    assert raised_codes() - documented == set()


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/api/", "/api/v1/docs/", "/api/v1/redoc/"])
def test_pages_come_from_our_own_files(address: str) -> None:
    page = APIClient().get(address)
    assert page.status_code == 200
    assert not re.search(r"(src|href)=\"(https?:)?//", page.content.decode())
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert "unsafe-eval" not in page["Content-Security-Policy"]


@pytest.mark.django_db
def test_schema_is_served(anyone: APIClient) -> None:
    answer = anyone.get("/api/v1/schema")
    assert answer.status_code == 200
    assert answer.content.startswith(b"openapi: 3.1.0")
