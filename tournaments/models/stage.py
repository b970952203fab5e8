"""A Stage: one format within a tournament."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class StageState(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    PLAYING = "playing", _("Playing")
    FINISHED = "finished", _("Finished")


class Release(models.TextChoices):
    ALL = "all", _("All matchdays as soon as they are drawn")
    MATCHDAY = "matchday", _("A table when those who sit there have ended the one before")
    BY_HAND = "by_hand", _("When the organiser says so")


class Stage(models.Model):
    """`options` are the fields of the format's dataclass; `block_deals` above 0 makes every fixture a block.

    `field` holds the ids of its entrants in seed order, fixed by the first draw; late entries are added at its end.
    `final_places` are pairs of entrant and place, where a bracket and not the standings decides them.
    """

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="stages"
    )
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=80)
    format = models.CharField(_("format"), max_length=24)
    options = models.JSONField(_("options"), default=dict, blank=True)
    state = models.CharField(_("state"), max_length=12, choices=StageState, default=StageState.WAITING)
    points = ArrayField(
        models.FloatField(), default=list, help_text=_("points by place, best first"), verbose_name=_("points")
    )
    tiebreaks = ArrayField(
        models.CharField(max_length=24),
        default=list,
        help_text=_("what parts equals, in order"),
        verbose_name=_("tiebreaks"),
    )
    block_deals = models.PositiveSmallIntegerField(_("block deals"), default=0)
    matches_each = models.PositiveSmallIntegerField(
        _("matches each"), default=1, help_text=_("matches a fixture, where it is no block")
    )
    release = models.CharField(_("release"), max_length=8, choices=Release, default=Release.ALL)
    groups = models.PositiveSmallIntegerField(
        _("groups"), default=0, help_text=_("seed the field to and fro into so many divisions of about equal strength")
    )
    field = ArrayField(models.BigIntegerField(), default=list, blank=True)
    final_places = models.JSONField(default=list, blank=True)
    cut = models.PositiveIntegerField(_("cut"), null=True, blank=True, help_text=_("how many go on to the next stage"))
    results_version = models.PositiveIntegerField(_("results version"), default=0)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ("tournament_id", "number")
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_unique"),)

    def __str__(self) -> str:
        return self.name
