"""Ratings: pools, where each player stands, every step with its match; trials of versions; who waits for a table."""

from django.conf import settings
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from aurum_league.common.sql import needs_parents
from games.models import Match, Player
from tournaments.models.tournament import EntryKind
from tournaments.rules.ratings.values import ANCHOR_NUMBER


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
    """`mu` and `sigma` are the live rating; `official` with its ends the last fit, on the displayed scale.

    `rank_best` and `rank_worst` are the ranks that the fit leaves open for all pairs at once, of those who have one.
    """

    pool = models.ForeignKey(RatingPool, verbose_name=_("pool"), on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField(_("mu"))
    sigma = models.FloatField(_("sigma"))
    matches = models.PositiveIntegerField(_("matches"), default=0)
    official = models.FloatField(_("official"), null=True, blank=True)
    official_low = models.FloatField(_("lower end"), null=True, blank=True)
    official_high = models.FloatField(_("upper end"), null=True, blank=True)
    rank_best = models.PositiveIntegerField(_("best rank open"), null=True, blank=True)
    rank_worst = models.PositiveIntegerField(_("worst rank open"), null=True, blank=True)
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

    Three rows a match, written while the pool is locked: no index that is not read, and no check a row of what the
    locked pool's row and the match's seats vouch for already. Rows come in the order of their numbers, so that a few
    bytes for each stretch of the table say where a number is.
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
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        related_name="rating_changes",
        db_index=False,
        db_constraint=False,
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
            BrinIndex(fields=("pool", "sequence"), name="change_by_number", autosummarize=True, pages_per_range=16),
            models.Index("player", "pool", models.F("sequence").desc(), name="change_by_player"),
        )
        triggers = needs_parents(match_id="games_match")

    def __str__(self) -> str:
        return f"{self.player} after match {self.match_id}"


class FitState(models.Model):
    """One official fit of a pool, kept as history for rating curves."""

    pool = models.ForeignKey(RatingPool, verbose_name=_("pool"), on_delete=models.CASCADE, related_name="fits")
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="fits")
    sequence = models.PositiveBigIntegerField(_("sequence"))
    value = models.FloatField(_("value"))
    low = models.FloatField(_("lower end"))
    high = models.FloatField(_("upper end"))
    at = models.DateTimeField(pgettext_lazy("time", "at"), auto_now_add=True)

    class Meta:
        verbose_name = _("fit state")
        verbose_name_plural = _("fit states")
        constraints = (models.UniqueConstraint(fields=("pool", "player", "sequence"), name="fit_once"),)

    def __str__(self) -> str:
        return f"{self.player} fitted at {self.sequence}"


class TrialState(models.TextChoices):
    PLAYING = "playing", _("Playing")
    BETTER = "better", _("The new one is better")
    NOT_BETTER = "not_better", _("The new one is not better")
    UNDECIDED = "undecided", _("Undecided at the limit")
    STOPPED = "stopped", _("Stopped")


class Trial(models.Model):
    """A sequential test of two agents of one player, such as two versions of a bot (`version:12`, `version:9`)."""

    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="trials")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("owner"), on_delete=models.CASCADE, related_name="trials"
    )
    new_agent = models.CharField(_("new agent"), max_length=80)
    old_agent = models.CharField(_("old agent"), max_length=80)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    effect = models.FloatField(_("effect"), help_text=_("the difference in mean place points that would matter"))
    most_units = models.PositiveIntegerField(_("most units"), default=2000)
    state = models.CharField(_("state"), max_length=12, choices=TrialState, default=TrialState.PLAYING)
    llr = models.FloatField(_("log likelihood ratio"), default=0.0)
    estimate = models.FloatField(_("estimate"), null=True, blank=True)
    estimate_low = models.FloatField(_("estimate low"), null=True, blank=True)
    estimate_high = models.FloatField(_("estimate high"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    trouble = models.CharField(_("trouble"), max_length=200, blank=True, help_text=_("why it was stopped"))
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("trial")
        verbose_name_plural = _("trials")
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("player",), condition=models.Q(state=TrialState.PLAYING), name="trial_one_at_a_time"
            ),
        )
        indexes = (models.Index("owner", models.F("created_at").desc(), name="trial_by_owner"),)

    def __str__(self) -> str:
        return f"trial {self.pk}: {self.new_agent} against {self.old_agent}"


class TrialUnit(models.Model):
    """A unit of matches on the same deals; it counts when all of them have ended."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="units")
    number = models.PositiveIntegerField(_("number"))
    score = models.FloatField(_("score"), null=True, blank=True)
    matches = models.ManyToManyField(Match, related_name="+")

    class Meta:
        verbose_name = _("trial unit")
        verbose_name_plural = _("trial units")
        ordering = ("trial_id", "number")
        constraints = (models.UniqueConstraint(fields=("trial", "number"), name="trial_unit_unique"),)

    def __str__(self) -> str:
        return f"unit {self.number} of trial {self.trial_id}"


class Seeker(models.Model):
    """Somebody who waits: one row a person or guest, on however many devices; `match` is set when the cards are dealt.

    `seen_at` is when one of their pages last asked: who has closed all of them waits no more. `rating` and `best` are
    theirs as they began to wait, so that nobody's question reads everybody's ratings. The table is dealt from
    the secret behind the ticket of whoever has waited longest, mixed with what everybody contributes.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), null=True, on_delete=models.CASCADE, related_name="seeker"
    )
    guest = models.UUIDField(null=True, unique=True, editable=False)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    clock = models.CharField(_("clock"), max_length=8)
    is_rated = models.BooleanField(_("is rated"))
    low = models.PositiveSmallIntegerField(_("lowest rating"), null=True)
    high = models.PositiveSmallIntegerField(_("highest rating"), null=True)
    rating = models.FloatField(_("rating"), db_default=ANCHOR_NUMBER)
    best = models.FloatField(_("best rating"), db_default=ANCHOR_NUMBER)
    bots_after = models.PositiveSmallIntegerField(_("bots after"), help_text=_("seconds until house bots are offered"))
    ticket = models.CharField(max_length=100, blank=True, db_default="", editable=False)
    contribution = models.CharField(_("contribution"), max_length=64, blank=True, db_default="", editable=False)
    since = models.DateTimeField(_("since"))
    seen_at = models.DateTimeField(_("seen at"))
    match = models.ForeignKey(
        Match, verbose_name=_("match"), null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )

    class Meta:
        verbose_name = _("seeker")
        verbose_name_plural = _("seekers")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(user__isnull=True, guest__isnull=False, is_rated=False)
                | models.Q(user__isnull=False, guest__isnull=True),
                name="seeker_user_or_guest",
            ),
        )
        indexes = (models.Index(fields=("seen_at",), condition=models.Q(match=None), name="seeker_waiting"),)

    @property
    def commitment(self) -> str:
        """What the site is bound to if the cards of this one's table come from their ticket."""
        return self.ticket.partition(".")[2]

    def __str__(self) -> str:
        return f"seeker {self.pk}"


class Block(models.Model):
    """`user` is never sat down beside `player` by quick pairing, nor challenged by them."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = (models.UniqueConstraint(fields=("user", "player"), name="block_once"),)

    def __str__(self) -> str:
        return f"block {self.pk}"
