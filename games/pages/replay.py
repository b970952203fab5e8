"""A finished match to look at: its replay step by step, and the score sheet of every round."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext

from games.models import MatchSeat
from games.pages.words import tell_happening
from games.play.see_table import shorten
from games.play.table_state import END, FinishedState, Happening, SeatState
from games.rules.match import Match as Play
from games.rules.ruleset import Ruleset
from games.selectors.tables import ReplayStep, find_step, list_steps, see_step


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """One side in one round; `gold` holds the ranks it is scored for, None where they are not told."""

    name: str
    bid: int
    tricks: int
    bid_points: int
    how: str
    gold: Sequence[int] | None
    gold_points: int
    total: int
    has_nugget: bool


@dataclass(frozen=True, slots=True)
class SheetRound:
    number: int
    lines: list[ScoredLine]
    decision: str


def make_score_sheet(
    side_names: Sequence[str], rounds: Sequence[FinishedState], golds: Sequence[Sequence[Sequence[int]]] = ()
) -> list[SheetRound]:
    """`golds` are the ranks by seat at the end of each round, if known."""
    sides = len(side_names)
    return [
        SheetRound(
            number,
            [
                _make_line(name, done, side, golds[number - 1][side::sides] if golds else None)
                for side, name in enumerate(side_names)
            ],
            explain_winners(done),
        )
        for number, done in enumerate(rounds, 1)
    ]


def _make_line(name: str, done: FinishedState, side: int, golds: Sequence[Sequence[int]] | None) -> ScoredLine:
    score = done.scores[side]
    return ScoredLine(
        name=name,
        bid=score.bid,
        tricks=score.tricks,
        bid_points=score.bid_points,
        how=explain_bid(score.bid, score.tricks),
        gold=None if golds is None else sorted(rank for collection in golds for rank in collection),
        gold_points=score.gold_points,
        total=score.total,
        has_nugget=side in done.winners,
    )


def explain_bid(bid: int, tricks: int) -> str:
    if tricks < bid:
        return gettext("fewer than bid: nothing")
    if tricks > bid:
        return gettext("more than bid: the bid")
    return gettext("exactly: twice the bid")


def explain_winners(done: FinishedState) -> str:
    """Which step decided the round."""
    return {
        "points": gettext("Most points win the nugget."),
        "each": gettext("Still tied after every step: a nugget to each."),
        "exact_bid": gettext("Tied on points: the exact bid wins the nugget."),
        "highest_gold": gettext("Tied on points: the highest gold card wins the nugget."),
    }[done.decided_by]


@dataclass(frozen=True, slots=True)
class PlaceWords:
    """A side's place; `why` says what put it behind the side before it where that is not the first thing that counts,
    and nuggets and points are None where they are not told."""

    side: int
    place: int
    nuggets: int | None
    points: int | None
    why: str


def explain_places(
    ruleset: Ruleset, places: Sequence[int], rounds: Sequence[FinishedState], *, has_lots: bool = False
) -> tuple[PlaceWords, ...]:
    """Sides best first; without rounds (sealed deals) only the places are told."""
    sides = sorted(range(len(places)), key=lambda side: (places[side], side))
    if not rounds:
        return tuple(PlaceWords(side, places[side], None, None, "") for side in sides)
    nuggets = [sum(side in done.winners for done in rounds) for side in range(len(places))]
    points = [sum(done.scores[side].total for done in rounds) for side in range(len(places))]
    told = []
    for order, side in enumerate(sides):
        before = sides[order - 1] if order else side
        is_parted = places[before] < places[side]
        why = _explain_parting(ruleset, rounds, before, side, has_lots=has_lots) if is_parted else ""
        told.append(PlaceWords(side, places[side], nuggets[side], points[side], why))
    return tuple(told)


def _explain_parting(
    ruleset: Ruleset, rounds: Sequence[FinishedState], before: int, side: int, *, has_lots: bool
) -> str:
    """The first step of the ranking in which the two differ; empty where it is the one that everybody looks at."""

    def count(one: int) -> list[tuple[str, int]]:
        nuggets = sum(one in done.winners for done in rounds)
        points = sum(done.scores[one].total for done in rounds)
        exact = sum(done.scores[one].bid == done.scores[one].tricks for done in rounds)
        last = rounds[-1].scores[one].bid
        if ruleset.is_cumulative:
            return [("points", points), ("last_bid", last), ("exact", exact)]
        return [("nuggets", nuggets), ("last_bid", last), ("points", points), ("exact", exact)]

    for order, ((step, best), (_, own)) in enumerate(zip(count(before), count(side), strict=True)):
        if best > own and order:
            words = {"best": best, "own": own}
            return {
                "last_bid": gettext("last bid %(best)d to %(own)d"),
                "points": gettext("points %(best)d to %(own)d"),
                "exact": gettext("exact bids %(best)d to %(own)d"),
            }[step] % words
        if best != own:
            return ""
    return gettext("by lots from the seed") if has_lots else ""


@dataclass(frozen=True, slots=True)
class Jump:
    """A place in the replay to go to."""

    name: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class RoundJumps:
    """A round's places: its bids, each trick, its end."""

    name: str
    jumps: tuple[Jump, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """All that the page shows of one step: the table right after it, seen by `seat` (None: every card is open) with
    the seat `bottom` nearest, and where one can go; an address is empty where there is nothing to go to."""

    seats: tuple[SeatState, ...]
    seat: int | None
    bottom: int
    nuggets: tuple[int, ...]
    happening: Happening
    place: str
    sentence: str
    is_exact: bool
    first: str
    previous: str
    next: str
    last: str
    rounds: tuple[RoundJumps, ...]
    views: tuple[Jump, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks for, numbers of any size included; `seat` is None for open cards."""

    round_number: int
    trick: int
    number: int
    seat: int | None
    is_clear: bool

    @staticmethod
    def read(query: QueryDict, players: int) -> "Asked":
        """What cannot be read counts as not given, and is noted."""
        numbers = {name: _read_number(query.get(name, "")) for name in ("round", "trick", "step", "seat")}
        is_clear = all(numbers[name] is not None or not query.get(name) for name in numbers)
        trick = numbers["trick"] or 0
        number = numbers["step"] if numbers["step"] is not None else min(trick, 1)
        seat = numbers["seat"]
        has_seat = seat is not None and seat < players
        round_number = numbers["round"] or 1
        return Asked(round_number, trick, number, seat if has_seat else None, is_clear and (has_seat or seat is None))


def _read_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def make_replay(play: Play, held: Sequence[MatchSeat], asked: Asked) -> Replay:
    """The step asked for, or the nearest one."""
    steps = list_steps(play)
    index = find_step(steps, asked.round_number, asked.trick, asked.number)
    step = steps[index]
    happening = see_step(play, step, asked.seat)
    seats = tuple(
        SeatState(one.seat, one.side, one.player.name, one.player.slug, one.player.kind, True, False) for one in held
    )
    done = play.rounds[: step.round_number - (step.kind != END)]
    nuggets = [sum(side in finished.outcome.winners for finished in done) for side in range(play.ruleset.sides)]
    is_found = (step.round_number, step.trick, step.number) == (asked.round_number, asked.trick, asked.number)
    return Replay(
        seats=seats,
        seat=asked.seat,
        bottom=asked.seat or 0,
        nuggets=tuple(nuggets),
        happening=replace(happening, round=shorten(happening.round)),
        place=name_place(step, len(play.rounds)),
        sentence=_tell_step(happening, seats),
        is_exact=asked.is_clear and is_found,
        first=address_of(steps[0], asked.seat) if index else "",
        previous=address_of(steps[index - 1], asked.seat) if index else "",
        next=address_of(steps[index + 1], asked.seat) if index + 1 < len(steps) else "",
        last=address_of(steps[-1], asked.seat) if index + 1 < len(steps) else "",
        rounds=_list_rounds(steps, step, asked.seat),
        views=_list_views(held, step, asked.seat),
    )


def _tell_step(happening: Happening, seats: Sequence[SeatState]) -> str:
    said = tell_happening(happening, [seat.player for seat in seats])
    return f"{said} {explain_winners(happening.result)}" if happening.result else said


def address_of(step: ReplayStep, seat: int | None) -> str:
    place = {"round": step.round_number, "trick": step.trick, "step": step.number}
    return "?" + urlencode(place if seat is None else {**place, "seat": seat})


def name_place(step: ReplayStep, rounds: int) -> str:
    words = {"round": step.round_number, "rounds": rounds, "trick": step.trick}
    if step.kind == END:
        return gettext("Round %(round)d of %(rounds)d, end") % words
    if step.trick == 0:
        return gettext("Round %(round)d of %(rounds)d, bids") % words
    return gettext("Round %(round)d of %(rounds)d, trick %(trick)d") % words


def _list_rounds(steps: Sequence[ReplayStep], current: ReplayStep, seat: int | None) -> tuple[RoundJumps, ...]:
    return tuple(
        RoundJumps(gettext("Round %(number)d") % {"number": number}, _list_tricks(list(own), current, seat))
        for number, own in groupby(steps, lambda step: step.round_number)
    )


def _list_tricks(own: Sequence[ReplayStep], current: ReplayStep, seat: int | None) -> tuple[Jump, ...]:
    is_here = own[0].round_number == current.round_number
    jumps = []
    for trick, (step, *_) in groupby((step for step in own if step.kind != END), lambda step: step.trick):
        name = gettext("Trick %(number)d") % {"number": trick} if trick else gettext("Bids")
        is_current = is_here and trick == current.trick and current.kind != END
        jumps.append(Jump(name, address_of(step, seat), is_current))
    is_end = is_here and current.kind == END
    return (*jumps, Jump(gettext("End of the round"), address_of(own[-1], seat), is_end))


def _list_views(held: Sequence[MatchSeat], step: ReplayStep, seat: int | None) -> tuple[Jump, ...]:
    views = [Jump(other.player.name, address_of(step, other.seat), seat == other.seat) for other in held]
    return (Jump(gettext("Open cards"), address_of(step, None), seat is None), *views)
