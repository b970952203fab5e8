"""Nothing about the rules goes undocumented."""

from pathlib import Path

import pytest

from games.rules.errors import ERROR_CODES
from games.rules.faults import FAULT_CODES
from games.rules.rulebook import RULINGS
from games.rules.ruleset import all_rulesets

DOCS = Path(__file__).parents[2] / "docs"
RULES = (DOCS / "RULES.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", [*ERROR_CODES, *FAULT_CODES])
def test_every_code_has_its_row(code: str) -> None:
    assert f"\n| `{code}` | " in RULES


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_is_named_as_ours(ruling: str) -> None:
    assert f"**{ruling}" in RULES


@pytest.mark.parametrize("part", all_rulesets()[0].to_dict())
def test_every_part_of_a_ruleset_is_explained(part: str) -> None:
    values = {str(ruleset.to_dict()[part]).lower() for ruleset in all_rulesets()}
    row = next(line for line in RULES.splitlines() if line.startswith(f"| {part} | "))
    assert all(value in row for value in values)


@pytest.mark.parametrize("code", ERROR_CODES)
def test_bot_authors_find_every_rule_error(code: str) -> None:
    assert f"| `{code}` | {ERROR_CODES[code]} |" in (DOCS / "BOTS.md").read_text(encoding="utf-8")
