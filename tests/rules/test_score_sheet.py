"""Score sheets: what the engine plays in every ruleset gives the same result on paper, and what cannot be is caught."""

import pytest

from aurum_league.common.errors import LeagueError
from games.rules.match import Match
from games.rules.playout import Chance, random_action
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.score_sheet import SheetLine, reckon_sheet
from tests.rules.positions import make_seed

FIRST = 50
"""Bits of gold: one of a rank from here on, a second of it from 0 on."""
Sheet = list[tuple[SheetLine, ...]]


def gold_of(mask: int) -> list[int]:
    return [rank for rank in range(9) for shift in (FIRST, 0) if mask >> (shift + rank) & 1]


def write_sheet(ruleset: Ruleset, label: object) -> tuple[Sheet, Match]:
    """A match of random actions, and what its people would have written down."""
    seed = make_seed(label)
    match, chance, sheet = Match(ruleset, seed), Chance(int.from_bytes(seed[:8], "big") | 1), []
    while match.result is None:
        round_, ended = match.round, len(match.rounds)
        match.apply(round_.turn, random_action(round_, chance))
        if len(match.rounds) > ended:
            scores = match.rounds[-1].outcome.scores
            golds = [
                tuple(
                    gold for seat in range(side, ruleset.players, ruleset.sides) for gold in gold_of(round_.golds[seat])
                )
                for side in range(ruleset.sides)
            ]
            lines = zip(scores, golds, strict=True)
            sheet.append(tuple(SheetLine(score.bid, score.tricks, gold) for score, gold in lines))
    return sheet, match


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_paper_and_engine_agree(ruleset: Ruleset) -> None:
    for number in range(12):
        sheet, match = write_sheet(ruleset, f"sheet {ruleset.code} {number}")
        assert match.result is not None
        lots = [side for group in match.result.places for side in group] if match.result.lots else ()
        told = reckon_sheet(ruleset, sheet, lots)
        assert told.result == match.result
        assert [one.scores for one in told.rounds] == [one.outcome.scores for one in match.rounds]
        assert [one.winners for one in told.rounds] == [one.outcome.winners for one in match.rounds]
        for rounds in range(1, len(sheet)):
            assert reckon_sheet(ruleset, sheet[:rounds]).result is None
        with pytest.raises(LeagueError, match="was over after round"):
            reckon_sheet(ruleset, [*sheet, sheet[-1]], lots)


def lines(text: str) -> tuple[SheetLine, ...]:
    """`4/4 013` is a bid of 4, 4 tricks, and Gold 0, 1 and 3."""
    sides = []
    for part in text.split(", "):
        score, _, gold = part.partition(" ")
        bid, tricks = map(int, score.split("/"))
        sides.append(SheetLine(bid, tricks, tuple(map(int, gold))))
    return tuple(sides)


WRONG = [
    pytest.param("en3", "4/4", "a line for each of 3 sides", id="a side is missing"),
    pytest.param("en3", "10/4, 3/3, 2/2", "from 1 to 9", id="no tens with three"),
    pytest.param("en4", "11/4, 3/3", "from 1 to 10", id="no eleven"),
    pytest.param("en3", "0/0, 3/3, 2/2", "from 1 to 9", id="no bid of nothing"),
    pytest.param("en3", "4/-1, 3/3, 2/2", "counted from 0", id="less than no trick"),
    pytest.param("en3", "4/4 44, 3/3, 2/2", "there are 1 cards Gold 4", id="one Gold 4"),
    pytest.param("en3", "4/4 3, 3/3 3, 2/2 3", "there are 2 cards Gold 3", id="two Gold 3, whoever has them"),
    pytest.param("en3", "4/4 8, 3/3, 2/2", "there are 0 cards Gold 8", id="no Gold 8 with three"),
    pytest.param("en4-nozero", "4/4 0, 3/3", "there are 0 cards Gold 0", id="no zeros in the variant"),
    pytest.param("en3", "4/4 00, 3/3, 2/2", "begins with 1 Gold 0", id="a zero is never won"),
    pytest.param("en3", "4/1 12, 3/0, 2/0", "2 gold were won in 1 tricks", id="a gold a trick"),
    pytest.param("en3", "9/9, 8/8, 2/2", "cards for 18 tricks", id="more tricks than cards"),
    pytest.param("en3", "9/9 01234, 8/8, 1/1", "cards for 15 tricks", id="gold that is kept made no trick"),
]


@pytest.mark.parametrize(("code", "text", "told"), WRONG)
def test_what_cannot_be_is_caught(code: str, text: str, told: str) -> None:
    with pytest.raises(LeagueError, match=told) as caught:
        reckon_sheet(Ruleset.from_code(code), [lines(text)])
    assert caught.value.code == "bad_sheet"


def test_lots_are_asked_for_where_golden_rounds_part_nobody() -> None:
    level = [lines("4/4, 4/4")] * 5
    ruleset = Ruleset.from_code("de4-golden")
    with pytest.raises(LeagueError) as caught:
        reckon_sheet(ruleset, level)
    assert caught.value.code == "needs_lots"
    told = reckon_sheet(ruleset, level, lots=(1, 0)).result
    assert told is not None and told.places == ((1,), (0,)) and told.lots
