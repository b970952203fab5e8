"""The score sheet of the box: bids, tricks and gold as people write them down, checked and reckoned by the rules.

It holds nothing but what lies on the table at the end of each round, so that a match played with real cards gives the
same points, nuggets and places as one played here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from aurum_league.common.errors import N_, LeagueError
from games.rules.cards import GOLD_COPIES, HAND_SIZE
from games.rules.outcome import Result, RoundOutcome, find_result
from games.rules.ruleset import Ruleset
from games.rules.scoring import SideScore, bid_points, round_winners

MOST_ROUNDS = 12
"""No match needs more: the planned rounds, those that level nuggets add, and three golden ones."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One side in one round: its bid as it lay at the end, tricks, and the ranks of the gold in its collections."""

    bid: int
    tricks: int
    gold: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What a sheet comes to; `result` is None while another round is to be played."""

    rounds: tuple[RoundOutcome, ...]
    result: Result | None

    @property
    def places(self) -> tuple[int, ...]:
        assert self.result is not None
        return tuple(self.result.place_of(side) for side in range(len(self.result.totals)))

    def add_up(self, name: str) -> tuple[int, ...]:
        """The sum over all rounds of one figure of every side."""
        sides = range(len(self.rounds[0].scores))
        return tuple(sum(int(getattr(one.scores[side], name)) for one in self.rounds) for side in sides)


def reckon_sheet(ruleset: Ruleset, rounds: Sequence[Sequence[SheetLine]], lots: Sequence[int] = ()) -> Reckoning:
    """Points, nuggets and places of a sheet; a coded error that names the round where it cannot be so.

    `lots` are the sides in the order that lots gave at the table, asked for only where golden rounds part nobody.
    """
    if not 1 <= len(rounds) <= MOST_ROUNDS:
        raise _mistake(N_("A score sheet has 1 to %(most)s rounds."), most=MOST_ROUNDS)
    outcomes: list[RoundOutcome] = []
    for number, lines in enumerate(rounds, start=1):
        if outcomes and _find_result(ruleset, outcomes, lots=range(ruleset.sides)) is not None:
            raise _mistake(
                N_("The match was over after round %(last)s: there is no round %(number)s."),
                last=number - 1,
                number=number,
            )
        _check_round(ruleset, number, lines)
        scores = tuple(_score(line) for line in lines)
        outcomes.append(RoundOutcome(scores, round_winners(ruleset, scores)))
    return Reckoning(tuple(outcomes), _find_result(ruleset, outcomes, lots))


class _TableLots:
    """Stands where a match of the site has its deals: lots were drawn at the table."""

    def __init__(self, order: Sequence[int]) -> None:
        self.order = order

    def draw_lots(self, sides: Sequence[int]) -> tuple[int, ...]:
        if not set(sides) <= set(self.order):
            raise LeagueError(
                "needs_lots",
                N_("Golden rounds have parted nobody: lots decide."),
                N_("Draw lots at the table, and say in which order they came."),
            )
        return tuple(side for side in self.order if side in sides)


def _find_result(ruleset: Ruleset, rounds: Sequence[RoundOutcome], lots: Sequence[int]) -> Result | None:
    return find_result(ruleset, rounds, _TableLots(lots))  # type: ignore[arg-type]


def _score(line: SheetLine) -> SideScore:
    gold = sum((rank + 2) // 3 for rank in line.gold)
    return SideScore(line.bid, line.tricks, bid_points(line.bid, line.tricks), gold, max(line.gold, default=-1))


def _check_round(ruleset: Ruleset, number: int, lines: Sequence[SheetLine]) -> None:
    """What the cards of the box cannot give."""
    if len(lines) != ruleset.sides:
        raise _mistake(
            N_("Round %(number)s needs a line for each of %(sides)s sides."), number=number, sides=ruleset.sides
        )
    highest = 10 if ruleset.players == 4 else 9
    for line in lines:
        if not 1 <= line.bid <= highest:
            raise _mistake(
                N_("Round %(number)s: a bid is a card from 1 to %(highest)s."), number=number, highest=highest
            )
        if line.tricks < 0:
            raise _mistake(N_("Round %(number)s: tricks are counted from 0."), number=number)
    _check_gold(ruleset, number, lines)
    _check_tricks(ruleset, number, lines)


def _check_gold(ruleset: Ruleset, number: int, lines: Sequence[SheetLine]) -> None:
    held = Counter(rank for line in lines for rank in line.gold)
    for rank, count in sorted(held.items()):
        is_out = (rank == 0 and not ruleset.zero_gold) or (rank == 8 and ruleset.players == 3)
        there_are = 0 if is_out else (GOLD_COPIES[rank] if 0 <= rank <= 8 else 0)
        if count > there_are:
            raise _mistake(
                N_(
                    "Round %(number)s: there are %(count)s cards Gold %(rank)s, and the sheet has %(held)s."
                ),
                number=number,
                count=there_are,
                rank=rank,
                held=count,
            )
    own = ruleset.players // ruleset.sides
    if any(line.gold.count(0) > own for line in lines):
        raise _mistake(
            N_("Round %(number)s: a side begins with %(own)s Gold 0, and no more can be won."), number=number, own=own
        )


def _check_tricks(ruleset: Ruleset, number: int, lines: Sequence[SheetLine]) -> None:
    """Every trick takes a card of each player and gives one gold at most; so cards and gold bound the tricks."""
    players = ruleset.players
    tricks = sum(line.tricks for line in lines)
    gold = sum(len(line.gold) for line in lines)
    won = sum(rank > 0 for line in lines for rank in line.gold)
    if won > tricks:
        raise _mistake(
            N_("Round %(number)s: %(won)s gold were won in %(tricks)s tricks, but a trick gives one at most."),
            number=number,
            won=won,
            tricks=tricks,
        )
    cards = (HAND_SIZE if ruleset.zero_gold else HAND_SIZE - 1) * players
    most = (cards - gold) // (players - 1)
    if tricks > most:
        raise _mistake(
            N_("Round %(number)s: there are cards for %(most)s tricks at most, and the sheet has %(tricks)s."),
            number=number,
            most=most,
            tricks=tricks,
        )


def _mistake(sentence: str, **values: object) -> LeagueError:
    return LeagueError("bad_sheet", sentence, N_("Look at the sheet again."), status=400, **values)
