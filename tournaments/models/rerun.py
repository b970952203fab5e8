"""Reruns: matches played once more beside their results, to see what would change before anything does."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match
from tournaments.models.tournament import Tournament


class RerunState(models.TextChoices):
    PLAYING = "playing", _("Playing")
    APPLIED = "applied", _("Applied")
    DROPPED = "dropped", _("Dropped")


class Rerun(models.Model):
    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="reruns"
    )
    state = models.CharField(_("state"), max_length=8, choices=RerunState, default=RerunState.PLAYING)
    reason = models.CharField(_("reason"), max_length=400)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("created by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("rerun")
        verbose_name_plural = _("reruns")
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"rerun {self.pk} of {self.tournament}"


class RerunMatch(models.Model):
    """`again` is on the same deals with the same agents; it is unrated and belongs to no fixture."""

    rerun = models.ForeignKey(Rerun, on_delete=models.CASCADE, related_name="matches")
    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.PROTECT, related_name="reruns")
    again = models.OneToOneField(
        Match, verbose_name=_("played again as"), on_delete=models.PROTECT, related_name="rerun_of"
    )

    class Meta:
        verbose_name = _("rerun match")
        verbose_name_plural = _("rerun matches")
        ordering = ("rerun_id", "match_id")
        constraints = (models.UniqueConstraint(fields=("rerun", "match"), name="rerun_once_a_match"),)

    def __str__(self) -> str:
        return f"match {self.match_id} again as {self.again_id}"
