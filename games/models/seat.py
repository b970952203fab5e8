"""A MatchSeat: who holds a seat, and by which agent."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match
from games.models.player import Player

ONE_OWNER_ONE_SIDE = """
    IF EXISTS (
        SELECT 1
        FROM new_seats AS seat
        JOIN games_match AS match ON match.id = seat.match_id AND match.is_rated
        JOIN games_matchseat AS other
          ON other.match_id = seat.match_id AND other.owner_id = seat.owner_id AND other.side <> seat.side
    ) THEN
        RAISE EXCEPTION 'one owner holds two sides of a rated match' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
"""


class MatchSeat(models.Model):
    """`agent` says how the seat is played: `house:counting`, `version:12`, `connected:5` or `person:7`.

    A trigger, not a hope, keeps one owner from holding two sides of a rated match; it looks once a statement, so that
    thousands of seats can be written at once.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    side = models.PositiveSmallIntegerField(_("side"))
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    agent = models.CharField(_("agent"), max_length=80)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("match seat")
        verbose_name_plural = _("match seats")
        ordering = ("match_id", "seat")
        constraints = (models.UniqueConstraint(fields=("match", "seat"), name="seat_once_a_match"),)
        indexes = (
            models.Index("player", models.F("match").desc(), name="seat_by_player"),
            models.Index(fields=("owner",), condition=models.Q(owner__isnull=False), name="seat_by_owner"),
        )
        triggers = (
            pgtrigger.Trigger(
                name="one_owner_one_side",
                level=pgtrigger.Statement,
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                referencing=pgtrigger.Referencing(new="new_seats"),
                func=ONE_OWNER_ONE_SIDE,
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}"
