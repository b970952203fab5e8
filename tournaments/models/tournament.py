"""A Tournament: one event, or one season of a league."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.league import League
from tournaments.rules.pairing import TableKind


class TournamentState(models.TextChoices):
    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Open for entries")
    DRAWN = "drawn", _("Drawn")
    PLAYING = "playing", _("Playing")
    PAUSED = "paused", _("Paused")
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")


class EntryKind(models.TextChoices):
    """Who may enter; it also decides which rating pool the matches count in."""

    BOTS = "bots", _("Bots")
    PEOPLE = "people", _("People")
    MIXED = "mixed", _("People and bots")


TABLE_KINDS = (
    (TableKind.SOLO3, _("three players")),
    (TableKind.TEAMS4, _("fixed sides of two")),
    (TableKind.SOLO4, _("partners rotate")),
)


class Tournament(models.Model):
    """`seed` decides draws, seats, lots and the seeds of all matches; its commitment is public from the first draw."""

    league = models.ForeignKey(
        League, verbose_name=_("league"), null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments"
    )
    season = models.PositiveIntegerField(_("season"), null=True, blank=True)
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("slug"), max_length=90, unique=True)
    description = models.TextField(_("description"), blank=True, max_length=4000)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("organiser"), on_delete=models.PROTECT, related_name="tournaments"
    )
    state = models.CharField(_("state"), max_length=12, choices=TournamentState, default=TournamentState.DRAFT)
    resume_state = models.CharField(max_length=12, choices=TournamentState, blank=True)
    ruleset = models.CharField(_("ruleset"), max_length=40, default="en3")
    table_kind = models.CharField(_("table kind"), max_length=8, choices=TABLE_KINDS, default=TableKind.SOLO3)
    entry_kind = models.CharField(_("entry kind"), max_length=8, choices=EntryKind, default=EntryKind.BOTS)
    is_rated = models.BooleanField(_("is rated"), default=True)
    capacity = models.PositiveIntegerField(_("capacity"), null=True, blank=True)
    needs_check_in = models.BooleanField(_("needs check-in"), default=False)
    check_in_ends_at = models.DateTimeField(_("check-in ends at"), null=True, blank=True)
    clock = models.JSONField(_("clock"), null=True, blank=True)
    seed = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(_("commitment"), max_length=64)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(fields=("league", "season"), name="tournament_one_a_season"),
            models.CheckConstraint(
                condition=models.Q(finished_at__isnull=False) | ~models.Q(state=TournamentState.FINISHED),
                name="tournament_finished_has_time",
            ),
        )
        indexes = (models.Index(fields=("state", "-id"), name="tournament_by_state"),)

    def __str__(self) -> str:
        return self.name
