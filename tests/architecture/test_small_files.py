"""A file under 50 lines that only one other of the product imports needs a reason; else it belongs to that one."""

import ast
from collections import defaultdict
from pathlib import Path

from tests.architecture.sources import CHECKOUT, list_python

SMALL = 50
PRODUCT = ("aurum_league", "games", "bots", "tournaments")
FOUND_BY_NAME = {"__init__.py", "apps.py", "urls.py", "receivers.py", "tasks.py", "signals.py"}
"""What Django, Celery or Python itself looks for."""

REASONS = {
    "aurum_league/settings/embedded.py": "settings are chosen by module",
    "aurum_league/supervision/tether.py": "a program of its own, which becomes another",
    "games/play/fairness.py": "knows no Django, so that an instrument can use it",
}
"""A reason for what is gone, or has grown, must go."""


def name_module(path: Path) -> str:
    return ".".join(path.relative_to(CHECKOUT).with_suffix("").parts)


def list_imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_a_small_file_that_one_other_imports_has_a_reason() -> None:
    paths = {name_module(path): path for path in list_python(*PRODUCT) if "migrations" not in path.parts}
    users: dict[str, set[str]] = defaultdict(set)
    for module, path in paths.items():
        for name in list_imported(path) & paths.keys():
            users[name].add(module)
    lone = {
        str(path.relative_to(CHECKOUT))
        for module, path in paths.items()
        if len(users[module] - {module}) == 1
        and path.name not in FOUND_BY_NAME
        and "commands" not in path.parts
        and len(path.read_text().splitlines()) < SMALL
    }
    assert lone == REASONS.keys()
