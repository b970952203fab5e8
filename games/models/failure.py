"""A SeatFailure: a decision that a bot or a person failed to make, with the exact exchange for its author."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class SeatFailure(models.Model):
    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="failures")
    seat = models.PositiveSmallIntegerField(_("seat"))
    step = models.PositiveIntegerField(_("step"), help_text=_("how many actions had been made"))
    verdict = models.CharField(_("verdict"), max_length=16)
    detail = models.TextField(blank=True)
    asked = models.TextField(blank=True)
    answered = models.TextField(blank=True)
    stderr = models.TextField(blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("seat failure")
        verbose_name_plural = _("seat failures")
        ordering = ("match_id", "step")
        constraints = (models.UniqueConstraint(fields=("match", "seat", "step"), name="failure_once_a_step"),)

    def __str__(self) -> str:
        return f"{self.verdict} by seat {self.seat} in match {self.match_id}"
