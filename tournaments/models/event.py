"""TournamentEvents: the numbered story of a tournament; its audit trail and its public stream."""

from django.conf import settings
from django.db import models

from tournaments.models.tournament import Tournament


class TournamentEvent(models.Model):
    """`detail` never holds a hidden card or a seed of a running match; `reason` says why a person overruled."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    reason = models.CharField(max_length=400, blank=True)
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("tournament_id", "number")
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="event_number_unique"),)

    def __str__(self) -> str:
        return f"{self.number}: {self.kind}"
