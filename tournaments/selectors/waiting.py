"""Who waits for a table, at which tables seats are open, and the ratings that people are sat down by."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Player, PlayerKind
from games.selectors.rated_play import find_shares
from games.selectors.sitters import Sitter
from tournaments.models import Block, Rating, Seeker
from tournaments.rules.quick_pairing import WaitingPlayer
from tournaments.rules.ratings.values import ANCHOR_NUMBER
from tournaments.selectors.ratings import read_best_number, show_rating

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


class SeekerRating(NamedTuple):
    """The number people are matched by, and the best of the last months, by which bounds go."""

    number: float
    best: float


def read_rating(user_id: int | None, players: int) -> SeekerRating:
    """Of somebody who begins to wait; who has no rating among people yet has that of everybody new."""
    own = {"player__owner": user_id, "player__kind": PlayerKind.PERSON}
    pool = {"pool__entry_kind": "people", "pool__is_teams": False, "pool__players": players}
    now = Rating.objects.filter(**own, **pool).first() if user_id is not None else None
    if now is None:
        return SeekerRating(ANCHOR_NUMBER, ANCHOR_NUMBER)
    return SeekerRating(show_rating(now).number, read_best_number(now))


def is_blocked(user_id: int | None, player_id: int) -> bool:
    """Whether this user has blocked this player."""
    return Block.objects.filter(user=user_id, player=player_id).exists()


def read_waiting() -> list[WaitingPlayer]:
    """Those who wait as the pairing sees them; whoever blocks or is blocked does not sit down together."""
    now = timezone.now()
    read = list_seekers().values_list(
        "pk", "ruleset", "clock", "is_rated", "players", "rating", "best", "low", "high", "since"
    )
    together = Q(user__seeker__match=None, player__owner__seeker__match=None)
    apart: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in Block.objects.filter(together).values_list("user__seeker", "player__owner__seeker"):
        apart[one].add(other)
    return [
        WaitingPlayer(
            key,
            f"{ruleset} {clock} {is_rated}",
            players,
            rating,
            ANYBODY[0] if low is None else low,
            ANYBODY[1] if high is None else high,
            (now - since).total_seconds(),
            frozenset(apart.get(key, ())),
            best,
        )
        for key, ruleset, clock, is_rated, players, rating, best, low, high, since in read
    ]


NAMED = 6
"""So many of those who wait at one table are named; the others are counted."""

# One row a table, whatever number of people waits there: pages ask every two seconds.
_TABLES = f"""
    SELECT seeker.ruleset, seeker.clock, seeker.is_rated, seeker.players, count(*),
           (array_agg(COALESCE(account.username, '') ORDER BY seeker.since, seeker.id))[:{NAMED}],
           (array_agg(seeker.rating ORDER BY seeker.since, seeker.id))[:{NAMED}],
           (array_agg(seeker.user_id ORDER BY seeker.since, seeker.id))[:{NAMED}],
           (array_agg(split_part(seeker.ticket, '.', 2) ORDER BY seeker.since, seeker.id))[1],
           COALESCE(bool_or(CASE WHEN seeker.user_id IS NOT NULL THEN seeker.user_id = %s
                                 ELSE seeker.guest = %s END), FALSE)
    FROM tournaments_seeker AS seeker LEFT JOIN auth_user AS account ON account.id = seeker.user_id
    WHERE seeker.match_id IS NULL AND seeker.seen_at > %s
    GROUP BY seeker.ruleset, seeker.clock, seeker.is_rated, seeker.players
    ORDER BY seeker.ruleset, seeker.clock, seeker.is_rated
"""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Seats that wait for people: who sits there with which rating, and how much it would count for the reader.

    `sitting` names those who have waited longest, of `waiting` in all.
    """

    ruleset: str
    clock: str
    is_rated: bool
    players: int
    waiting: int
    sitting: tuple[tuple[str, int], ...]
    is_own: bool
    share: float
    commitment: str
    """Of whoever has waited longest: who sits down next is dealt their cards from it, with what they contribute."""

    @property
    def free(self) -> int:
        return max(self.players - self.waiting, 0)

    @property
    def unnamed(self) -> int:
        return self.waiting - len(self.sitting)


def list_waiting_tables(sitter: Sitter) -> list[OpenTable]:
    """Every kind of table for which somebody waits, as one open table; a guest's name is empty."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES, [sitter.user_id, sitter.guest, timezone.now() - PRESENT])
        rows = cursor.fetchall()
    rated = [{sitter.user_id, *row[7][: row[3]]} for row in rows if row[2] and sitter.user_id is not None]
    shares = iter(_read_shares(rated))
    return [
        OpenTable(
            ruleset=row[0],
            clock=row[1],
            is_rated=row[2],
            players=row[3],
            waiting=row[4],
            sitting=tuple((name, round(rating)) for name, rating in zip(row[5], row[6], strict=True)),
            is_own=row[9],
            share=next(shares, 1.0) if row[2] else 1.0,
            commitment=row[8],
        )
        for row in rows
    ]


def _read_shares(tables: list[set[int]]) -> list[float]:
    """How much a match among the people of these accounts would count, for each of several tables."""
    people = Player.objects.filter(owner__in=set().union(*tables), kind=PlayerKind.PERSON)
    by_owner = dict(people.values_list("owner_id", "pk")) if tables else {}
    return find_shares([sorted(by_owner[owner] for owner in table if owner in by_owner) for table in tables])
