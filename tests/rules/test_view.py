"""What a seat may see: all that is public, its own cards, and not a byte that depends on anything else."""

import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.rules.actions import BID, OVER
from games.rules.cards import CARD_NAMES, cards_in, names_in
from games.rules.deal import Deal, SeedDeals
from games.rules.errors import IllegalAction
from games.rules.match import Match
from games.rules.playout import Chance, random_action
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.view import view
from tests.rules.positions import make_seed, play_random_match
from tests.rules.test_refusals import fixed_match

WATCHER = -1


class ChangedDeals:
    """The deals of a seed with one round's cards exchanged, and all later rounds those of another seed."""

    def __init__(self, seed: bytes, players: int, number: int, changed: Deal) -> None:
        self.source, self.later = SeedDeals(seed, players), SeedDeals(make_seed("later"), players)
        self.first_seat = self.source.first_seat
        self.number, self.changed = number, changed

    def deal(self, round_number: int) -> Deal:
        if round_number == self.number:
            return self.changed
        return (self.source if round_number < self.number else self.later).deal(round_number)

    def draw_lots(self, sides: Any) -> list[int]:
        return self.later.draw_lots(sides)


def play_some(match: Match, chance: Chance, steps: int) -> None:
    for _ in range(steps):
        if match.result is None:
            match.apply(match.round.turn, random_action(match.round, chance))


def exchange_hidden_cards(match: Match, viewer: int, chance: Chance) -> Deal:
    """The current round's deal with one card of each of two other seats exchanged that nobody has seen since."""
    round_ = match.round
    hidden = {
        seat: list(cards_in(round_.hands[seat] & match.dealt.hands[seat] & ~round_.known[seat]))
        for seat in range(match.players)
        if seat != viewer
    }
    one, other = [seat for seat in hidden if hidden[seat]][:2]
    given_card, taken = (hidden[seat][chance.below(len(hidden[seat]))] for seat in (one, other))
    hands = list(match.dealt.hands)
    swap = 1 << given_card | 1 << taken
    hands[one] ^= swap
    hands[other] ^= swap
    return Deal(tuple(hands), match.dealt.set_aside)


def seen_by(match: Match, viewer: int) -> str:
    return json.dumps(view(match, viewer).to_dict())


@settings(max_examples=150, deadline=None)
@given(
    ruleset=st.sampled_from(all_rulesets()),
    label=st.integers(0, 10_000),
    steps=st.integers(0, 120),
    viewer=st.integers(-1, 3),
)
def test_cards_of_others_change_nothing_in_a_view(ruleset: Ruleset, label: int, steps: int, viewer: int) -> None:
    assume(viewer < ruleset.players)
    seed, chance = make_seed(label), Chance(label + 1)
    match = Match(ruleset, seed)
    play_some(match, chance, steps)
    assume(match.result is None)
    others = [seat for seat in range(ruleset.players) if seat != viewer and match.round.hands[seat]]
    assume(len(others) >= 2)
    try:
        changed = exchange_hidden_cards(match, viewer, chance)
    except ValueError:
        assume(False)
    twin = Match(ruleset, make_seed("twin"), ChangedDeals(seed, ruleset.players, len(match.rounds) + 1, changed))
    for entry in match.log:
        assume(len(twin.rounds) <= len(match.rounds))
        twin.apply(entry & 3, entry >> 2)
    # Where the exchange leaves a follower without a card, the round ends, and everybody sees that.
    assume(len(twin.rounds) == len(match.rounds) and twin.round.turn == match.round.turn)
    assert twin.dealt != match.dealt
    assert seen_by(twin, viewer) == seen_by(match, viewer)
    if viewer != WATCHER:
        assert refused(twin, viewer) == refused(match, viewer)


def refused(match: Match, seat: int) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(IllegalAction) as caught:
        match.apply_text(seat, "nonsense")
    return str(caught.value), caught.value.legal


