"""A match of the rules beside one table of Tables: the same deals, the same actions, everything compared."""

from collections.abc import Sequence

import numpy as np

from games.learn import Change, Tables, observe_view, to_rules
from games.learn.places import HANDS, OUT, WORDS
from games.learn.spaces import legal_mask
from games.rules.deal import Deal
from games.rules.match import Match
from games.rules.view import view


class TableDeals:
    """What the table has dealt last, and to whom its lots fell."""

    def __init__(self, tables: Tables, table: int) -> None:
        self.tables = tables
        self.table = table
        self.first_seat = int(tables.seat[table])

    def deal(self, round_number: int) -> Deal:
        words = read_words(self.tables, self.table)
        hands = tuple(int(words[HANDS + seat]) for seat in range(self.tables.ruleset.players))
        return Deal(hands, int(words[OUT]))

    def draw_lots(self, sides: Sequence[int]) -> list[int]:
        won = [side for side in sides if self.tables.wins[self.table, side] == 1]
        assert len(won) == 1, "lots leave one first"
        return won + [side for side in sides if side not in won]


def read_words(tables: Tables, table: int) -> np.ndarray:
    return tables._memory["words"].reshape(tables.n, WORDS)[table]


class Mirror:
    """Follows one table; `follow` is called after every step of all tables."""

    def __init__(self, tables: Tables, table: int) -> None:
        self.tables = tables
        self.table = table
        self.matches = 0
        self.open()

    def open(self) -> None:
        self.match = Match(self.tables.ruleset, None, TableDeals(self.tables, self.table))
        self.change = Change()
        self.matches += 1

    def follow(self, action: int) -> None:
        """Do in the match what was done at the table, and hold what came of it together."""
        match, seat = self.match, self.match.round.turn
        before = len(match.rounds)
        whole = to_rules(view(match, seat), self.change, action)
        ended = int(self.tables.ended[self.table])
        if whole is not None:
            match.apply(seat, whole)
        assert ended == (2 if match.is_over else len(match.rounds) - before)
        if len(match.rounds) > before:
            scores = match.rounds[-1].outcome.scores
            told = [scores[seat % len(scores)].total for seat in range(match.players)]
            assert self.tables.points[self.table].tolist() == told
        wins = self.tables.wins[self.table].tolist()
        if match.result is None:
            assert not any(wins)
            return
        first = match.result.places[0]
        shares = [1 / len(first) if seat % match.ruleset.sides in first else 0 for seat in range(match.players)]
        assert np.allclose(wins, shares)
        self.open()

    def compare(self, *, all_seats: bool) -> None:
        """What the table shows and allows is what the match's views do."""
        seat = self.match.round.turn
        seen = view(self.match, seat)
        legal = legal_mask(seen, self.change)
        assert int(self.tables.seat[self.table]) == seat
        assert int(self.tables.legal[self.table]) == legal
        assert self.tables.mask[self.table].tolist() == [legal >> action & 1 for action in range(64)]
        told = observe_view(seen, self.change.spent, self.change.whose)
        assert self.tables.planes[self.table].tolist() == told.tolist()
        for other in range(self.match.players) if all_seats else ():
            if other != seat:
                told = observe_view(view(self.match, other))
                assert self.tables.observe(self.table, other).tolist() == told.tolist()
