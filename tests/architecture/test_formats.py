"""Whoever must know what a format can do asks it: no source outside the formats goes by one's name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import CHECKOUT, list_files, list_python
from tournaments.rules.formats import FORMATS

CODES = set(FORMATS)
OWN_HOUSE = "tournaments/rules/formats/"
COMMANDS = "aurum_league/cli/main.py"
"""`aurum ladder` is a command, which happens to be called like a format."""
IN_TEMPLATES = re.compile(rf"""{{%[^%]*\b(if|elif|with)\b[^%]*["']({"|".join(CODES)})["']""")


def find_comparisons(tree: ast.AST) -> Iterator[int]:
    """Lines where a format's code is compared with, looked for, matched, or chosen by."""
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        elif isinstance(node, ast.Subscript):
            parts = [node.slice]
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "filter")
        ):
            parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        for part in parts:
            if any(isinstance(one, ast.Constant) and one.value in CODES for one in ast.walk(part)):
                yield getattr(part, "lineno", 0)


def list_sources() -> list[Path]:
    paths = [path for path in list_python("aurum_league", "tournaments") if "migrations" not in path.parts]
    names = {path: str(path.relative_to(CHECKOUT)) for path in paths}
    return [path for path, name in names.items() if not name.startswith(OWN_HOUSE) and name != COMMANDS]


def test_no_source_goes_by_the_name_of_a_format() -> None:
    found = [
        f"{path.relative_to(CHECKOUT)}:{line}"
        for path in list_sources()
        for line in find_comparisons(ast.parse(path.read_text()))
    ]
    assert found == []


def test_no_template_goes_by_the_name_of_a_format() -> None:
    templates = [path for path in list_files() if path.suffix == ".html" and "templates" in path.parts]
    assert len(templates) > 50
    assert [path.name for path in templates if IN_TEMPLATES.search(path.read_text())] == []


@pytest.mark.parametrize(
    "source",
    [
        'stage.format == "swiss"',
        '"ladder" != name',
        'stage.format in ("knockout", "other")',
        'LABELS["gauntlet"]',
        'stages.filter(format="round_robin")',
        'match stage.format:\n    case "swiss":\n        pass',
    ],
)
def test_it_would_be_found(source: str) -> None:
    assert list(find_comparisons(ast.parse(source)))


def test_it_would_be_found_in_a_template() -> None:
    assert IN_TEMPLATES.search('{% if stage.format == "knockout" %}')
