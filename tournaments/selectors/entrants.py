"""Entrants of a tournament in the order of their seeds, and the entries of a player."""

from django.db.models import F, QuerySet

from tournaments.models import Entrant, Stage, Tournament


def list_entrants(tournament: Tournament) -> QuerySet[Entrant]:
    listed = Entrant.objects.filter(tournament=tournament).select_related("player__owner")
    return listed.order_by(F("seed_number").asc(nulls_last=True), "id")


def list_entries(player_id: int, limit: int) -> list[Entrant]:
    """The tournaments that a player entered, newest first; drafts have no entrants."""
    entries = Entrant.objects.filter(player_id=player_id).select_related("tournament__league").defer("tournament__seed")
    return list(entries.order_by("-tournament_id")[:limit])


def name_field(stage: Stage) -> dict[int, str]:
    """Names of a stage's entrants by number."""
    return dict(Entrant.objects.filter(id__in=stage.field).values_list("id", "player__name"))
