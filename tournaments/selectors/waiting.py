"""Who waits for a table, at which tables seats are open, and the ratings that people are sat down by."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from games.models import Player, PlayerKind
from games.selectors.rated_play import find_share
from games.selectors.sitters import Sitter
from tournaments.models import Block, Rating, RatingChange, Seeker
from tournaments.rules.quick_pairing import LIMIT_DAYS, WaitingPlayer
from tournaments.rules.ratings.values import INITIAL_MU, LiveRating, show_live

PRESENT = timedelta(seconds=15)
"""How long after its last question a page counts as open."""

ANYBODY = (0.0, 10_000.0)


def list_seekers() -> QuerySet[Seeker]:
    """Who waits now, in the order they came."""
    present = Seeker.objects.filter(match=None, seen_at__gt=timezone.now() - PRESENT)
    return present.select_related("user").order_by("since", "pk")


def find_seeker(sitter: Sitter) -> Seeker | None:
    """What this person waits for, or the table they were last dealt; an account goes before a guest's secret."""
    own = Q(user_id=sitter.user_id) if sitter.user_id is not None else Q(guest=sitter.guest, guest__isnull=False)
    return Seeker.objects.filter(own).select_related("match").first()


@dataclass(frozen=True, slots=True)
class SeekerRating:
    """The number people are matched by, and the best of the last months, by which bounds go."""

    number: float
    best: float


def read_ratings(seekers: Iterable[Seeker]) -> dict[int, SeekerRating]:
    """By seeker; who has no rating among people yet has that of everybody new."""
    waiting = list(seekers)
    owners = [one.user_id for one in waiting if one.user_id is not None]
    people = {"player__owner__in": owners, "player__kind": PlayerKind.PERSON}
    pool = {"pool__entry_kind": "people", "pool__is_teams": False}
    now = Rating.objects.filter(**people, **pool).values_list("player__owner", "pool__players", "mu")
    numbers: dict[tuple[int | None, int], float] = {(owner, players): _number(mu) for owner, players, mu in now}
    lately = timezone.now() - timedelta(days=LIMIT_DAYS)
    steps = RatingChange.objects.filter(**people, **pool, match__finished_at__gt=lately)
    peaks = steps.values_list("player__owner", "pool__players").annotate(best=Max("mu_after")).order_by()
    best: dict[tuple[int | None, int], float] = {(owner, players): _number(mu) for owner, players, mu in peaks}
    new = _number(INITIAL_MU)
    found = {}
    for one in waiting:
        number = numbers.get((one.user_id, one.players), new)
        found[one.pk] = SeekerRating(number, max(number, best.get((one.user_id, one.players), number)))
    return found


def _number(mu: float) -> float:
    return show_live(LiveRating(mu)).number


def is_blocked(user_id: int | None, player_id: int) -> bool:
    """Whether this user has blocked this player."""
    return Block.objects.filter(user=user_id, player=player_id).exists()


def read_waiting(seekers: Collection[Seeker]) -> list[WaitingPlayer]:
    """Those who wait as the pairing sees them; whoever blocks or is blocked does not sit down together."""
    ratings, now = read_ratings(seekers), timezone.now()
    by_user = {one.user_id: one.pk for one in seekers if one.user_id is not None}
    apart: defaultdict[int, set[int]] = defaultdict(set)
    blocks = Block.objects.filter(user__in=by_user, player__owner__in=by_user)
    for user, owner in blocks.values_list("user_id", "player__owner_id"):
        apart[by_user[user]].add(by_user[owner])
    return [_see(one, ratings[one.pk], now, frozenset(apart[one.pk])) for one in seekers]


def _see(one: Seeker, rating: SeekerRating, now: datetime, blocked: frozenset[int]) -> WaitingPlayer:
    low, high = ANYBODY
    return WaitingPlayer(
        one.pk,
        f"{one.ruleset} {one.clock} {one.is_rated}",
        one.players,
        rating.number,
        low if one.low is None else one.low,
        high if one.high is None else one.high,
        (now - one.since).total_seconds(),
        blocked,
        rating.best,
    )


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Seats that wait for people: who sits there with which rating, and how much it would count for the reader."""

    ruleset: str
    clock: str
    is_rated: bool
    players: int
    sitting: tuple[tuple[str, int], ...]
    is_own: bool
    share: float
    commitment: str
    """Of whoever has waited longest: who sits down next is dealt their cards from it, with what they contribute."""

    @property
    def free(self) -> int:
        return max(self.players - len(self.sitting), 0)


GUEST_NAME = ""


def list_waiting_tables(sitter: Sitter) -> list[OpenTable]:
    """Every kind of table for which somebody waits, as one open table; a guest's name is empty."""
    seekers = list(list_seekers())
    ratings = read_ratings(seekers)
    tables: defaultdict[tuple[str, str, bool], list[Seeker]] = defaultdict(list)
    for one in seekers:
        tables[(one.ruleset, one.clock, one.is_rated)].append(one)
    return [_show_table(members, ratings, sitter) for _, members in sorted(tables.items())]


def _show_table(members: list[Seeker], ratings: dict[int, SeekerRating], sitter: Sitter) -> OpenTable:
    first = members[0]
    names = tuple((one.user.username if one.user else GUEST_NAME, round(ratings[one.pk].number)) for one in members)
    is_own = any(
        one.user_id == sitter.user_id if one.user_id is not None else one.guest == sitter.guest for one in members
    )
    share = 1.0
    if first.is_rated and sitter.user_id is not None:
        owners = {sitter.user_id, *(one.user_id for one in members[: first.players])}
        people = Player.objects.filter(owner__in=owners, kind=PlayerKind.PERSON).values_list("pk", flat=True)
        share = find_share(sorted(people)) if len(people) > 1 else 1.0
    return OpenTable(first.ruleset, first.clock, first.is_rated, first.players, names, is_own, share, first.commitment)
