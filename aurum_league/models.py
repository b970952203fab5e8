"""What the site as a whole stores: sessions, access tokens, and answers kept for requests that are sent again."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken


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


class Session(AbstractBaseSession):
    """A browser that the site remembers; its key is a digest of the cookie's, and `user` whoever signed in there."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, null=True, related_name="+"
    )
    address = models.CharField(max_length=45, help_text="the network it was last seen in, not the whole address")
    agent = models.CharField(max_length=200, help_text="what the browser calls itself")
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta(AbstractBaseSession.Meta):
        abstract = False


class AccessToken(AbstractAuthToken):
    """`handle` names it in addresses, so that no page holds its digest.

    `user`, `created` and `expiry` are the library's, which names them in English alone.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="auth_token_set"
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    expiry = models.DateTimeField(_("expiry"), null=True, blank=True)
    handle = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=60)
    scopes = ArrayField(models.CharField(max_length=12), verbose_name=_("scopes"))
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True)

    class Meta:
        verbose_name = _("access token")
        verbose_name_plural = _("access tokens")
        ordering = ("-created",)

    def __str__(self) -> str:
        return self.name
