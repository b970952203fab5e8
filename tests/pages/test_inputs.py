"""What a page takes the API takes too: the same longest text, the same least and most, the same choices."""

from typing import Any

import pytest
from django import forms
from rest_framework import serializers

from bots.api import serializers as bot_inputs
from bots.pages import bots as bot_pages
from games.api import tables as table_inputs
from games.pages import play as play_pages
from tournaments.api import entrants, leagues, running, teams, trials
from tournaments.pages import entrants as entrant_pages
from tournaments.pages import trials as trial_pages
from tournaments.pages.desk import entries, event_form, matches, overview

Input = type[serializers.Serializer]
UNBOUNDED = (forms.TypedChoiceField, forms.FileField)
"""Lists of what there is to choose from, which the API takes as numbers, and files, whose size the service judges."""

PAIRS: list[tuple[type[forms.Form], Input, dict[str, str]]] = [
    (bot_pages.RegisterForm, bot_inputs.BotFormSerializer, {}),
    (bot_pages.SettingsForm, bot_inputs.BotChangeFormSerializer, {}),
    (bot_pages.UploadForm, bot_inputs.UploadFormSerializer, {}),
    (bot_pages.ScrimmageForm, bot_inputs.ScrimmageFormSerializer, {"count": "matches"}),
    (play_pages.TableForm, table_inputs.TableFormSerializer, {}),
    (entries.HouseForm, entrants.HouseFormSerializer, {}),
    (entries.ReasonForm, entrants.ReasonFormSerializer, {}),
    (entries.ReplacementForm, entrants.ReplacementFormSerializer, {}),
    (entries.CheckInForm, entrants.CheckInFormSerializer, {}),
    (entries.TeamForm, teams.TeamFormSerializer, {}),
    (entries.ApartForm, running.PairFormSerializer, {}),
    (entrant_pages.InvitationForm, teams.InvitationFormSerializer, {}),
    (event_form.LeagueForm, leagues.LeagueFormSerializer, {}),
    (matches.DecisionForm, running.DecisionFormSerializer, {}),
    (overview.SeasonForm, leagues.SeasonFormSerializer, {}),
    (trial_pages.TrialForm, trials.TrialFormSerializer, {}),
]
CASES = [
    pytest.param(form.base_fields[name], sent.get_fields(sent())[other], id=f"{form.__name__}.{name}")
    for form, sent, renamed in PAIRS
    for name, other in ((name, renamed.get(name, name)) for name in form.base_fields)
    if other in sent.get_fields(sent()) and not isinstance(form.base_fields[name], UNBOUNDED)
]


def read_bounds(one: Any) -> dict[str, Any]:
    """The longest text and the choices; the service checks the bounds of numbers that only one of both names."""
    bounds = {"max_length": getattr(one, "max_length", None)}
    if choices := getattr(one, "choices", None):
        pairs = choices.items() if isinstance(choices, dict) else choices
        bounds["choices"] = {str(value) for value, _ in pairs}
    return bounds


@pytest.mark.parametrize(("shown", "sent"), CASES)
def test_bounds_are_the_same(shown: forms.Field, sent: serializers.Field) -> None:
    assert read_bounds(shown) == read_bounds(sent)
    for name in ("min_value", "max_value"):
        known = {getattr(one, name, None) for one in (shown, sent)} - {None}
        assert len(known) <= 1
