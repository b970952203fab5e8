"""What the rules tell people, word for word: refusals, faults of records, views and the rules in force.

The texts lie in golden/; a change of wording changes them there, and a reader sees it in the difference.
"""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from games.rules.errors import IllegalAction, RecordFault
from games.rules.match import Match
from games.rules.playout import Chance, random_action
from games.rules.record import make_record, read_record
from games.rules.rulebook import rules_in_force
from games.rules.ruleset import Ruleset
from games.rules.view import view
from tests.rules.positions import make_seed, play_random_match
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
    with pytest.raises(IllegalAction) as caught:
        play_random_match(Ruleset(3), "over").apply(0, 1)
    lines.append(f"after the match: {caught.value}")
    return "\n".join(lines) + "\n"


def tell_views() -> str:
    """Views of all seats and a watcher: while bidding, in the middle of a round, after the match."""
    lines = []
    for players, steps in ((3, 2), (3, 30), (4, 100), (4, 10_000)):
        match = Match(Ruleset(players), make_seed("views"))
        chance = Chance(21)
        while match.result is None and len(match.log) < steps:
            match.apply(match.round.turn, random_action(match.round, chance))
        for seat in range(-1, players):
            seen = view(match, seat)
            seen.clocks = (1000, 2000, 3000) if players == 3 else None
            lines.append(json.dumps(seen.to_dict()))
    return "\n".join(lines) + "\n"


def tell_rules() -> str:
    lines = []
    for code in RULESETS:
        lines.append(code)
        for rule in rules_in_force(Ruleset.from_code(code)):
            mark = rule.mark_in(code[:3])
            assert mark is not None
            lines.append(f"  {rule.topic}: {rule.text} {' '.join(mark.rulings)}".rstrip())
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "tell"),
    [
        pytest.param("faults.txt", tell_faults, id="faults"),
        pytest.param("refusals.txt", tell_refusals, id="refusals"),
        pytest.param("rules.txt", tell_rules, id="rules"),
        pytest.param("views.jsonl", tell_views, id="views"),
    ],
)
def test_told_as_written_down(name: str, tell: Any) -> None:
    assert tell() == (GOLDEN / name).read_text(encoding="utf-8")
