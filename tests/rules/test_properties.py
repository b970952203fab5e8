"""What holds in every position of every match, whatever is played."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.actions import ACTIONS, OVER, legal_actions
from games.rules.cards import CARD_NAMES, GOLD_COPIES, deck, names_in
from games.rules.errors import IllegalAction
from games.rules.match import Match, pack_log, replay, unpack_log
from games.rules.playout import Chance, random_action
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.view import view

MOST_DECISIONS = 200
"""More than a round can take: 48 metals, at most as many changes before each of some 15 tricks, and the gold."""

rulesets = st.sampled_from(all_rulesets())
seeds = st.binary(min_size=32, max_size=32)
chances = st.integers(1, 2**64 - 1).map(Chance)


def count_cards(match: Match) -> Counter[str]:
    """Every card of the round by name, wherever it lies."""
    round_ = match.round
    told: Any = view(match, -1).to_dict()["round"]
    found: Counter[str] = Counter(names_in(match.dealt.set_aside) + names_in(round_.played))
    for seat in range(match.players):
        found.update(names_in(round_.hands[seat]))
        found.update([CARD_NAMES[round_.bids[seat]]] if round_.bids[seat] >= 0 else [])
        found.update(told["gold"][seat])
    found.update(told["supply"])
    found.update(name for name in told["trick"] if name[0] == "G")
    return found


def whole_game(ruleset: Ruleset) -> Counter[str]:
    ranks = range(0 if ruleset.zero_gold else 1, 9 if ruleset.players == 4 else 8)
    gold = {f"G{rank}": GOLD_COPIES[rank] for rank in ranks}
    return Counter({CARD_NAMES[card]: 1 for card in deck(ruleset.players)} | gold)


@settings(max_examples=40, deadline=None)
@given(ruleset=rulesets, seed=seeds, chance=chances)
def test_every_card_is_somewhere_exactly_once(ruleset: Ruleset, seed: bytes, chance: Chance) -> None:
    match = Match(ruleset, seed)
    whole = whole_game(ruleset)
    while match.result is None:
        assert count_cards(match) == whole
        match.apply(match.round.turn, random_action(match.round, chance))


@settings(max_examples=100, deadline=None)
@given(ruleset=rulesets, seed=seeds, chance=chances)
def test_rounds_end_and_the_log_leads_to_the_same_match(ruleset: Ruleset, seed: bytes, chance: Chance) -> None:
    match = Match(ruleset, seed)
    while match.result is None:
        match.apply(match.round.turn, random_action(match.round, chance))
        assert len(match.log) - match.round_start < MOST_DECISIONS
    assert 2 <= len(match.rounds) <= 7
    again = replay(ruleset, seed, unpack_log(pack_log(match.log)))
    assert (again.log, again.rounds, again.result) == (match.log, match.rounds, match.result)
    assert len(pack_log(match.log)) == 2 * len(match.log)
    for number, finished in enumerate(match.rounds):
        assert finished.first_seat == (match.first_seat + number) % ruleset.players
        assert sum(score.tricks for score in finished.outcome.scores) == len(finished.trick_ends)
        assert finished.outcome.winners


@settings(max_examples=40, deadline=None)
@given(players=st.sampled_from([3, 4]), seed=seeds, chance=chances, steps=st.integers(0, 60))
def test_legal_actions_are_exactly_those_that_are_accepted(
    players: int, seed: bytes, chance: Chance, steps: int
) -> None:
    round_ = Match(Ruleset(players), seed).round
    for _ in range(steps):
        if round_.phase != OVER:
            round_.apply(random_action(round_, chance))
    legal = set(legal_actions(round_.phase, round_.legal)) if round_.phase != OVER else set()
    accepted = set()
    for action in range(-2, ACTIONS + 2):
        tried = round_.copy()
        assert tried.allows(action) == (action in legal)
        try:
            tried.apply(action)
        except IllegalAction:
            continue
        accepted.add(action)
    assert accepted == legal
