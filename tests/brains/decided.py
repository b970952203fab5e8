"""What the learnt bots decide along some matches and what Tables show, in values that compare across processes."""

from bots.brains.champion import ChampionBrain
from bots.brains.learnt import LearntBrain
from games.learn import Tables
from games.rules.match import Match
from games.rules.ruleset import Ruleset
from games.rules.view import view

CODES = ("en3", "de4-cumulative")


def tell_decisions() -> list[list[int]]:
    """One round of `learnt` in each ruleset, and the champion's mind at every ninth decision of it."""
    told = []
    for code in CODES:
        match = Match(Ruleset.from_code(code), bytes(range(32)))
        minds: list[int] = []
        while not match.rounds:
            seat = match.round.turn
            seen = view(match, seat)
            if len(match.log) % 9 == 4:
                minds.append(ChampionBrain(7, playouts=12).choose(seen))
            match.apply(seat, LearntBrain(1).choose(seen))
        told += [list(match.log), minds]
    return told


def tell_tables() -> list[list[int]]:
    told: list[list[int]] = []
    for code in CODES:
        tables = Tables(2, code, seed=3, spread=True)
        for _ in range(120):
            tables.step_random()
            told += [tables.planes.ravel().tolist(), tables.mask.ravel().tolist(), tables.seat.tolist()]
        told.append(tables.bits.ravel().tolist())
    return told
