"""Rated play by people: who may sit at a rated table, how much it will count, and who waits after leaving often."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db.models import Count, F
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from games.models import Match, MatchKind, MatchSeat, MatchState, Player, PlayerKind, SeatFailure
from games.play.fairness import DAY, LEAVES_COUNTED, MONTH, end_of_wait, fade_repeats


def find_share(players: Sequence[int]) -> float:
    """How much a rated table of these players counts now. Events that an organiser draws are not asked about here.

    Every pair is one of somebody with another, bots among them, so that nobody lives on one weak bot either.
    """
    return find_shares([players])[0]


def find_shares(tables: Sequence[Sequence[int]]) -> list[float]:
    """The same for several tables at once; a table of one counts in full."""
    day, month = _count_meetings({player for table in tables for player in table})
    pairs = [[frozenset(pair) for pair in combinations(table, 2)] for table in tables]
    return [fade_repeats([day[one] for one in own], [month[one] for one in own]) if own else 1.0 for own in pairs]


def _count_meetings(players: Collection[int]) -> tuple[Counter[frozenset[int]], Counter[frozenset[int]]]:
    """By pair: rated matches outside of events that were dealt within a day, and within 30."""
    now = timezone.now()
    people = list(Player.objects.filter(pk__in=players, kind=PlayerKind.PERSON).values_list("pk", flat=True))
    dealt = Match.objects.filter(is_rated=True, kind=MatchKind.CASUAL, created_at__gt=now - MONTH)
    own = MatchSeat.objects.filter(player__in=people).values("match")
    dealt = dealt.exclude(state=MatchState.VOID).filter(pk__in=own)
    seats = MatchSeat.objects.filter(match__in=dealt, player__in=players)
    tables: dict[int, tuple[bool, list[int]]] = {}
    for match, player, at in seats.values_list("match_id", "player_id", "match__created_at").order_by():
        tables.setdefault(match, (at > now - DAY, []))[1].append(player)
    day: Counter[frozenset[int]] = Counter()
    month: Counter[frozenset[int]] = Counter()
    for is_today, sitting in tables.values():
        pairs = [frozenset(pair) for pair in combinations(sitting, 2)]
        month.update(pairs)
        if is_today:
            day.update(pairs)
    return day, month


class Repeat(NamedTuple):
    """Somebody met in rated play within a day, and the most that a further match with them would count."""

    name: str
    share: float


def list_repeats(user_id: int | None) -> list[Repeat]:
    """Bots among them; those who would count least first. Nobody for whoever has no account."""
    if user_id is None:
        return []
    own = Player.objects.filter(owner_id=user_id, kind=PlayerKind.PERSON)
    since = timezone.now() - DAY
    dealt = Match.objects.filter(is_rated=True, kind=MatchKind.CASUAL, created_at__gt=since, seats__player__in=own)
    met = MatchSeat.objects.filter(match__in=dealt.exclude(state=MatchState.VOID)).exclude(player__in=own)
    times = met.values_list("player__name").annotate(times=Count("match")).order_by("-times", "player__name")
    return [Repeat(name, fade_repeats([number], [0])) for name, number in times]


def has_verified_address(user_id: int) -> bool:
    return EmailAddress.objects.filter(user_id=user_id, verified=True).exists()


class Manners(NamedTuple):
    """Of the last hundred matches of somebody: how many they left, and in how many a program decided for them."""

    matches: int
    left: int
    by_token: int = 0

    @property
    def finished_percent(self) -> int | None:
        return round(100 * (self.matches - self.left) / self.matches) if self.matches else None


MATCHES_JUDGED = 100


def read_manners(player_id: int) -> Manners:
    """Whether a person plays to the end what they begin."""
    seats = MatchSeat.objects.filter(player_id=player_id, match__state=MatchState.FINISHED)
    rows = seats.order_by("-match_id").values_list("seat", "match__result__forfeits", "by_token")[:MATCHES_JUDGED]
    left = [seat in (forfeits or ()) for seat, forfeits, _number in rows]
    return Manners(len(left), sum(left), sum(number > 0 for *_, number in rows))


def find_wait(player_id: int) -> datetime | None:
    """Until when somebody who left rated matches again and again waits for the next; None where they need not."""
    now = timezone.now()
    recent = SeatFailure.objects.filter(created_at__gt=now - LEAVES_COUNTED, match__is_rated=True)
    own = recent.filter(match__seats__player_id=player_id, match__seats__seat=F("seat"))
    times = list(own.order_by("-created_at").values_list("created_at", flat=True))
    until = end_of_wait(times)
    return until if until is not None and until > now else None


def require_not_suspended(user_id: int | None) -> None:
    """A coded error for whoever is suspended: they finish what they have begun, and begin nothing."""
    now = timezone.now()
    out = Player.objects.filter(owner_id=user_id, kind=PlayerKind.PERSON, suspended_until__gt=now)
    until = out.values_list("suspended_until", flat=True).first() if user_id is not None else None
    if until is not None:
        raise LeagueError(
            "suspended",
            N_("Your account is suspended until %(until)s."),
            N_("Your page of fair play says why, and how to appeal."),
            status=403,
            until=f"{until:%Y-%m-%d %H:%M} UTC",
        )


def require_rateable(user_id: int) -> None:
    """A coded error where this account may not sit down at a rated table now."""
    if not has_verified_address(user_id):
        raise LeagueError(
            "address_unverified",
            N_("Rated play needs an e-mail address that is confirmed."),
            N_("Confirm yours on your profile, or play unrated."),
            status=403,
        )
    player = Player.objects.filter(owner_id=user_id, kind=PlayerKind.PERSON).first()
    if player is None:
        return
    if player.held_until is not None and player.held_until > timezone.now():
        raise LeagueError(
            "held_from_rated",
            N_("You are held from rated play until %(until)s."),
            N_("Play unrated until then."),
            status=403,
            until=f"{player.held_until:%Y-%m-%d %H:%M} UTC",
        )
    if until := find_wait(player.pk):
        raise LeagueError(
            "left_too_often",
            N_("You left several rated matches: the next one can begin at %(until)s."),
            N_("Play unrated until then."),
            status=403,
            until=f"{until:%Y-%m-%d %H:%M} UTC",
        )
