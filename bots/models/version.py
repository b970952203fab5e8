"""A BotVersion: one immutable upload of a bot, or the one address of a connected bot, and how it was judged."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.models.bot import Bot


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
