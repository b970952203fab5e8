"""The arrows between packages hold, and each contract bites when its arrow is turned round."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = ("aurum_league", "games", "bots", "tournaments", "benchmarks")


def lint_imports(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--config", "pyproject.toml"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sources only, so that a broken arrow can be written into them."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copy(CHECKOUT / "pyproject.toml", folder)
    for package in PACKAGES:
        for source in (CHECKOUT / package).rglob("*.py"):
            target = folder / source.relative_to(CHECKOUT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return folder


def test_all_contracts_are_kept() -> None:
    code, output = lint_imports(CHECKOUT)
    assert code == 0, output


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        pytest.param("games/rules/bites.py", "import bots.apps", "Apps import downwards only", id="game imports bots"),
        pytest.param("aurum_league/common/bites.py", "import games", "Apps import downwards only", id="common"),
        pytest.param(
            "games/play/bites.py",
            "import games.services",
            "Inside an app, layers import downwards only",
            id="play imports services",
        ),
        pytest.param("games/rules/bites.py", "import time", "Rules and brains are pure", id="rules look at the clock"),
        pytest.param("games/rules/bites.py", "import timeit", "Rules and brains are pure", id="rules are timed"),
        pytest.param("bots/brains/bites.py", "import argparse", "Rules and brains are pure", id="a brain has options"),
        pytest.param("tournaments/rules/bites.py", "import resource", "Rules and brains are pure", id="or is weighed"),
        pytest.param("tournaments/rules/bites.py", "import networkx", "Rules and brains are pure", id="or needs tests"),
        pytest.param(
            "aurum_league/common/bites.py",
            "import benchmarks.report",
            "The product knows no instruments",
            id="the product reports as an instrument",
        ),
        pytest.param(
            "aurum_league/cli/bites.py",
            "def run() -> None:\n    import benchmarks.registry",
            "The product knows no instruments",
            id="even inside a function",
        ),
        pytest.param("bots/brains/bites.py", "import django", "Rules and brains are pure", id="a brain knows Django"),
        pytest.param("bots/runners/bites.py", "import django", "Tables and runners know no Django", id="a runner too"),
    ],
)
def test_contract_bites(copy: Path, file: str, line: str, contract: str) -> None:
    bad = copy / file
    bad.write_text(f"{line}\n")
    try:
        code, output = lint_imports(copy)
    finally:
        bad.unlink()
    assert code == 1, output
    assert f"{contract} BROKEN" in " ".join(output.split())


def test_packages_of_development_are_forbidden_in_pure_code() -> None:
    """Every module that comes with a package of the extra `dev`; type stubs are no modules."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    contracts = {contract["name"]: contract for contract in project["tool"]["importlinter"]["contracts"]}
    named = [re.split(r"[<>=\[]", line)[0] for line in project["project"]["optional-dependencies"]["dev"]]
    wanted = {name.lower().replace("_", "-") for name in named}
    brought = {
        module
        for module, owners in packages_distributions().items()
        if wanted & {owner.lower().replace("_", "-") for owner in owners}
    }
    modules = {module for module in brought if module.isidentifier() and not module.startswith("_")}
    assert "networkx" in modules
    assert modules - set(contracts["Rules and brains are pure"]["forbidden_modules"]) == set()
