"""Who waits for a table, and whom somebody does not want to meet."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player


class Seeker(models.Model):
    """Somebody who waits: one row a person or guest, on however many devices; `match` is set when the cards are dealt.

    `seen_at` is when one of their pages last asked: who has closed all of them waits no more. The table is dealt from
    the secret behind the ticket of whoever has waited longest, mixed with what everybody contributes.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), null=True, on_delete=models.CASCADE, related_name="seeker"
    )
    guest = models.UUIDField(null=True, unique=True, editable=False)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    clock = models.CharField(_("clock"), max_length=8)
    is_rated = models.BooleanField(_("is rated"))
    low = models.PositiveSmallIntegerField(_("lowest rating"), null=True)
    high = models.PositiveSmallIntegerField(_("highest rating"), null=True)
    bots_after = models.PositiveSmallIntegerField(_("bots after"), help_text=_("seconds until house bots are offered"))
    ticket = models.CharField(max_length=100, blank=True, db_default="", editable=False)
    contribution = models.CharField(_("contribution"), max_length=64, blank=True, db_default="", editable=False)
    since = models.DateTimeField(_("since"))
    seen_at = models.DateTimeField(_("seen at"))
    match = models.ForeignKey(
        Match, verbose_name=_("match"), null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )

    class Meta:
        verbose_name = _("seeker")
        verbose_name_plural = _("seekers")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(user__isnull=True, guest__isnull=False, is_rated=False)
                | models.Q(user__isnull=False, guest__isnull=True),
                name="seeker_user_or_guest",
            ),
        )
        indexes = (models.Index(fields=("seen_at",), condition=models.Q(match=None), name="seeker_waiting"),)

    @property
    def commitment(self) -> str:
        """What the site is bound to if the cards of this one's table come from their ticket."""
        return self.ticket.partition(".")[2]

    def __str__(self) -> str:
        return f"seeker {self.pk}"


class Block(models.Model):
    """`user` is never sat down beside `player` by quick pairing, nor challenged by them."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = (models.UniqueConstraint(fields=("user", "player"), name="block_once"),)

    def __str__(self) -> str:
        return f"block {self.pk}"
