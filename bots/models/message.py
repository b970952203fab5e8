"""A BotMessage: one thing that a connected bot is told, numbered."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.models.bot import Bot
from games.models import Match


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
