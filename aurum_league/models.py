"""What the site stores: sessions, access tokens, kept answers, what people were told, and the chain of its events."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from knox.models import AbstractAuthToken

from aurum_league.common.sql import refuse_change


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

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")


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


class Preference(models.Model):
    """`language` is the one last chosen on a page; what the site writes by itself is written in it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="preference",
    )
    language = models.CharField(_("language"), max_length=8, default=settings.LANGUAGE_CODE)

    class Meta:
        verbose_name = _("preference")
        verbose_name_plural = _("preferences")

    def __str__(self) -> str:
        return self.language


class Notice(models.Model):
    """Something a person was told: templates and values, so that a page and a mail say it in the reader's language.

    `sent_at` is empty until every channel beside the site's own page has been tried.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(_("kind"), max_length=40)
    subject = models.CharField(_("subject"), max_length=200)
    text = models.TextField(_("text"))
    values = models.JSONField(_("values"), default=dict)
    url = models.CharField(_("address"), max_length=200)
    told_at = models.DateTimeField(_("told at"), default=timezone.now)
    read_at = models.DateTimeField(_("read at"), null=True, blank=True)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ("-id",)
        indexes = (
            models.Index(fields=("user", "-id"), name="notice_of_user"),
            models.Index(fields=("id",), condition=models.Q(sent_at__isnull=True), name="notice_unsent"),
        )

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"


class PushSubscription(models.Model):
    """A browser that may be woken: where its maker takes messages for it, and the keys they are encrypted with."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(_("address"), max_length=500, unique=True)
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("secret"), max_length=30)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return f"browser of {self.user_id}"


class SiteEvent(models.Model):
    """An act of the site's staff that belongs to no tournament; a chain as tournaments have (common/proofs.py)."""

    number = models.PositiveIntegerField(_("number"), unique=True)
    kind = models.CharField(_("kind"), max_length=40)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("actor"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    reason = models.CharField(_("reason"), max_length=400, blank=True)
    detail = models.JSONField(_("detail"), default=dict, blank=True)
    at = models.DateTimeField(pgettext_lazy("time", "at"), default=timezone.now, editable=False)
    previous = models.CharField(_("digest before"), max_length=64, editable=False)
    digest = models.CharField(_("digest"), max_length=64, editable=False)

    class Meta:
        verbose_name = _("event of the site")
        verbose_name_plural = _("events of the site")
        ordering = ("number",)
        triggers = (refuse_change("site_event_stays"),)

    def __str__(self) -> str:
        return f"{self.number}: {self.kind}"


class TraceKind(models.TextChoices):
    DEVICE = "device", _("Device")
    ADDRESS = "address", _("Address")


class TraceKey(models.Model):
    """What a month's traces were made with, beside the site's own key; it goes when they go."""

    month = models.DateField(_("month"), unique=True)
    key = models.BinaryField(max_length=32, editable=False)

    class Meta:
        verbose_name = _("key of traces")
        verbose_name_plural = _("keys of traces")

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"


class Trace(models.Model):
    """That an account signed in from some device or address in a month: a digest that shows nothing but sameness."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="traces"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=TraceKind)
    month = models.DateField(_("month"))
    digest = models.BinaryField(max_length=32, editable=False)

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        constraints = (models.UniqueConstraint(fields=("digest", "user"), name="trace_once"),)

    def __str__(self) -> str:
        return f"{self.kind} in {self.month:%Y-%m}"
