"""Fair play: reports, cases, what moderators did in them, and appeals."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player
from tournaments.rules.cases import CaseState, DeedKind

LONGEST_REASON = 400


def _choices(words: type[CaseState] | type[DeedKind]) -> list[tuple[str, object]]:
    return [(word.value, _(word.label)) for word in words]


class CaseKind(models.TextChoices):
    REPORT = "report", _("Reported")
    PAIR = "pair", _("Two who play for each other")
    LINKED = "linked", _("Accounts that belong together")
    JUMP = "jump", _("A rating that jumped")


class Case(models.Model):
    """Something for a moderator to look at. `key` names what it is about: one case of a key is under way at a time.

    `evidence` is numbers and codes by name, and under `gifts` the decisions that the champion found costly.
    """

    kind = models.CharField(_("kind"), max_length=8, choices=CaseKind)
    state = models.CharField(_("state"), max_length=8, choices=_choices(CaseState), default=CaseState.OPEN.value)
    key = models.CharField(_("key"), max_length=60)
    players = models.ManyToManyField(Player, verbose_name=_("players"), related_name="cases")
    evidence = models.JSONField(_("evidence"), default=dict, blank=True)
    opened_at = models.DateTimeField(_("opened at"), default=timezone.now)
    studied_at = models.DateTimeField(_("studied at"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("key",), condition=~models.Q(state=CaseState.CLOSED.value), name="case_once_at_a_time"
            ),
        )
        indexes = (models.Index(fields=("key", "-id"), name="case_by_key"),)

    def __str__(self) -> str:
        return f"case {self.pk}"


class ReportKind(models.TextChoices):
    COLLUSION = "collusion", _("Plays for somebody else at the table")
    THROWING = "throwing", _("Loses on purpose")
    PROGRAM = "program", _("Is helped by a program")
    ACCOUNTS = "accounts", _("Plays with several accounts")
    LEAVING = "leaving", _("Leaves or stalls")
    WORDS = "words", _("Hurts by words or by a name")


class Report(models.Model):
    """What somebody says about a player: in a match, at one decision of it if they name one, in a sentence."""

    case = models.ForeignKey(Case, verbose_name=_("case"), on_delete=models.PROTECT, related_name="reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("reporter"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="fair_play_reports",
    )
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="+")
    match = models.ForeignKey(
        Match, verbose_name=_("match"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=ReportKind)
    round_number = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    trick = models.PositiveSmallIntegerField(_("trick"), null=True, blank=True)
    text = models.CharField(_("text"), max_length=LONGEST_REASON)
    made_at = models.DateTimeField(_("made at"), default=timezone.now)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("match", "reporter"), name="report_once_a_match"),)

    def __str__(self) -> str:
        return f"report {self.pk}"


class Deed(models.Model):
    """What a moderator did in a case, to whom (nobody, for a close), why, until when, and to which matches."""

    case = models.ForeignKey(Case, verbose_name=_("case"), on_delete=models.PROTECT, related_name="deeds")
    kind = models.CharField(_("kind"), max_length=8, choices=_choices(DeedKind))
    player = models.ForeignKey(
        Player, verbose_name=_("player"), null=True, blank=True, on_delete=models.PROTECT, related_name="deeds"
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("actor"), on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    matches = ArrayField(models.BigIntegerField(), default=list, blank=True, verbose_name=_("matches"))
    done_at = models.DateTimeField(_("done at"), default=timezone.now)
    lifted_at = models.DateTimeField(_("lifted at"), null=True, blank=True)

    class Meta:
        verbose_name = _("deed")
        verbose_name_plural = _("deeds")
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.kind} in case {self.case_id}"


class Appeal(models.Model):
    """The one appeal of a player in a case, against all that was done to them there; `is_granted` once decided."""

    case = models.ForeignKey(Case, verbose_name=_("case"), on_delete=models.PROTECT, related_name="appeals")
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="appeals")
    text = models.CharField(_("text"), max_length=1000)
    made_at = models.DateTimeField(_("made at"), default=timezone.now)
    is_granted = models.BooleanField(_("is granted"), null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("decided by"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    answer = models.CharField(_("answer"), max_length=LONGEST_REASON, blank=True)
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("case", "player"), name="appeal_once_a_case"),)

    def __str__(self) -> str:
        return f"appeal {self.pk}"
