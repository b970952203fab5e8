"""Ratings: pools, where each player stands in them, and every step with the match that caused it."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Match, Player
from tournaments.models.tournament import EntryKind


class RatingPool(models.Model):
    """Which results count together. `sequence` numbers its matches in the order they were rated.

    Where results were corrected, its matches are to be rated again from number `rebuild_from` on.
    Only tables of four have pools of teams: there a side that always plays together is rated as itself.
    """

    players = models.PositiveSmallIntegerField(_("players"), choices=((3, _("three players")), (4, _("four players"))))
    entry_kind = models.CharField(_("entry kind"), max_length=8, choices=EntryKind)
    is_teams = models.BooleanField(_("of teams"), default=False)
    sequence = models.PositiveBigIntegerField(_("sequence"), default=0)
    rebuild_from = models.PositiveBigIntegerField(_("rebuild from"), null=True, blank=True)
    fitted_sequence = models.PositiveBigIntegerField(_("fitted sequence"), default=0)
    fitted_at = models.DateTimeField(_("fitted at"), null=True, blank=True)

    class Meta:
        verbose_name = _("rating pool")
        verbose_name_plural = _("rating pools")
        constraints = (models.UniqueConstraint(fields=("players", "entry_kind", "is_teams"), name="pool_unique"),)

    def __str__(self) -> str:
        return f"{self.entry_kind}-{self.players}{'-teams' if self.is_teams else ''}"


class Rating(models.Model):
    """`mu` and `sigma` are the live rating; `official` and `official_se` the last fit, on the displayed scale."""

    pool = models.ForeignKey(RatingPool, verbose_name=_("pool"), on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField(_("mu"))
    sigma = models.FloatField(_("sigma"))
    matches = models.PositiveIntegerField(_("matches"), default=0)
    official = models.FloatField(_("official"), null=True, blank=True)
    official_se = models.FloatField(_("standard error"), null=True, blank=True)
    lower_bound = models.FloatField(_("lower bound"), null=True, blank=True)
    is_provisional = models.BooleanField(_("is provisional"), default=True)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = (models.UniqueConstraint(fields=("pool", "player"), name="rating_unique"),)
        indexes = (models.Index("pool", "is_provisional", models.F("lower_bound").desc(), name="rating_order"),)

    def __str__(self) -> str:
        return f"{self.player} in {self.pool}"


class RatingChange(models.Model):
    """One step of one live rating: before, after, and why.

    Three rows a match, written while the pool is locked: no index twice, and no check of what the locked pool's row and
    the match's seats vouch for already.
    """

    pool = models.ForeignKey(
        RatingPool,
        verbose_name=_("pool"),
        on_delete=models.CASCADE,
        related_name="changes",
        db_index=False,
        db_constraint=False,
    )
    match = models.ForeignKey(
        Match, verbose_name=_("match"), on_delete=models.PROTECT, related_name="rating_changes", db_index=False
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="rating_changes",
        db_index=False,
        db_constraint=False,
    )
    sequence = models.PositiveBigIntegerField(_("sequence"))
    mu_before = models.FloatField(_("mu before"))
    sigma_before = models.FloatField(_("sigma before"))
    mu_after = models.FloatField(_("mu after"))
    sigma_after = models.FloatField(_("sigma after"))
    place = models.PositiveSmallIntegerField(_("place"))
    is_forfeit = models.BooleanField(_("is forfeit"), default=False)

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        constraints = (models.UniqueConstraint(fields=("match", "player"), name="rated_once_a_match"),)
        indexes = (
            models.Index(fields=("pool", "sequence"), name="change_by_sequence"),
            models.Index("player", "pool", models.F("sequence").desc(), name="change_by_player"),
        )

    def __str__(self) -> str:
        return f"{self.player} after match {self.match_id}"


class FitState(models.Model):
    """One official fit of a pool, kept as history for rating curves."""

    pool = models.ForeignKey(RatingPool, verbose_name=_("pool"), on_delete=models.CASCADE, related_name="fits")
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="fits")
    sequence = models.PositiveBigIntegerField(_("sequence"))
    value = models.FloatField(_("value"))
    se = models.FloatField(_("standard error"))
    at = models.DateTimeField(pgettext_lazy("time", "at"), auto_now_add=True)

    class Meta:
        verbose_name = _("fit state")
        verbose_name_plural = _("fit states")
        constraints = (models.UniqueConstraint(fields=("pool", "player", "sequence"), name="fit_once"),)

    def __str__(self) -> str:
        return f"{self.player} fitted at {self.sequence}"
