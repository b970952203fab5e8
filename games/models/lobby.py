"""Tables of people: a Lobby before its match and who has sat down, what they say, when they meet, and turn notices."""

import secrets

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


def new_invitation() -> str:
    """Long enough that nobody guesses a table they were not invited to."""
    return secrets.token_urlsafe(12)


class Lobby(models.Model):
    """`match` is set when the cards are dealt. `strength` names the house bot that takes the seats left free.

    `rematch_of` is the match whose people meet here to play again: one lobby for all of them.

    The deals come from `secret`, to which `commitment` binds the site before anybody sits down, and from what people
    contribute (games/rules/mixing.py); a table from before that has neither.
    """

    invitation = models.CharField(max_length=24, unique=True, default=new_invitation)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    strength = models.CharField(_("strength"), max_length=20)
    clock = models.JSONField(_("clock"), help_text=_("how the people at the table are timed"))
    is_rated = models.BooleanField(_("is rated"), default=False)
    is_guided = models.BooleanField(_("is guided"), default=False, help_text=_("with hints for a first match"))
    match = models.OneToOneField(
        Match, verbose_name=_("match"), null=True, blank=True, on_delete=models.CASCADE, related_name="lobby"
    )
    rematch_of = models.OneToOneField(
        Match, verbose_name=_("rematch of"), null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    secret = models.BinaryField(max_length=32, null=True, editable=False)
    commitment = models.CharField(_("commitment"), max_length=64, null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("lobby")
        verbose_name_plural = _("lobbies")
        constraints = (
            models.CheckConstraint(condition=~models.Q(is_rated=True, is_guided=True), name="lobby_guided_is_unrated"),
            models.UniqueConstraint(
                fields=("commitment",), condition=models.Q(commitment__isnull=False), name="lobby_commitment_once"
            ),
        )

    def __str__(self) -> str:
        return f"lobby {self.pk}"


class LobbySeat(models.Model):
    """A person at a table: a user, or a guest who is known by a secret in their session only."""

    lobby = models.ForeignKey(Lobby, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="lobby_seats",
    )
    guest = models.UUIDField(null=True, blank=True, editable=False, db_index=True)
    is_host = models.BooleanField(_("is host"), default=False)
    contribution = models.CharField(_("contribution"), max_length=64, blank=True, db_default="", editable=False)

    class Meta:
        verbose_name = _("lobby seat")
        verbose_name_plural = _("lobby seats")
        ordering = ("lobby_id", "seat")
        constraints = (
            models.UniqueConstraint(fields=("lobby", "seat"), name="lobby_seat_once"),
            models.UniqueConstraint(fields=("lobby", "user"), name="lobby_user_once"),
            models.UniqueConstraint(fields=("lobby", "guest"), name="lobby_guest_once"),
            models.CheckConstraint(
                condition=models.Q(user__isnull=True, guest__isnull=False)
                | models.Q(user__isnull=False, guest__isnull=True),
                name="lobby_seat_user_or_guest",
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.lobby}"


class TurnNotice(models.Model):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices")
    seat = models.PositiveSmallIntegerField()
    awaited_since = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("turn notice")
        verbose_name_plural = _("turn notices")
        constraints = (models.UniqueConstraint(fields=("match", "seat", "awaited_since"), name="notice_once_a_turn"),)

    def __str__(self) -> str:
        return f"notice for seat {self.seat} of match {self.match_id}"


LONGEST_WORD = 200


class TableWord(models.Model):
    """Something said at a table: a phrase by its code, which each reads in their own language, or a free text."""

    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="words")
    seat = models.PositiveSmallIntegerField(_("seat"))
    phrase = models.CharField(_("phrase"), max_length=20, blank=True)
    text = models.CharField(_("text"), max_length=LONGEST_WORD, blank=True)
    said_at = models.DateTimeField(_("said at"), auto_now_add=True)

    class Meta:
        verbose_name = _("word at a table")
        verbose_name_plural = _("words at tables")
        indexes = (models.Index(fields=("match", "-id"), name="word_of_match"),)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(phrase="") ^ models.Q(text=""), name="word_is_a_phrase_or_a_text"
            ),
        )

    def __str__(self) -> str:
        return f"word {self.pk}"


class MeetingTime(models.Model):
    """When the people of a match mean to meet: the newest proposal, and the seats that have agreed to it."""

    match = models.OneToOneField(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="meeting")
    starts_at = models.DateTimeField(_("starts at"))
    proposed_by = models.PositiveSmallIntegerField(_("proposed by"))
    agreed = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("agreed"))

    class Meta:
        verbose_name = _("meeting time")
        verbose_name_plural = _("meeting times")

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d %H:%M}"
