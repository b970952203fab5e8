"""Every limit, verdict and error code of the runners is explained in docs/SANDBOX.md."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from bots.runners.budget import Limits
from bots.runners.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
RUNNERS = ROOT / "bots" / "runners"
CODE = re.compile(r"(?:ArchiveError|__init__)\(\s*\"([a-z0-9_]+)\"")
CODES = sorted({code for path in RUNNERS.glob("*.py") for code in CODE.findall(path.read_text())})
LIMITS = [field.name for field in fields(Limits)]


def test_codes_are_found() -> None:
    assert {"archive_path", "launch_failed", "sandbox_unsafe"} <= set(CODES)


@pytest.mark.parametrize("word", [*CODES, *LIMITS, *Verdict])
def test_word_is_documented(word: str) -> None:
    assert f"| `{word}` |" in (ROOT / "docs" / "SANDBOX.md").read_text()
