"""The arrows between packages hold, and each contract bites when its arrow is turned round."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = ("aurum_league", "games", "bots", "tournaments")


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
