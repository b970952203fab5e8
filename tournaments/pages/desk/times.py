"""When, at the desk: the times of an event in its own time zone, and when its matchdays are played."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from aurum_league.common.pages import shown_field
from tournaments.api.running import RhythmFormSerializer, TimetableFormSerializer
from tournaments.models import Release, Stage, Tournament
from tournaments.pages.desk.access import act_on_form, desk_context, desk_page, desk_page_for, person_of
from tournaments.pages.home import MOMENT_WORDS, list_times
from tournaments.pages.words import name_stage
from tournaments.rules.lifecycle import Step, can_take
from tournaments.selectors.desk import find_desk_match, name_sides
from tournaments.selectors.leagues import list_stages
from tournaments.selectors.rights import Right
from tournaments.selectors.timetable import MOMENTS, MOST_DAYS_BETWEEN, Timetable, list_zones, timetable_of
from tournaments.services.timetable import postpone_table, set_rhythm, set_timetable

MINUTES_A_DAY = 1440
UNITS = [("days", gettext_lazy("days")), ("minutes", gettext_lazy("minutes"))]
FORMAT = "%Y-%m-%dT%H:%M"


class MomentField(forms.CharField):
    """A moment as a clock on the wall shows it; which wall, the form says."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, widget=forms.TextInput({"type": "datetime-local"}), **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return None
        try:
            return datetime.strptime(text[:16], FORMAT)
        except ValueError:
            raise forms.ValidationError(_("Write a day and a time, such as 2026-11-21 19:00.")) from None


