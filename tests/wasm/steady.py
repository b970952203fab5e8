"""The starters' way to play, once more in Python: what every language must answer, position by position."""

from games.rules.actions import BID, BID_OF, CHANGE, GOLD, KEEP, STOP, SWAP
from games.rules.cards import rank_of
from games.rules.view import View

POINTS = (0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0)
BID_WORTH = 2.5


class SteadyBrain:
    """Looks one trick ahead and steers to its bid."""

    def choose(self, view: View) -> int:
        self._view = view
        self._sides = view.ruleset.sides
        self._own = range(view.seat % self._sides, view.players, self._sides)
        self._won = sum(view.tricks[seat] for seat in self._own)
        self._expected = self._expect()
        if view.phase == BID:
            return min(self._legal(0, GOLD), key=lambda card: abs(rank_of(card) - (self._expected - 1.0)))
        return self._choose_change() if view.phase == CHANGE else self._choose_play()

    def _legal(self, first: int, end: int) -> list[int]:
        return [action for action in range(first, end) if self._view.legal >> action & 1]

    def _holds(self, rank: int, others: int) -> float:
        chance = 1.0
        for _ in range(others):
            chance *= rank / (10.0 if self._view.players == 4 else 9.0)
        return chance

    def _share(self) -> float:
        return 0.8 if self._view.players == 4 else 1.0

    def _expect(self) -> float:
        view = self._view
        tricks = 0.0
        for card in range(GOLD):
            if view.hand >> card & 1:
                tricks += self._holds(rank_of(card), view.players - 1)
        return tricks * self._share() + 0.25 * view.sizes[(view.seat + 2) % 4] if view.players == 4 else tricks

    def _bid(self, besides: int = -1) -> int:
        return max((rank_of(self._view.bids[seat]) for seat in self._own if seat != besides), default=0)

    def _choose_change(self) -> int:
        view = self._view
        if view.trick_number < 6:
            return KEEP
        goal = self._won + self._expected
        gold = next(gold for gold in range(9) if view.legal >> (GOLD + gold) & 1)
        best, least = KEEP, abs(self._bid() - goal) - 0.5 - POINTS[gold]
        for bid_of in range(view.players):
            if not view.legal >> (BID_OF + bid_of) & 1:
                continue
            for card in self._legal(0, GOLD):
                gap = abs(max(rank_of(card), self._bid(bid_of)) - goal)
                if gap < least:
                    best, least = SWAP + (gold * 4 + bid_of) * 50 + card, gap
        return best

    def _value(self, card: int, foes: int) -> float:
        view, rank, leads = self._view, rank_of(card), self._view.trick_length == 0
        value, left = 0.0, self._expected
        if card >= GOLD:
            win = 0.9 if foes else 1.0
            value -= POINTS[rank]
        else:
            win = self._holds(rank, foes)
            if rank <= 8 and view.supply >> (GOLD + rank) & 1 and (leads or rank <= view.low_rank):
                low = POINTS[rank]
                for _ in range(view.players - 1 - view.trick_length):
                    low *= 1.0 - (rank - 1) / 10.0
                value += low
            left -= self._holds(rank, view.players - 1) * self._share()
        if not leads and (card if card >= GOLD else rank) < view.high_rank:
            is_ours = view.high_seat % self._sides == view.seat % self._sides
            win = self._holds(min(view.high_rank, 10), foes) if is_ours else 0.0
        more, same = abs(self._bid() - (self._won + 1 + left)), abs(self._bid() - (self._won + left))
        return value - BID_WORTH * (win * more + (1.0 - win) * same)

    def _choose_play(self) -> int:
        view = self._view
        after = range(1, view.players - view.trick_length)
        foes = sum((view.seat + step) % self._sides != view.seat % self._sides for step in after)
        best, most = STOP, -1e9
        for card in self._legal(0, STOP):
            value = self._value(card, foes)
            if value > most:
                best, most = card, value
        if view.legal >> STOP & 1 and -BID_WORTH * abs(self._bid() - self._won) >= most:
            return STOP
        return best
