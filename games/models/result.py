"""What came of a match: its result with every earlier version, and the failures of its seats."""

from typing import Any

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Value
from django.utils.translation import gettext_lazy as _

from aurum_league.common.sql import refuse_change
from games.models.match import Match
from games.rules.outcome import count_places, count_seat_places


def _by_side(name: Any) -> ArrayField:
    return ArrayField(models.SmallIntegerField(), verbose_name=name)


class ResultKind(models.TextChoices):
    PLAYED = "played", _("Played")
    RERUN = "rerun", _("Run again")
    FRESH = "fresh", _("Played on fresh deals")
    BY_HAND = "by_hand", _("By hand")
    FORFEIT = "forfeit", _("Forfeit by decision")
    VOID = "void", _("Void")


KEEP_VERSION = """
    IF OLD.archive_id IS NULL AND NEW.log = '' AND EXISTS (SELECT FROM games_archive WHERE id = NEW.archive_id)
       AND to_jsonb(NEW) - 'log' - 'archive_id' = to_jsonb(OLD) - 'log' - 'archive_id' THEN
        RETURN NEW;
    END IF;
    IF NEW.match_id <> OLD.match_id OR NEW.reason = '' THEN
        RAISE EXCEPTION 'a settled result changes only for a reason' USING ERRCODE = 'check_violation';
    END IF;
    NEW.version := OLD.version + 1;
    NEW.settled_at := statement_timestamp();
    INSERT INTO games_resultversion (match_id, version, content) VALUES (OLD.match_id, OLD.version, to_jsonb(OLD));
    RETURN NEW;
"""


class Archive(models.Model):
    """A folder of signed Parquet files (tournaments/services/archive.py) that holds the logs of matches long over."""

    name = models.CharField(_("name"), max_length=120, unique=True)
    digest = models.CharField(max_length=64, help_text="SHA-256 of its manifest, which tells the digests of its files")
    matches = models.PositiveIntegerField(_("matches"))
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        verbose_name = _("archive")
        verbose_name_plural = _("archives")
        triggers = (refuse_change("archive_stays"),)

    def __str__(self) -> str:
        return self.name


class MatchResult(models.Model):
    """Lists are by side. `forfeits` names seats. `log` with the seed gives the whole record again.

    An empty log of a result with an `archive` lies there, and nothing else of the row may change when it is put there.

    Its primary key is the match, so that a match can be settled only once. The row is the newest version: a trigger
    keeps every earlier one, so that nothing is overwritten, and a match that was simply played costs no second row.
    `record_match` is the match whose seed belongs to the log, where that is another one on fresh deals.
    """

    match = models.OneToOneField(
        Match, verbose_name=_("match"), primary_key=True, on_delete=models.CASCADE, related_name="result"
    )
    places = _by_side(_("places"))
    nuggets = _by_side(_("nuggets"))
    totals = _by_side(_("totals"))
    exact_bids = _by_side(_("exact bids"))
    bids = _by_side(_("bids"))
    tricks = _by_side(_("tricks"))
    gold_points = _by_side(_("gold points"))
    forfeits = ArrayField(models.SmallIntegerField(), default=list, verbose_name=_("forfeits"))
    early = ArrayField(
        models.SmallIntegerField(),
        db_default=Value([], output_field=ArrayField(models.SmallIntegerField())),
        editable=False,
        help_text="forfeits before the first round had ended",
    )
    rounds = models.PositiveSmallIntegerField(_("rounds"))
    ends = ArrayField(models.SmallIntegerField(), help_text="rounds ended by no_lead, no_play, declined_gold")
    first_seat = models.PositiveSmallIntegerField()
    lots = models.BooleanField(_("decided by lots"), default=False)
    log = models.BinaryField(editable=False)
    cpu_us = models.PositiveIntegerField(
        _("processor time"), default=0, help_text=_("processor time of rules and agents, in µs")
    )
    is_by_hand = models.BooleanField(_("is by hand"), default=False)
    settled_at = models.DateTimeField(_("settled at"), auto_now_add=True)
    version = models.SmallIntegerField(_("version"), db_default=1)
    kind = models.CharField(_("kind"), max_length=8, choices=ResultKind, db_default=ResultKind.PLAYED.value)
    reason = models.CharField(_("reason"), max_length=400, blank=True, db_default="")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("actor"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    archive = models.ForeignKey(
        Archive,
        verbose_name=_("archive"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    record_match = models.ForeignKey(
        Match,
        verbose_name=_("match of its record"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )

    class Meta:
        verbose_name = _("match result")
        verbose_name_plural = _("match results")
        triggers = (
            pgtrigger.Trigger(
                name="keep_version", when=pgtrigger.Before, operation=pgtrigger.Update, func=KEEP_VERSION
            ),
            refuse_change("result_stays", pgtrigger.Delete),
        )

    def __str__(self) -> str:
        return f"result of match {self.match_id}"

    @property
    def counted_places(self) -> list[int]:
        """By side, forfeits last: what every page, the API and the files show; `places` are as played."""
        return count_places(self.places, self.forfeits)

    @property
    def seat_places(self) -> list[int]:
        """The same by seat."""
        return count_seat_places(self.places, self.forfeits)


class ResultVersion(models.Model):
    """An earlier version of a result, as its row was; written by a trigger, and changed or deleted by nobody."""

    match = models.ForeignKey(
        Match, verbose_name=_("match"), on_delete=models.PROTECT, related_name="earlier_results", db_index=False
    )
    version = models.PositiveSmallIntegerField(_("version"))
    content = models.JSONField(_("content"))

    class Meta:
        verbose_name = _("result version")
        verbose_name_plural = _("result versions")
        ordering = ("match_id", "version")
        constraints = (models.UniqueConstraint(fields=("match", "version"), name="result_version_once"),)
        triggers = (refuse_change("version_stays"),)

    def __str__(self) -> str:
        return f"version {self.version} of the result of match {self.match_id}"


class SeatFailure(models.Model):
    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="failures")
    seat = models.PositiveSmallIntegerField(_("seat"))
    step = models.PositiveIntegerField(_("step"), help_text=_("how many actions had been made"))
    verdict = models.CharField(_("verdict"), max_length=16)
    detail = models.TextField(blank=True)
    asked = models.TextField(blank=True)
    answered = models.TextField(blank=True)
    stderr = models.TextField(blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("seat failure")
        verbose_name_plural = _("seat failures")
        ordering = ("match_id", "step")
        constraints = (models.UniqueConstraint(fields=("match", "seat", "step"), name="failure_once_a_step"),)

    def __str__(self) -> str:
        return f"{self.verdict} by seat {self.seat} in match {self.match_id}"
