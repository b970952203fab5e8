"""Trials: is a new version of a bot better than another? Played by workers until the answer is clear."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player


class TrialState(models.TextChoices):
    PLAYING = "playing", _("Playing")
    BETTER = "better", _("The new one is better")
    NOT_BETTER = "not_better", _("The new one is not better")
    UNDECIDED = "undecided", _("Undecided at the limit")
    STOPPED = "stopped", _("Stopped")


class Trial(models.Model):
    """A sequential test of two agents of one player, such as two versions of a bot (`version:12`, `version:9`)."""

    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="trials")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("owner"), on_delete=models.CASCADE, related_name="trials"
    )
    new_agent = models.CharField(_("new agent"), max_length=80)
    old_agent = models.CharField(_("old agent"), max_length=80)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    effect = models.FloatField(_("effect"), help_text=_("the difference in mean place points that would matter"))
    most_units = models.PositiveIntegerField(_("most units"), default=2000)
    state = models.CharField(_("state"), max_length=12, choices=TrialState, default=TrialState.PLAYING)
    llr = models.FloatField(_("log likelihood ratio"), default=0.0)
    estimate = models.FloatField(_("estimate"), null=True, blank=True)
    estimate_low = models.FloatField(_("estimate low"), null=True, blank=True)
    estimate_high = models.FloatField(_("estimate high"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    trouble = models.CharField(_("trouble"), max_length=200, blank=True, help_text=_("why it was stopped"))
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("trial")
        verbose_name_plural = _("trials")
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("player",), condition=models.Q(state=TrialState.PLAYING), name="trial_one_at_a_time"
            ),
        )
        indexes = (models.Index("owner", models.F("created_at").desc(), name="trial_by_owner"),)

    def __str__(self) -> str:
        return f"trial {self.pk}: {self.new_agent} against {self.old_agent}"


class TrialUnit(models.Model):
    """A unit of matches on the same deals; it counts when all of them have ended."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="units")
    number = models.PositiveIntegerField(_("number"))
    score = models.FloatField(_("score"), null=True, blank=True)
    matches = models.ManyToManyField(Match, related_name="+")

    class Meta:
        verbose_name = _("trial unit")
        verbose_name_plural = _("trial units")
        ordering = ("trial_id", "number")
        constraints = (models.UniqueConstraint(fields=("trial", "number"), name="trial_unit_unique"),)

    def __str__(self) -> str:
        return f"unit {self.number} of trial {self.trial_id}"
