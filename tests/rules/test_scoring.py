"""Points of a round and who gets its nugget, row by row of the table of tied rounds."""

import pytest

from benchmarks.rules import load_plain
from games.rules.ruleset import EDITIONS, Ruleset
from games.rules.scoring import SideScore, bid_points, round_winners
from tests.rules.positions import act, start_round

plain_scoring = load_plain("scoring")


@pytest.mark.parametrize(
    ("bid", "tricks", "points"),
    [
        pytest.param(4, 3, 0, id="fewer"),
        pytest.param(4, 0, 0, id="none"),
        pytest.param(4, 4, 8, id="exactly"),
        pytest.param(4, 5, 4, id="more"),
        pytest.param(1, 12, 1, id="far more"),
        pytest.param(10, 10, 20, id="ten exactly"),
    ],
)
def test_bid_points(bid: int, tricks: int, points: int) -> None:
    assert bid_points(bid, tricks) == points


GOLD_POINTS = [(0, 0), (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2), (7, 3), (8, 3)]


@pytest.mark.parametrize(("rank", "points"), GOLD_POINTS)
def test_gold_points(rank: int, points: int) -> None:
    round_ = start_round(["B1", "P1", "S1", "Z1"], golds=["", f"G{rank}", "", ""])
    assert [plain_scoring.side_gold_points(round_, 2, side) for side in range(2)] == [0, points]
    assert [plain_scoring.side_best_gold(round_, 2, side) for side in range(2)] == [-1, rank]


def test_partners_add_up_their_gold_doubles_included() -> None:
    round_ = start_round(["B1", "P1", "S1", "Z1"], golds=["G1 G1 G4", "G2", "G8 G0", ""])
    assert [plain_scoring.side_gold_points(round_, 2, side) for side in range(2)] == [7, 1]
    assert [plain_scoring.side_best_gold(round_, 2, side) for side in range(2)] == [8, 2]


def test_score_of_a_round() -> None:
    round_ = start_round(["B4 B9", "P9 P1", "S2 S1", "Z1 Z2"], golds=["G3", "", "G7", "G0"])
    act(round_, "bid B4; bid P9; bid S2; bid Z1")
    round_.tricks = [3, 2, 1, 1]
    assert plain_scoring.score_round(round_, 2) == (
        plain_scoring.SideScore(bid=4, tricks=4, bid_points=8, gold_points=4, best_gold=7),
        plain_scoring.SideScore(bid=9, tricks=3, bid_points=0, gold_points=0, best_gold=0),
    )
    assert [plain_scoring.side_total(round_, 2, side) for side in range(2)] == [12, 0]
    assert plain_scoring.side_bid(start_round(["B4", "P9", "S2"]), 3, 0) == 0, "no bid yet"


def tied(kind: str) -> SideScore:
    """Eight points each: `exact 3` bid exactly and has a Gold 3 as best, `over 7` took too many, `less` has less."""
    how, _, gold = kind.partition(" ")
    best = int(gold) if gold else -1
    if how == "less":
        return SideScore(bid=7, tricks=8, bid_points=7, gold_points=0, best_gold=8)
    bid, tricks, points = (3, 3, 6) if how == "exact" else (6, 7, 6)
    return SideScore(bid, tricks, points, 2, best)


THREE = [
    pytest.param("exact 1 | over 7 | over 6", EDITIONS, [0], id="the exact bid goes first"),
    pytest.param("exact 1 | exact 4 | over 7", ("en", "fr", "de"), [1], id="then the highest gold card"),
    pytest.param("exact 1 | exact 4 | over 7", ("ru",), [0, 1], id="not in the Russian book for three"),
    pytest.param("over 3 | over 5 | over 4", ("en", "fr", "de"), [1], id="nobody exact: the highest gold card"),
    pytest.param("over 3 | over 5 | over 4", ("ru",), [0, 1, 2], id="nobody exact: a nugget each in the Russian book"),
    pytest.param("exact 4 | exact 4 | less", EDITIONS, [0, 1], id="still tied: a nugget each"),
    pytest.param("exact | exact 0 | less", ("en", "fr", "de"), [1], id="no gold is below a zero"),
    pytest.param("less | over 2 | less", EDITIONS, [1], id="no tie: the most points"),
    pytest.param("exact 2 | exact 2 | exact 2", EDITIONS, [0, 1, 2], id="all three"),
]
FOUR = [
    pytest.param("exact 1 | over 7", EDITIONS, [0], id="the exact bid goes first, four"),
    pytest.param("exact 1 | exact 4", EDITIONS, [1], id="then the highest gold card in every book, four"),
    pytest.param("over 5 | over 1", EDITIONS, [0], id="nobody exact: the highest gold card, four"),
    pytest.param("over 4 | over 4", EDITIONS, [0, 1], id="still tied: a nugget each (R-4)"),
    pytest.param("less | exact", EDITIONS, [1], id="no tie, four"),
]


@pytest.mark.parametrize(("kinds", "editions", "winners"), THREE + FOUR)
def test_tied_round(kinds: str, editions: tuple[str, ...], winners: list[int]) -> None:
    scores = tuple(tied(kind) for kind in kinds.split(" | "))
    players = 3 if len(scores) == 3 else 4
    for edition in editions:
        assert list(round_winners(Ruleset(players, edition), scores)) == winners, edition
