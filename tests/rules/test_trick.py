"""Tricks: who wins, who collects, who leads next, and what may be played."""

import pytest

from games.rules.actions import legal_texts
from games.rules.cards import gold_ranks
from tests.rules.positions import act, cards, keep_bids, start_round

TRICKS = [
    pytest.param("B1 P2 S3", 0, 2, 0, 1, id="the highest wins, the lowest collects"),
    pytest.param("B5 P5 S6", 0, 2, 1, 5, id="two lowest: the later collects and leads"),
    pytest.param("B4 P9 S9", 1, 0, 1, 4, id="two highest: the later wins"),
    pytest.param("B9 P9 S9", 0, 2, 2, None, id="all alike: the last wins and leads; there is no gold nine"),
    pytest.param("B8 P9 S9", 0, 2, 0, None, id="gold eight is out with three"),
    pytest.param("B8 P9 S9 Z10", 3, 2, 3, 8, id="gold eight with four"),
    pytest.param("B10 P10 S10 Z10", 1, 0, 0, None, id="all tens of four"),
    pytest.param("B9 G0 S7", 0, 1, 2, 7, id="any gold beats every metal; the lowest metal collects all the same"),
    pytest.param("B9 G0 G0", 0, 2, 0, None, id="two zeros: the later wins; the only metal is the lowest"),
    pytest.param("B3 G2 G2 Z9", 0, 2, 0, 3, id="of equal gold the later wins, with four"),
    pytest.param("B3 G4 G2 Z9", 0, 1, 0, 3, id="the higher gold wins, also when played earlier"),
    pytest.param("S7 G7 Z9", 0, 1, 0, None, id="gold in the trick cannot be collected in it"),
    pytest.param("S1 G1 Z9", 0, 1, 0, 1, id="the other gold one can"),
]


@pytest.mark.parametrize(("plays", "leader", "winner", "gold_to", "gold"), TRICKS)
def test_trick(plays: str, leader: int, winner: int, gold_to: int, gold: int | None) -> None:
    names = plays.split()
    players = len(names)
    hands, golds = ["C9"] * players, [""] * players
    for turn, name in enumerate(names):
        seat = (leader + turn) % players
        hands[seat] = f"C{turn + 1} C9" if name[0] == "G" else f"C{turn + 1} {name} C9"
        golds[seat] = name if name[0] == "G" else ""
    round_ = start_round(hands, leader, golds)
    act(round_, "; ".join(f"bid C{turn + 1}" for turn in range(players)))
    act(round_, "; ".join(f"play {name}" for name in names))
    assert (round_.last_winner, round_.last_gold_to, round_.last_gold) == (
        winner,
        gold_to,
        -1 if gold is None else gold,
    )
    assert round_.leader == gold_to
    assert round_.tricks == [int(seat == winner) for seat in range(4)]
    assert round_.closed == 1
    assert gold_ranks(round_.golds[gold_to]) == ([] if gold is None else [gold])
    assert round_.played == cards(" ".join(name for name in names if name[0] != "G"))
    for turn, name in enumerate(names):
        if name[0] == "G" and (leader + turn) % players != gold_to:
            assert round_.golds[(leader + turn) % players] == 0, "gold played is gone from the collection"
            assert round_.supply & cards(name), "and lies in the supply again"


def test_the_lowest_takes_the_second_copy_and_then_nothing() -> None:
    round_ = start_round(["C1 B1 B2", "C2 P9 P8", "C3 S9 S8", "C4 Z9 Z8"], golds=["", "G1", "", ""])
    act(round_, "bid C1; bid C2; bid C3; bid C4; play B1; play P9; play S9; play Z9")
    assert round_.last_gold == 1
    assert not round_.supply & cards("G1")


def test_a_third_of_a_rank_is_not_there() -> None:
    round_ = start_round(["C1 B1 B2", "C2 P9 P8", "C3 S9 S8", "C4 Z9 Z8"], golds=["", "G1 G1", "", ""])
    act(round_, "bid C1; bid C2; bid C3; bid C4; play B1; play P9; play S9; play Z9")
    assert (round_.last_gold_to, round_.last_gold, round_.leader) == (0, -1, 0)


LEGAL = [
    pytest.param("", 0, "play B9 | play S4", id="the leader plays any metal, never gold"),
    pytest.param("play B9", 1, "play P2 | play Z9", id="not a suit that is in the trick"),
    pytest.param("play B9; play P2", 2, "play S3 | play G0 | play G5", id="or any gold, also when a metal fits"),
    pytest.param("play S4; play P2", 2, "play G0 | play G5 | stop", id="no metal fits: gold, or the end"),
]


@pytest.mark.parametrize(("script", "turn", "legal"), LEGAL)
def test_what_may_be_played(script: str, turn: int, legal: str) -> None:
    round_ = start_round(["C1 B9 S4", "C2 B2 P2 Z9", "C3 S3"], golds=["G2", "", "G0 G5"])
    act(round_, "bid C1; bid C2; bid C3")
    keep_bids(round_)
    if script:
        act(round_, script)
    assert round_.turn == turn
    assert legal_texts(round_.phase, round_.legal) == tuple(legal.split(" | "))


def test_an_empty_hand_may_still_follow_with_gold() -> None:
    round_ = act(start_round(["C1 B9 B8", "C2", "C3 S3 S2"], golds=["", "G4", ""]), "bid C1; bid C2; bid C3; play B9")
    assert legal_texts(round_.phase, round_.legal) == ("play G4", "stop")
    act(round_, "play G4; play S3")
    assert round_.tricks[:3] == [0, 1, 0]


def test_two_gold_of_a_rank_are_played_one_by_one() -> None:
    round_ = start_round(["C1 B9 B8 B7", "C2 P1", "C3 S3 S2 S4"], golds=["", "G2 G2", ""])
    act(round_, "bid C1; bid C2; bid C3; play B9; play G2; play S3")
    assert gold_ranks(round_.golds[1]) == [2]
    act(round_, "play S2; play B8; play G2")
    assert gold_ranks(round_.golds[1]) == []
