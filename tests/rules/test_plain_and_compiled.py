"""The compiled rules and the plain ones are one implementation: they play alike, record by record."""

import json
from typing import Any

import pytest

from benchmarks.rules import is_compiled
from games.rules.ruleset import all_rulesets
from tests.rules.lockstep import SharedDeals, compiled, differ_somewhere, open_match, plain, play_compiled
from tests.rules.positions import make_seed

MATCHES_A_RULESET = 1000
RECORDS_A_RULESET = 10
CODES = [ruleset.code for ruleset in all_rulesets()]

pytestmark = pytest.mark.skipif(not is_compiled(), reason="the rules are not compiled here: nothing to compare")


@pytest.mark.parametrize("code", CODES)
def test_same_seeds_same_matches(code: str) -> None:
    """Every mask of legal actions, every trick, every score and every place of a thousand matches."""
    assert not list(filter(None, (differ_somewhere(code, number) for number in range(MATCHES_A_RULESET))))


def tell_views(rules: Any, match: Any) -> list[str]:
    return [json.dumps(rules["view"].view(match, seat).to_dict()) for seat in range(-1, match.players)]


@pytest.mark.parametrize("code", CODES)
def test_same_matches_same_records_and_views(code: str) -> None:
    """Byte by byte, the views from every twentieth action on."""
    for number in range(RECORDS_A_RULESET):
        seed = make_seed(f"{code} {number}")
        deals = SharedDeals(seed, int(code[2]))
        whole, one, other = (open_match(rules, code, seed, deals) for rules in (compiled, compiled, plain))
        play_compiled(whole, seed)
        for step, entry in enumerate(whole.log):
            if step % 20 == number % 20:
                assert tell_views(compiled, one) == tell_views(plain, other)
            for match in (one, other):
                match.apply(entry & 3, entry >> 2)
        records = [
            rules["record"].dump_record(rules["record"].make_record(match, with_seed=True))
            for rules, match in ((compiled, one), (plain, other))
        ]
        assert records[0] == records[1]


@pytest.mark.parametrize("players", [3, 4])
def test_playouts_leave_the_same_checksum(players: int) -> None:
    """Catches what C does differently: shifts of 32 bits, signs, overflow."""
    assert plain["playout"].random_rounds(players, 500, 2026) == compiled["playout"].random_rounds(players, 500, 2026)


NUMBERS = [-1, 60, 1864, 1 << 31, 1 << 32, 1 << 64, -(1 << 31) - 1, -(1 << 63) - 1, 10**30]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("rules", [pytest.param(compiled, id="compiled"), pytest.param(plain, id="plain")])
def test_numbers_of_any_size_are_refused_by_their_code(rules: Any, number: int) -> None:
    """A C int would overflow before anybody could say what is wrong."""
    seed = make_seed("numbers")
    match = open_match(rules, "en3", seed, SharedDeals(seed, 3))
    seat = match.round.turn
    for who, action, code in ((seat, number, "not_an_action"), (number, 0, "not_your_turn")):
        with pytest.raises(ValueError) as caught:
            match.apply(who, action)
        assert getattr(caught.value, "code", None) == code
    assert match.log == []


def test_the_two_are_two() -> None:
    assert plain["match"].Match is not compiled["match"].Match
    assert plain["match"].__file__.endswith(".py")
    assert not compiled["match"].__file__.endswith(".py")
