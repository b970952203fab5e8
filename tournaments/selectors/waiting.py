"""Who waits for a table, at which tables seats are open, and the ratings that people are sat down by."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Player, PlayerKind
from games.selectors.rated_play import find_share
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
    tables: defaultdict[tuple[str, str, bool], list[Seeker]] = defaultdict(list)
    for one in list_seekers():
        tables[(one.ruleset, one.clock, one.is_rated)].append(one)
    return [_show_table(members, sitter) for _, members in sorted(tables.items())]


def _show_table(members: list[Seeker], sitter: Sitter) -> OpenTable:
    first = members[0]
    names = tuple((one.user.username if one.user else GUEST_NAME, round(one.rating)) for one in members)
    is_own = any(
        one.user_id == sitter.user_id if one.user_id is not None else one.guest == sitter.guest for one in members
    )
    share = 1.0
    if first.is_rated and sitter.user_id is not None:
        owners = {sitter.user_id, *(one.user_id for one in members[: first.players])}
        people = Player.objects.filter(owner__in=owners, kind=PlayerKind.PERSON).values_list("pk", flat=True)
        share = find_share(sorted(people)) if len(people) > 1 else 1.0
    return OpenTable(first.ruleset, first.clock, first.is_rated, first.players, names, is_own, share, first.commitment)
