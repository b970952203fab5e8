"""The parts that a tournament's seed is mixed from, as far as they may be told; and whether they hold together."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q

from games.rules.deal import commitment
from games.rules.mixing import Beacon, round_time, tell_parts
from tournaments.models import Entrant, Tournament, TournamentState
from tournaments.rules.seed_parts import check_seed_parts, is_before_round

MOST_OWN = 10


def seed_of(tournament: Tournament) -> bytes:
    """The seed that draws, lots and deals come from; there is one from the first draw on."""
    assert tournament.seed is not None
    return bytes(tournament.seed)


def can_contribute(tournament: Tournament, now: datetime) -> bool:
    """Whether what an entrant adds now still goes into the seed: before the first draw and before the beacon is out."""
    if tournament.secret is None or tournament.seed is not None:
        return False
    return is_before_round(now.astimezone(UTC).isoformat(), tournament.beacon_round)


def read_contributions(tournament: Tournament) -> dict[int, str]:
    """By entrant, those who have left included: nobody changes the seed by withdrawing."""
    given = Entrant.objects.filter(tournament=tournament, contribution__gt="").order_by("id")
    return dict(given.values_list("id", "contribution"))


def read_parts(tournament: Tournament, *, with_secret: bool) -> dict[str, Any] | None:
    """Ready for JSON; None for a tournament from before seeds were mixed."""
    if tournament.secret is None:
        return None
    beacon = Beacon(**tournament.beacon) if tournament.beacon is not None else None
    secret = bytes(tournament.secret) if with_secret else None
    return tell_parts(tournament.commitment, secret, read_contributions(tournament), beacon)


def revealed_parts(tournament: Tournament) -> dict[str, Any] | None:
    """What everybody may know of them now: the secret once the tournament has finished."""
    return read_parts(tournament, with_secret=tournament.state == TournamentState.FINISHED)


def find_seed_faults(tournament: Tournament, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A sentence for everything about the seed that does not follow from its parts, its commitment and the chain."""
    if tournament.secret is None:
        if tournament.seed is None or commitment(bytes(tournament.seed)) != tournament.commitment:
            yield "its seed is not the one that was committed to"
        return
    if commitment(bytes(tournament.secret)) != tournament.commitment:
        yield "its secret is not the one that was committed to"
    if tournament.seed is not None:
        parts, seed = read_parts(tournament, with_secret=True), bytes(tournament.seed).hex()
        yield from check_seed_parts(parts, seed, events, tournament.commitment)


@dataclass(frozen=True, slots=True)
class ChanceShown:
    """What a tournament's page says of its chance; `own` are the contributions of who looks, with the names."""

    is_mixed: bool
    is_counted: bool
    contributions: int
    own: list[tuple[str, str]]
    beacon_at: datetime | None


def show_chance(tournament: Tournament, user: User | AnonymousUser, *, now: datetime) -> ChanceShown | None:
    """None for a draft, and for a tournament from before seeds were mixed."""
    known = Tournament.objects.filter(pk=tournament.pk, secret__isnull=False).exclude(state=TournamentState.DRAFT)
    counted = Count("entrants", filter=Q(entrants__contribution__gt=""))
    found = known.annotate(counted=counted, is_mixed=Q(seed__isnull=False)).values_list("counted", "is_mixed").first()
    if found is None:
        return None
    contributions, is_mixed = found
    own: list[tuple[str, str]] = []
    if isinstance(user, User):
        named = Q(player__owner=user) | Q(player__team__first__owner=user) | Q(player__team__second__owner=user)
        given = Entrant.objects.filter(named, tournament=tournament, contribution__gt="").order_by("id")
        own = list(given.values_list("player__name", "contribution")[:MOST_OWN])
    number = tournament.beacon_round
    return ChanceShown(
        is_mixed=is_mixed,
        is_counted=not is_mixed and is_before_round(now.astimezone(UTC).isoformat(), number),
        contributions=contributions,
        own=own,
        beacon_at=datetime.fromtimestamp(round_time(number), UTC) if number is not None else None,
    )
