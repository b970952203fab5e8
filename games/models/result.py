"""A MatchResult: how a match ended, written once, and the log that its record is made from."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


def _by_side(name: Any) -> ArrayField:
    return ArrayField(models.SmallIntegerField(), verbose_name=name)


class MatchResult(models.Model):
    """Lists are by side. `forfeits` names seats. `log` with the match's seed gives the whole record again.

    Its primary key is the match, so that a match can be settled only once.
    """

    match = models.OneToOneField(
        Match, verbose_name=_("match"), primary_key=True, on_delete=models.CASCADE, related_name="result"
    )
    places = _by_side(_("places"))
    nuggets = _by_side(_("nuggets"))
    totals = _by_side(_("totals"))
    exact_bids = _by_side(_("exact bids"))
    bids = _by_side(_("bids"))
    tricks = _by_side(_("tricks"))
    gold_points = _by_side(_("gold points"))
    forfeits = ArrayField(models.SmallIntegerField(), default=list, verbose_name=_("forfeits"))
    rounds = models.PositiveSmallIntegerField(_("rounds"))
    ends = ArrayField(models.SmallIntegerField(), help_text="rounds ended by no_lead, no_play, declined_gold")
    first_seat = models.PositiveSmallIntegerField()
    lots = models.BooleanField(_("decided by lots"), default=False)
    log = models.BinaryField(editable=False)
    cpu_us = models.PositiveIntegerField(
        _("processor time"), default=0, help_text=_("processor time of rules and agents, in µs")
    )
    is_by_hand = models.BooleanField(_("is by hand"), default=False)
    settled_at = models.DateTimeField(_("settled at"), auto_now_add=True)

    class Meta:
        verbose_name = _("match result")
        verbose_name_plural = _("match results")

    def __str__(self) -> str:
        return f"result of match {self.match_id}"
