"""House rules that a reader would otherwise have to check: sizes, words, hosts, purity."""

import ast
import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import CHECKOUT, PACKAGES, list_files, list_python

LONGEST_FILE = 400
LONGEST_FUNCTION = 60
VAGUE_NAMES = {"utils", "helpers", "misc", "manager", "handler", "data"}
TOP_LEVEL = {
    *(".ci", ".dockerignore", ".env.example", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile"),
    *("Makefile", "README.md", "aurum_league", "benchmarks", "bots", "deploy", "docker-compose.yml", "docs", "games"),
    *("manage.py", "pyproject.toml", "requirements-dev.txt", "requirements-embedded.txt", "requirements.txt"),
    *("setup.py", "templates", "tests", "tournaments"),
}
# Written in pieces, so that this file does not find itself.
REGISTRY_HOSTS = re.compile(
    "|".join(
        (
            r"files\.python" + r"hosted\.org",
            r"\bpypi\." + r"(org|python\.org)",
            r"registry\." + r"(npmjs\.org|yarnpkg\.com)",
            r"--(extra-)?index" + r"-url",
            r"--find" + r"-links",
            r"--trusted" + r"-host",
        )
    )
)


def relative(path: Path) -> str:
    return str(path.relative_to(CHECKOUT))


def source_cases(*packages: str) -> list[object]:
    """Generated migrations keep to Django's rules, not ours."""
    paths = [path for path in list_python(*packages) if "migrations" not in path.parts]
    return [pytest.param(path, id=relative(path)) for path in paths]


def test_top_level_holds_nothing_else() -> None:
    assert {path.relative_to(CHECKOUT).parts[0] for path in list_files()} <= TOP_LEVEL


def test_no_file_names_a_registry() -> None:
    found = []
    for path in list_files():
        text = path.read_text(errors="replace")
        found += [f"{relative(path)}: {match.group()}" for match in REGISTRY_HOSTS.finditer(text)]
    assert found == []


@pytest.mark.parametrize("path", source_cases(*PACKAGES))
def test_source_file(path: Path) -> None:
    text = path.read_text()
    tree = ast.parse(text)
    assert len(text.splitlines()) <= LONGEST_FILE
    assert path.stem not in VAGUE_NAMES
    assert ast.get_docstring(tree), "a module opens with one sentence that says what it is"
    long = [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


NAMED_FILE = re.compile(r"(?<![\w/.:<{-])(?:[a-z_*]+/)+[A-Za-z_*0-9-]+\.(?:py|js|css|json|html|toml|yaml)\b")
DOCUMENTS = [path for path in list_files() if path.suffix == ".md" and path.name != "CHANGELOG.md"]


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if path.parent.name != "decisions"], ids=relative)
def test_a_document_names_files_that_exist(path: Path) -> None:
    """By any end of their way; decisions tell what was, as the changelog does."""
    known = [f"/{relative(each)}" for each in list_files()]
    named = set(NAMED_FILE.findall(path.read_text()))
    assert {name for name in named if not fnmatch.filter(known, f"*/{name}")} == set()


@pytest.mark.parametrize("path", source_cases("games", "bots", "tournaments"))
def test_apps_know_only_the_common_part_of_the_site(path: Path) -> None:
    names = {name for name in imported_names(path) if name.split(".")[0] == "aurum_league"}
    assert {name for name in names if not name.startswith("aurum_league.common")} == set()


@pytest.mark.parametrize(
    "path",
    [case for case in source_cases(*PACKAGES) if {"rules", "brains"} & set(case.values[0].parts)],  # type: ignore[attr-defined]
)
def test_pure_code_uses_no_global_random(path: Path) -> None:
    """A random.Random that is passed in is fine; the module's own functions share one hidden state."""
    tree = ast.parse(path.read_text())
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random"
    }
    taken = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "random"
        for alias in node.names
    }
    assert (used | taken) <= {"Random"}


def imported_names(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def list_public_classes(*packages: str) -> Iterator[tuple[str, Path]]:
    """By name, without migrations and what Django wants to be called so."""
    for path in list_python(*packages):
        if "migrations" not in path.parts:
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name != "Command":
                    yield node.name, path


def test_a_class_name_has_one_meaning() -> None:
    """But for the value, its row and its JSON (CONTRIBUTING.md): for one of each, and as value and row only a match."""
    places: dict[str, list[str]] = {}
    rows: set[str] = set()
    values: set[str] = set()
    for name, path in list_public_classes("aurum_league", "games", "bots", "tournaments", "benchmarks"):
        if relative(path) == "aurum_league/client/shapes.py":
            continue
        is_row = "models" in {*path.parts, path.stem}
        (rows if is_row else values).add(name)
        places.setdefault(f"{name} as row" if is_row else name, []).append(relative(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
    assert rows & values == {"Match"}