@pytest.mark.parametrize("viewer", [WATCHER, 0, 1, 2])
def test_bids_of_three_stay_secret_until_all_are_laid(viewer: int) -> None:
    views = set()
    for pick in range(3):
        match = Match(Ruleset(3), make_seed("secret"))
        for seat in range(3):
            if seat != viewer and seat != 2 - (viewer == 2):
                match.apply(seat, list(cards_in(match.round.hands[seat]))[pick])
        views.add(seen_by(match, viewer))
        seen = view(match, viewer)
        assert all(seen.bids[seat] < 0 for seat in range(3) if seat != viewer)
        assert len(seen.log) == 0, "nor are they in the log it carries"
    assert len(views) == 1


def test_an_own_secret_bid_is_seen_and_then_all_are() -> None:
    match = Match(Ruleset(3), make_seed("own"))
    bids = {seat: next(iter(cards_in(match.round.hands[seat]))) for seat in range(3)}
    match.apply(1, bids[1])
    assert [view(match, 1).bids[seat] for seat in range(3)] == [-1, bids[1], -1]
    assert view(match, 1).legal == 0
    assert view(match, 1).turn == -1
    assert view(match, 2).turn == 2
    assert match.awaiting() == (0, 2)
    match.apply(2, bids[2])
    match.apply(0, bids[0])
    assert [view(match, WATCHER).bids[seat] for seat in range(3)] == [bids[0], bids[1], bids[2]]


def test_four_see_the_bids_before_theirs() -> None:
    match = Match(Ruleset(4), make_seed("four"))
    first = match.round.turn
    card = next(iter(cards_in(match.round.hands[first])))
    match.apply(first, card)
    assert all(view(match, seat).bids[first] == card for seat in range(-1, 4))
    assert match.awaiting() == ((first + 1) % 4,)


def test_a_view_tells_what_is_on_the_table() -> None:
    match = Match(Ruleset(4), make_seed("table"))
    play_some(match, Chance(5), 40)
    round_ = match.round
    for seat in range(4):
        told = view(match, seat).to_dict()["round"]
        assert told["hand"] == names_in(round_.hands[seat])
        assert told["hand_sizes"] == [round_.hands[other].bit_count() for other in range(4)]
        assert told["known_in_hand"] == [names_in(round_.known[other]) for other in range(4)]
        assert told["set_aside"] == names_in(match.dealt.set_aside)
        assert (told["turn"], told["leader"], told["number"]) == (round_.turn, round_.leader, 1)
        assert bool(view(match, seat).to_dict()["legal"]) == (seat == round_.turn)
    assert view(match, WATCHER).to_dict()["round"]["hand"] == []
    assert view(match, WATCHER).to_dict()["seat"] is None


def test_the_supply_counts_every_zero_that_is_nowhere_else() -> None:
    script = "0 bid B4; 1 bid P4; 2 bid S7; 0 keep; 1 swap G0 1 P5; 2 keep; 0 play P1; 1 play S1"
    assert view(fixed_match(3), 0).to_dict()["round"]["supply"][:2] == ["G0", "G1"]
    assert view(fixed_match(3, script), 0).to_dict()["round"]["supply"][:3] == ["G0", "G0", "G1"]
    told = view(fixed_match(3, f"{script}; 2 play G0"), 0).to_dict()["round"]
    assert (told["supply"].count("G0"), told["gold"]) == (3, [["G0"], ["G1"], []])
    during = view(fixed_match(3, script.replace("1 swap G0 1 P5", "1 keep").replace("1 play S1", "1 play G0")), 0)
    assert during.to_dict()["round"]["supply"].count("G0") == 1


@pytest.mark.parametrize("ruleset", [each for each in all_rulesets() if not each.zero_gold], ids=lambda each: each.code)
def test_without_zeros_no_seat_ever_sees_one(ruleset: Ruleset) -> None:
    match = Match(ruleset, make_seed("no zeros"))
    chance = Chance(5)
    gold_cards = 11 if ruleset.players == 4 else 10
    while match.result is None:
        for seat in range(-1, ruleset.players):
            told = view(match, seat).to_dict()
            around = told["round"]
            in_trick = sum(card[0] == "G" for card in around["trick"])
            assert "G0" not in json.dumps(told)
            assert len(around["supply"]) + sum(map(len, around["gold"])) + in_trick == gold_cards
        match.apply(match.round.turn, random_action(match.round, chance))


