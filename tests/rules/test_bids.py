"""Bids and their changes: who may, when, with what, and what everybody knows afterwards."""

from typing import Any

import pytest

from games.rules.actions import CHANGE, PLAY, legal_actions, legal_texts
from games.rules.cards import CARD_BY_NAME, gold_ranks
from tests.rules.positions import act, cards, keep_bids, start_round

FOUR = ["B3 B4 B9", "C7 P8 P9", "S7 S8 S9", "Z5 Z8 Z9"]


def test_four_bid_in_turn_from_the_first_player() -> None:
    round_ = start_round(FOUR, first=2)
    turns = []
    for name in ("S7", "Z5", "B3", "C7"):
        turns.append(round_.turn)
        assert round_.legal == round_.hands[round_.turn]
        act(round_, f"bid {name}")
    assert turns == [2, 3, 0, 1]
    assert (round_.phase, round_.leader, round_.turn) == (PLAY, 2, 2)
    assert round_.bids == [CARD_BY_NAME[name] for name in ("B3", "C7", "S7", "Z5")]
    assert round_.hands[0] == cards("B4 B9"), "the bid is out of the hand"
    assert round_.sizes == [11, 11, 11, 11]


def test_three_may_bid_in_any_order() -> None:
    round_ = start_round(["B3 B4", "P8 P9", "S7 S8"], first=1)
    round_.lay_bid(0, CARD_BY_NAME["B4"])
    assert round_.turn == 1
    round_.lay_bid(1, CARD_BY_NAME["P8"])
    assert (round_.turn, round_.legal) == (2, cards("S7 S8"))
    round_.lay_bid(2, CARD_BY_NAME["S7"])
    assert (round_.phase, round_.turn) == (PLAY, 1)


def test_the_first_card_of_all_is_a_bid_like_any_other() -> None:
    round_ = start_round(["B1 B2", "P1 P2", "S1 S2"], first=1)
    round_.lay_bid(0, CARD_BY_NAME["B1"])
    assert (round_.bids[0], round_.hands[0]) == (CARD_BY_NAME["B1"], cards("B2"))
    act(round_, "bid P1; bid S1")
    assert round_.phase == PLAY


def bids_laid(golds: list[str]) -> Any:
    return act(start_round(FOUR, golds=golds), "bid B3; bid C7; bid S7; bid Z5")


WINDOWS = [
    pytest.param(["", "", "", ""], [], id="without gold nobody is asked"),
    pytest.param(["G0", "G0", "G0", "G0"], [0, 1, 2, 3], id="everybody once, the leader first (R-1)"),
    pytest.param(["G0 G1 G1", "", "", "G2"], [0, 3], id="several gold cards still give one change (R-1)"),
]


@pytest.mark.parametrize(("golds", "asked"), WINDOWS)
def test_who_is_asked_before_a_trick(golds: list[str], asked: list[int]) -> None:
    round_ = bids_laid(golds)
    seats = []
    while round_.phase == CHANGE:
        seats.append(round_.turn)
        round_.apply(next(iter(legal_actions(round_.phase, round_.legal))))
    assert seats == asked
    assert (round_.phase, round_.turn) == (PLAY, 0)


def test_changes_on_offer_are_own_and_partners_bid_for_any_card_and_any_gold() -> None:
    round_ = bids_laid(["G0 G1", "", "", ""])
    assert set(legal_texts(round_.phase, round_.legal)) == {
        "keep",
        *(f"swap {gold} {owner} {card}" for gold in ("G0", "G1") for owner in (0, 2) for card in ("B4", "B9")),
    }


def test_three_change_only_their_own_bid() -> None:
    round_ = act(start_round(["B3 B4", "P8 P9", "S7 S8"], golds=["G4", "", ""]), "bid B3; bid P8; bid S7")
    assert legal_texts(round_.phase, round_.legal) == ("keep", "swap G4 0 B4")


def test_who_pays_takes_the_old_bid_and_everybody_knows_it() -> None:
    round_ = act(bids_laid(["", "", "", "G2"]), "swap G2 1 Z9")
    assert round_.bids == [CARD_BY_NAME[name] for name in ("B3", "Z9", "S7", "Z5")]
    assert round_.hands[3] == cards("Z8 C7")
    assert round_.known == [0, 0, 0, cards("C7")]
    assert gold_ranks(round_.golds[3]) == []
    assert round_.supply & cards("G2")


def test_a_known_card_is_unknown_no_more_once_it_left_the_hand() -> None:
    round_ = act(bids_laid(["G0 G1", "", "", ""]), "swap G0 2 B9; play B4; play P8; play S8; play Z8")
    assert round_.known[0] == cards("S7")
    act(round_, "swap G1 0 S7")
    assert round_.known[0] == cards("B3")
    act(round_, "play B3")
    assert round_.known[0] == 0


def test_gold_spent_can_be_collected_in_the_trick_that_follows() -> None:
    round_ = start_round(["C5 B4 B9", "C7 P8 P9", "C8 S8 S9"], golds=["", "G4", ""])
    act(round_, "bid C5; bid C7; bid C8")
    assert not round_.supply & cards("G4")
    act(round_, "swap G4 1 P8; play B4; play P9; play S8")
    assert (round_.last_gold_to, round_.last_gold) == (0, 4)


def test_an_empty_hand_cannot_change_a_bid() -> None:
    round_ = act(start_round(["C5 B4", "C7", "C8 S8"], golds=["", "G4", ""]), "bid C5; bid C7; bid C8")
    assert (round_.phase, round_.turn) == (PLAY, 0)


def test_before_every_trick_anew() -> None:
    round_ = bids_laid(["", "", "G0 G1", ""])
    act(round_, "swap G0 2 S9; play B4; play P8; play S8; play Z8")
    assert (round_.phase, round_.turn) == (CHANGE, 0)
    keep_bids(round_)
    assert round_.trick_number == 2
    assert round_.sizes == [10, 10, 10, 10]
