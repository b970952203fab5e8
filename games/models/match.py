"""A Match as workers claim it: its row and its seats; who lets workers wait; and the service's heartbeat."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from aurum_league.common.sql import keeps_children, needs_parents
from games.models.player import Player
from games.play.agents import AgentRef


class MatchKind(models.TextChoices):
    TOURNAMENT = "tournament", _("Tournament")
    CASUAL = "casual", _("Casual")
    SCRIMMAGE = "scrimmage", _("Scrimmage")
    QUALIFICATION = "qualification", _("Qualification")
    TRIAL = "trial", _("Version trial")


class MatchState(models.TextChoices):
    OPEN = "open", _("Waiting for its people to sit down")
    READY = "ready", _("Ready")
    HELD = "held", _("Held back while its tournament is paused")
    PLAYING = "playing", _("Playing")
    WAITING = "waiting", _("Waiting for a player")
    FINISHED = "finished", _("Finished")
    VOID = "void", _("Void")
    QUARANTINED = "quarantined", _("Needs a decision")


ENDED = (MatchState.FINISHED, MatchState.VOID)


class RunnerNeed(models.IntegerChoices):
    """What a worker must be able to run before it may claim the match."""

    HOUSE = 0, _("House bots only")
    SANDBOX = 1, _("A safe sandbox")
    PATIENCE = 2, _("A safe sandbox, and time for bots that let others wait")


AT_THE_DESK = 9
"""The lane of matches that workers leave alone until somebody has decided."""

KEEP_LANE = f"""
    NEW.lane := CASE WHEN NEW.state IN ('ready', 'playing') THEN NEW.needs
                     WHEN NEW.state = 'quarantined' THEN {AT_THE_DESK} END;
    RETURN NEW;
"""


class Match(models.Model):
    """`seed` and `log` hold hidden cards: nothing outside services and sealed selectors may read them.

    A claim changes no `lane`, and no index names a column that it does change: so it adds no entry to any, and stays
    within the page, which is filled by half for that.
    """

    kind = models.CharField(_("kind"), max_length=16, choices=MatchKind)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    is_rated = models.BooleanField(_("is rated"), default=False)
    share = models.FloatField(
        _("share"), db_default=1.0, help_text=_("how much of it counts for ratings: repeats of the same people fade")
    )
    state = models.CharField(_("state"), max_length=12, choices=MatchState, default=MatchState.READY)
    priority = models.SmallIntegerField(_("priority"), default=0, help_text=_("higher is played earlier"))
    account = models.IntegerField(
        _("account"), db_default=0, help_text=_("whoever it is played for: workers serve one after another")
    )
    needs = models.PositiveSmallIntegerField(_("needs"), choices=RunnerNeed, default=RunnerNeed.HOUSE)
    lane = models.PositiveSmallIntegerField(
        null=True,
        editable=False,
        help_text="what a worker must be able to run, until it has ended or waits for people; kept by a trigger",
    )
    seed = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(
        _("commitment"), max_length=64, help_text=_("SHA-256 of the seed, public before the match")
    )
    deals = models.UUIDField(help_text=_("matches on the same deals share it, and stay sealed until all have ended"))
    log = models.BinaryField(default=b"", editable=False)
    clock = models.JSONField(_("clock"), null=True, blank=True, help_text=_("how people and connected bots are timed"))
    clocks = models.JSONField(default=dict, blank=True, help_text=_("banks and strikes by seat"))
    awaited = ArrayField(models.PositiveSmallIntegerField(), default=list, blank=True, verbose_name=_("awaited"))
    awaited_since = models.DateTimeField(_("awaited since"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    opens_at = models.DateTimeField(null=True, blank=True, help_text=_("from when its people can meet at the table"))
    closes_at = models.DateTimeField(null=True, blank=True, help_text=_("who has not come by then forfeits"))
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=0)
    claimed_with = models.PositiveSmallIntegerField(default=1, help_text=_("matches claimed together the last time"))
    is_suspect = models.BooleanField(
        _("is suspect"), default=False, help_text=_("a worker died on its batch: played alone from now on")
    )
    lease_token = models.UUIDField(null=True, blank=True, editable=False)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    trouble = models.TextField(_("trouble"), blank=True, help_text=_("why it could not be played"))
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(state=MatchState.PLAYING, lease_token__isnull=False, lease_until__isnull=False)
                | ~models.Q(state=MatchState.PLAYING) & models.Q(lease_token__isnull=True),
                name="match_lease_while_playing",
            ),
            models.CheckConstraint(
                condition=models.Q(finished_at__isnull=False) | ~models.Q(state=MatchState.FINISHED),
                name="match_finished_has_time",
            ),
        )
        indexes = (
            models.Index(
                "lane",
                models.F("priority").desc(),
                "account",
                "id",
                condition=models.Q(lane__isnull=False),
                name="match_queue",
            ),
            models.Index(
                "lane",
                models.F("priority").desc(),
                "id",
                condition=models.Q(is_suspect=True, lane__isnull=False),
                name="match_suspects",
            ),
            models.Index(fields=("deadline",), condition=models.Q(deadline__isnull=False), name="match_clock"),
            models.Index(fields=("closes_at",), condition=models.Q(closes_at__isnull=False), name="match_window"),
            models.Index(fields=("deals",), name="match_deals"),
            models.Index(
                models.F("finished_at").desc(), condition=models.Q(finished_at__isnull=False), name="match_ended"
            ),
        )
        triggers = (
            pgtrigger.Trigger(
                name="keep_lane",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("state", "needs"),
                func=KEEP_LANE,
            ),
            keeps_children("games_matchseat", "match_id"),
        )

    def __str__(self) -> str:
        return f"match {self.pk}"


ONE_OWNER_ONE_SIDE = """
    IF EXISTS (
        SELECT 1
        FROM new_seats AS seat
        JOIN games_match AS match ON match.id = seat.match_id AND match.is_rated
        JOIN games_matchseat AS other
          ON other.match_id = seat.match_id AND other.owner_id = seat.owner_id AND other.side <> seat.side
    ) THEN
        RAISE EXCEPTION 'one owner holds two sides of a rated match' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
