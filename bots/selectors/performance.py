"""How a bot does: results of its versions with intervals, CPU time of decisions, matches and failures."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from django.db import connection
from django.db.models import Exists, F, OuterRef, QuerySet

from bots.agents.cpu_histogram import add_up, read_quantile, tell_milliseconds
from bots.models import Bot, SeatUsage
from games.models import Match, MatchKind, MatchSeat, SeatFailure
from games.models.match import ENDED

MATCHES_FOR_CPU = 500
Z95 = 1.959964
# One block of matches on the same deals is one observation: its mean score, so that shared luck counts once.
_SCORES = """
    SELECT agent, count(*) AS deals, sum(matches) AS matches, sum(forfeits) AS forfeits, avg(score) AS mean
    FROM (
        SELECT seat.agent, match.deals, count(DISTINCT match.id) AS matches,
               count(*) FILTER (WHERE seat.seat = ANY(result.forfeits)) AS forfeits,
               avg(CASE WHEN seat.seat = ANY(result.forfeits) OR result.places[seat.side + 1] <> 1 THEN 0.0
                        ELSE 1.0 / cardinality(array_positions(result.places, 1::smallint)) END) AS score
        FROM games_matchseat AS seat
        JOIN games_match AS match ON match.id = seat.match_id
        JOIN games_matchresult AS result ON result.match_id = match.id
        WHERE seat.player_id = %s AND match.players = %s AND match.kind <> 'qualification'
        GROUP BY seat.agent, match.deals
    ) AS block
    GROUP BY agent
"""


@dataclass(frozen=True, slots=True)
class WinRate:
    """Share of matches won, a shared first place counted in part; bounds are a 95 % interval over deals."""

    matches: int
    deals: int
    forfeits: int
    mean: float
    low: float
    high: float
    even: float


@dataclass(frozen=True, slots=True)
class CpuTime:
    """Milliseconds a decision."""

    decisions: int
    p50: float
    p99: float


def read_win_rates(bot: Bot, players: int) -> dict[str, WinRate]:
    """By agent, such as `version:12`: at tables of so many players, everything but qualification."""
    with connection.cursor() as cursor:
        cursor.execute(_SCORES, [bot.player_id, players])
        rows = cursor.fetchall()
    even = 1 / 3 if players == 3 else 1 / 2
    rates = {}
    for agent, deals, matches, forfeits, mean in rows:
        low, high = _share_interval(float(mean), deals)
        rates[agent] = WinRate(int(matches), deals, int(forfeits), float(mean), low, high, even)
    return rates


def _share_interval(share: float, deals: int) -> tuple[float, float]:
    """Wilson's 95 % interval, a deal as one trial: means over several matches vary less, so it is rather too wide."""
    spread = Z95 * Z95 / deals
    centre = (share + spread / 2) / (1 + spread)
    reach = sqrt(spread * share * (1 - share) + spread * spread / 4) / (1 + spread)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def read_cpu_time(version_id: int) -> CpuTime | None:
    """Over the latest matches of a version; None where it has played none."""
    usages = SeatUsage.objects.filter(version_id=version_id).order_by("-match_id")
    counts = add_up(usages.values_list("cpu", flat=True)[:MATCHES_FOR_CPU])
    return _cpu_time(counts)


def _cpu_time(counts: Sequence[int]) -> CpuTime | None:
    p50, p99 = read_quantile(counts, 0.5), read_quantile(counts, 0.99)
    if p50 is None or p99 is None:
        return None
    return CpuTime(sum(counts), tell_milliseconds(p50), tell_milliseconds(p99))


def list_matches(bot: Bot) -> QuerySet[MatchSeat]:
    """The bot's seats, newest match first."""
    seats = MatchSeat.objects.filter(player_id=bot.player_id).select_related("match", "match__result")
    return seats.exclude(match__kind=MatchKind.QUALIFICATION).order_by("-match_id", "seat")


def list_failures(bot: Bot) -> QuerySet[SeatFailure]:
    """Decisions the bot failed to make, newest first. They show hidden cards, so deals still in play are left out."""
    own = SeatFailure.objects.filter(match__seats__player_id=bot.player_id, match__seats__seat=F("seat"))
    in_play = Match.objects.filter(deals=OuterRef("match__deals")).exclude(state__in=ENDED)
    return own.filter(~Exists(in_play)).select_related("match").order_by("-match_id", "-step")
