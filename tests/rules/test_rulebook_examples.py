"""The worked examples of the printed rulebooks, in our own words; each names where it is printed (English book)."""

from benchmarks.rules import load_plain
from games.rules.actions import DECLINED_GOLD, NO_PLAY, OVER
from games.rules.cards import CARD_BY_NAME, gold_ranks
from tests.rules.positions import act, cards, start_round

scoring = load_plain("scoring")


def test_the_higher_of_two_partners_bids_counts() -> None:
    """Four players, Bid: a four and a two make four."""
    round_ = act(start_round(["B4 B9", "C7 P9", "S2 S9", "Z5 Z9"]), "bid B4; bid C7; bid S2; bid Z5")
    assert [scoring.side_bid(round_, 2, side) for side in range(2)] == [4, 7]


def test_a_partners_seven_becomes_a_four() -> None:
    """Four players, Changing Your Team's Bid: three and seven; gold is spent, the seven goes into the payer's hand."""
    round_ = start_round(["B3 B4 B9", "C6 P9", "S7 S9", "Z5 Z9"], golds=["G0", "", "", ""])
    act(round_, "bid B3; bid C6; bid S7; bid Z5")
    assert scoring.side_bid(round_, 2, 0) == 7
    act(round_, "swap G0 2 B4")
    assert scoring.side_bid(round_, 2, 0) == 4
    assert round_.hands[0] == cards("B9 S7")
    assert gold_ranks(round_.golds[0]) == []


def test_a_bid_of_four_becomes_seven() -> None:
    """Three players, Updating the Bid: a Gold 0 is spent, the old bid card goes back to the hand."""
    round_ = start_round(["B4 P7 S9", "P1 P9", "S1 S8"], golds=["G0", "", ""])
    act(round_, "bid B4; bid P1; bid S1; swap G0 0 P7")
    assert round_.bids[0] == CARD_BY_NAME["P7"]
    assert round_.hands[0] == cards("B4 S9")


def test_the_tie_of_two_fives() -> None:
    """Three players, Tie: a four, a five, a five; the third player wins, the first takes a Gold 4."""
    round_ = start_round(["B4 B1 B9", "P5 P1 P9", "S5 S1 S9"])
    act(round_, "bid B1; bid P1; bid S1; play B4; play P5; play S5")
    assert round_.last_winner == 2
    assert (round_.last_gold_to, gold_ranks(round_.golds[0])) == (0, [4])


def test_the_round_ends_for_want_of_a_card() -> None:
    """Four players, End of Round: every suit in hand is in the trick already, and there is no gold."""
    round_ = start_round(["B9 B1", "P8 P1", "S7 S1", "B5 P5 S5 Z1"])
    act(round_, "bid B1; bid P1; bid S1; bid Z1; play B9; play P8; play S7")
    assert (round_.phase, round_.end_reason, round_.end_seat) == (OVER, NO_PLAY, 3)
    assert round_.hands[3] == cards("B5 P5 S5"), "the hand that is shown"
    assert sum(round_.tricks) == 0


def test_the_round_ends_by_keeping_gold() -> None:
    """Four players, End of Round: no metal fits, and the gold is kept for the scoring."""
    round_ = start_round(["B9 B1", "P8 P1", "S7 S1", "B5 P5 S5 Z1"], golds=["", "", "", "G4 G7"])
    act(round_, "bid B1; bid P1; bid S1; bid Z1; play B9; play P8; play S7; stop")
    assert (round_.phase, round_.end_reason, round_.end_seat) == (OVER, DECLINED_GOLD, 3)
    assert scoring.side_gold_points(round_, 2, 1) == 5


def test_stacks_of_tricks_are_counted_and_partners_add_up() -> None:
    """Four players, Tricks Taken: four stacks of one player are added to the partner's."""
    round_ = start_round(["B1 B2", "P1 P2", "S1 S2", "Z1 Z2"])
    round_.tricks = [4, 1, 2, 0]
    assert [scoring.side_tricks(round_, 2, side) for side in range(2)] == [6, 1]


def test_three_stacks_of_one_player() -> None:
    """Three players, Tricks Taken: everybody counts their own."""
    round_ = start_round(["B1 B2", "P1 P2", "S1 S2"])
    round_.tricks = [3, 1, 2, 0]
    assert [scoring.side_tricks(round_, 3, side) for side in range(3)] == [3, 1, 2]
