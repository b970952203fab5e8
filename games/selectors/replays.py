"""A finished match step by step: where one can stop in it, and how the table looks there."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from games.play.see_table import (
    clear_at,
    open_everything,
    open_hands,
    see_round,
    stop_at,
    tell_action,
    type_finished,
)
from games.play.table_state import DEAL, END, Happening
from games.rules.actions import BID, CHANGE, KEEP, NOBODY, PLAY, action_text
from games.rules.match import FinishedRound
from games.rules.match import Match as Play

BID_STEP, SWAP_STEP, PLAY_STEP = "bid", "swap", "play"


@dataclass(frozen=True, slots=True, order=True)
class ReplayStep:
    """A place to stop at, after `applied` actions of its round.

    Trick 0 is the bids; `number` counts within the trick.
    """

    round_number: int
    trick: int
    number: int
    kind: str
    applied: int


def list_steps(play: Play) -> list[ReplayStep]:
    """Every step of the match in order; seats that keep their bids make no step."""
    return [step for number, done in enumerate(play.rounds, 1) for step in _list_round(number, done)]


def _list_round(number: int, done: FinishedRound) -> Iterator[ReplayStep]:
    players = len(done.deal.hands)
    yield ReplayStep(number, 0, 0, DEAL, 0)
    for laid in range(1, players + 1):
        yield ReplayStep(number, 0, laid, BID_STEP, laid)
    trick, inside, plays = 1, 0, 0
    for applied, entry in enumerate(done.log[players:], players + 1):
        if entry >> 2 == KEEP:
            continue
        if plays == players:
            trick, inside, plays = trick + 1, 0, 0
        inside += 1
        is_play = entry >> 2 < KEEP
        plays += is_play
        yield ReplayStep(number, trick, inside, PLAY_STEP if is_play else SWAP_STEP, applied)
    yield ReplayStep(number, trick, inside + 1, END, len(done.log))


def find_step(steps: Sequence[ReplayStep], round_number: int, trick: int, number: int) -> int:
    """The index of this step, or of the nearest one where there is none."""
    places = [(step.round_number, step.trick, step.number) for step in steps]
    index = bisect_left(places, (round_number, trick, number))
    return min(index, len(steps) - 1)


def see_step(play: Play, step: ReplayStep, seat: int | None) -> Happening:
    """What happened at a step and the table right after it, as this seat saw it, or with every card open for None."""
    done = play.rounds[step.round_number - 1]
    applied = sum(len(before.log) for before in play.rounds[: step.round_number - 1]) + step.applied
    stopped = stop_at(play, applied) if step.applied else clear_at(play, applied)
    round_ = see_round(stopped, NOBODY if seat is None else seat)
    if seat is None:
        round_ = open_everything(round_, stopped)
    elif step.kind == END:
        round_ = open_hands(round_, stopped, [done.end_seat])
    if step.kind == DEAL:
        return Happening(DEAL, done.first_seat, None, None, False, None, round_, None)
    if step.kind == END:
        return Happening(END, done.end_seat, None, None, False, None, round_, type_finished(done))
    entry = done.log[step.applied - 1]
    phase = BID if step.kind == BID_STEP else CHANGE if step.kind == SWAP_STEP else PLAY
    told = tell_action(
        action_text(phase, entry >> 2),
        entry & 3,
        round_,
        is_lead=step.kind == PLAY_STEP and len(round_.last_trick.plays if round_.last_trick else ()) == 1,
        closed=step.trick - 1,
        result=None,
    )
    return replace(told, card=round_.bids[entry & 3]) if step.kind == BID_STEP else told


def gold_at_end(play: Play, number: int) -> tuple[tuple[int, ...], ...]:
    """The gold that each seat is scored for in a round, by rank."""
    applied = sum(len(done.log) for done in play.rounds[:number])
    return tuple(tuple(int(card[1:]) for card in cards) for cards in see_round(stop_at(play, applied), NOBODY).gold)
