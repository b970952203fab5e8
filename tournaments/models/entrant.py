"""Entrants: players, or teams of two, entered in a tournament; and who is kept apart."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Player
from tournaments.models.tournament import Tournament


class Team(models.Model):
    """Two players who always sit opposite each other; `player` is what it is rated as."""

    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="team")
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~models.Q(first=models.F("second")), name="team_of_two_players"),
        )

    def __str__(self) -> str:
        return self.player.name


class EntrantState(models.TextChoices):
    WAITING = "waiting", _("On the waiting list")
    ENTERED = "entered", _("Entered")
    CHECKED_IN = "checked_in", _("Checked in")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    DISQUALIFIED = "disqualified", _("Disqualified")
    REPLACED = "replaced", _("Replaced")


class Entrant(models.Model):
    """`player` is a person, a bot, a house bot, or a team's player; a bot alone at a side plays both its seats.

    It is drawn from matchday `entered_on` of the tournament's current stage on, and no longer from `left_on` on.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    state = models.CharField(max_length=12, choices=EntrantState, default=EntrantState.ENTERED)
    seed_number = models.PositiveIntegerField(null=True, blank=True)
    division = models.CharField(max_length=40, blank=True)
    entered_on = models.PositiveIntegerField(default=1)
    left_on = models.PositiveIntegerField(null=True, blank=True)
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by"
    )
    reason = models.CharField(max_length=200, blank=True)
    entered_at = models.DateTimeField(auto_now_add=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("tournament_id", "seed_number", "id")
        constraints = (models.UniqueConstraint(fields=("tournament", "player"), name="entrant_once_a_tournament"),)

    def __str__(self) -> str:
        return self.player.name


class Conflict(models.Model):
    """Two entrants whom the organiser keeps apart."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="conflicts")
    first = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("first", "second"), name="conflict_once"),
            models.CheckConstraint(condition=models.Q(first__lt=models.F("second")), name="conflict_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.first} / {self.second}"
