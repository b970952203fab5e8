"""Ratings as pages show them: the list of a pool with shared ranks, a player's ratings, history and distribution."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypedDict

from django.db import connection
from django.db.models import F, Max, QuerySet, Window
from django.db.models.functions import Rank
from django.utils import timezone

from aurum_league.common.cache import read_cached
from bots.brains import BRAINS
from games.models import PlayerKind
from games.services.players import HOUSE_SLUG
from tournaments.models import EntryKind, FitState, Rating, RatingChange, RatingPool
from tournaments.rules.quick_pairing import LIMIT_DAYS, best_for_limits
from tournaments.rules.ratings.listing import RankSpan, span_ranks
from tournaments.rules.ratings.values import INTERVAL_WIDTH, Estimate, LiveRating, ShownRating, show_live

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

SPANS_CACHE_SECONDS = 3600
IN_ORDER = (
    F("lower_bound").desc(nulls_last=True),
    (F("mu") - 3 * F("sigma")).desc(),
    F("player_id").asc(),
)
"""Bots without a fit yet have no bound: they follow by that of their live rating."""


@dataclass(frozen=True, slots=True)
class RatingLine:
    """One rating as it is shown. A provisional one has no rank; `span` are the ranks that the results leave open."""

    pool_id: int
    pool: str
    player_id: int
    name: str
    slug: str
    kind: str
    rank: int | None
    span: RankSpan | None
    shown: ShownRating
    is_official: bool
    matches: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class RatingList:
    """A page of a pool's list; `version` names what it was made from: a key for caches."""

    pool_id: int
    pool: str
    version: str
    fitted_at: datetime | None
    total: int
    lines: tuple[RatingLine, ...]


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A rating after match `sequence` of its pool, with its 95 % interval."""

    sequence: int
    at: datetime
    number: float
    low: float
    high: float


def list_pools() -> list[RatingPool]:
    """Pools in which anything was rated."""
    return list(RatingPool.objects.filter(sequence__gt=0).order_by("players", "is_teams", "entry_kind"))


def list_top_rated(pool: RatingPool, limit: int) -> list[RatingLine]:
    """The head of a pool's list, without the ranks that its results leave open."""
    ranked = _with_rank(Rating.objects.filter(pool=pool)).order_by(*IN_ORDER)
    return [_line(rating, rating.rank, {}) for rating in ranked[:limit]]


def read_house_ratings(players: int = 3) -> list[tuple[str, int]]:
    """The brain and the rating of each house bot, from the pool of so many players in which it played most."""
    slugs = {f"{HOUSE_SLUG}{entry.name}": entry.name for entry in BRAINS}
    own = Rating.objects.filter(player__slug__in=slugs, pool__players=players, pool__is_teams=False, matches__gt=0)
    found: dict[str, int] = {}
    for rating in own.select_related("player").order_by("-matches"):
        found.setdefault(slugs[rating.player.slug], round(show_rating(rating).number))
    return list(found.items())


def read_rating_list(pool: RatingPool, *, offset: int = 0, limit: int = 100) -> RatingList:
    """Ordered by the lower bound, the provisional too; two queries, and a third when the pool has changed."""
    ranked = _with_rank(Rating.objects.filter(pool=pool)).order_by(*IN_ORDER)
    spans = read_rank_spans(pool)
    return RatingList(
        pool_id=pool.id,
        pool=str(pool),
        version=_version(pool),
        fitted_at=pool.fitted_at,
        total=Rating.objects.filter(pool=pool).count(),
        lines=tuple(_line(rating, rating.rank, spans) for rating in ranked[offset : offset + limit]),
    )


def read_player_ratings(player_id: int, *, with_spans: bool = True) -> list[RatingLine]:
    """A player's rating in every pool it has played in, most played first; spans take the whole pool to count."""
    own = Rating.objects.filter(player_id=player_id).select_related("pool", "player").order_by("-matches")
    lines = []
    for rating in own:
        rank = None if rating.is_provisional else _count_above(rating) + 1
        lines.append(_line(rating, rank, read_rank_spans(rating.pool) if with_spans else {}))
    return lines


def _count_above(rating: Rating) -> int:
    sure = Rating.objects.filter(pool=rating.pool, is_provisional=False)
    return sure.filter(lower_bound__gt=rating.lower_bound).count()


def read_rank_spans(pool: RatingPool) -> dict[int, RankSpan]:
    """The ranks that the live ratings leave open, by player, of everybody who is not provisional.

    None in a pool of bots: there the fit finds them with everybody's covariance, and each rating has its own.
    """
    if pool.entry_kind == EntryKind.BOTS:
        return {}
    key = f"rank-spans:{pool.id}:{_version(pool)}"
    return read_cached(key, SPANS_CACHE_SECONDS, lambda: span_ranks(_read_estimates(pool), is_zero_sum=True))


def show_rating(rating: Rating) -> ShownRating:
    """The official rating where there is one, the live one else."""
    if rating.official is None or rating.official_low is None or rating.official_high is None:
        live = show_live(LiveRating(rating.mu, rating.sigma))
        return live._replace(is_provisional=rating.is_provisional)
    low, high = rating.official_low, rating.official_high
    return ShownRating(rating.official, low, high, rating.lower_bound or low, rating.is_provisional)


