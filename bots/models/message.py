"""A BotMessage: one thing that a connected bot is told, numbered."""

from django.db import models

from bots.models.bot import Bot
from games.models import Match


class BotMessage(models.Model):
    """One message of the contract, written once; `counter` is how many actions its view shows."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="messages")
    seq = models.PositiveBigIntegerField()
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=12)
    counter = models.PositiveIntegerField()
    body = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("bot_id", "seq")
        constraints = (
            models.UniqueConstraint(fields=("bot", "seq"), name="message_seq_once"),
            models.UniqueConstraint(fields=("bot", "match", "seat", "kind", "counter"), name="message_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.seq} to bot {self.bot_id}"
