"""The standings of a stage as last computed: a snapshot that pages read, always made from the results alone."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.stage import Stage


class StageStandings(models.Model):
    """`version` is the stage's results_version that the rows were computed from."""

    stage = models.OneToOneField(
        Stage, verbose_name=_("stage"), primary_key=True, on_delete=models.CASCADE, related_name="standings"
    )
    version = models.PositiveIntegerField(_("version"))
    rows = models.JSONField(default=list)
    computed_at = models.DateTimeField(_("computed at"), auto_now=True)

    class Meta:
        verbose_name = _("stage standings")
        verbose_name_plural = _("stage standings")

    def __str__(self) -> str:
        return f"standings of {self.stage}"
