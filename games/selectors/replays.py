"""A finished match step by step: where one can stop in it, and how the table looks there."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rules.actions import BID, END_NAMES, KEEP, split_swap
from games.rules.cards import CARD_NAMES, GOLD_COPIES, GOLD_RANKS, gold_ranks, names_in
from games.rules.match import FinishedRound
from games.rules.match import Match as Play
from games.rules.round import Round
from games.rules.ruleset import Ruleset

DEAL, BID_STEP, SWAP_STEP, PLAY_STEP, END = "deal", "bid", "swap", "play", "end"


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """A place to stop at, after `applied` actions of its round.

    Trick 0 is the bids; `number` counts within the trick.
    """

    round_number: int
    trick: int
    number: int
    kind: str
    applied: int


@dataclass(frozen=True, slots=True)
class Swap:
    """A bid change: who paid which gold, whose bid it was, and what it became."""

    gold: int
    bid_of: int
    card: str


@dataclass(frozen=True, slots=True)
class Position:
    """All that lies on the table at a step, hidden cards included. Lists are by seat, `plays` in the order of play."""

    step: Step
    players: int
    first_seat: int
    seat: int | None
    swap: Swap | None
    hands: tuple[tuple[str, ...], ...]
    set_aside: tuple[str, ...]
    bids: tuple[str | None, ...]
    golds: tuple[tuple[int, ...], ...]
    supply: tuple[tuple[int, int], ...]
    tricks: tuple[int, ...]
    plays: tuple[tuple[int, str], ...]
    winner: int | None
    gold_to: int | None
    gold: int | None
    end_reason: str

    @property
    def are_bids_open(self) -> bool:
        """Three players turn their bids over together; before that each sees only their own."""
        return self.players == 4 or None not in self.bids


def list_steps(play: Play) -> list[Step]:
    """Every step of the match in order; seats that keep their bids make no step."""
    return [step for number, done in enumerate(play.rounds, 1) for step in _list_round(number, done)]


def _list_round(number: int, done: FinishedRound) -> Iterator[Step]:
    players = len(done.deal.hands)
    yield Step(number, 0, 0, DEAL, 0)
    for laid in range(1, players + 1):
        yield Step(number, 0, laid, BID_STEP, laid)
    trick, inside, plays = 1, 0, 0
    for applied, entry in enumerate(done.log[players:], players + 1):
        if entry >> 2 == KEEP:
            continue
        if plays == players:
            trick, inside, plays = trick + 1, 0, 0
        inside += 1
        is_play = entry >> 2 < KEEP
        plays += is_play
        yield Step(number, trick, inside, PLAY_STEP if is_play else SWAP_STEP, applied)
    yield Step(number, trick, inside + 1, END, len(done.log))


def find_step(steps: Sequence[Step], round_number: int, trick: int, number: int) -> int:
    """The index of this step, or of the nearest one where there is none."""
    places = [(step.round_number, step.trick, step.number) for step in steps]
    index = bisect_left(places, (round_number, trick, number))
    return min(index, len(steps) - 1)


def position_at(play: Play, step: Step) -> Position:
    """The table at a step, played again from the deal of its round."""
    done = play.rounds[step.round_number - 1]
    round_ = Round(play.players, done.deal.hands, done.first_seat, play.ruleset.zero_gold)
    plays: list[tuple[int, str]] = []
    for entry in done.log[: step.applied]:
        plays = _apply(round_, entry, plays)
    seats = range(play.players)
    ends = done.trick_ends[step.trick - 1] if len(plays) == play.players else None
    acted = done.log[step.applied - 1] if step.applied else 0
    return Position(
        step=step,
        players=play.players,
        first_seat=done.first_seat,
        seat=done.end_seat if step.kind == END else (acted & 3 if step.applied else None),
        swap=_read_swap(acted >> 2) if step.kind == SWAP_STEP else None,
        hands=tuple(tuple(names_in(round_.hands[seat])) for seat in seats),
        set_aside=tuple(names_in(done.deal.set_aside)),
        bids=tuple(CARD_NAMES[round_.bids[seat]] if round_.bids[seat] >= 0 else None for seat in seats),
        golds=tuple(tuple(gold_ranks(round_.golds[seat])) for seat in seats),
        supply=count_supply(play.ruleset, [gold_ranks(round_.golds[seat]) for seat in seats], _open_gold(plays, ends)),
        tricks=tuple(round_.tricks[seat] for seat in seats),
        plays=tuple(plays),
        winner=ends[0] if ends else None,
        gold_to=ends[1] if ends else None,
        gold=ends[2] if ends and ends[2] >= 0 else None,
        end_reason=END_NAMES[done.end_reason] if step.kind == END else "",
    )


def _apply(round_: Round, entry: int, plays: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Do one action; the cards of the trick it belongs to."""
    seat, action = entry & 3, entry >> 2
    if round_.phase == BID:
        round_.lay_bid(seat, action)
        return []
    round_.apply(action)
    if action == KEEP:
        return plays
    trick = [] if len(plays) == round_.players else plays
    return trick if action > KEEP else [*trick, (seat, CARD_NAMES[action])]


def _read_swap(action: int) -> Swap:
    gold, bid_of, card = split_swap(action)
    return Swap(gold, bid_of, CARD_NAMES[card])


def _open_gold(plays: Sequence[tuple[int, str]], ends: object) -> list[int]:
    """The gold in a trick that is not complete: it is in nobody's collection and not in the supply."""
    return [] if ends else [int(card[1:]) for _, card in plays if card[0] == "G"]


def count_supply(
    ruleset: Ruleset, golds: Sequence[Sequence[int]], in_trick: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """(rank, how many lie in the supply) for each rank of the game."""
    ranks = range(0 if ruleset.zero_gold else 1, GOLD_RANKS if ruleset.players == 4 else GOLD_RANKS - 1)
    away = [rank for collection in golds for rank in collection] + list(in_trick)
    return tuple((rank, GOLD_COPIES[rank] - away.count(rank)) for rank in ranks)


def gold_at_end(play: Play, done: FinishedRound) -> tuple[tuple[int, ...], ...]:
    """The gold that each seat is scored for, by rank."""
    round_ = Round(play.players, done.deal.hands, done.first_seat, play.ruleset.zero_gold)
    for entry in done.log:
        _apply(round_, entry, [])
    return tuple(tuple(gold_ranks(round_.golds[seat])) for seat in range(play.players))
