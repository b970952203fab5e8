"""A Scrimmage: that an author asked for an unrated match of a bot."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.models.bot import Bot
from games.models import Match


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
