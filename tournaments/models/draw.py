"""What was drawn: matchdays, fixtures with seats and matches, byes, and matches played once more."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match
from tournaments.models.entrant import Entrant
from tournaments.models.tournament import Stage, Tournament


class MatchdayState(models.TextChoices):
    DRAWN = "drawn", _("Drawn")
    RELEASED = "released", _("Released")
    FINISHED = "finished", _("Finished")


class Matchday(models.Model):
    """One wave of fixtures. Before release it is a preview that may be drawn again or edited."""

    stage = models.ForeignKey(Stage, verbose_name=_("stage"), on_delete=models.CASCADE, related_name="matchdays")
    number = models.PositiveIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=12, choices=MatchdayState, default=MatchdayState.DRAWN)
    is_edited = models.BooleanField(_("is edited"), default=False)
    window_ends_at = models.DateTimeField(_("window ends at"), null=True, blank=True)
    released_at = models.DateTimeField(_("released at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("matchday")
        verbose_name_plural = _("matchdays")
        ordering = ("stage_id", "number")
        constraints = (models.UniqueConstraint(fields=("stage", "number"), name="matchday_number_unique"),)

    def __str__(self) -> str:
        return f"matchday {self.number} of {self.stage}"


class FixtureState(models.TextChoices):
    PENDING = "pending", _("To be played")
    SETTLED = "settled", _("Played")
    VOID = "void", _("Void")


class Fixture(models.Model):
    """Who meets on a matchday: one match, several, or a block on the same deals. It counts when it is whole.

    `places` is in the order of its seats' entrants, as formats need it; standings read the single matches.
    """

    matchday = models.ForeignKey(
        Matchday, verbose_name=_("matchday"), on_delete=models.CASCADE, related_name="fixtures", db_index=False
    )
    table = models.PositiveIntegerField(_("table"))
    slot = models.CharField(_("slot"), max_length=40, blank=True)
    why = models.JSONField(_("why"), default=list, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=FixtureState, default=FixtureState.PENDING)
    places = ArrayField(models.PositiveSmallIntegerField(), default=list, blank=True, verbose_name=_("places"))
    open_matches = models.PositiveIntegerField(_("open matches"), default=0)
    is_edited = models.BooleanField(_("is edited"), default=False)
    planned_at = models.DateTimeField(_("planned at"), null=True, blank=True)

    class Meta:
        verbose_name = _("fixture")
        verbose_name_plural = _("fixtures")
        ordering = ("matchday_id", "table")
        constraints = (models.UniqueConstraint(fields=("matchday", "table"), name="fixture_table_unique"),)
        indexes = (
            models.Index(fields=("matchday",), condition=models.Q(state=FixtureState.PENDING), name="fixture_pending"),
        )

    def __str__(self) -> str:
        return f"table {self.table} of {self.matchday}"


class FixtureSeat(models.Model):
    """An entrant at a table, in turn order; no entrant means a house bot that only fills the seat."""

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="seats", db_index=False)
    position = models.PositiveSmallIntegerField(_("position"))
    entrant = models.ForeignKey(
        Entrant,
        verbose_name=_("entrant"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="fixture_seats",
    )

    class Meta:
        verbose_name = _("fixture seat")
        verbose_name_plural = _("fixture seats")
        ordering = ("fixture_id", "position")
        constraints = (models.UniqueConstraint(fields=("fixture", "position"), name="fixture_position_unique"),)

    def __str__(self) -> str:
        return f"position {self.position} of {self.fixture}"


class FixtureMatch(models.Model):
    """A match of a fixture; `entrants` are ids by seat of the match, 0 for a filling house bot."""

    fixture = models.ForeignKey(
        Fixture, verbose_name=_("fixture"), on_delete=models.CASCADE, related_name="fixture_matches", db_index=False
    )
    match = models.OneToOneField(Match, verbose_name=_("match"), on_delete=models.PROTECT, related_name="fixture_match")
    stage = models.ForeignKey(
        Stage, verbose_name=_("stage"), on_delete=models.CASCADE, related_name="+", db_index=False
    )
    number = models.PositiveSmallIntegerField(_("number"))
    entrants = ArrayField(models.BigIntegerField())

    class Meta:
        verbose_name = _("fixture match")
        verbose_name_plural = _("fixture matches")
        ordering = ("fixture_id", "number")
        constraints = (models.UniqueConstraint(fields=("fixture", "number"), name="fixture_match_number_unique"),)
        indexes = (models.Index(fields=("stage", "match"), name="fixture_match_by_stage"),)

    def __str__(self) -> str:
        return f"match {self.number} of {self.fixture}"


class Bye(models.Model):
    matchday = models.ForeignKey(Matchday, on_delete=models.CASCADE, related_name="byes")
    entrant = models.ForeignKey(Entrant, verbose_name=_("entrant"), on_delete=models.PROTECT, related_name="byes")

    class Meta:
        verbose_name = _("bye")
        verbose_name_plural = _("byes")
        constraints = (models.UniqueConstraint(fields=("matchday", "entrant"), name="bye_once"),)

    def __str__(self) -> str:
        return f"{self.entrant} has a bye on {self.matchday}"


class RerunState(models.TextChoices):
    PLAYING = "playing", _("Playing")
    APPLIED = "applied", _("Applied")
    DROPPED = "dropped", _("Dropped")


class Rerun(models.Model):
    """Matches played once more: on the same deals, and applied by hand; or on fresh deals, and counted by itself."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="reruns"
    )
    state = models.CharField(_("state"), max_length=8, choices=RerunState, default=RerunState.PLAYING)
    is_fresh = models.BooleanField(_("on fresh deals"), db_default=False)
    reason = models.CharField(_("reason"), max_length=400)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("created by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("rerun")
        verbose_name_plural = _("reruns")
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"rerun {self.pk} of {self.tournament}"


class RerunMatch(models.Model):
    """`again` has the same agents in the same seats; it is itself unrated and belongs to no fixture."""

    rerun = models.ForeignKey(Rerun, on_delete=models.CASCADE, related_name="matches")
    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.PROTECT, related_name="reruns")
    again = models.OneToOneField(
        Match, verbose_name=_("played again as"), on_delete=models.PROTECT, related_name="rerun_of"
    )

    class Meta:
        verbose_name = _("rerun match")
        verbose_name_plural = _("rerun matches")
        ordering = ("rerun_id", "match_id")
        constraints = (models.UniqueConstraint(fields=("rerun", "match"), name="rerun_once_a_match"),)

    def __str__(self) -> str:
        return f"match {self.match_id} again as {self.again_id}"


class SheetState(models.TextChoices):
    OPEN = "open", _("Waits for another player to confirm it")
    DISPUTED = "disputed", _("Disputed: the organiser decides")
    COUNTED = "counted", _("Counts")
    DROPPED = "dropped", _("Dropped")


class ScoreSheet(models.Model):
    """A result as somebody at a real table, or the desk, wrote it down; what counts is the match's result.

    `rounds` holds, round by round and side by side, the bid, the tricks and the ranks of the gold; it is empty where
    only places were given. `seat` is the reporter's, None at the desk.
    """

    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.PROTECT, related_name="sheets")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("reported by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=SheetState, default=SheetState.OPEN)
    rounds = models.JSONField(_("rounds"), default=list, blank=True)
    lots = models.JSONField(_("lots"), default=list, blank=True)
    places = models.JSONField(_("places"), default=list)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("answered by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    note = models.CharField(_("note"), max_length=400, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("match",),
                condition=models.Q(state__in=(SheetState.OPEN, SheetState.DISPUTED)),
                name="sheet_one_open_a_match",
            ),
        )

    def __str__(self) -> str:
        return f"report {self.pk} of match {self.match_id}"