"""


class MatchSeat(models.Model):
    """`agent` says how the seat is played: `house:counting`, `version:12`, `connected:5` or `person:7`.

    Triggers, not hopes, see that its match and its player are there, and keep one owner from holding two sides of a
    rated match. They look once a statement, so that thousands of seats can be written at once; a foreign key looks
    once a row, and writes a lock into each row that it finds.

    Nothing asks for a seat or a rating change by its `id`: the column has no index.
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="seats", db_index=False, db_constraint=False
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    side = models.PositiveSmallIntegerField(_("side"))
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="seats",
        db_index=False,
        db_constraint=False,
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    agent = models.CharField(_("agent"), max_length=80)
    seen_at = models.DateTimeField(null=True, blank=True)
    by_token = models.PositiveSmallIntegerField(
        _("by token"), db_default=0, help_text=_("decisions of a person that a program made by token")
    )
    token_decisions = ArrayField(
        models.PositiveSmallIntegerField(),
        null=True,
        editable=False,
        help_text="which of the seat's own decisions those were, counted from 0",
    )

    class Meta:
        verbose_name = _("match seat")
        verbose_name_plural = _("match seats")
        ordering = ("match_id", "seat")
        constraints = (models.UniqueConstraint(fields=("match", "seat"), name="seat_once_a_match"),)
        indexes = (
            models.Index("player", models.F("match").desc(), name="seat_by_player"),
            models.Index(fields=("owner",), condition=models.Q(owner__isnull=False), name="seat_by_owner"),
        )
        triggers = (
            pgtrigger.Trigger(
                name="one_owner_one_side",
                level=pgtrigger.Statement,
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                referencing=pgtrigger.Referencing(new="new_seats"),
                func=ONE_OWNER_ONE_SIDE,
            ),
            *needs_parents(match_id="games_match", player_id="games_player"),
        )

    @property
    def ref(self) -> AgentRef:
        return AgentRef.parse(self.agent)

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}"


class Sleeper(models.Model):
    """An agent that let a referee wait without working; its matches go to the patient workers for a while."""

    agent = models.CharField(max_length=80, primary_key=True)
    slept_at = models.DateTimeField()

    class Meta:
        verbose_name = _("sleeper")
        verbose_name_plural = _("sleepers")

    def __str__(self) -> str:
        return self.agent


class Heartbeat(models.Model):
    """One row, number 1."""

    beat_at = models.DateTimeField(_("beat at"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = (models.CheckConstraint(condition=models.Q(pk=1), name="heartbeat_is_one_row"),)

    def __str__(self) -> str:
        return f"alive at {self.beat_at}"
