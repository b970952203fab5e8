"""How often each ruling of ours matters, counted on matches of house bots in every edition and for three and four.

A figure for each share in games/rules/rulings.py. Seats are filled by chance with counting, greedy and search-1; the
same seed plays the same matches.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.report import Figure, Survey
from bots.brains import make_brain
from games.rules.actions import CHANGE, GOLD, KEEP, NO_LEAD, OVER, PLAY, SWAP, split_swap
from games.rules.books import name_cells
from games.rules.cards import rank_of
from games.rules.match import FinishedRound, Match
from games.rules.outcome import RoundOutcome, count_nuggets, rank_sides
from games.rules.round import Round
from games.rules.rulebook import cells_of_ruling
from games.rules.ruleset import EDITIONS, PLAYERS, Ruleset
from games.rules.rulings import RULINGS, Share
from games.rules.scoring import SideScore, score_round
from games.rules.view import view

BRAINS = ("counting", "greedy", "search-1")


@dataclass(slots=True)
class RoundWatch:
    """What is to be seen in one round while it is played, and cannot be told from its end."""

    round: Round
    obtained: list[int]
    changed: set[int] = field(default_factory=set)
    signs: set[str] = field(default_factory=set)
    trick_number: int = 0
    tricks_with_stone: int | None = None
    """How many tricks had been played when the first player of the round had no card left, and somebody else led."""

    def before(self, action: int) -> None:
        round_, seat = self.round, self.round.turn
        if round_.trick_number != self.trick_number:
            self.trick_number, self.changed = round_.trick_number, set()
            if not round_.hands[round_.first] and self.tricks_with_stone is None:
                self.tricks_with_stone = round_.closed
        if round_.phase == CHANGE and action != KEEP:
            self.changed.add(seat)
            self.signs |= {"two change"} if len(self.changed) > 1 else set()
            self.signs |= {"zero"} if action >= SWAP and split_swap(action)[0] == 0 else set()
        if round_.phase == PLAY and action >= GOLD:
            self.signs |= {"zero"} if action == GOLD else set()
            self.signs |= {"empty hand"} if not round_.hands[seat] and action < KEEP else set()

    def after(self, seat: int, action: int) -> None:
        round_ = self.round
        if action >= SWAP and round_.golds[seat] and round_.hands[seat]:
            self.signs.add("change again")
        if round_.last_gold >= 0:
            self.obtained[round_.last_gold_to] = max(self.obtained[round_.last_gold_to], round_.last_gold)
        if self.tricks_with_stone is not None and round_.closed > self.tricks_with_stone:
            self.signs.add("stone")
        if round_.phase == OVER and round_.end_reason == NO_LEAD:
            self.signs.add("no lead")
            if any(round_.golds[other] and round_.hands[other] for other in range(round_.players)):
                self.signs.add("change without a lead")


def play_watched(match: Match, seed: int, chance: random.Random) -> Iterator[RoundWatch]:
    """Play a match of house bots to its end; each round as it was watched."""
    agents = [make_brain(chance.choice(BRAINS), seed + seat) for seat in range(match.players)]
    watch = RoundWatch(match.round, [0] * match.players)
    while match.result is None:
        seat = watch.round.turn
        action = agents[seat].choose(view(match, seat))
        watch.before(action)
        match.apply(seat, action)
        watch.after(seat, action)
        if watch.round.phase == OVER:
            yield watch
            watch = RoundWatch(match.round, [0] * match.players)


def tell_round(ruleset: Ruleset, watch: RoundWatch, is_later: bool) -> Iterator[str]:
    """The signs of a round that is over."""
    yield from watch.signs - {"zero"}
    if is_later and "zero" in watch.signs:
        yield "zero in a later round"
    scores = score_round(watch.round, ruleset.sides)
    best = max(score.total for score in scores)
    tied = [side for side, score in enumerate(scores) if score.total == best]
    if len(tied) < 2:
        return
    yield "tied"
    tied = [side for side in tied if scores[side].is_exact] or tied
    if len(tied) > 1 and len(tied) < ruleset.sides:
        yield "two of three tied after exact bids"
    if len(tied) > 1 and ruleset.players == 4:
        yield from _compare_gold(watch, scores, ruleset.sides)
    highest = max(scores[side].best_gold for side in tied)
    if sum(scores[side].best_gold == highest for side in tied) > 1:
        yield "tied after all steps"


def _compare_gold(watch: RoundWatch, scores: Sequence[SideScore], sides: int) -> Iterator[str]:
    obtained = [max(watch.obtained[side::sides]) for side in range(sides)]
    held = [score.best_gold for score in scores]
    if (obtained[0] > obtained[1]) - (obtained[0] < obtained[1]) != (held[0] > held[1]) - (held[0] < held[1]):
        yield "gold obtained and held differ"


def tell_match(ruleset: Ruleset, rounds: Sequence[FinishedRound]) -> Iterator[str]:
    """The signs of a match that is over."""
    outcomes = [finished.outcome for finished in rounds]
    nuggets = count_nuggets(ruleset, outcomes)
    places = rank_sides(ruleset, outcomes)
    if len(set(nuggets)) < ruleset.sides:
        yield "places beyond nuggets"
    if nuggets.count(max(nuggets)) > 1:
        yield "first place beyond nuggets"
        leading = [outcomes[-1].scores[side].bid for side in range(ruleset.sides) if nuggets[side] == max(nuggets)]
        if leading.count(max(leading)) > 1:
            yield "first place beyond the last bid"
    if len(places[0]) > 1:
        yield "first place shared"
    first = rank_sides(ruleset, [*outcomes[:-1], _with_first_bids(ruleset, rounds[-1])])
    if first != places:
        yield "first bids rank otherwise"
    if first[0] != places[0]:
        yield "first bids have another winner"


def _with_first_bids(ruleset: Ruleset, last: FinishedRound) -> RoundOutcome:
    """The last round with its bids as they were first laid; what was scored stays."""
    laid = {entry & 3: rank_of(entry >> 2) for entry in last.log[: ruleset.players]}
    bids = [max(rank for seat, rank in laid.items() if seat % ruleset.sides == side) for side in range(ruleset.sides)]
    scores = [_LaidScore(score, bid) for score, bid in zip(last.outcome.scores, bids, strict=True)]
    return RoundOutcome(tuple(scores), last.outcome.winners)


class _LaidScore(SideScore):
    """A score that ranks by the bid first laid and keeps its own points and its own exactness."""

    def __init__(self, score: SideScore, bid: int) -> None:
        super().__init__(bid, score.tricks, score.bid_points, score.gold_points, score.best_gold)
        object.__setattr__(self, "was_exact", score.is_exact)

    @property
    def is_exact(self) -> bool:
        return bool(self.__dict__["was_exact"])


def count_signs(ruleset: Ruleset, matches: int, seed: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    chance = random.Random(f"{ruleset.code} {seed}")
    for _ in range(matches):
        match = Match(ruleset, chance.randbytes(32))
        for number, watch in enumerate(play_watched(match, chance.getrandbits(32), chance)):
            counts.update(tell_round(ruleset, watch, is_later=number > 0))
            counts.update(["rounds", *(["later rounds"] if number else [])])
        counts.update(tell_match(ruleset, match.rounds))
        counts["matches"] += 1
    return counts


def measure_rulings(*, matches: int, seed: int) -> Survey:
    """Over all books in which a ruling is ours; a share that says nothing to so many players has no figure."""
    cells = [Ruleset(players, edition) for players in PLAYERS for edition in EDITIONS]
    counted = {ruleset.code: count_signs(ruleset, matches, seed) for ruleset in cells}
    figures = [
        Figure(number, f"{share.text}, {players} players", percent, "%")
        for number, ruling in RULINGS.items()
        for share in ruling.shares
        for players in PLAYERS
        if (percent := _share(number, share, counted, players)) is not None
    ]
    totals = {name: sum(counts[name] for counts in counted.values()) for name in ("matches", "rounds")}
    return Survey("how often each ruling matters", figures, [f"{totals['matches']} matches, {totals['rounds']} rounds"])


def _share(number: str, share: Share, counted: dict[str, Counter[str]], players: int) -> float | None:
    ours = cells_of_ruling(number) & name_cells(share.books)
    cells = [cell for cell in counted if cell in ours and cell.endswith(str(players))]
    if not cells or (share.three, share.four)[players == 4] is None:
        return None
    signs, chances = (sum(counted[cell][name] for cell in cells) for name in (share.sign, share.of))
    return 100 * signs / chances
