"""Company at a table: what its people say to one another, and the time at which they mean to meet."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match

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
