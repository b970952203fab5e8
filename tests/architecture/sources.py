"""The tracked files of the checkout, for tests that read them."""

import subprocess
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = ("aurum_league", "games", "bots", "tournaments", "benchmarks")
SKIPPED = (".git", ".venv", "var", "build", "dist", "node_modules", "staticfiles")


@cache
def list_files() -> tuple[Path, ...]:
    """What git tracks or would track; in a folder without git, everything but what is made."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        paths = [CHECKOUT / name for name in done.stdout.split("\0") if name]
    else:
        paths = [path for path in CHECKOUT.rglob("*") if not set(path.relative_to(CHECKOUT).parts) & set(SKIPPED)]
    return tuple(path for path in paths if path.is_file())


def list_python(*packages: str) -> list[Path]:
    return [path for path in list_files() if path.suffix == ".py" and path.relative_to(CHECKOUT).parts[0] in packages]
