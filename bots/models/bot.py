"""A Bot: a player that a program plays for, uploaded to us or connected from its author's machine."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Player


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
