"""The Heartbeat: when the service was last seen alive, so that no clock runs while it was down."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """One row, number 1."""

    beat_at = models.DateTimeField(_("beat at"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = (models.CheckConstraint(condition=models.Q(pk=1), name="heartbeat_is_one_row"),)

    def __str__(self) -> str:
        return f"alive at {self.beat_at}"
