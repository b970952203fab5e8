"""The form for a casual table: who to play against, by which rules, at which pace."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.pages.ruleset_names import EDITION_NAMES
from games.rules.ruleset import Ruleset
from games.services.casual import DEFAULT_STRENGTH, STRENGTHS
from games.services.lobby import TableWish

CLOCK_NAMES = (
    ("calm", _("No hurry: a day for each decision")),
    ("live", _("Live: ten minutes, and ten seconds more for each decision")),
    ("days", _("By days: three days for each decision")),
)


class TableForm(forms.Form):
    players = forms.TypedChoiceField(
        label=_("Players"),
        coerce=int,
        choices=((3, _("Three, each against the others")), (4, _("Four, in two pairs"))),
        widget=forms.RadioSelect,
        initial=3,
    )
    strength = forms.ChoiceField(
        label=_("House bots"),
        choices=[(strength.brain, strength.name) for strength in STRENGTHS.values()],
        initial=DEFAULT_STRENGTH,
    )
    edition = forms.ChoiceField(label=_("Edition"), choices=list(EDITION_NAMES.items()), initial="en")
    zero_gold = forms.BooleanField(label=_("Everybody starts with a Gold 0"), required=False, initial=True)
    is_cumulative = forms.BooleanField(label=_("Three rounds, and the points add up"), required=False)
    clock = forms.ChoiceField(label=_("Pace"), choices=CLOCK_NAMES, initial="calm")
    is_rated = forms.BooleanField(label=_("Rated"), required=False)
    agrees = forms.BooleanField(label=_("I agree to be rated against bots too"), required=False)

    def __init__(self, *args: Any, has_account: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_account:
            del self.fields["is_rated"], self.fields["agrees"]

    def make_wish(self) -> TableWish:
        chosen = self.cleaned_data
        ruleset = Ruleset(
            players=chosen["players"],
            edition=chosen["edition"],
            zero_gold=chosen["zero_gold"],
            scoring="cumulative" if chosen["is_cumulative"] else "nuggets",
        )
        return TableWish(
            ruleset=ruleset.code,
            strength=chosen["strength"],
            clock=chosen["clock"],
            is_rated=chosen.get("is_rated", False),
            agrees=chosen.get("agrees", False),
        )


GUIDED = TableWish(ruleset="en3", strength="greedy", is_guided=True)
"""A first match: three players by the plainest rules, against bots that forgive."""
