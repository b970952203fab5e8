"""What the rules tell people, word for word: refusals, faults of records and the rules in force.

The texts lie in golden/; a change of wording changes them there, and a reader sees it in the difference.
"""

import copy
from pathlib import Path
from typing import Any

import pytest

from games.rules.errors import IllegalAction
from games.rules.faults import RecordFault
from games.rules.record import make_record, read_record
from games.rules.rulebook import rules_in_force
from games.rules.ruleset import Ruleset
from tests.rules.positions import play_random_match
from tests.rules.spoilt_records import FAULTS, UNSEEDED
from tests.rules.test_refusals import NUMBERS, REFUSED, fixed_match

GOLDEN = Path(__file__).parent / "golden"
RULESETS = ("en3", "fr4", "de3-nozero", "ru3-cumulative", "de4-golden", "ru4-cumulative-golden")


def tell_faults() -> str:
    match = play_random_match(Ruleset(3, "de"), "record 3")
    lines = []
    for with_seed, params in ((True, FAULTS), (False, UNSEEDED)):
        for param in params:
            record: Any = copy.deepcopy(make_record(match, with_seed=with_seed))
            change: Any = param.values[0]
            change(record)
            with pytest.raises(RecordFault) as caught:
                read_record(record)
            lines.append(f"{param.id}: {caught.value}")
    return "\n".join(lines) + "\n"


def _values(param: Any) -> tuple[Any, ...]:
    """The values of a row without the code that is expected last."""
    return tuple(param.values[:-1])


def tell_refusals() -> str:
    lines = []
    for param in REFUSED:
        players, script, seat, text = _values(param)
        with pytest.raises(IllegalAction) as caught:
            fixed_match(players, script).apply_text(seat, text)
        lines.append(f"{param.id}: {caught.value}")
    for param in NUMBERS:
        script, seat, action = _values(param)
        with pytest.raises(IllegalAction) as caught:
            fixed_match(3, script).apply(seat, action)
        lines.append(f"{param.id}: {caught.value}")
    return "\n".join(lines) + "\n"


def tell_rules() -> str:
    lines = []
    for code in RULESETS:
        lines.append(code)
        for rule in rules_in_force(Ruleset.from_code(code)):
            lines.append(f"  {rule.topic}: {rule.text} {rule.ruling}".rstrip())
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "tell"),
    [
        pytest.param("faults.txt", tell_faults, id="faults"),
        pytest.param("refusals.txt", tell_refusals, id="refusals"),
        pytest.param("rules.txt", tell_rules, id="rules"),
    ],
)
def test_told_as_written_down(name: str, tell: Any) -> None:
    assert tell() == (GOLDEN / name).read_text(encoding="utf-8")
