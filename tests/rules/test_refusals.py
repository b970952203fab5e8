"""Illegal actions: each error code, what the error tells, and that nothing has changed."""

import json
from typing import Any

import pytest

from games.rules.cards import names_in
from games.rules.deal import Deal
from games.rules.errors import ERROR_CODES, IllegalAction
from games.rules.match import Match
from games.rules.playout import Chance, play_out
from games.rules.round import Round
from games.rules.ruleset import Ruleset
from games.rules.view import view
from tests.rules.positions import cards, play_random_match

HANDS = {
    3: (
        "B1 B2 B3 B4 B5 B6 B7 B8 B9 P1 P2 P3",
        "P4 P5 P6 P7 P8 P9 S1 S2 S3 S4 S5 S6",
        "S7 S8 S9 Z1 Z2 Z3 Z4 Z5 Z6 Z7 Z8 Z9",
    ),
    4: (
        "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 C1 C2",
        "C3 C4 C5 C6 C7 C8 C9 C10 P1 P2 P3 P4",
        "P5 P6 P7 P8 P9 P10 S1 S2 S3 S4 S5 S6",
        "S7 S8 S9 S10 Z1 Z2 Z3 Z4 Z5 Z6 Z7 Z8",
    ),
}


class FixedDeals:
    """Suits in order, so that a test knows who has what."""

    first_seat = 0

    def __init__(self, players: int) -> None:
        self.players = players

    def deal(self, round_number: int) -> Deal:
        return Deal(tuple(cards(hand) for hand in HANDS[self.players]), cards("Z9 Z10") if self.players == 4 else 0)

    def draw_lots(self, sides: Any) -> list[int]:
        return list(sides)


def fixed_match(players: int, script: str = "") -> Match:
    match = Match(Ruleset(players), None, FixedDeals(players))
    for step in filter(None, script.split("; ")):
        seat, _, text = step.partition(" ")
        match.apply_text(int(seat), text)
    return match


BIDS_3 = "0 bid B4; 1 bid P4; 2 bid S7"
BIDS_4 = "0 bid B4; 1 bid C4; 2 bid P5; 3 bid S7"
KEPT_3 = f"{BIDS_3}; 0 keep; 1 keep; 2 keep"
LED_3 = f"{KEPT_3}; 0 play P1"

REFUSED = [
    pytest.param(3, "", 0, "lay B4", "not_an_action", id="no such verb"),
    pytest.param(3, "", 0, "bid G0", "not_an_action", id="gold is no bid"),
    pytest.param(3, "", 0, "bid B11", "not_an_action", id="no such card"),
    pytest.param(3, "", 0, "play B1", "wrong_phase", id="a play while bidding"),
    pytest.param(3, "", 0, "bid P4", "card_not_in_hand", id="somebody else's card as bid"),
    pytest.param(3, "0 bid B4", 0, "bid B5", "bid_already_laid", id="a second bid"),
    pytest.param(3, "2 bid S7", 2, "bid S8", "bid_already_laid", id="a second bid out of turn"),
    pytest.param(3, "0 bid B1", 0, "bid B2", "bid_already_laid", id="a second bid after the first card of all"),
    pytest.param(3, "", 1, "bid B1", "card_not_in_hand", id="somebody else's card out of turn"),
    pytest.param(4, "", 1, "bid C4", "not_your_turn", id="four bid in turn"),
    pytest.param(4, "", 1, "keep", "not_your_turn", id="another phase and another's turn"),
    pytest.param(3, BIDS_3, 0, "bid B5", "wrong_phase", id="a bid before a trick"),
    pytest.param(3, BIDS_3, 0, "play B5", "wrong_phase", id="a play before all have kept their bids"),
    pytest.param(3, BIDS_3, 1, "keep", "not_your_turn", id="the leader decides first"),
    pytest.param(3, BIDS_3, 0, "swap G1 0 B5", "gold_not_owned", id="no such gold to spend"),
    pytest.param(3, BIDS_3, 0, "swap G0 0 P4", "card_not_in_hand", id="another's card for a bid"),
    pytest.param(3, BIDS_3, 0, "swap G0 1 B5", "not_your_bid", id="another's bid"),
    pytest.param(4, BIDS_4, 0, "swap G0 1 B5", "not_your_bid", id="an opponent's bid"),
    pytest.param(3, KEPT_3, 0, "play G0", "gold_cannot_lead", id="gold led"),
    pytest.param(3, KEPT_3, 0, "play G1", "gold_not_owned", id="gold led that is not there"),
    pytest.param(3, KEPT_3, 0, "stop", "must_play", id="the leader stops"),
    pytest.param(3, KEPT_3, 0, "play B4", "card_not_in_hand", id="the bid card is out of the hand"),
    pytest.param(3, KEPT_3, 0, "keep", "wrong_phase", id="keeping when it is time to play"),
    pytest.param(3, KEPT_3, 0, "swap G0 0 B5", "wrong_phase", id="a bid change when it is time to play"),
    pytest.param(3, KEPT_3, 1, "play S1", "not_your_turn", id="out of turn"),
    pytest.param(3, LED_3, 1, "play P5", "suit_in_trick", id="the suit is there"),
    pytest.param(3, LED_3, 1, "stop", "must_play", id="a metal fits"),
    pytest.param(3, LED_3, 1, "play G3", "gold_not_owned", id="no such gold to play"),
    pytest.param(3, LED_3, 1, "play B1", "card_not_in_hand", id="another's card"),
    pytest.param(3, LED_3, 7, "play S1", "not_your_turn", id="no such seat"),
]


