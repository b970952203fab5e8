"""When a match is over and who has which place, row by row of the table of match ends."""

import pytest

from games.rules.deal import SeedDeals
from games.rules.outcome import Result, RoundOutcome, find_result
from games.rules.ruleset import Ruleset
from games.rules.scoring import SideScore
from tests.rules.positions import make_seed


def outcome(text: str) -> RoundOutcome:
    """A round as `0: 4/4+1 5/6+0 2/1+3`: winners, then bid/tricks+gold points of every side."""
    winners, _, scores = text.partition(":")
    sides = []
    for score in scores.split():
        bid, tricks, gold = (int(part) for part in score.replace("+", "/").split("/"))
        points = 0 if tricks < bid else bid * 2 if tricks == bid else bid
        sides.append(SideScore(bid, tricks, points, gold, -1))
    return RoundOutcome(tuple(sides), tuple(int(side) for side in winners))


def result_of(code: str, rounds: str) -> Result | None:
    ruleset = Ruleset.from_code(code)
    return find_result(
        ruleset, [outcome(text) for text in rounds.split(" | ")], SeedDeals(make_seed(1), ruleset.players)
    )


A, B, C = "0: 4/4+0 3/1+1 2/3+0", "1: 3/1+0 4/4+0 2/3+1", "2: 2/3+0 3/1+0 4/4+0"
AB = "01: 4/4+0 4/4+0 5/1+0"
ALL = "012: 4/4+0 4/4+0 4/4+0"
X, Y, XY = "0: 4/4+0 3/1+0", "1: 3/1+0 4/4+0", "01: 4/4+0 4/4+0"

ENDS = [
    pytest.param("en3 fr3 de3 ru3", A, None, id="one round is never enough"),
    pytest.param("en3 fr3 de3 ru3", f"{A} | {A}", "0|1|2", id="two nuggets end it after two rounds"),
    pytest.param("en3 fr3 de3 ru3", f"{A} | {B}", None, id="one each goes on"),
    pytest.param("en3 fr3 de3 ru3", f"{A} | {B} | {A}", "0|1|2", id="two of three rounds"),
    pytest.param("en3 fr3", f"{AB} | {AB}", None, id="two sides with two nuggets play on: nobody is alone"),
    pytest.param("de3 ru3", f"{AB} | {AB}", "01|2", id="any side with two nuggets ends it"),
    pytest.param("en3 fr3", f"{AB} | {AB} | {C}", "1|0|2", id="a third round at most"),
    pytest.param("en3 fr3", f"{AB} | {A}", "0|1|2", id="one side alone has two"),
    pytest.param("en3 fr3", f"{A} | {B} | {C}", "2|1|0", id="1-1-1: the higher bid of the last round"),
    pytest.param("de3 ru3", f"{A} | {B} | {C}", None, id="1-1-1: a fourth round"),
    pytest.param("de3 ru3", f"{A} | {B} | {C} | {B}", "1|0|2", id="which decides"),
    pytest.param("en4 fr4 de4 ru4", f"{X} | {Y}", None, id="four: one each goes on"),
    pytest.param("en4 fr4 de4 ru4", f"{X} | {Y} | {Y}", "1|0", id="four: two of three"),
    pytest.param("en4 fr4 de4 ru4", f"{X} | {X}", "0|1", id="four: both rounds"),
    pytest.param("en4 fr4", f"{XY} | {XY}", None, id="four: level at two plays on"),
    pytest.param("de4 ru4", f"{XY} | {XY}", "01", id="four: level at two is over"),
    pytest.param("en3-cumulative de3-cumulative", f"{A} | {A}", None, id="cumulative plays three rounds"),
    pytest.param("en3-cumulative ru3-cumulative", f"{A} | {A} | {C}", "0|2|1", id="and the most points win"),
    pytest.param("en3-golden", f"{AB} | {AB} | {AB}", None, id="a shared first place calls for a golden round"),
    pytest.param("en3-golden", f"{AB} | {AB} | {AB} | {A}", "0|1|2", id="which counts like the others"),
    pytest.param("en3-golden", f"{AB} | {AB} | {AB} | {AB} | {AB}", None, id="and another"),
    pytest.param("de3-golden", f"{AB} | {AB} | {AB} | {AB}", None, id="after an early end, too"),
    pytest.param("de3-golden", f"{AB} | {AB} | {B}", "1|0|2", id="decided in the first golden round"),
    pytest.param("de4-cumulative-golden", f"{XY} | {XY} | {XY} | {Y}", "1|0", id="cumulative golden round"),
]