@pytest.mark.parametrize("players", [3, 4])
def test_a_finished_match_shows_its_history_but_no_hands_as_dealt(players: int) -> None:
    match = play_random_match(Ruleset(players), "history")
    told = view(match, 0).to_dict()
    assert match.result is not None
    assert (told["round"], told["legal"]) == (None, [])
    assert told["nuggets"] == list(match.result.nuggets)
    assert told["totals"] == list(match.result.totals)
    assert len(told["history"]) == len(match.rounds)
    for finished, shown in zip(match.rounds, told["history"], strict=True):
        assert "hands" not in shown
        assert shown["shown"] == names_in(finished.shown_hand)


@pytest.mark.parametrize(
    ("zero_gold", "laid"),
    [pytest.param(True, 0, id="the first card of all"), pytest.param(False, 47, id="a late card")],
)
def test_a_round_imagined_while_three_bid_knows_only_the_own_bid(zero_gold: bool, laid: int) -> None:
    match = Match(Ruleset(3, zero_gold=zero_gold), make_seed("imagine"))
    viewer = next(seat for seat in range(3) if match.round.hands[seat] >> laid & 1)
    other = (viewer + 1) % 3
    match.apply(other, match.round.hands[other].bit_length() - 1)
    for bid in (-1, laid):
        if bid >= 0:
            match.apply(viewer, bid)
        hands = [match.dealt.hands[seat] for seat in range(3)]
        hands[viewer] = match.round.hands[viewer]
        imagined = view(match, viewer).imagine(hands)
        assert imagined.phase == BID
        assert list(imagined.hands)[:3] == hands
        assert [imagined.bids[seat] for seat in range(3)] == [bid if seat == viewer else -1 for seat in range(3)]
        assert [bool(imagined.golds[seat]) for seat in range(3)] == [zero_gold] * 3
        assert imagined.first == match.round.first
    assert view(match, viewer).legal == 0
    assert view(match, viewer).to_dict()["round"]["bids"][viewer] == CARD_NAMES[laid]


@settings(max_examples=60, deadline=None)
@given(players=st.sampled_from([3, 4]), label=st.integers(0, 10_000), steps=st.integers(0, 100))
def test_a_round_imagined_with_the_true_hands_plays_on_alike(players: int, label: int, steps: int) -> None:
    match = Match(Ruleset(players), make_seed(label))
    play_some(match, Chance(label + 1), steps)
    assume(match.result is None and not (players == 3 and match.round.phase == BID))
    imagined = view(match, match.round.turn).imagine([match.round.hands[seat] for seat in range(players)])
    true = match.round.copy()
    assert (imagined.closed, imagined.bids_laid) == (true.closed, true.bids_laid)
    chances = Chance(9), Chance(9)
    while true.phase != OVER:
        for round_, chance in zip((true, imagined), chances, strict=True):
            round_.apply(random_action(round_, chance))
    for name in ("phase", "end_reason", "end_seat"):
        assert getattr(true, name) == getattr(imagined, name)
    for name in ("golds", "tricks", "bids", "hands"):
        assert list(getattr(true, name))[:players] == list(getattr(imagined, name))[:players]


@pytest.mark.parametrize(
    ("script", "end"),
    [
        pytest.param("", 0, id="nobody has bid"),
        pytest.param("1 bid P4", 0, id="one has bid"),
        pytest.param("1 bid P4; 2 bid S7", 0, id="two have bid"),
        pytest.param("1 bid P4; 2 bid S7; 0 bid B4", 3, id="the bids are shown"),
        pytest.param("1 bid P4; 2 bid S7; 0 bid B4; 0 keep", 4, id="in the open"),
    ],
)
def test_the_counter_does_not_tell_who_has_bid(script: str, end: int) -> None:
    match = fixed_match(3, script)
    assert [view(match, seat).log_end for seat in (WATCHER, 0, 1, 2)] == [end] * 4


@pytest.mark.parametrize("code", ["en3-nozero", "de4-nozero"])
def test_no_zero_is_told_where_none_is_in_the_game(code: str) -> None:
    told = view(Match(Ruleset.from_code(code), bytes(32)), 0).to_dict()["round"]
    assert "G0" not in told["supply"] and told["supply"][0] == "G1"
