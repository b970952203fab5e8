"""Bots, their versions, what they are told, what they used, scrimmages, and the puzzle of the day."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player


class BotMode(models.TextChoices):
    UPLOADED = "uploaded", _("Uploaded")
    CONNECTED = "connected", _("Connected")


class BotState(models.TextChoices):
    NEW = "new", _("Not qualified yet")
    ACTIVE = "active", _("Active")
    PAUSED = "paused", _("Paused")
    RETIRED = "retired", _("Retired")


class Bot(models.Model):
    """`failures` counts forfeits since the last match that it played to the end by itself.

    `token_digest` is the SHA-256 of a connected bot's token, which we do not keep. `stream` names its newest stream,
    `last_seq` the last message written for it.
    """

    player = models.OneToOneField(Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="bot")
    mode = models.CharField(_("mode"), max_length=9, choices=BotMode)
    state = models.CharField(_("state"), max_length=7, choices=BotState, default=BotState.NEW)
    description = models.CharField(_("description"), max_length=300, blank=True)
    allows_scrimmages = models.BooleanField(_("allows scrimmages"), default=True)
    active_version = models.ForeignKey(
        "bots.BotVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="active_for"
    )
    failures = models.PositiveSmallIntegerField(_("failures"), default=0)
    paused_at = models.DateTimeField(_("paused at"), null=True, blank=True)
    author_told_at = models.DateTimeField(null=True, blank=True)
    token_digest = models.CharField(max_length=64, null=True, blank=True, unique=True, editable=False)
    stream = models.UUIDField(null=True, blank=True, editable=False)
    last_seq = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("bot")
        verbose_name_plural = _("bots")
        ordering = ("player__name",)
        constraints = (
            models.CheckConstraint(
                condition=~models.Q(state=BotState.ACTIVE) | models.Q(active_version__isnull=False),
                name="bot_active_has_version",
            ),
        )
        indexes = (
            models.Index(
                fields=("paused_at",),
                condition=models.Q(state=BotState.PAUSED, author_told_at__isnull=True),
                name="bot_author_to_tell",
            ),
        )

    def __str__(self) -> str:
        return str(self.player)


class VersionState(models.TextChoices):
    NEW = "new", _("Waits to be checked")
    CHECKING = "checking", _("Being checked")
    QUALIFIED = "qualified", _("Qualified")
    REJECTED = "rejected", _("Failed the check")


class BotVersion(models.Model):
    """`upload` holds the author's file as it came; a connected bot's version has none.

    Its content never changes: matches name a version, and a record must go on meaning what it meant.
    """

    bot = models.ForeignKey(Bot, verbose_name=_("bot"), on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=9, choices=VersionState, default=VersionState.NEW)
    upload = models.BinaryField(null=True, editable=False)
    size = models.PositiveIntegerField(_("size"), default=0)
    content_hash = models.CharField(_("content hash"), max_length=64, editable=False)
    files = models.JSONField(default=list, editable=False)
    contract = models.PositiveSmallIntegerField(_("contract"), editable=False)
    rules = models.PositiveSmallIntegerField(_("rules"), editable=False)
    note = models.CharField(max_length=200, blank=True)
    report = models.JSONField(default=dict, editable=False, help_text=_("what the qualification found"))
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    check_started_at = models.DateTimeField(null=True, blank=True, editable=False)
    checked_at = models.DateTimeField(_("checked at"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("bot version")
        verbose_name_plural = _("bot versions")
        ordering = ("bot_id", "-number")
        constraints = (
            models.UniqueConstraint(fields=("bot", "number"), name="version_number_once"),
            models.UniqueConstraint(fields=("bot", "content_hash"), name="version_content_once"),
        )
        indexes = (
            models.Index(
                fields=("created_at",),
                condition=models.Q(state__in=(VersionState.NEW, VersionState.CHECKING)),
                name="version_to_check",
            ),
        )

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"


class BotMessage(models.Model):
    """One message of the contract, written once; `counter` is how many actions its view shows."""

    bot = models.ForeignKey(Bot, verbose_name=_("bot"), on_delete=models.CASCADE, related_name="messages")
    seq = models.PositiveBigIntegerField(_("number"))
    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField(_("seat"))
    kind = models.CharField(_("kind"), max_length=12)
    counter = models.PositiveIntegerField(_("counter"))
    body = models.JSONField()
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("bot message")
        verbose_name_plural = _("bot messages")
        ordering = ("bot_id", "seq")
        constraints = (
            models.UniqueConstraint(fields=("bot", "seq"), name="message_seq_once"),
            models.UniqueConstraint(fields=("bot", "match", "seat", "kind", "counter"), name="message_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.seq} to bot {self.bot_id}"


class Scrimmage(models.Model):
    match = models.OneToOneField(
        Match, verbose_name=_("match"), primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    bot = models.ForeignKey(Bot, verbose_name=_("bot"), on_delete=models.CASCADE, related_name="scrimmages")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("asked by"), on_delete=models.CASCADE, related_name="+"
    )
    asked_at = models.DateTimeField(_("asked at"), auto_now_add=True)

    class Meta:
        verbose_name = _("scrimmage")
        verbose_name_plural = _("scrimmages")
        indexes = (models.Index("asked_by", models.F("asked_at").desc(), name="scrimmage_by_author"),)

    def __str__(self) -> str:
        return f"scrimmage {self.match_id}"


class SeatUsage(models.Model):
    """`cpu` and, of a module, `fuel` count decisions in the buckets of `bots.agents.uploaded`."""

    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField(_("seat"))
    version = models.ForeignKey(BotVersion, verbose_name=_("version"), on_delete=models.CASCADE, related_name="usages")
    cpu = ArrayField(models.SmallIntegerField(), verbose_name=_("decisions by processor time"))
    fuel = ArrayField(models.SmallIntegerField(), verbose_name=_("decisions by fuel"), null=True)

    class Meta:
        verbose_name = _("seat usage")
        verbose_name_plural = _("seat usages")
        constraints = (models.UniqueConstraint(fields=("match", "seat"), name="usage_once_a_seat"),)
        indexes = (models.Index("version", models.F("match").desc(), name="usage_by_version"),)

    def __str__(self) -> str:
        return f"usage of seat {self.seat} in match {self.match_id}"


class SeatLog(models.Model):
    """What an upload did at a seat, packed by `bots.agents.decision_log`; a match that waits for somebody is played,
    and so logged, in pieces, each from the action `counter` on."""

    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField(_("seat"))
    version = models.ForeignKey(BotVersion, verbose_name=_("version"), on_delete=models.CASCADE, related_name="logs")
    counter = models.PositiveIntegerField(_("counter"))
    body = models.BinaryField(editable=False)
    size = models.PositiveIntegerField(_("size"))
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("seat log")
        verbose_name_plural = _("seat logs")
        constraints = (models.UniqueConstraint(fields=("match", "seat", "counter"), name="log_once_a_piece"),)
        indexes = (models.Index(fields=("created_at",), name="log_by_age"),)

    def __str__(self) -> str:
        return f"log of seat {self.seat} in match {self.match_id}"


class Puzzle(models.Model):
    """The position that everybody is asked about on one day; `chances` are the champion's, by action."""

    day = models.DateField(_("day"), unique=True)
    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField(_("seat"))
    applied = models.PositiveIntegerField(_("actions of the match before it"))
    chances = models.JSONField(_("chances to win"), editable=False)

    class Meta:
        ordering = ("-day",)
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"


class PuzzleAnswer(models.Model):
    """What somebody decided; a guest is known by the secret of their session."""

    puzzle = models.ForeignKey(Puzzle, verbose_name=_("puzzle"), on_delete=models.CASCADE, related_name="answers")
    choice = models.CharField(_("choice"), max_length=20)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("account"), on_delete=models.CASCADE, null=True, related_name="+"
    )
    guest = models.UUIDField(null=True, blank=True, editable=False)
    answered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("puzzle", "user"), name="puzzle_answered_once"),
            models.UniqueConstraint(fields=("puzzle", "guest"), name="puzzle_guessed_once"),
        )
        verbose_name = _("puzzle answer")
        verbose_name_plural = _("puzzle answers")

    def __str__(self) -> str:
        return f"{self.puzzle}: {self.choice}"