@pytest.mark.parametrize(("codes", "rounds", "places"), ENDS)
def test_end_of_match(codes: str, rounds: str, places: str | None) -> None:
    for code in codes.split():
        result = result_of(code, rounds)
        told = None if result is None else "|".join("".join(map(str, group)) for group in result.places)
        assert told == places, code
        assert result is None or not result.lots


RANKS = [
    pytest.param("0: 5/5+0 4/4+0 9/1+0 | 1: 4/4+0 5/5+0 8/1+0 | 0: 2/2+0 3/4+0 1/5+0", "0|1|2", id="nuggets first"),
    pytest.param("0: 5/5+0 4/1+0 4/1+0 | 0: 5/5+0 2/3+0 3/4+0", "0|2|1", id="then the bid of the last round"),
    pytest.param("0: 5/5+0 4/1+0 4/1+1 | 0: 5/5+0 3/4+0 3/4+0", "0|2|1", id="then all points"),
    pytest.param("0: 5/5+0 4/5+0 2/2+0 | 0: 5/5+0 3/4+0 3/4+0", "0|2|1", id="then exact bids"),
    pytest.param("0: 5/5+0 4/5+0 4/5+0 | 0: 5/5+0 3/4+0 3/4+0", "0|12", id="then they share"),
]


@pytest.mark.parametrize(("rounds", "places"), RANKS)
def test_order_of_places(rounds: str, places: str) -> None:
    result = result_of("en3", rounds)
    assert result is not None
    assert "|".join("".join(map(str, group)) for group in result.places) == places


CUMULATIVE = [
    pytest.param("0: 5/5+0 9/1+0 1/1+0", "0|2|1", id="points first, whatever the nuggets"),
    pytest.param("1: 5/6+0 4/5+1 1/1+0", "0|1|2", id="then the last bid"),
    pytest.param("1: 4/5+4 4/4+0 1/1+0", "1|0|2", id="then exact bids"),
    pytest.param("1: 4/5+4 4/5+4 1/1+0", "01|2", id="then they share"),
]


@pytest.mark.parametrize(("last", "places"), CUMULATIVE)
def test_order_of_places_by_points(last: str, places: str) -> None:
    level = "2: 2/3+0 2/3+0 2/3+0"
    result = result_of("fr3-cumulative", f"{level} | {level} | {last}")
    assert result is not None
    assert "|".join("".join(map(str, group)) for group in result.places) == places


@pytest.mark.parametrize(
    ("code", "rounds"),
    [
        pytest.param("en3-golden", [ALL] * 6, id="three and three"),
        pytest.param("de3-golden", [ALL] * 5, id="two and three"),
        pytest.param("ru3-cumulative-golden", [ALL] * 6, id="cumulative"),
        pytest.param("fr4-golden", [XY] * 6, id="four players"),
    ],
)
def test_lots_after_three_golden_rounds(code: str, rounds: list[str]) -> None:
    assert result_of(code, " | ".join(rounds[:-1])) is None
    result = result_of(code, " | ".join(rounds))
    assert result is not None
    assert result.lots
    assert sorted(result.places) == [(side,) for side in range(Ruleset.from_code(code).sides)]


def test_lots_put_only_those_who_share_the_first_place_in_an_order() -> None:
    result = result_of("en3-golden", " | ".join([AB] * 6))
    assert result is not None
    assert (result.lots, result.places[2]) == (True, (2,))
    assert result.nuggets == (6, 6, 0)
    assert result.totals == (48, 48, 0)
    assert [result.place_of(side) for side in range(3)] == [result.places.index((side,)) + 1 for side in range(3)]


def test_a_shared_place_counts_all_who_share_it() -> None:
    result = Result(((1, 2), (0,)), (1, 1, 1), (3, 3, 3), False)
    assert [result.place_of(side) for side in range(3)] == [3, 1, 1]
    with pytest.raises(ValueError, match="no side 3"):
        result.place_of(3)
