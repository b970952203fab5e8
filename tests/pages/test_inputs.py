"""What a page takes the API takes too: the same longest text, the same least and most, the same choices.

Forms are made from the API's serializers (aurum_league/common/pages.py); what a page chooses from lists is its own.
"""

import ast
import importlib
import inspect
import pkgutil
from textwrap import dedent
from typing import Any

import pytest
from django import forms
from rest_framework import serializers

import bots.pages
import games.pages
import tournaments.pages as pages_of_tournaments
from aurum_league.common.pages import shown_field
from bots.api import serializers as bot_inputs
from bots.pages import bots as bot_pages
from games.api import tables as table_inputs
from games.pages import play as play_pages
from tournaments.api import desk, entrants, leagues, running, teams, tournaments, trials, waiting
from tournaments.pages import entrants as entrant_pages
from tournaments.pages import quick_pairing
from tournaments.pages import trials as trial_pages
from tournaments.pages.desk import access, entries, event_form, matches, overview, times
from tournaments.pages.desk import lists as list_pages

Input = type[serializers.Serializer]
UNBOUNDED = (forms.TypedChoiceField, forms.FileField)
"""Lists of what there is to choose from, which the API takes as numbers, and files, whose size the service judges."""

PAIRS: list[tuple[type[forms.Form], Input, dict[str, str]]] = [
    (bot_pages.RegisterForm, bot_inputs.BotFormSerializer, {}),
    (bot_pages.SettingsForm, bot_inputs.BotChangeFormSerializer, {}),
    (bot_pages.UploadForm, bot_inputs.UploadFormSerializer, {}),
    (bot_pages.ScrimmageForm, bot_inputs.ScrimmageFormSerializer, {"count": "matches"}),
    (play_pages.TableForm, table_inputs.TableFormSerializer, {}),
    (quick_pairing.SeekForm, waiting.SeekFormSerializer, {}),
    (access.InviteForm, desk.InviteFormSerializer, {}),
    (entries.NameForm, teams.NameFormSerializer, {}),
    (list_pages.ListForm, teams.ListFormSerializer, {}),
    (times.TimesForm, running.TimetableFormSerializer, {}),
    (times.RhythmForm, running.RhythmFormSerializer, {}),
    (overview.BeaconForm, tournaments.BeaconFormSerializer, {}),
    (overview.DropForm, tournaments.BeaconFormSerializer, {}),
    (event_form.EventForm, tournaments.TextsFormSerializer, {}),
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
PAGES_OWN = {
    ("TimesForm", "time_zone"): "a list of all zones, which the API takes as a text",
    ("RhythmForm", "first_at"): "read in the zone of the event",
    ("CheckInForm", "ends_at"): "read in the zone of the event",
    ("EventForm", "links"): "lines of text, which the API takes as pairs",
}
"""Inputs of the same name that a page reads in another way."""
CASES = [
    pytest.param(form.base_fields[name], sent.get_fields(sent())[other], id=f"{form.__name__}.{name}")
    for form, sent, renamed in PAIRS
    for name, other in ((name, renamed.get(name, name)) for name in form.base_fields)
    if other in sent.get_fields(sent()) and not isinstance(form.base_fields[name], UNBOUNDED)
    if (form.__name__, name) not in PAGES_OWN
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


MADE = ("shown_field", "forms.TypedChoiceField")


def find_declared(form: type[forms.Form]) -> set[str]:
    """The fields that the form's own lines declare by themselves, not from a serializer."""
    (declared,) = ast.parse(dedent(inspect.getsource(form))).body
    assert isinstance(declared, ast.ClassDef)
    return {
        target.id
        for line in declared.body
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call)
        for target in line.targets
        if isinstance(target, ast.Name) and ast.unparse(line.value.func) not in MADE
    }


@pytest.mark.parametrize(("form", "sent", "renamed"), PAIRS, ids=lambda one: getattr(one, "__name__", ""))
def test_no_input_is_declared_twice(form: type[forms.Form], sent: Input, renamed: dict[str, str]) -> None:
    own = {name for name in find_declared(form) if (form.__name__, name) not in PAGES_OWN}
    assert not {renamed.get(name, name) for name in own} & sent().fields.keys()


WITHOUT_A_PAIR = {
    "ChangeForm": "a deed's own fields of the one serializer, with matchdays, entrants and events to choose from",
    "RulesForm": "questions typed one a line, where the API takes a list; the rest is the serializer's",
    "EntrantInviteForm": "names typed one a line, where the API takes a list of players",
    "DeedForm": "what a moderator does, which the API does not take",
    "ReportForm": "players of the table to choose from, where the API takes any; the rest is the serializer's",
    "AgainForm": "a reason that may be left out, made from the decision's",
    "ForfeitForm": "seats ticked by name",
    "ResultForm": "figures typed as a list",
    "SheetForm": "figures of a score sheet by round and side, which the API takes as lists",
    "TellForm": "a title and a text for every language, which the API takes by its code",
    "PostponeForm": "a time in the event's zone, where the API takes a moment",
    "StageForm": "a stage's spec, whose bounds rules/spec.py names",
}
"""Forms that no single serializer stands beside, and what they are instead."""


def list_forms() -> set[str]:
    found = set()
    for package in (bots.pages, games.pages, pages_of_tournaments):
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(one.name)
            made = (value for value in vars(module).values() if inspect.isclass(value))
            found |= {form.__name__ for form in made if issubclass(form, forms.Form) and form.__module__ == one.name}
    return found


def test_every_form_of_a_page_has_its_serializer() -> None:
    """A new one joins PAIRS, beside what the API takes; only what the API takes in no such shape stands apart."""
    assert list_forms() == {form.__name__ for form, _sent, _renamed in PAIRS} | WITHOUT_A_PAIR.keys()


class NoteSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=9, min_length=2)
    note = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    pace = serializers.ChoiceField(("calm", "live"), default="live")
    often = serializers.IntegerField(min_value=1, max_value=5, required=False, default=3)
    share = serializers.FloatField(max_value=0.5)
    is_open = serializers.BooleanField(default=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    friends = serializers.ListField(child=serializers.SlugField(max_length=60), max_length=2)


class NoteForm(forms.Form):
    name = shown_field(NoteSerializer, "name", label="Your name")
    note = shown_field(NoteSerializer, "note")
    pace = shown_field(NoteSerializer, "pace", choices=[("live", "Live"), ("calm", "Calm")])
    often = shown_field(NoteSerializer, "often")
    share = shown_field(NoteSerializer, "share")
    is_open = shown_field(NoteSerializer, "is_open")
    ends_at = shown_field(NoteSerializer, "ends_at")
    friend = shown_field(NoteSerializer, "friends")


def test_a_form_starts_with_what_the_api_takes_for_left_out() -> None:
    form = NoteForm()
    assert {name: field.initial for name, field in form.fields.items() if field.initial is not None} == {
        "pace": "live",
        "often": 3,
        "is_open": True,
    }
    assert form.fields["name"].label == "Your name"


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        pytest.param({}, [], id="all well"),
        pytest.param({"note": "", "ends_at": "", "is_open": ""}, [], id="what may be left out"),
        pytest.param({"name": ""}, ["name"], id="no name"),
        pytest.param({"name": "x"}, ["name"], id="too short"),
        pytest.param({"name": "x" * 10}, ["name"], id="too long"),
        pytest.param({"pace": "slow"}, ["pace"], id="no such choice"),
        pytest.param({"often": "6"}, ["often"], id="too many"),
        pytest.param({"often": ""}, ["often"], id="a number is asked for again"),
        pytest.param({"share": "0.6"}, ["share"], id="too large"),
        pytest.param({"ends_at": "soon"}, ["ends_at"], id="no time"),
        pytest.param({"friend": "x" * 61}, ["friend"], id="one of a list"),
    ],
)
def test_a_form_refuses_what_the_api_refuses(sent: dict[str, str], wrong: list[str]) -> None:
    well = {"name": "Agnes", "note": "hm", "pace": "calm", "often": "2", "share": "0.1", "friend": "bo"}
    form = NoteForm({**well, "ends_at": "2026-11-16 08:00", "is_open": "on", **sent})
    assert sorted(form.errors) == wrong


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        pytest.param("pace", {"choices": [("calm", "Calm")]}, "other choices", id="a choice is missing"),
        pytest.param("name", {"max_length": 12}, "says itself: max_length", id="a bound of its own"),
    ],
)
def test_a_page_cannot_say_otherwise(name: str, words: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        shown_field(NoteSerializer, name, **words)
