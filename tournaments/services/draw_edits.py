"""Editing a draw by hand before it is released: checked like a draw, and marked."""

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import LeagueError
from tournaments.models import Bye, Entrant, Fixture, FixtureSeat, Matchday, MatchdayState, Tournament
from tournaments.rules.formats.apart import find_clashes
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import HOUSE, Pairing, TableKind
from tournaments.selectors.situation import read_situation
from tournaments.services.events import record_event
from tournaments.services.lifecycle import lock_tournament_for


@transaction.atomic
def swap_entrants(
    *, matchday_id: int, first: int, second: int, actor: User | None = None, reason: str = ""
) -> Matchday:
    """Let two entrants of a matchday change places, at one table, two tables, or a table and a bye."""
    matchday = Matchday.objects.select_related("stage").filter(pk=matchday_id).first()
    if matchday is None:
        raise LeagueError("no_matchday", f"There is no matchday {matchday_id}.", status=404)
    tournament = lock_tournament_for(matchday.stage.tournament_id, Step.EDIT_DRAW)
    matchday.refresh_from_db()
    if matchday.state != MatchdayState.DRAWN:
        raise LeagueError("already_released", "This matchday is released; its tables stand.", status=409)
    if first == second:
        return matchday
    places = [_find_place(matchday, entrant) for entrant in (first, second)]
    for place, entrant in zip(places, (second, first), strict=True):
        place.entrant_id = entrant
    _save_places(places)
    _require_apart(tournament, matchday)
    _mark(matchday, places)
    detail = {"stage": matchday.stage.number, "matchday": matchday.number, "entrants": [first, second]}
    record_event(tournament, "draw_edited", actor=actor, reason=reason, detail=detail)
    return matchday


def _find_place(matchday: Matchday, entrant: int) -> FixtureSeat | Bye:
    seat = FixtureSeat.objects.filter(fixture__matchday=matchday, entrant_id=entrant).first()
    place = seat or Bye.objects.filter(matchday=matchday, entrant_id=entrant).first()
    if place is None:
        name = Entrant.objects.filter(pk=entrant).values_list("player__name", flat=True).first()
        raise LeagueError("not_on_matchday", f"{name or 'That entrant'} has no place on this matchday.")
    return place


def _save_places(places: list[FixtureSeat | Bye]) -> None:
    # Two byes have nothing to swap, and their constraint would see one entrant twice in between.
    if all(isinstance(place, Bye) for place in places):
        raise LeagueError("nothing_to_swap", "Both have a bye on this matchday.")
    for place in places:
        place.save(update_fields=("entrant",))


def _require_apart(tournament: Tournament, matchday: Matchday) -> None:
    kind = TableKind(tournament.table_kind)
    pairings = []
    for fixture in matchday.fixtures.prefetch_related("seats").order_by("table"):
        entrants = [seat.entrant_id or HOUSE for seat in fixture.seats.all()]
        pairings.append(Pairing(fixture.table, kind.seat(entrants)))
    clashes = find_clashes(read_situation(tournament, matchday.stage), kind, pairings)
    if clashes:
        names = Entrant.objects.filter(id__in=clashes[0]).order_by("id").values_list("player__name", flat=True)
        raise LeagueError(
            "cannot_keep_apart",
            f"{' and '.join(names)} must be kept apart, but would meet.",
            "One owner never meets itself at a rated table, and the organiser's pairs never meet.",
            status=409,
        )


def _mark(matchday: Matchday, places: list[FixtureSeat | Bye]) -> None:
    matchday.is_edited = True
    matchday.save(update_fields=("is_edited",))
    touched = [place.fixture_id for place in places if isinstance(place, FixtureSeat)]
    Fixture.objects.filter(id__in=touched).update(is_edited=True)
