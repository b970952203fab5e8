"""docs/ARCHITECTURE.md against the tree: its map, its arrows, its programs, and every name that it gives."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aurum_league.celery import SECONDS_OF_SILENCE
from aurum_league.supervision.supervisor import MOST_WEB_PROCESSES, NAMES, make_command
from games.services.create import SLEEPER_DAYS
from games.services.play import PATIENCE_SECONDS
from tests.architecture.sources import CHECKOUT, list_files, list_python

TEXT = (CHECKOUT / "docs" / "ARCHITECTURE.md").read_text()
APPS = ("games", "bots", "tournaments")
DJANGOS = {"migrations", "static", "locale", "templates"}
"""Folders that every Django project has, which a map need not name."""

MAP = TEXT.split("```")[1]


def section(title: str) -> str:
    return TEXT.split(f"## {title}\n")[1].split("\n## ")[0]


@cache
def list_paths() -> frozenset[str]:
    files = {str(path.relative_to(CHECKOUT)) for path in list_files()}
    return frozenset(files | {f"{parent}/" for name in files for parent in map(str, Path(name).parents)})


def list_folders(package: str) -> set[str]:
    inside = (path.relative_to(CHECKOUT).parts for path in list_files() if path.is_relative_to(CHECKOUT / package))
    return {parts[1] for parts in inside if len(parts) > 2} - DJANGOS


def find(name: str) -> list[str]:
    """By any end of its way; a module may be named without its ending, and a folder with a stroke behind it."""
    ends = (name, f"{name}.py", f"{name}/")
    return [path for path in list_paths() for end in ends if path == end or path.endswith(f"/{end}")]


@pytest.mark.parametrize("package", ["aurum_league", *APPS])
def test_the_map_names_every_folder(package: str) -> None:
    block = MAP[MAP.index(f"\n{package}/") + 1 :]
    own = block[: re.search(r"\n\w", block).start()]  # type: ignore[union-attr]
    named = set(re.findall(r"\b([a-z]+)(?:/|\b)", own))
    assert list_folders(package) - named == set()
    written = set(re.findall(r"(?:^|[ (])([a-z]+)/", own, re.MULTILINE)) - {package}
    assert written - list_folders(package) == set()


CODE = re.compile(r"`([^`\n]+)`")
WAY = re.compile(r"[\w*-]+(?:/[\w*.-]*)+|\w+\.(?:py|js|css|toml|md)")


def list_ways() -> Iterator[str]:
    """Whatever is written as a file, a folder, a module or something in a module; commands and addresses are not."""
    for text in CODE.findall(TEXT.replace(MAP, "")):
        if "/" in text and not text.startswith("/") and " " not in text:
            yield text
    for row in section("I want to change…").splitlines()[2:]:
        yield from (way.rstrip(".") for way in WAY.findall(row.split("|")[2]))


@pytest.mark.parametrize("way", sorted(set(list_ways())))
def test_what_is_named_exists(way: str) -> None:
    if "*" in way:
        assert [path for path in list_paths() if Path(path).match(way)]
        return
    module, _, name = way.rpartition(".")
    if find(way):
        return
    (path,) = (path for path in find(module) if path.endswith(".py"))
    assert name in {node.name for node in ast.parse((CHECKOUT / path).read_text()).body if hasattr(node, "name")}


def test_names_of_the_code_are_in_the_code() -> None:
    """Classes, settings and members, wherever the text gives them as code."""
    source = "\n".join(path.read_text() for path in list_python("aurum_league", *APPS))
    names = {name for name in CODE.findall(TEXT) if re.fullmatch(r"[A-Za-z_]+(\.[A-Z_]+)?", name)}
    assert len(names) > 20
    parts = {part for name in names for part in name.split(".")}
    assert {part for part in parts if not re.search(rf"\b{part}\b", source)} == set()


def read_contracts() -> list[dict[str, Any]]:
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]


def list_names(layer: str) -> set[str]:
    return {name.rpartition(".")[2] for name in re.findall(r"[\w.]+", layer)}


def test_the_arrows_are_those_that_are_checked() -> None:
    arrows = section("The arrows")
    contracts = read_contracts()
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    assert f"with {numbers[len(contracts)]} contracts" in arrows
    for contract, line in zip(
        (one for one in contracts if one["type"] == "layers"),
        re.findall(r"^- (?:Between apps|Inside an app): `([^`]+)`", arrows, re.MULTILINE),
        strict=True,
    ):
        told, checked = line.split(" → "), contract["layers"]
        assert [list_names(layer) for layer in told] == [list_names(layer) for layer in checked]


def test_common_knows_of_the_site_only_its_models() -> None:
    known = set()
    for path in list_python("aurum_league"):
        if "common" in path.parts:
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("aurum_league"):
                    known.add(".".join(node.module.split(".")[:2]))
    assert known == {"aurum_league.common", "aurum_league.models"}


def test_programs_and_queues() -> None:
    told = dict(re.findall(r"^- \*\*(\w+)\*\*: (.+)", section("How it runs"), re.MULTILINE))
    assert tuple(told) == NAMES
    for name in ("worker", "live", "patient"):
        command = make_command(name)
        queues = command[command.index("--queues") + 1].split(",")
        assert re.findall(r"`(\w+)`", told[name].split(":")[0].split(".")[0])[: len(queues)] == queues


@pytest.mark.parametrize(
    ("words", "is_true"),
    [
        pytest.param("at most four", MOST_WEB_PROCESSES == 4, id="web processes"),
        pytest.param("hears nothing from it for four seconds", SECONDS_OF_SILENCE == 4, id="silence"),
        pytest.param("without working for more than a second", PATIENCE_SECONDS == 1, id="patience"),
        pytest.param("within a day goes there at once", SLEEPER_DAYS == 1, id="sleepers"),
    ],
)
def test_a_number_in_words(words: str, is_true: bool) -> None:
    assert words in section("How it runs")
    assert is_true


ONE_PLACE = {
    r"\bcsv\.writer\(": {"aurum_league/common/files.py"},
    r"\.pubsub\(": {"aurum_league/common/broker.py"},
    r"\.(send_task|apply_async|delay)\(": {"aurum_league/common/broker.py", "aurum_league/celery.py"},
    r"\"nudge_failed\"": {"aurum_league/common/broker.py"},
    r"def array_text\(": {"aurum_league/common/sql.py"},
    r"from django\.core\.cache ": {
        *("aurum_league/common/cache.py", "aurum_league/operations/checks.py", "aurum_league/celery.py"),
    },
}
"""What is done in one place of the product, whoever needs it; a worker asks for its sweeps, once for all workers and
also where Redis cannot say who was first, and a probe asks the cache itself."""


@pytest.mark.parametrize("pattern", ONE_PLACE)
def test_one_of_each(pattern: str) -> None:
    product = [path for path in list_python("aurum_league", *APPS) if "migrations" not in path.parts]
    found = {str(path.relative_to(CHECKOUT)) for path in product if re.search(pattern, path.read_text())}
    assert found == ONE_PLACE[pattern]