def read_best_number(rating: Rating) -> float:
    """What an upper bound on ratings goes by: the best number shown now or in the last LIMIT_DAYS."""
    lately, shown = timezone.now() - timedelta(days=LIMIT_DAYS), show_rating(rating).number
    own = {"pool": rating.pool_id, "player": rating.player_id}
    if rating.official is not None:
        peak = FitState.objects.filter(**own, at__gt=lately).aggregate(best=Max("value"))["best"]
    else:
        mu = RatingChange.objects.filter(**own, match__finished_at__gt=lately).aggregate(best=Max("mu_after"))["best"]
        peak = None if mu is None else show_live(LiveRating(mu)).number
    return best_for_limits([shown] if peak is None else [shown, peak])


def read_pool_numbers(pool: RatingPool) -> list[float]:
    """The shown numbers of everybody who is not provisional, for a distribution; cached as long as they stand."""
    key = f"pool-numbers:{pool.id}:{_version(pool)}"
    return read_cached(key, SPANS_CACHE_SECONDS, lambda: [one.value for one in _read_estimates(pool).values()])


_LIVE_HISTORY = """
    SELECT sequence, finished_at, mu_after, sigma_after FROM (
        SELECT change.sequence, match.finished_at, change.mu_after, change.sigma_after,
               row_number() OVER (ORDER BY change.sequence) AS number, count(*) OVER () AS total
        FROM tournaments_ratingchange AS change JOIN games_match AS match ON match.id = change.match_id
        WHERE change.player_id = %(player)s AND change.pool_id = %(pool)s
    ) AS step
    WHERE number = total OR (number - 1) %% greatest(total / %(points)s, 1) = 0 ORDER BY sequence
"""
_OFFICIAL_HISTORY = """
    SELECT sequence, at, value, low, high FROM (
        SELECT fit.*, row_number() OVER (ORDER BY sequence) AS number, count(*) OVER () AS total
        FROM tournaments_fitstate AS fit WHERE fit.player_id = %(player)s AND fit.pool_id = %(pool)s
    ) AS step
    WHERE number = total OR (number - 1) %% greatest(total / %(points)s, 1) = 0 ORDER BY sequence
"""


def read_rating_history(player_id: int, pool: RatingPool, *, points: int = 200) -> tuple[HistoryPoint, ...]:
    """About so many points, the last one always: of the fits in a pool of bots, of the live rating elsewhere."""
    is_official = pool.entry_kind == EntryKind.BOTS
    with connection.cursor() as cursor:
        cursor.execute(
            _OFFICIAL_HISTORY if is_official else _LIVE_HISTORY,
            {"player": player_id, "pool": pool.id, "points": points},
        )
        rows = cursor.fetchall()
    history = []
    for sequence, at, *numbers in rows:
        if is_official:
            history.append(HistoryPoint(sequence, at, *numbers))
        else:
            shown = show_live(LiveRating(*numbers))
            history.append(HistoryPoint(sequence, at, shown.number, shown.low, shown.high))
    return tuple(history)


class _Ranked(TypedDict):
    rank: int


def _with_rank(ratings: QuerySet[Rating]) -> "QuerySet[WithAnnotations[Rating, _Ranked]]":
    rank = Window(Rank(), partition_by=F("is_provisional"), order_by=F("lower_bound").desc(nulls_last=True))
    return ratings.select_related("player", "pool").annotate(rank=rank)


def _line(rating: Rating, rank: int | None, spans: dict[int, RankSpan]) -> RatingLine:
    return RatingLine(
        pool_id=rating.pool_id,
        pool=str(rating.pool),
        player_id=rating.player_id,
        name=rating.player.name,
        slug=rating.player.slug,
        kind=PlayerKind(rating.player.kind).value,
        rank=None if rating.is_provisional else rank,
        span=_find_span(rating, spans),
        shown=show_rating(rating),
        is_official=rating.official is not None,
        matches=rating.matches,
        mu=rating.mu,
        sigma=rating.sigma,
    )


def _find_span(rating: Rating, spans: dict[int, RankSpan]) -> RankSpan | None:
    if rating.rank_best is None or rating.rank_worst is None:
        return spans.get(rating.player_id)
    return RankSpan(rating.rank_best, rating.rank_worst)


def _read_estimates(pool: RatingPool) -> dict[int, Estimate]:
    """What is shown of everybody who is not provisional, by player; plain columns, for a pool may be large."""
    sure = Rating.objects.filter(pool=pool, is_provisional=False).order_by("player_id")
    columns = sure.values_list("player_id", "official", "mu", "sigma")
    return {player: _estimate(official, LiveRating(mu, sigma)) for player, official, mu, sigma in columns}


def _estimate(official: float | None, live: LiveRating) -> Estimate:
    """The error is that of the live rating."""
    shown = show_live(live)
    return Estimate(shown.number if official is None else official, (shown.high - shown.number) / INTERVAL_WIDTH)


def _version(pool: RatingPool) -> str:
    """Lists of bots change with a fit, others with every match."""
    return str(pool.fitted_sequence if pool.entry_kind == EntryKind.BOTS else pool.sequence)
