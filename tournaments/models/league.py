"""A League: a lasting competition whose seasons and events are tournaments."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class League(models.Model):
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    description = models.TextField(_("description"), blank=True, max_length=4000)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("organiser"), on_delete=models.PROTECT, related_name="leagues"
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
