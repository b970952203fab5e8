"""A whole tournament as forms: made from a spec, read back as a spec, and shown anew when a choice changes the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.http import QueryDict

from tournaments.models import League
from tournaments.pages.desk.event_form import MOST_STAGES, EventForm, event_initial
from tournaments.pages.desk.stage_form import FORMAT_OPTIONS, StageForm, stage_initial
from tournaments.selectors.desk import list_own_leagues
from tournaments.selectors.rights import is_organiser

USUAL_FORMAT = "round_robin"


@dataclass(frozen=True, slots=True)
class SpecForms:
    event: EventForm
    stages: list[StageForm]

    def are_valid(self) -> bool:
        return all([form.is_valid() for form in (self.event, *self.stages)])

    def read_spec(self) -> dict[str, Any]:
        return {**self.event.read_event(), "stages": [stage.read_stage() for stage in self.stages]}


def show_spec(spec: Mapping[str, Any], user: User, *, is_new: bool) -> SpecForms:
    """Forms that say what the spec says."""
    stages = spec["stages"]
    return SpecForms(
        _make_event(user, is_new, initial=event_initial(spec)),
        [
            _make_stage(number, len(stages), stage["format"], initial=stage_initial(stage))
            for number, stage in enumerate(stages, start=1)
        ],
    )


def read_sent(data: QueryDict, user: User, *, is_new: bool) -> SpecForms:
    """Forms that hold what was sent, to be checked."""
    count = _read_count(data)
    return SpecForms(
        _make_event(user, is_new, data=data),
        [_make_stage(number, count, _read_format(data, number), data=data) for number in range(1, count + 1)],
    )


def show_anew(data: QueryDict, user: User, *, is_new: bool) -> SpecForms:
    """Forms with what was typed so far, unchecked, and the fields that belong to the choices made."""
    sent = read_sent(data, user, is_new=is_new)
    count = len(sent.stages)
    return SpecForms(
        _make_event(user, is_new, initial=_read_typed(sent.event, data)),
        [
            _make_stage(number, count, _read_format(data, number), initial=_read_typed(form, data))
            for number, form in enumerate(sent.stages, start=1)
        ],
    )


def _make_event(user: User, is_new: bool, **filled: Any) -> EventForm:
    leagues: Sequence[League] = list_own_leagues(user) if is_new else ()
    return EventForm(leagues=list(leagues), is_organiser=is_organiser(user), **filled)


def _make_stage(number: int, count: int, chosen: str, **filled: Any) -> StageForm:
    form = StageForm(prefix=f"stage-{number}", chosen=chosen, is_last=number == count, **filled)
    form.initial["format"] = chosen
    return form


def _read_typed(form: forms.Form, data: QueryDict) -> dict[str, Any]:
    """What was typed; a field that was not there yet keeps its usual value."""
    typed = {}
    for name, field in form.fields.items():
        prefixed = form.add_prefix(name)
        if field.widget.value_omitted_from_data(data, form.files, prefixed):
            continue
        typed[name] = field.widget.value_from_datadict(data, form.files, prefixed)
    return typed


def _read_count(data: QueryDict) -> int:
    asked = data.get("stages", "")
    return int(asked) if asked in map(str, range(1, MOST_STAGES + 1)) else 1


def _read_format(data: QueryDict, number: int) -> str:
    asked = data.get(f"stage-{number}-format", "")
    return asked if asked in FORMAT_OPTIONS else USUAL_FORMAT
