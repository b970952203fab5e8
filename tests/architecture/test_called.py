"""Nothing in the product is there for tests alone: every public function and class is named by something that runs."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import CHECKOUT, list_files, list_python

PRODUCT = ("aurum_league", "games", "bots", "tournaments")
FOR_OTHERS = {
    "AurumGym": "learners make it",
    "parallel_env": "learners make it, by the name that PettingZoo gives it",
    "from_rules": "learners call it, as docs/LEARNING.md says",
}
"""Names that nobody here calls, and why they stay; one that is called by now must go."""


def list_named(path: Path) -> Iterator[str]:
    """Names that a module uses, imports, or has in a text that is no docstring, such as a dotted path."""
    tree = ast.parse(path.read_text())
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name.rpartition(".")[2]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield from re.findall(r"\w+", node.value)


def list_defined(path: Path) -> Iterator[str]:
    """Public functions and plain classes; what is decorated or derived may be found by a framework."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            is_found = bool(node.decorator_list) if not isinstance(node, ast.ClassDef) else bool(node.bases)
            if not is_found:
                yield node.name


def test_nothing_waits_for_tests_alone() -> None:
    named = Counter(name for path in list_python(*PRODUCT, "benchmarks") for name in list_named(path))
    for path in list_files():
        folder = path.relative_to(CHECKOUT).parts[0]
        if path.suffix == ".pxd" or folder in ("templates", "pyproject.toml", "docker-compose.yml", "deploy"):
            named.update(re.findall(r"\w+", path.read_text()))
    unused = [
        f"{path.relative_to(CHECKOUT)}: {name}"
        for path in list_python(*PRODUCT)
        if "migrations" not in path.parts
        for name in list_defined(path)
        if name not in named and name not in FOR_OTHERS
    ]
    assert unused == []
    assert [name for name in FOR_OTHERS if name in named] == []
