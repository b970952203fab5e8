"""A Player: whoever can hold a seat and a rating."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from aurum_league.common.sql import keeps_children


class PlayerKind(models.TextChoices):
    PERSON = "person", _("Person")
    BOT = "bot", _("Bot")
    HOUSE = "house", _("House bot")
    TEAM = "team", _("Team")
    GUEST = "guest", _("Guest")


class Player(models.Model):
    """A person, a bot, a house bot, or a fixed team that is rated as itself (it holds seats through its members).

    A guest is a person without an account, never rated: entered by an organiser by name, and two may have one name; or
    come by themselves, known by `visitor`, the secret of their session, until they sign up.

    `agreed_at` is when a person first agreed to be rated against bots; before that no fixture deals them in with one.
    """

    kind = models.CharField(_("kind"), max_length=8, choices=PlayerKind)
    name = models.CharField(pgettext_lazy("player", "name"), max_length=40)
    slug = models.SlugField(_("slug"), max_length=60, unique=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="players",
    )
    is_active = models.BooleanField(_("is active"), default=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    visitor = models.UUIDField(null=True, blank=True, unique=True, editable=False)
    agreed_at = models.DateTimeField(null=True, blank=True, editable=False)
    held_until = models.DateTimeField(
        _("held until"), null=True, blank=True, help_text=_("a moderator holds them from rated play until then")
    )
    suspended_until = models.DateTimeField(
        _("suspended until"), null=True, blank=True, help_text=_("until then they sit down nowhere and enter nothing")
    )

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(
                Lower("name"), condition=~models.Q(kind=PlayerKind.GUEST), name="player_name_once"
            ),
            models.UniqueConstraint(
                fields=("owner",), condition=models.Q(kind=PlayerKind.PERSON), name="player_one_person_a_user"
            ),
            models.CheckConstraint(
                condition=~models.Q(kind__in=(PlayerKind.PERSON, PlayerKind.BOT)) | models.Q(owner__isnull=False),
                name="player_has_owner",
            ),
        )
        triggers = (keeps_children("games_matchseat", "player_id"),)

    def __str__(self) -> str:
        return self.name
