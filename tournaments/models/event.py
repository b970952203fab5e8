"""TournamentEvents: the numbered story of a tournament; its audit trail and its public stream."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.tournament import Tournament


class TournamentEvent(models.Model):
    """`detail` never holds a hidden card or a seed of a running match; `reason` says why a person overruled."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="events"
    )
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=40)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("actor"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    reason = models.CharField(_("reason"), max_length=400, blank=True)
    detail = models.JSONField(_("detail"), default=dict, blank=True)
    at = models.DateTimeField(pgettext_lazy("time", "at"), auto_now_add=True)

    class Meta:
        verbose_name = _("tournament event")
        verbose_name_plural = _("tournament events")
        ordering = ("tournament_id", "number")
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="event_number_unique"),)

    def __str__(self) -> str:
        return f"{self.number}: {self.kind}"
