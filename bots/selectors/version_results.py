"""What a version has played, seat by seat, for its author: the rows of its files, and what they come to."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from statistics import fmean

from django.db.models import Exists, OuterRef, QuerySet

from aurum_league.common.files import Row
from bots.agents.decision_log import LoggedDecision, join_logs
from bots.agents.uploaded import (
    SMALLEST,
    STEPS_AN_OCTAVE,
    add_up,
    find_quantile,
    read_quantile,
    tell_fuel,
    tell_milliseconds,
)
from bots.models import Bot, BotVersion, SeatLog, SeatUsage
from bots.selectors import MATCHES_FOR_CPU, agent_of_version, share_interval
from games.models import Match, MatchKind, MatchSeat, MatchState
from games.models.match import ENDED

COLUMNS: dict[str, type] = {
    "match": int,
    "kind": str,
    "ruleset": str,
    "players": int,
    "finished_at": dt.datetime,
    "deals": str,
    "seat": int,
    "side": int,
    "opponents": str,
    "place": int,
    "score": float,
    "is_forfeit": bool,
    "rounds": int,
    "nuggets": int,
    "points": int,
    "best_points": int,
    "bids": int,
    "exact_bids": int,
    "tricks": int,
    "gold_points": int,
    "decisions": int,
    "cpu_ms_p50": float,
    "cpu_ms_p99": float,
    "fuel_p50": int,
    "fuel_p99": int,
}
"""One row a seat. Matches whose deals are still played are left out: their points are sealed."""
AT_ONCE = 500
SUMMED_UP = 3_000
WORST = 10
LOGS_READ = 100
SLOWEST = 5
PHASES = ("bid", "change", "play")
_PHASE_OF = {"bid": "bid", "keep": "change", "swap": "change", "play": "play", "stop": "play"}


def list_seats(bot: Bot, version: BotVersion) -> QuerySet[MatchSeat]:
    """Newest match first, without the trials that qualify a connected bot and without what is sealed or by hand."""
    in_play = Match.objects.filter(deals=OuterRef("match__deals")).exclude(state__in=ENDED)
    seats = MatchSeat.objects.filter(player_id=bot.player_id, agent=str(agent_of_version(bot, version.pk)))
    seats = seats.filter(match__state=MatchState.FINISHED, match__result__is_by_hand=False)
    seats = seats.exclude(match__kind=MatchKind.QUALIFICATION).filter(~Exists(in_play))
    seats = seats.select_related("match__result").prefetch_related("match__seats__player")
    return seats.defer("match__seed", "match__log", "match__result__log").order_by("-match_id", "seat")


def list_rows(bot: Bot, version: BotVersion) -> Iterator[Row]:
    """The rows of `COLUMNS`, as they are read."""
    seats = list_seats(bot, version).iterator(chunk_size=AT_ONCE)
    while chunk := list(islice(seats, AT_ONCE)):
        used = SeatUsage.objects.filter(version=version, match__in={seat.match_id for seat in chunk})
        usages = {(usage.match_id, usage.seat): usage for usage in used}
        for seat in chunk:
            yield _tell_result(seat) | _tell_usage(usages.get((seat.match_id, seat.seat)))


def _tell_result(held: MatchSeat) -> Row:
    match, result, side = held.match, held.match.result, held.side
    places = result.counted_places
    return {
        "match": match.pk,
        "kind": match.kind,
        "ruleset": match.ruleset,
        "players": match.players,
        "finished_at": match.finished_at,
        "deals": str(match.deals),
        "seat": held.seat,
        "side": side,
        "opponents": "; ".join(sorted(other.player.name for other in match.seats.all() if other.side != side)),
        "place": places[side],
        "score": 1 / places.count(1) if places[side] == 1 else 0.0,
        "is_forfeit": held.seat in result.forfeits,
        "rounds": result.rounds,
        "nuggets": result.nuggets[side],
        "points": result.totals[side],
        "best_points": max(result.totals),
        "bids": result.bids[side],
        "exact_bids": result.exact_bids[side],
        "tricks": result.tricks[side],
        "gold_points": result.gold_points[side],
    }


def _tell_usage(usage: SeatUsage | None) -> Row:
    if usage is None:
        return dict.fromkeys(("decisions", "cpu_ms_p50", "cpu_ms_p99", "fuel_p50", "fuel_p99"))
    cpu = [read_quantile(usage.cpu, share) for share in (0.5, 0.99)]
    fuel = [read_quantile(usage.fuel, share) for share in (0.5, 0.99)] if usage.fuel else [None, None]
    return {
        "decisions": sum(usage.cpu),
        "cpu_ms_p50": None if cpu[0] is None else tell_milliseconds(cpu[0]),
        "cpu_ms_p99": None if cpu[1] is None else tell_milliseconds(cpu[1]),
        "fuel_p50": None if fuel[0] is None else tell_fuel(fuel[0]),
        "fuel_p99": None if fuel[1] is None else tell_fuel(fuel[1]),
    }


@dataclass(frozen=True, slots=True)
class MeanShare:
    """A mean between 0 and 1 over so many matches, with a 95 % interval over deals."""

    matches: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """A round, of this version and of the sides that it met."""

    name: str
    own: float
    met: float


@dataclass(frozen=True, slots=True)
class VersionResults:
    """`by_seat` is keyed by players and seat; `worst` are rows of `COLUMNS`, the farthest behind first."""

    matches: int
    by_opponent: list[tuple[str, MeanShare]]
    by_seat: list[tuple[int, int, MeanShare]]
    by_phase: list[PhaseLine]
    worst: list[Row]


def sum_up(bot: Bot, version: BotVersion) -> VersionResults:
    """Over its latest matches; a side of two seats counts once, but for the seats themselves."""
    seats = list(list_seats(bot, version)[:SUMMED_UP])
    rows = [_tell_result(seat) for seat in seats]
    sides = {(row["match"], row["side"]): (seat, row) for seat, row in reversed(list(zip(seats, rows, strict=True)))}
    ahead: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for seat, row in sides.values():
        places = seat.match.result.counted_places
        for other in seat.match.seats.all():
            if other.side != seat.side:
                own, met = places[seat.side], places[other.side]
                ahead[other.player.name].append((row["deals"], 1.0 if own < met else 0.5 if own == met else 0.0))
    by_seat: dict[tuple[int, int], list[tuple[str, float]]] = defaultdict(list)
    for row in rows:
        by_seat[row["players"], row["seat"]].append((row["deals"], row["score"]))
    lost = sorted(
        (row for _, row in sides.values() if not row["score"]), key=lambda row: row["points"] - row["best_points"]
    )
    opponents = sorted(ahead.items(), key=lambda item: (-len(item[1]), item[0]))
    return VersionResults(
        matches=len({row["match"] for row in rows}),
        by_opponent=[(name, _share(values)) for name, values in opponents],
        by_seat=[(*key, _share(values)) for key, values in sorted(by_seat.items())],
        by_phase=_compare(seat for seat, _ in sides.values()),
        worst=lost[:WORST],
    )


def _share(values: list[tuple[str, float]]) -> MeanShare:
    blocks: dict[str, list[float]] = defaultdict(list)
    for deals, value in values:
        blocks[deals].append(value)
    mean = fmean(fmean(block) for block in blocks.values())
    return MeanShare(len(values), mean, *share_interval(mean, len(blocks)))


def _compare(seats: Iterable[MatchSeat]) -> list[PhaseLine]:
    """What each phase brings: how high the bids are and how often they are met, tricks, gold."""
    own: dict[str, list[float]] = defaultdict(list)
    met: dict[str, list[float]] = defaultdict(list)
    for seat in seats:
        result = seat.match.result
        for name in ("bids", "exact_bids", "tricks", "gold_points", "totals"):
            for side, value in enumerate(getattr(result, name)):
                (own if side == seat.side else met)[name].append(value / max(1, result.rounds))
    return [PhaseLine(name, fmean(values), fmean(met[name])) for name, values in own.items()]


@dataclass(frozen=True, slots=True)
class TimeBar:
    """Decisions that took up to so much: milliseconds, or fuel."""

    up_to: float
    decisions: int
    percent: int


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """Of the decisions of one phase, in milliseconds, or in fuel for a module."""

    phase: str
    decisions: int
    p50: float
    p99: float
    most: float


@dataclass(frozen=True, slots=True)
class SlowDecision:
    match: int
    decision: LoggedDecision


@dataclass(frozen=True, slots=True)
class VersionTimes:
    """Bars over the latest matches; phases and the slowest decisions from the logs that are still kept."""

    is_module: bool
    bars: list[TimeBar]
    phases: list[PhaseTime]
    slowest: list[SlowDecision]


def read_times(version: BotVersion) -> VersionTimes:
    usages = SeatUsage.objects.filter(version=version).order_by("-match_id")
    rows = list(usages.values_list("cpu", "fuel")[:MATCHES_FOR_CPU])
    is_module = any(fuel for _, fuel in rows)
    counts = add_up([fuel for _, fuel in rows if fuel] if is_module else [cpu for cpu, _ in rows])
    in_play = Match.objects.filter(deals=OuterRef("match__deals")).exclude(state__in=ENDED)
    logs = SeatLog.objects.filter(~Exists(in_play), version=version).order_by("-match_id")
    kept = [
        SlowDecision(match, decision)
        for match, body in logs.values_list("match_id", "body")[:LOGS_READ]
        for decision in join_logs([bytes(body)]).decisions
    ]
    kept.sort(key=lambda one: (one.decision.fuel or 0, one.decision.cpu_us), reverse=True)
    return VersionTimes(is_module, _draw_bars(counts, is_module), _list_phases(kept), kept[:SLOWEST])


def _draw_bars(counts: list[int], is_module: bool) -> list[TimeBar]:
    """An octave each, from the first with a decision to the last."""
    octaves = [sum(counts[at : at + STEPS_AN_OCTAVE]) for at in range(0, len(counts), STEPS_AN_OCTAVE)]
    filled = [at for at, count in enumerate(octaves) if count]
    if not filled:
        return []
    tell = tell_fuel if is_module else tell_milliseconds
    return [
        TimeBar(tell(SMALLEST * 2 ** (at + 1)), octaves[at], round(100 * octaves[at] / sum(octaves)))
        for at in range(filled[0], filled[-1] + 1)
    ]


def _list_phases(kept: list[SlowDecision]) -> list[PhaseTime]:
    used: dict[str, list[float]] = defaultdict(list)
    for one in kept:
        if one.decision.action is not None:
            spent = one.decision.milliseconds if one.decision.fuel is None else one.decision.fuel
            used[_PHASE_OF[one.decision.action.split()[0]]].append(spent)
    return [
        PhaseTime(name, len(took), find_quantile(took, 0.5) or 0, find_quantile(took, 0.99) or 0, max(took))
        for name in PHASES
        if (took := used[name])
    ]
