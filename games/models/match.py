"""A Match: one table from its seed to its result, and the row that workers claim it by."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


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


class Match(models.Model):
    """`seed` and `log` hold hidden cards: nothing outside services and sealed selectors may read them."""

    kind = models.CharField(_("kind"), max_length=16, choices=MatchKind)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    is_rated = models.BooleanField(_("is rated"), default=False)
    state = models.CharField(_("state"), max_length=12, choices=MatchState, default=MatchState.READY)
    priority = models.SmallIntegerField(_("priority"), default=0, help_text=_("higher is played earlier"))
    needs = models.PositiveSmallIntegerField(_("needs"), choices=RunnerNeed, default=RunnerNeed.HOUSE)
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
                models.F("priority").desc(), "id", condition=models.Q(state=MatchState.READY), name="match_ready"
            ),
            models.Index(
                models.F("priority").desc(),
                "id",
                condition=models.Q(state=MatchState.READY, is_suspect=True),
                name="match_suspect",
            ),
            models.Index(fields=("lease_until",), condition=models.Q(state=MatchState.PLAYING), name="match_leased"),
            models.Index(fields=("deadline",), condition=models.Q(state=MatchState.WAITING), name="match_waiting"),
            models.Index(fields=("closes_at",), condition=models.Q(state=MatchState.OPEN), name="match_open"),
            models.Index(fields=("id",), condition=models.Q(state=MatchState.QUARANTINED), name="match_quarantined"),
            models.Index(fields=("deals",), name="match_deals"),
            models.Index(
                models.F("finished_at").desc(), condition=models.Q(state=MatchState.FINISHED), name="match_latest"
            ),
        )

    def __str__(self) -> str:
        return f"match {self.pk}"
