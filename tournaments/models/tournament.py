"""Leagues, tournaments and their stages, with standings as last computed and the numbered story of events."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from aurum_league.common.sql import refuse_change
from tournaments.rules.lifecycle import State
from tournaments.rules.pairing import TableKind


class League(models.Model):
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    description = models.TextField(_("description"), blank=True, max_length=4000)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("organiser"), on_delete=models.PROTECT, related_name="leagues"
    )
    is_unlisted = models.BooleanField(_("is unlisted"), db_default=False, default=False)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class TournamentState(models.TextChoices):
    DRAFT = State.DRAFT.value, _(State.DRAFT.label)
    OPEN = State.OPEN.value, _(State.OPEN.label)
    DRAWN = State.DRAWN.value, _(State.DRAWN.label)
    PLAYING = State.PLAYING.value, _(State.PLAYING.label)
    PAUSED = State.PAUSED.value, _(State.PAUSED.label)
    FINISHED = State.FINISHED.value, _(State.FINISHED.label)
    CANCELLED = State.CANCELLED.value, _(State.CANCELLED.label)


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
    """`seed` decides draws, seats, lots and the seeds of all matches. It is mixed at the first draw from `secret`, to
    which `commitment` binds the site from the start, what entrants contribute, and `beacon` (games/rules/mixing.py).

    A tournament from before seeds were mixed has no secret; its commitment is that of the seed. `beacon_round` is the
    round that its organiser named, `beacon` what was random in it, once it is out.
    """

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
    time_zone = models.CharField(_("time zone"), max_length=40, db_default="UTC", default="UTC")
    entries_open_at = models.DateTimeField(_("entries open at"), null=True, blank=True)
    entries_close_at = models.DateTimeField(_("entries close at"), null=True, blank=True)
    check_in_opens_at = models.DateTimeField(_("check-in opens at"), null=True, blank=True)
    draws_at = models.DateTimeField(_("draws at"), null=True, blank=True)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    runs_itself = models.BooleanField(_("runs by itself"), db_default=False, default=False)
    is_unlisted = models.BooleanField(_("is unlisted"), db_default=False, default=False)
    entry_rules = models.JSONField(
        _("entry rules"), default=dict, blank=True, help_text=_("who may enter by themselves, and what they are asked")
    )
    contact = models.CharField(_("contact"), max_length=200, blank=True, db_default="")
    links = models.JSONField(_("links"), default=list, blank=True, help_text=_("pairs of a title and an address"))
    secret = models.BinaryField(max_length=32, null=True, editable=False)
    seed = models.BinaryField(max_length=32, null=True, editable=False)
    beacon_round = models.PositiveBigIntegerField(_("beacon round"), null=True, blank=True)
    beacon = models.JSONField(_("beacon"), null=True, blank=True, editable=False)
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
        triggers = (
            refuse_change(
                "chance_stays",
                pgtrigger.UpdateOf("secret", "seed"),
                condition=pgtrigger.Q(old__seed__isnull=False, old__seed__df=pgtrigger.F("new__seed"))
                | pgtrigger.Q(old__secret__df=pgtrigger.F("new__secret")),
            ),
        )

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What somebody may do at an event that is not theirs."""

    ALL = "all", _("Everything")
    DESK = "desk", _("Desk: entries and check-in")
    RESULTS = "results", _("Results")


class Helper(models.Model):
    """Somebody who helps to run one tournament, or every tournament of a league."""

    tournament = models.ForeignKey(
        Tournament,
        verbose_name=_("tournament"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="helpers",
    )
    league = models.ForeignKey(
        League, verbose_name=_("league"), null=True, blank=True, on_delete=models.CASCADE, related_name="helpers"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="helps"
    )
    role = models.CharField(_("role"), max_length=8, choices=Role)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("helper")
        verbose_name_plural = _("helpers")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "user"), name="helper_once_a_tournament"),
            models.UniqueConstraint(fields=("league", "user"), name="helper_once_a_league"),
            models.CheckConstraint(
                condition=models.Q(tournament__isnull=False) ^ models.Q(league__isnull=False), name="helper_of_one"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class StageState(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    PLAYING = "playing", _("Playing")
    FINISHED = "finished", _("Finished")


class Release(models.TextChoices):
    ALL = "all", _("All matchdays as soon as they are drawn")
    MATCHDAY = "matchday", _("A table when those who sit there have ended the one before")
    BY_HAND = "by_hand", _("When the organiser says so")
    TIMED = "timed", _("Each matchday at its time")


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
    first_at = models.DateTimeField(_("first matchday at"), null=True, blank=True)
    every_minutes = models.PositiveIntegerField(_("minutes between matchdays"), db_default=0, default=0)
    moved = models.JSONField(
        _("moved matchdays"), default=dict, blank=True, help_text=_("times by matchday, apart from the rhythm")
    )
    pins = models.JSONField(
        _("pinned tables"), default=list, blank=True, help_text=_("matchday, table and entrants that every draw keeps")
    )
    results_version = models.PositiveIntegerField(_("results version"), default=0)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ("tournament_id", "number")
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_unique"),)

    def __str__(self) -> str:
        return self.name


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


class TournamentEvent(models.Model):
    """`detail` never holds a hidden card or a seed of a running match; `reason` says why a person overruled.

    `previous` and `digest` make a chain (common/proofs.py); a trigger refuses to change or delete an event.
    """

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="events"
    )
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=40)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("actor"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    reason = models.CharField(_("reason"), max_length=400, blank=True)
    detail = models.JSONField(_("detail"), default=dict, blank=True)
    at = models.DateTimeField(pgettext_lazy("time", "at"), default=timezone.now, editable=False)
    previous = models.CharField(max_length=64, db_default="", editable=False)
    digest = models.CharField(max_length=64, db_default="", editable=False)

    class Meta:
        verbose_name = _("tournament event")
        verbose_name_plural = _("tournament events")
        ordering = ("tournament_id", "number")
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="event_number_unique"),)
        triggers = (refuse_change("event_stays"),)

    def __str__(self) -> str:
        return f"{self.number}: {self.kind}"


class Audience(models.TextChoices):
    """Whom an announcement is told to; everybody can read on the event's page what goes to all entrants."""

    ENTRANTS = "entrants", _("All entrants")
    UNCHECKED = "unchecked", _("Those who have not checked in")
    TABLE = "table", _("Those of one table")


class Announcement(models.Model):
    """`texts` holds a title and a text by language; whoever reads another one gets the first.

    `table` is the number at the matchdays that are played; `told_at` is empty until it was due.
    """

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="announcements"
    )
    texts = models.JSONField(_("texts"))
    audience = models.CharField(_("audience"), max_length=10, choices=Audience, default=Audience.ENTRANTS)
    table = models.PositiveIntegerField(_("table"), null=True, blank=True)
    due_at = models.DateTimeField(_("due at"))
    told_at = models.DateTimeField(_("told at"), null=True, blank=True)
    people = models.PositiveIntegerField(_("people"), default=0)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("written by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ("-due_at", "-id")
        indexes = (
            models.Index(fields=("due_at",), condition=models.Q(told_at=None), name="announcement_to_be_told"),
        )

    def __str__(self) -> str:
        return f"announcement {self.pk} of {self.tournament}"
