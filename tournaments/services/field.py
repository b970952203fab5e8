"""The field of a tournament: who is there and who moves up, house bots in it, who is seeded where and kept apart."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from bots.brains import BRAINS, FALLBACK
from games.models import Player, PlayerKind
from games.services.players import HOUSE_SLUG
from tournaments.models import Conflict, Entrant, EntrantState, Stage, Tournament, TournamentState
from tournaments.rules.formats.format import split_groups
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import order_by_lots
from tournaments.rules.story import SEEDING
from tournaments.selectors.chance import seed_of
from tournaments.selectors.entrants import (
    AWAITED,
    is_check_in_open,
    list_own_entrants,
    list_people,
    read_entrant_ratings,
)
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
    moved = list(waiting)
    for entrant in moved:
        entrant.state = state_on_entry(tournament, entrant.player)
        entrant.save(update_fields=("state",))
        record_event(tournament, "entered", detail={"entrant": entrant.id, "state": entrant.state})
    if moved:
        tell(
            list_people(tournament.entrants.filter(pk__in=[entrant.pk for entrant in moved])),
            kind="moved_up",
            subject=N_("You take part in %(tournament)s"),
            text=N_("A place in %(tournament)s has become free, and you have moved up from the waiting list."),
            url=reverse("tournament_entrants", args=[tournament.slug]),
            tournament=tournament.name,
        )


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


HOUSE_ORGANISER = "house"


@transaction.atomic
def ensure_house_players(copies: Mapping[str, int] | None = None) -> list[Player]:
    """Make the players that are missing, one of each brain or so many of each named; all of them, in that order."""
    titles = {brain.name: brain.title for brain in BRAINS}
    wanted = dict.fromkeys(titles, 1) if copies is None else copies
    if unknown := sorted(set(wanted) - set(titles)):
        raise LeagueError(
            "unknown_brain",
            N_("There is no house bot %(name)s."),
            N_("There are: %(names)s."),
            name=repr(unknown[0]),
            names=list(titles),
        )
    names = {}
    for brain, count in wanted.items():
        names[f"{HOUSE_SLUG}{brain}"] = titles[brain]
        names |= {f"{HOUSE_SLUG}{brain}_{number}": f"{titles[brain]} {number}" for number in range(2, count + 1)}
    Player.objects.bulk_create(
        [Player(kind=PlayerKind.HOUSE, name=name, slug=slug) for slug, name in names.items()], ignore_conflicts=True
    )
    found = {player.slug: player for player in Player.objects.filter(kind=PlayerKind.HOUSE, slug__in=names)}
    if missing := [name for slug, name in names.items() if slug not in found]:
        raise LeagueError(
            "name_taken", N_("Another player is already called %(name)s."), N_("Rename that player."), name=missing[0]
        )
    return [found[slug] for slug in names]


def ensure_filling_player() -> Player:
    """The house bot that takes a seat nobody else has."""
    return ensure_house_players({FALLBACK: 1})[0]


def ensure_house_organiser() -> User:
    """The account that tournaments run by commands belong to; nobody can sign in with it."""
    user, is_new = User.objects.get_or_create(username=HOUSE_ORGANISER)
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=("password",))
    return user


@transaction.atomic
def seed_entrants(*, tournament_id: int, order: Sequence[int], actor: User | None = None) -> None:
    """Seed these entrants by hand, the first of them first; all others follow by rating."""
    tournament = lock_tournament_for(tournament_id, Step.SEED)
    entrants = {entrant.id: entrant for entrant in tournament.entrants.all()}
    if len(set(order)) != len(order) or not set(order) <= set(entrants):
        raise LeagueError("bad_seeding", N_("Each entrant may be seeded once, and only entrants of this tournament."))
    for entrant in entrants.values():
        entrant.seed_number = order.index(entrant.id) + 1 if entrant.id in order else None
    Entrant.objects.bulk_update(entrants.values(), ["seed_number"])
    record_event(tournament, "seeded", actor=actor, detail={"order": list(order)})


@transaction.atomic
def keep_apart(*, tournament_id: int, pair: tuple[int, int], reason: str = "", actor: User | None = None) -> Conflict:
    """Never seat these two at one table from the next draw on; running twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.KEEP_APART)
    first, second = sorted(pair)
    if first == second or tournament.entrants.filter(id__in=pair).count() != 2:
        raise LeagueError("bad_conflict", N_("Two different entrants of this tournament can be kept apart."))
    conflict, is_new = Conflict.objects.get_or_create(
        tournament=tournament, first_id=first, second_id=second, defaults={"reason": reason[:200]}
    )
    if is_new:
        record_event(tournament, "kept_apart", actor=actor, reason=reason, detail={"entrants": [first, second]})
    return conflict


@transaction.atomic
def allow_meeting(*, tournament_id: int, pair: tuple[int, int], actor: User | None = None) -> bool:
    """Keep these two apart no longer from the next draw on; False where they were not, which changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.KEEP_APART)
    first, second = sorted(pair)
    found = Conflict.objects.filter(tournament=tournament, first_id=first, second_id=second)
    removed, _ = found.delete()
    if removed:
        record_event(tournament, "meeting_allowed", actor=actor, detail={"entrants": [first, second]})
    return removed > 0


def seed_first_stage(tournament: Tournament, stage: Stage) -> list[list[int]]:
    """Fix the field of the first stage: seeds by hand, then by rating, then by lots from the tournament's seed.

    Those whom nothing but lots put in their order are returned, group by group.
    """
    states = [EntrantState.CHECKED_IN]
    if not tournament.needs_check_in:
        states.append(EntrantState.ENTERED)
    entrants = list(tournament.entrants.filter(state__in=states))
    rated = read_entrant_ratings(tournament, [entrant.player_id for entrant in entrants])
    strength = {player: rating.mu for player, rating in rated.items()}
    seed, unseeded = seed_of(tournament), len(entrants) + 1
    merits = {
        entrant.id: (entrant.seed_number or unseeded, -strength.get(entrant.player_id, 0.0)) for entrant in entrants
    }
    drawn = sorted(order_by_lots(seed, SEEDING, merits), key=lambda entrant: merits[entrant])
    set_field(stage, drawn)
    groups = (list(group) for _, group in groupby(drawn, key=lambda entrant: merits[entrant]))
    return [group for group in groups if len(group) > 1]


def set_field(stage: Stage, seeded: list[int]) -> None:
    """Give a stage its entrants, best first; where it has groups, seeds are dealt to them to and fro."""
    stage.field = seeded
    if stage.groups:
        groups = split_groups(seeded, stage.groups)
        stage.field = [entrant for group in groups for entrant in group]
        stage.options = {**stage.options, "divisions": [len(group) for group in groups]}
    stage.save(update_fields=("field", "options"))


def field_of(stage: Stage) -> dict[str, Any]:
    """What an event keeps of a field that a draw has fixed, and of the groups it was seeded into."""
    divisions = stage.options["divisions"] if stage.groups else None
    return {"stage": stage.number, "field": stage.field, "divisions": divisions}
