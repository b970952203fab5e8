"""The form that begins a trial; what it means is for the service to judge."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.rules.ruleset import EDITIONS, Ruleset
from tournaments.services.trials import (
    FEWEST_UNITS,
    LARGEST_EFFECT,
    MOST_UNITS,
    SMALLEST_EFFECT,
    USUAL_EFFECT,
    USUAL_UNITS,
)


class TrialForm(forms.Form):
    new_agent = forms.ChoiceField(label=_("New version"))
    old_agent = forms.ChoiceField(label=_("Compared with"))
    players = forms.TypedChoiceField(
        label=_("Table"), coerce=int, choices=[(3, _("Three players")), (4, _("Four players"))]
    )
    edition = forms.ChoiceField(label=_("Edition"), choices=[(edition, edition) for edition in EDITIONS])
    effect = forms.FloatField(
        label=_("Difference that matters"),
        min_value=SMALLEST_EFFECT,
        max_value=LARGEST_EFFECT,
        initial=USUAL_EFFECT,
        help_text=_(
            "In points a match: at a table of three, first place is 2, second 1. Half of it takes four times as long."
        ),
    )
    most_units = forms.IntegerField(
        label=_("At most so many deals"),
        min_value=FEWEST_UNITS,
        max_value=MOST_UNITS,
        initial=USUAL_UNITS,
        help_text=_("A deal is played six times at a table of three, twice at a table of four."),
    )

    def __init__(self, *args: Any, versions: dict[str, int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(agent, str(number)) for agent, number in versions.items()]
        for name in ("new_agent", "old_agent"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]
        if len(choices) > 1:
            self.fields["old_agent"].initial = choices[1][0]

    def read_ruleset(self) -> str:
        return Ruleset(self.cleaned_data["players"], self.cleaned_data["edition"]).code
