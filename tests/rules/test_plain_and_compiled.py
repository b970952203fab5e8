"""The compiled rules and the plain ones are one implementation: they play alike, record by record."""

import json
from typing import Any

import pytest

from games.plain_rules import is_compiled, load_module, load_plain
from games.rules.ruleset import all_rulesets
from tests.rules.positions import make_seed

MATCHES_A_RULESET = 40
NAMES = ("match", "playout", "record", "ruleset", "view")

pytestmark = pytest.mark.skipif(not is_compiled(), reason="the rules are not compiled here: nothing to compare")

compiled: Any = {name: load_module(name) for name in NAMES}
plain: Any = {name: load_plain(name) for name in NAMES}


def play(rules: Any, code: str, seed: bytes) -> tuple[list[int], str, str]:
    """A match of random actions: its log, its record and a view from the middle of it."""
    match = rules["match"].Match(rules["ruleset"].Ruleset.from_code(code), seed)
    chance = rules["playout"].Chance(int.from_bytes(seed[:8], "big"))
    seen = ""
    while match.result is None:
        match.apply(match.round.turn, rules["playout"].random_action(match.round, chance))
        if len(match.log) == 40:
            seen = json.dumps([rules["view"].view(match, seat).to_dict() for seat in range(-1, match.players)])
    return list(match.log), rules["record"].dump_record(rules["record"].make_record(match)), seen


@pytest.mark.parametrize("code", [ruleset.code for ruleset in all_rulesets()])
def test_same_seeds_same_records(code: str) -> None:
    for number in range(MATCHES_A_RULESET):
        seed = make_seed(f"{code} {number}")
        assert play(compiled, code, seed) == play(plain, code, seed)


@pytest.mark.parametrize("players", [3, 4])
def test_playouts_leave_the_same_checksum(players: int) -> None:
    """Catches what C does differently: shifts of 32 bits, signs, overflow."""
    assert plain["playout"].random_rounds(players, 500, 2026) == compiled["playout"].random_rounds(players, 500, 2026)


def test_the_two_are_two() -> None:
    assert plain["match"].Match is not compiled["match"].Match
    assert plain["match"].__file__.endswith(".py")
    assert not compiled["match"].__file__.endswith(".py")