@pytest.mark.parametrize(("players", "script", "seat", "text", "code"), REFUSED)
def test_refused(players: int, script: str, seat: int, text: str, code: str) -> None:
    match = fixed_match(players, script)
    before = [json.dumps(view(match, other).to_dict()) for other in range(-1, players)]
    with pytest.raises(IllegalAction) as caught:
        match.apply_text(seat, text)
    assert caught.value.code == code
    assert str(caught.value).startswith(f"{code}: ")
    assert [json.dumps(view(match, other).to_dict()) for other in range(-1, players)] == before
    if seat in match.awaiting():
        assert caught.value.legal == view(match, seat).legal_texts() != ()
    else:
        assert caught.value.legal == ()


NUMBERS = [
    pytest.param("", 0, -1, "not_an_action", id="negative"),
    pytest.param("", 0, 60, "not_an_action", id="between stop and the swaps"),
    pytest.param("", 0, 63, "not_an_action", id="the last before the swaps"),
    pytest.param("", 0, 1864, "not_an_action", id="past the last swap"),
    pytest.param("", 0, 59, "wrong_phase", id="keep while bidding"),
    pytest.param("", 1, 50, "wrong_phase", id="gold as a bid, out of turn"),
    pytest.param("", 1, -1, "not_an_action", id="negative, out of turn"),
    pytest.param(BIDS_3, 0, 4, "wrong_phase", id="a card before all have kept their bids"),
    pytest.param(f"{BIDS_3}; 0 keep", 1, 64, "card_not_in_hand", id="the first swap"),
    pytest.param(BIDS_3, 0, 64 + (9 * 4) * 50 - 1, "gold_not_owned", id="the last swap"),
    pytest.param(KEPT_3, 0, 60, "not_an_action", id="no card and no gold"),
    pytest.param(KEPT_3, 0, 64, "wrong_phase", id="the first swap when it is time to play"),
    pytest.param(KEPT_3, -1, 0, "not_your_turn", id="no such seat"),
    pytest.param(KEPT_3, 3, 0, "not_your_turn", id="a fourth seat of three"),
    pytest.param(KEPT_3, 0, 1 << 64, "not_an_action", id="more than any computer word holds"),
    pytest.param(KEPT_3, 1 << 64, 0, "not_your_turn", id="a seat beyond any computer word"),
]


@pytest.mark.parametrize(("script", "seat", "action", "code"), NUMBERS)
def test_refused_by_number(script: str, seat: int, action: int, code: str) -> None:
    match = fixed_match(3, script)
    length = len(match.log)
    with pytest.raises(IllegalAction) as caught:
        match.apply(seat, action)
    assert (caught.value.code, len(match.log)) == (code, length)


def test_the_position_is_told_as_the_seat_may_see_it() -> None:
    match = fixed_match(3, LED_3)
    with pytest.raises(IllegalAction) as caught:
        match.apply_text(1, "play P5")
    hand = " ".join(names_in(cards(HANDS[3][1]) & ~cards("P4")))
    assert caught.value.position == f"play, trick 1 [P1], seat 1: hand [{hand}], gold [G0], bid P4"
    assert caught.value.message == "Suit P is in the trick already, so P5 cannot be played."


def test_a_match_that_is_over_takes_no_action() -> None:
    match = play_random_match(Ruleset(3), "over")
    assert match.awaiting() == ()
    for apply in (lambda: match.apply(0, 1), lambda: match.apply_text(0, "play B2")):
        with pytest.raises(IllegalAction) as caught:
            apply()
        assert (caught.value.code, caught.value.legal) == ("round_over", ())


def test_a_round_that_is_over_takes_no_action() -> None:
    round_ = Round(3, FixedDeals(3).deal(1).hands, 0, True)
    play_out(round_, Chance(1))
    with pytest.raises(IllegalAction) as caught:
        round_.apply(1)
    assert (caught.value.code, caught.value.message) == ("round_over", "The round is over.")


def test_who_is_awaited_while_three_bid() -> None:
    assert fixed_match(3).awaiting() == (0, 1, 2)
    assert fixed_match(3, "0 bid B1").awaiting() == (1, 2)
    assert fixed_match(3, "2 bid S7; 1 bid P4").awaiting() == (0,)
    assert fixed_match(4, "0 bid B1").awaiting() == (1,)


def test_every_code_is_met_in_these_tests() -> None:
    met = {param.values[-1] for param in (*REFUSED, *NUMBERS)} | {"round_over"}
    assert met == set(ERROR_CODES)
