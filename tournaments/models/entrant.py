"""Entrants: players, or teams of two, entered in a tournament; and who is kept apart."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from aurum_league.common.sql import refuse_change
from games.models import Player
from tournaments.models.tournament import Tournament


class Team(models.Model):
    """Two players who always sit opposite each other; `player` is what it is rated as."""

    player = models.OneToOneField(Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="team")
    first = models.ForeignKey(
        Player, verbose_name=pgettext_lazy("member of a team", "first"), on_delete=models.PROTECT, related_name="+"
    )
    second = models.ForeignKey(
        Player, verbose_name=pgettext_lazy("member of a team", "second"), on_delete=models.PROTECT, related_name="+"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("created by"), on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        constraints = (
            models.CheckConstraint(condition=~models.Q(first=models.F("second")), name="team_of_two_players"),
        )

    def __str__(self) -> str:
        return self.player.name


class EntrantState(models.TextChoices):
    WAITING = "waiting", _("On the waiting list")
    ENTERED = "entered", _("Entered")
    CHECKED_IN = "checked_in", _("Checked in")
    ABSENT = "absent", _("Missing at check-in")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    DISQUALIFIED = "disqualified", _("Disqualified")
    REPLACED = "replaced", _("Replaced")


class Entrant(models.Model):
    """`player` is a person, a bot, a house bot, or a team's player; a bot alone at a side plays both its seats.

    It is drawn from matchday `entered_on` of the tournament's current stage on, and no longer from `left_on` on.
    `rests` are matchdays of that stage on which it asked not to play; `answers` are to the organiser's questions.
    `contribution` goes into the tournament's seed; it is empty for none, and once it is given it stays.
    """

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="entrants"
    )
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="entries")
    state = models.CharField(_("state"), max_length=12, choices=EntrantState, default=EntrantState.ENTERED)
    seed_number = models.PositiveIntegerField(_("seed number"), null=True, blank=True)
    division = models.CharField(_("division"), max_length=40, blank=True)
    entered_on = models.PositiveIntegerField(_("entered on"), default=1)
    left_on = models.PositiveIntegerField(_("left on"), null=True, blank=True)
    rests = ArrayField(models.PositiveIntegerField(), default=list, blank=True, verbose_name=_("rests by wish"))
    answers = models.JSONField(_("answers"), default=list, blank=True)
    replaces = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by")
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    contribution = models.CharField(_("contribution"), max_length=64, blank=True, db_default="", editable=False)
    entered_at = models.DateTimeField(_("entered at"), auto_now_add=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        ordering = ("tournament_id", "seed_number", "id")
        constraints = (models.UniqueConstraint(fields=("tournament", "player"), name="entrant_once_a_tournament"),)
        triggers = (
            refuse_change(
                "contribution_stays",
                pgtrigger.UpdateOf("contribution"),
                condition=pgtrigger.Q(old__contribution__gt="")
                & pgtrigger.Q(old__contribution__df=pgtrigger.F("new__contribution")),
            ),
        )

    def __str__(self) -> str:
        return self.player.name


class Conflict(models.Model):
    """Two entrants whom the organiser keeps apart."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="conflicts"
    )
    first = models.ForeignKey(
        Entrant, verbose_name=pgettext_lazy("one of a pair", "first"), on_delete=models.CASCADE, related_name="+"
    )
    second = models.ForeignKey(
        Entrant, verbose_name=pgettext_lazy("one of a pair", "second"), on_delete=models.CASCADE, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("conflict")
        verbose_name_plural = _("conflicts")
        constraints = (
            models.UniqueConstraint(fields=("first", "second"), name="conflict_once"),
            models.CheckConstraint(condition=models.Q(first__lt=models.F("second")), name="conflict_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.first} / {self.second}"
