"""Events of a tournament in their order."""

from django.db.models import QuerySet

from tournaments.models import Tournament, TournamentEvent


def list_events(tournament: Tournament) -> QuerySet[TournamentEvent]:
    return TournamentEvent.objects.filter(tournament=tournament).order_by("number")
