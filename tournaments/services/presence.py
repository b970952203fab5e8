"""Who is there: check-in by oneself or at the desk, who is missing at its end, and the waiting list moving up."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from games.models import Player, PlayerKind
from tournaments.models import Entrant, EntrantState, Tournament, TournamentState
from tournaments.rules.lifecycle import Step
from tournaments.selectors.entrants import AWAITED, is_check_in_open, list_own_entrants
from tournaments.services.lifecycle import lock_tournament_for, record_event

IN_FIELD = (EntrantState.ENTERED, EntrantState.CHECKED_IN)
ALWAYS_THERE = (PlayerKind.BOT, PlayerKind.HOUSE)


def find_entrant(entrant_id: int) -> Entrant:
    try:
        return Entrant.objects.select_related("player").get(pk=entrant_id)
    except Entrant.DoesNotExist:
        raise LeagueError("no_entrant", N_("There is no entrant %(number)s."), status=404, number=entrant_id) from None


def state_on_entry(tournament: Tournament, player: Player) -> EntrantState:
    """Entered; where there is a check-in, bots are there as soon as they are in."""
    members = (player.team.first, player.team.second) if player.kind == PlayerKind.TEAM else (player,)
    is_there = tournament.needs_check_in and all(member.kind in ALWAYS_THERE for member in members)
    return EntrantState.CHECKED_IN if is_there else EntrantState.ENTERED


@transaction.atomic
def check_in_entrant(*, entrant_id: int, actor: User | None = None, at_desk: bool = False) -> Entrant:
    """Confirm that an entrant is there; the desk may do so after the end too. Running twice changes nothing."""
    entrant = find_entrant(entrant_id)
    tournament = lock_tournament_for(entrant.tournament_id, Step.CHECK_IN)
    entrant.refresh_from_db()
    if entrant.state == EntrantState.CHECKED_IN:
        return entrant
    if entrant.state not in AWAITED:
        raise LeagueError(
            "not_entered", N_("%(entrant)s is not entered, so it cannot check in."), status=409, entrant=entrant
        )
    if not at_desk:
        _require_open(tournament)
    _require_place(tournament, [entrant])
    entrant.state = EntrantState.CHECKED_IN
    entrant.save(update_fields=("state",))
    record_event(tournament, "checked_in", actor=actor, detail={"entrant": entrant.id})
    return entrant


@transaction.atomic
def check_in_by_oneself(*, tournament: Tournament, user: User) -> Entrant:
    """Say that one is there, or the team one plays in."""
    own = list_own_entrants(tournament, user).first()
    if own is None:
        raise LeagueError("not_entered", N_("You do not take part, so you cannot check in."), status=409)
    return check_in_entrant(entrant_id=own.pk, actor=user)


@transaction.atomic
def check_in_many(
    *, tournament_id: int, entrant_ids: Iterable[int] | None = None, actor: User | None = None
) -> list[int]:
    """At the desk: these, or with None everybody who is entered; those who were not checked in before."""
    tournament = lock_tournament_for(tournament_id, Step.CHECK_IN)
    _require_check_in(tournament)
    states = (EntrantState.ENTERED,) if entrant_ids is None else AWAITED
    found = tournament.entrants.filter(state__in=states)
    if entrant_ids is not None:
        found = found.filter(pk__in=list(entrant_ids))
    coming = list(found.order_by("pk"))
    _require_place(tournament, coming)
    checked = [entrant.pk for entrant in coming]
    if checked:
        Entrant.objects.filter(pk__in=checked).update(state=EntrantState.CHECKED_IN)
        record_event(tournament, "checked_in", actor=actor, detail={"entrants": checked})
    return checked


@transaction.atomic
def close_check_in(*, tournament_id: int, actor: User | None = None) -> list[int]:
    """End the check-in now: who is missing is set aside, and may come back as long as nothing is drawn."""
    tournament = lock_tournament_for(tournament_id, Step.SET_CHECK_IN)
    _require_check_in(tournament)
    now = timezone.now()
    if tournament.check_in_ends_at is None or tournament.check_in_ends_at > now:
        _set_end(tournament, now, actor)
    missing = set_missing_aside(tournament, actor)
    promote_waiting(tournament)
    return missing


def set_missing_aside(tournament: Tournament, actor: User | None = None) -> list[int]:
    """Whoever has not checked in is neither drawn nor lost; the caller holds the tournament's lock."""
    if not tournament.needs_check_in:
        return []
    missing = list(tournament.entrants.filter(state=EntrantState.ENTERED).order_by("pk").values_list("pk", flat=True))
    if missing:
        Entrant.objects.filter(pk__in=missing).update(state=EntrantState.ABSENT)
        record_event(tournament, "set_aside", actor=actor, detail={"entrants": missing})
    return missing


@transaction.atomic
def set_check_in_end(*, tournament_id: int, ends_at: datetime | None, actor: User | None = None) -> Tournament:
    """Say until when entrants can check in, or with None that no time is set; the same time twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.SET_CHECK_IN)
    _require_check_in(tournament)
    if tournament.check_in_ends_at != ends_at:
        _set_end(tournament, ends_at, actor)
    return tournament


def promote_waiting(tournament: Tournament) -> None:
    """Fill free places from the waiting list, first come first served; the caller holds the lock."""
    if tournament.state != TournamentState.OPEN:
        return
    waiting = (
        tournament.entrants.filter(state=EntrantState.WAITING).select_related("player").order_by("entered_at", "id")
    )
    if tournament.capacity is not None:
        waiting = waiting[: max(0, tournament.capacity - _count_taken(tournament))]
    for entrant in waiting:
        entrant.state = state_on_entry(tournament, entrant.player)
        entrant.save(update_fields=("state",))
        record_event(tournament, "entered", detail={"entrant": entrant.id, "state": entrant.state})


def _count_taken(tournament: Tournament) -> int:
    return tournament.entrants.filter(state__in=IN_FIELD).count()


def _require_place(tournament: Tournament, coming: list[Entrant]) -> None:
    """Who was set aside comes back only where nobody has moved up into the place."""
    back = sum(entrant.state == EntrantState.ABSENT for entrant in coming)
    if back and tournament.capacity is not None and _count_taken(tournament) + back > tournament.capacity:
        raise LeagueError(
            "no_place",
            N_("There is no free place: others have moved up from the waiting list."),
            N_("Raise the number of entrants, or take somebody out."),
            status=409,
        )


def _require_check_in(tournament: Tournament) -> None:
    if not tournament.needs_check_in:
        raise LeagueError("no_check_in", N_("This tournament has no check-in."), N_("Turn it on first."), status=409)


def _require_open(tournament: Tournament) -> None:
    if tournament.needs_check_in and not is_check_in_open(tournament):
        raise LeagueError("check_in_over", N_("The time to check in is over."), N_("Ask the organiser."), status=409)


def _set_end(tournament: Tournament, ends_at: datetime | None, actor: User | None) -> None:
    tournament.check_in_ends_at = ends_at
    tournament.save(update_fields=("check_in_ends_at",))
    said = ends_at.isoformat() if ends_at else None
    record_event(tournament, "check_in_set", actor=actor, detail={"check_in_ends_at": said})
