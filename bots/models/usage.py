"""A SeatUsage: what an uploaded version used in one match, in few bytes."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.models.version import BotVersion
from games.models import Match


class SeatUsage(models.Model):
    """`cpu` counts decisions in the buckets of `bots.agents.cpu_histogram`."""

    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField(_("seat"))
    version = models.ForeignKey(BotVersion, verbose_name=_("version"), on_delete=models.CASCADE, related_name="usages")
    cpu = ArrayField(models.SmallIntegerField(), verbose_name=_("decisions by processor time"))

    class Meta:
        verbose_name = _("seat usage")
        verbose_name_plural = _("seat usages")
        constraints = (models.UniqueConstraint(fields=("match", "seat"), name="usage_once_a_seat"),)
        indexes = (models.Index("version", models.F("match").desc(), name="usage_by_version"),)

    def __str__(self) -> str:
        return f"usage of seat {self.seat} in match {self.match_id}"
