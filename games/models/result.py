"""A MatchResult: how a match ended, written once, and the log that its record is made from."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from games.models.match import Match


def _by_side() -> ArrayField:
    return ArrayField(models.SmallIntegerField())


class MatchResult(models.Model):
    """Lists are by side. `forfeits` names seats. `log` with the match's seed gives the whole record again.

    Its primary key is the match, so that a match can be settled only once.
    """

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="result")
    places = _by_side()
    nuggets = _by_side()
    totals = _by_side()
    exact_bids = _by_side()
    bids = _by_side()
    tricks = _by_side()
    gold_points = _by_side()
    forfeits = ArrayField(models.SmallIntegerField(), default=list)
    rounds = models.PositiveSmallIntegerField()
    ends = ArrayField(models.SmallIntegerField(), help_text="rounds ended by no_lead, no_play, declined_gold")
    first_seat = models.PositiveSmallIntegerField()
    lots = models.BooleanField(default=False)
    log = models.BinaryField(editable=False)
    cpu_us = models.PositiveIntegerField(default=0, help_text="processor time of rules and agents, in µs")
    is_by_hand = models.BooleanField(default=False)
    settled_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"result of match {self.match_id}"
