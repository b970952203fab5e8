"""What a connected bot is told and what it answered: numbered messages, and decisions that count once."""

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


class BotDecision(models.Model):
    """An answer under its idempotency key; the same key again gets the same answer and changes nothing."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="decisions")
    key = models.CharField(max_length=64)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("bot", "key"), name="decision_key_once"),)

    def __str__(self) -> str:
        return f"decision {self.key} of bot {self.bot_id}"
