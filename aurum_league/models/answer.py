"""A KeptAnswer: what a request with an Idempotency-Key was answered, for when it is sent again."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class KeptAnswer(models.Model):
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="+"
    )
    key = models.CharField(_("key"), max_length=64)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the request, so that a key means one request")
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("kept answer")
        verbose_name_plural = _("kept answers")
        constraints = (models.UniqueConstraint(fields=("user", "key"), name="kept_answer_once"),)

    def __str__(self) -> str:
        return f"answer to {self.key}"