class TimesForm(forms.Form):
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone of the event"),
        choices=lambda: [(name, name.replace("_", " ")) for name in list_zones()],
        help_text=gettext_lazy("All times below are of this zone; readers see their own beside it."),
    )
    runs_itself = shown_field(
        TimetableFormSerializer,
        "runs_itself",
        label=gettext_lazy("Runs by itself"),
        help_text=gettext_lazy(
            "The site opens the entries, ends the check-in, draws and starts at these times. Otherwise they are "
            "announced, and you press the buttons."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in MOMENTS:
            self.fields[name] = MomentField(label=MOMENT_WORDS[name])
        self.order_fields(["time_zone", *MOMENTS, "runs_itself"])

    def read_timetable(self) -> Timetable:
        sent = self.cleaned_data
        zone = ZoneInfo(sent["time_zone"])
        moments = {name: at.replace(tzinfo=zone) if (at := sent[name]) else None for name in MOMENTS}
        return Timetable(**moments, runs_itself=sent["runs_itself"])


class RhythmForm(forms.Form):
    first_at = MomentField(label=gettext_lazy("First matchday"))
    every = forms.IntegerField(
        label=gettext_lazy("The next ones, each after"), min_value=0, max_value=100_000, required=False
    )
    unit = forms.ChoiceField(label=gettext_lazy("Unit"), choices=UNITS, required=False)
    is_timed = shown_field(
        RhythmFormSerializer,
        "is_timed",
        label=gettext_lazy("Release each at its time"),
        help_text=gettext_lazy("Nobody plays before. Otherwise the times are announced only."),
    )

    def read_minutes(self) -> int:
        count = self.cleaned_data["every"] or 0
        minutes = count * MINUTES_A_DAY if self.cleaned_data["unit"] == "days" else count
        return min(minutes, MOST_DAYS_BETWEEN * MINUTES_A_DAY)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def show_times(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """POST saves the form whose button was pressed: the event's, or that of the stage named."""
    if request.method != "POST":
        return _render(request, tournament)
    back = reverse("desk_times", args=[tournament.slug])
    stage = next((one for one in list_stages(tournament) if str(one.number) == request.POST.get("stage")), None)
    if stage is not None:
        return _save_rhythm(request, tournament, stage, back)
    form = TimesForm(request.POST)

    def save(sent: dict[str, Any]) -> None:
        about: dict[str, Any] = {"tournament_id": tournament.pk, "actor": person_of(request)}
        set_timetable(timetable=form.read_timetable(), time_zone=sent["time_zone"], **about)

    return act_on_form(
        request, back, form, save, _("The times are set."), lambda typed: _render(request, tournament, form=typed)
    )


def _save_rhythm(request: HttpRequest, tournament: Tournament, stage: Stage, back: str) -> HttpResponse:
    form = RhythmForm(request.POST, auto_id=f"stage{stage.number}_%s")

    def save(sent: dict[str, Any]) -> None:
        first_at = sent["first_at"]
        set_rhythm(
            stage_id=stage.pk,
            first_at=first_at.replace(tzinfo=ZoneInfo(tournament.time_zone)) if first_at else None,
            every_minutes=form.read_minutes(),
            is_timed=sent["is_timed"],
            actor=person_of(request),
        )

    def show(typed: forms.Form) -> HttpResponse:
        return _render(request, tournament, typed={stage.number: typed})

    return act_on_form(request, back, form, save, _("The times are set."), show)


def _render(
    request: HttpRequest,
    tournament: Tournament,
    form: forms.Form | None = None,
    typed: dict[int, forms.Form] | None = None,
) -> HttpResponse:
    stages = list_stages(tournament)
    forms_of = {stage.number: (typed or {}).get(stage.number) or _rhythm_form(tournament, stage) for stage in stages}
    context = desk_context(tournament, "desk_times") | {
        "form": form or TimesForm(initial=_initial(tournament)),
        "stages": [(stage, name_stage(stage), forms_of[stage.number]) for stage in stages],
        "can_set": can_take(tournament.state, Step.SET_TIMES),
        "times": list_times(tournament),
    }
    return render(request, "desk/times.html", context)


def _initial(tournament: Tournament) -> dict[str, Any]:
    told = timetable_of(tournament)
    moments = {name: _show(getattr(told, name), tournament.time_zone) for name in MOMENTS}
    return {"time_zone": tournament.time_zone, "runs_itself": told.runs_itself, **moments}


def _rhythm_form(tournament: Tournament, stage: Stage) -> RhythmForm:
    days, rest = divmod(stage.every_minutes, MINUTES_A_DAY)
    every, unit = (stage.every_minutes, "minutes") if rest else (days, "days")
    initial = {
        "first_at": _show(stage.first_at, tournament.time_zone),
        "every": every or None,
        "unit": unit,
        "is_timed": stage.release == Release.TIMED,
    }
    return RhythmForm(initial=initial, auto_id=f"stage{stage.number}_%s")


def _show(at: datetime | None, zone: str) -> str:
    return at.astimezone(ZoneInfo(zone)).strftime(FORMAT) if at else ""


class PostponeForm(forms.Form):
    until = MomentField(label=gettext_lazy("New time"), help_text=gettext_lazy("In the time zone of the event."))
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=400, required=False)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page_for(Right.RESULTS)
def postpone(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST shows what would change for whom; with `confirm` it does it."""
    link = find_desk_match(tournament, match_id)
    if link is None:
        raise Http404("no such match")
    form = PostponeForm(request.POST or None)

    def show(typed: forms.Form) -> HttpResponse:
        until = typed.cleaned_data.get("until") if typed.is_bound and typed.is_valid() else None
        context = desk_context(tournament, "desk_matches") | {"link": link, "form": typed, "until": until}
        return render(request, "desk/postpone.html", context | {"sides": name_sides(link)})

    if "confirm" not in request.POST:
        return show(form)

    def move(sent: dict[str, Any]) -> None:
        until = (sent["until"] or datetime.min).replace(tzinfo=ZoneInfo(tournament.time_zone))
        about: dict[str, Any] = {"fixture_id": link.fixture_id, "reason": sent["reason"], "actor": person_of(request)}
        postpone_table(until=until, **about)

    back = reverse("desk_match", args=[tournament.slug, match_id])
    return act_on_form(request, back, form, move, _("The table is postponed, and everybody there is told."), show)
