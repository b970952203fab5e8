"""Nothing about the rules goes undocumented, and docs/RULES.md says what the rulebook says."""

import re
from pathlib import Path

import pytest

from aurum_league.cli.rules import write_rulebook
from games.rules.errors import ERROR_CODES, FAULT_CODES
from games.rules.rulebook import RULES as RULEBOOK
from games.rules.ruleset import all_rulesets
from games.rules.rulings import RULINGS

DOCS = Path(__file__).parents[2] / "docs"
RULES = (DOCS / "RULES.md").read_text(encoding="utf-8")


def read_written_rulebook() -> str:
    return RULES.partition("<!-- rulebook: begin -->\n")[2].partition("\n<!-- rulebook: end -->")[0]


def test_the_page_is_what_the_rulebook_says() -> None:
    assert read_written_rulebook() == write_rulebook(), "put there what `aurum rules --markdown` prints"


def test_every_rule_and_every_ruling_is_written() -> None:
    written = read_written_rulebook()
    assert [rule.name for rule in RULEBOOK if f"| {rule.text}" not in written] == []
    assert [number for number in RULINGS if f"| **{number}** | " not in written] == []


def test_the_example_for_authors_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", RULES, re.DOTALL)
    exec(example, {})
    assert capsys.readouterr().out.endswith(" True\n")


@pytest.mark.parametrize("code", [*ERROR_CODES, *FAULT_CODES])
def test_every_code_has_its_row(code: str) -> None:
    assert f"\n| `{code}` | " in RULES


@pytest.mark.parametrize("part", all_rulesets()[0].to_dict())
def test_every_part_of_a_ruleset_is_explained(part: str) -> None:
    values = {str(ruleset.to_dict()[part]).lower() for ruleset in all_rulesets()}
    row = next(line for line in RULES.splitlines() if line.startswith(f"| {part} | "))
    assert all(value in row for value in values)


@pytest.mark.parametrize("code", ERROR_CODES)
def test_bot_authors_find_every_rule_error(code: str) -> None:
    assert f"| `{code}` | {ERROR_CODES[code]} |" in (DOCS / "BOTS.md").read_text(encoding="utf-8")
