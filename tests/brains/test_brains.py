"""Every house bot plays every ruleset legally, to the end, and the same again for the same seed."""

import hashlib
from itertools import product

import pytest

from bots.brains import ALIASES, BRAINS, FALLBACK, make_brain
from bots.brains.reflex import play_by_reflex
from games.play.table import Table, play_match
from games.rules.match import Match, replay
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.view import view

QUICK = ["random", "greedy", "counting"]


def deal_seed(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def play(ruleset: Ruleset, names: list[str], seed: str, bot_seed: int = 1) -> Match:
    match = Match(ruleset, deal_seed(seed))
    play_match(match, [make_brain(name, bot_seed + seat) for seat, name in enumerate(names)])
    return match


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_plays_every_ruleset_to_a_result(ruleset: Ruleset, name: str) -> None:
    for number in range(3):
        names = [name, "random", name, "random"][: ruleset.players]
        assert play(ruleset, names, f"{ruleset.code} {number}").is_over


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_without_views_the_same_is_played(ruleset: Ruleset) -> None:
    """`random` and `greedy` read the round itself where they sit among themselves, also from the midst of a match."""
    for number, names in enumerate(product(("random", "greedy"), repeat=ruleset.players)):
        by_views = play(ruleset, list(names), f"{ruleset.code} {number}")
        agents = [make_brain(name, 1 + seat) for seat, name in enumerate(names)]
        by_reflex = replay(ruleset, deal_seed(f"{ruleset.code} {number}"), by_views.log[: 7 * number])
        Table(by_reflex, agents, lambda seat: make_brain(FALLBACK, seat)).advance()
        assert by_reflex.log == by_views.log, names


def test_beside_others_nobody_plays_for_all() -> None:
    match = Match(Ruleset.from_code("en3"), deal_seed("beside"))
    assert not play_by_reflex(match, [make_brain("random", 1), make_brain("counting", 2), None]) and not match.log


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("code", ["en3", "de4"])
def test_the_same_seed_plays_the_same(name: str, code: str) -> None:
    ruleset = Ruleset.from_code(code)
    logs = [play(ruleset, [name] * ruleset.players, "again", bot_seed=7).log for _ in range(2)]
    assert logs[0] == logs[1]


def test_another_bot_seed_makes_random_play_otherwise() -> None:
    ruleset = Ruleset.from_code("en3")
    assert play(ruleset, ["random"] * 3, "luck", 1).log != play(ruleset, ["random"] * 3, "luck", 50).log


@pytest.mark.parametrize("name", QUICK)
def test_a_brain_remembers_nothing_between_decisions(name: str) -> None:
    """A match that is taken up again by a new worker, with new agents, goes on as it would have."""
    ruleset = Ruleset.from_code("fr3")
    whole = play(ruleset, [name] * 3, "resumed", bot_seed=3)
    resumed = Match(ruleset, deal_seed("resumed"))
    while not resumed.is_over:
        seat = resumed.round.turn
        resumed.apply(seat, make_brain(name, 3 + seat).choose(view(resumed, seat)))
    assert resumed.log == whole.log


def test_names_are_unique_and_levels_rise() -> None:
    names = [entry.name for entry in BRAINS]
    assert len(set(names) | set(ALIASES)) == len(names) + len(ALIASES)
    assert [entry.level for entry in BRAINS] == list(range(len(BRAINS)))
    assert FALLBACK in names


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        make_brain("grandmaster", 1)
