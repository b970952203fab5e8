"""How rounds end: no card to lead, no card to follow with, gold kept back."""

import pytest

from games.rules.actions import DECLINED_GOLD, END_NAMES, NO_LEAD, NO_PLAY, OVER
from games.rules.cards import CARD_BY_NAME, gold_ranks
from tests.rules.positions import act, cards, start_round

BIDS = "bid C1; bid C2; bid C3"

ENDS = [
    pytest.param(["C1 B9", "C2 P8", "C3 S7"], "", "play B9; play P8; play S7", NO_LEAD, 2, 1, id="the leader is empty"),
    pytest.param(["C1 B9", "C2 B8", "C3 S7"], "", "play B9", NO_PLAY, 1, 0, id="the suit is there already"),
    pytest.param(["C1 B9", "C2", "C3 S7"], "", "play B9", NO_PLAY, 1, 0, id="a follower is empty"),
    pytest.param(["C1 B9", "C2 B8", "C3 S7"], "G3", "play B9; stop", DECLINED_GOLD, 1, 0, id="gold is kept"),
    pytest.param(["C1 B9", "C2", "C3 S7"], "G0", "play B9; stop", DECLINED_GOLD, 1, 0, id="even a zero, with no hand"),
    pytest.param(
        ["C1", "C2 P8", "C3 S7"], "G5", "", NO_LEAD, 0, 0, id="nobody changes a bid once nobody can lead (R-2)"
    ),
]


@pytest.mark.parametrize(("hands", "gold", "script", "reason", "seat", "tricks"), ENDS)
def test_end(hands: list[str], gold: str, script: str, reason: int, seat: int, tricks: int) -> None:
    round_ = act(start_round(hands, golds=["", gold, ""]), BIDS)
    if script:
        act(round_, script)
    assert (round_.phase, END_NAMES[round_.end_reason], round_.end_seat) == (OVER, END_NAMES[reason], seat)
    assert sum(round_.tricks) == tricks
    assert round_.legal == 0


def test_an_unfinished_trick_counts_for_nobody_and_its_gold_is_gone() -> None:
    round_ = start_round(["C1 B1 B7", "C2 P8 P7", "C3 B5"], golds=["", "G6", ""])
    act(round_, f"{BIDS}; play B1; play G6")
    assert (round_.phase, round_.end_seat) == (OVER, 2)
    assert [gold_ranks(collection) for collection in round_.golds[:3]] == [[], [], []]
    assert sum(round_.tricks) == 0
    assert round_.supply >> 50 & 0b001000000 == 0, "nor is it in the supply"


def test_bid_changes_before_an_unfinished_trick_stand() -> None:
    round_ = start_round(["C1 B1 B7", "C2 P8 P7", "C3 B5"], golds=["G2", "", ""])
    act(round_, f"{BIDS}; swap G2 0 B7; play B1; play P8")
    assert round_.phase == OVER
    assert round_.bids[:3] == [CARD_BY_NAME[name] for name in ("B7", "C2", "C3")]
    assert round_.hands[0] == cards("C1")
