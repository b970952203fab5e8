"""The search: its samples fit what was seen, its stakes know the match, and it plays everything legally and alike."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.brains import explain
from bots.brains.counting import choose_action
from bots.brains.sampling import HandSampler
from bots.brains.search import PLAYOUTS, SearchBrain, grow_tree, worthwhile_actions
from bots.brains.stakes import Stakes, chances_after, even_round
from bots.brains.tally import Tally
from games.play.table import play_match
from games.rules.actions import BID, legal_actions
from games.rules.cards import deck, mask_of
from games.rules.match import Match
from games.rules.playout import Chance, random_action
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.view import View, view


def position(code: str, number: int, steps: int) -> Match:
    """A match after so many actions, half of them random."""
    match = Match(Ruleset.from_code(code), hashlib.sha256(f"{number}".encode()).digest())
    chance = Chance(number + 1)
    for step in range(steps):
        round_ = match.round
        if step % 2:
            action = random_action(round_, chance)
        else:
            action = choose_action(Tally(), round_, round_.turn, match.dealt.set_aside)
        match.apply(round_.turn, action)
        if match.is_over:
            return position(code, number, steps // 2)
    return match


CODES = st.sampled_from(["en3", "de4", "fr3-nozero", "ru4-cumulative"])


@settings(max_examples=60, deadline=None)
@given(CODES, st.integers(0, 10**6), st.integers(0, 150), st.integers(1, 10**6))
def test_sampled_hands_fit_everything_seen(code: str, number: int, steps: int, luck: int) -> None:
    match = position(code, number, steps)
    seat = match.round.turn
    seen = view(match, seat)
    hands = HandSampler(seen).deal(Chance(luck))
    is_secret = match.players == 3 and match.round.phase == BID
    laid = 0 if is_secret else mask_of(bid for bid in match.round.bids if bid >= 0)
    assert hands[seat] == seen.hand
    together = laid | seen.played | seen.set_aside
    for other in range(match.players):
        assert hands[other].bit_count() == (12 if is_secret else seen.sizes[other])
        assert hands[other] & seen.known[other] == seen.known[other]
        assert together & hands[other] == 0
        together |= hands[other]
    assert together == mask_of(deck(match.players))


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_plays_every_ruleset_to_a_result(ruleset: Ruleset) -> None:
    match = Match(ruleset, hashlib.sha256(ruleset.code.encode()).digest())
    play_match(match, [SearchBrain(seat, playouts=2) for seat in range(ruleset.players)])
    assert match.is_over


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_the_same_seed_decides_the_same(code: str) -> None:
    for steps in (0, 5, 30, 60):
        match = position(code, 9, steps)
        seen = view(match, match.round.turn)
        assert len({SearchBrain(5, playouts=40).choose(seen) for _ in range(2)}) == 1


@settings(max_examples=20, deadline=None)
@given(CODES, st.integers(0, 10**6), st.integers(0, 150))
def test_explains_every_legal_action_best_first(code: str, number: int, steps: int) -> None:
    """Each was looked at, which its worth alone does not tell: that may be nought."""
    match = position(code, number, steps)
    seen = view(match, match.round.turn)
    opinions = explain(seen, 1, "search-1")
    assert sorted(action for action, _ in opinions) == sorted(legal_actions(seen.phase, seen.legal))
    assert [value for _, value in opinions] == sorted((value for _, value in opinions), reverse=True)
    actions = [action for action, _ in opinions]
    tree = grow_tree(seen, actions, 1, max(PLAYOUTS["search-1"], 4 * len(actions)))
    assert all(visits > 0 for _, visits, _ in tree.opinions())
    assert set(worthwhile_actions(seen)) <= {action for action, _ in opinions}


@pytest.mark.parametrize(
    ("code", "winners", "chances"),
    [
        pytest.param("en3", [0, 0], (1, 0, 0), id="two nuggets win"),
        pytest.param("en4", [0], (0.75, 0.25), id="one ahead of two"),
        pytest.param("en4", [0, 1], (0.5, 0.5), id="level before the last round"),
        pytest.param("de3", [0, 1], (4 / 9, 4 / 9, 1 / 9), id="a fourth round is played at one each"),
    ],
)
def test_chances_follow_the_match(code: str, winners: list[int], chances: tuple[float, ...]) -> None:
    ruleset = Ruleset.from_code(code)
    assert chances_after(ruleset, tuple(even_round(ruleset, winner) for winner in winners)) == pytest.approx(chances)


@pytest.mark.parametrize("code", ["en3", "fr4", "en3-cumulative", "de4-cumulative-golden"])
def test_winning_a_round_is_worth_more_than_losing_it(code: str) -> None:
    match = Match(Ruleset.from_code(code), hashlib.sha256(b"stakes").digest())
    stakes = Stakes(view(match, 0))
    round_ = match.round.copy()
    while round_.phase != 3:
        round_.apply(choose_action(Tally(), round_, round_.turn, match.dealt.set_aside))
    stakes.measure(round_)
    while not match.rounds:
        match.apply(match.round.turn, choose_action(Tally(), match.round, match.round.turn, match.dealt.set_aside))
    winners = match.rounds[0].outcome.winners
    worth = [stakes.worth[side] for side in range(match.ruleset.sides)]
    assert {side for side in range(len(worth)) if worth[side] == max(worth)} <= set(winners)


def test_takes_the_winning_end_of_a_round() -> None:
    """Where the round hangs on one decision, the search finds it: over many endings it scores no worse than chance."""
    better = 0
    for number in range(12):
        match = position("en3", number, 55)
        seen: View = view(match, match.round.turn)
        opinions = dict(explain(seen, 1, "search-1"))
        chosen = SearchBrain(1, playouts=60).choose(seen)
        better += opinions[chosen] >= sum(opinions.values()) / len(opinions) - 0.02
    assert better >= 10
