"""A TurnNotice: that somebody was told by e-mail that a table waits for them; noted so that it is told once."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class TurnNotice(models.Model):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices")
    seat = models.PositiveSmallIntegerField()
    awaited_since = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("turn notice")
        verbose_name_plural = _("turn notices")
        constraints = (models.UniqueConstraint(fields=("match", "seat", "awaited_since"), name="notice_once_a_turn"),)

    def __str__(self) -> str:
        return f"notice for seat {self.seat} of match {self.match_id}"
