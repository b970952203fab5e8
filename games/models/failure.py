"""A SeatFailure: a decision that a bot or a person failed to make, with the exact exchange for its author."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class SeatFailure(models.Model):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="failures")
    seat = models.PositiveSmallIntegerField()
    step = models.PositiveIntegerField(help_text=_("how many actions had been made"))
    verdict = models.CharField(max_length=16)
    detail = models.TextField(blank=True)
    asked = models.TextField(blank=True)
    answered = models.TextField(blank=True)
    stderr = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("match_id", "step")
        constraints = (models.UniqueConstraint(fields=("match", "seat", "step"), name="failure_once_a_step"),)

    def __str__(self) -> str:
        return f"{self.verdict} by seat {self.seat} in match {self.match_id}"
