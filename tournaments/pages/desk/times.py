"""When, at the desk: the times of an event, when its matchdays are played; and announcements, now or at a time."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from aurum_league.common.pages import shown_field
from tournaments.api.running import RhythmFormSerializer, TimetableFormSerializer
from tournaments.models import Audience, Release, Stage, Tournament
from tournaments.pages.desk.access import act, act_on_form, desk_context, desk_page, desk_page_for, person_of
from tournaments.pages.home import MOMENT_WORDS, list_times
from tournaments.pages.words import name_stage
from tournaments.rules.lifecycle import Step, can_take
from tournaments.selectors.desk import find_desk_match, name_sides
from tournaments.selectors.leagues import list_announcements, list_stages, say_announcement
from tournaments.selectors.rights import Right
from tournaments.selectors.timetable import MOMENTS, MOST_DAYS_BETWEEN, Timetable, list_zones, timetable_of
from tournaments.services.announcements import LONGEST_TEXT, LONGEST_TITLE, announce, drop_announcement
from tournaments.services.timetable import postpone_table, set_rhythm, set_timetable

MINUTES_A_DAY = 1440
UNITS = [("days", gettext_lazy("days")), ("minutes", gettext_lazy("minutes"))]
FORMAT = "%Y-%m-%dT%H:%M"
FIRST_YEAR, LAST_YEAR = 1970, 9000


class MomentField(forms.CharField):
    """A moment as a clock on the wall shows it; which wall, the form says."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, widget=forms.TextInput({"type": "datetime-local"}), **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return None
        try:
            at = datetime.strptime(text[:16], FORMAT)
        except ValueError:
            at = datetime.min
        # At the ends of the calendar a zone may lead beyond it.
        if not FIRST_YEAR <= at.year <= LAST_YEAR:
            raise forms.ValidationError(_("Write a day and a time, such as 2026-11-21 19:00."))
        return at


def read_moment(at: datetime | None, tournament: Tournament) -> datetime | None:
    """What the form says, by the clock of the event."""
    return at.replace(tzinfo=ZoneInfo(tournament.time_zone)) if at else None


def show_moment(at: datetime | None, tournament: Tournament) -> str:
    return at.astimezone(ZoneInfo(tournament.time_zone)).strftime(FORMAT) if at else ""


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
        set_rhythm(
            stage_id=stage.pk,
            first_at=read_moment(sent["first_at"], tournament),
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
    moments = {name: show_moment(getattr(told, name), tournament) for name in MOMENTS}
    return {"time_zone": tournament.time_zone, "runs_itself": told.runs_itself, **moments}


def _rhythm_form(tournament: Tournament, stage: Stage) -> RhythmForm:
    days, rest = divmod(stage.every_minutes, MINUTES_A_DAY)
    every, unit = (stage.every_minutes, "minutes") if rest else (days, "days")
    initial = {
        "first_at": show_moment(stage.first_at, tournament),
        "every": every or None,
        "unit": unit,
        "is_timed": stage.release == Release.TIMED,
    }
    return RhythmForm(initial=initial, auto_id=f"stage{stage.number}_%s")


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
        sent = typed.cleaned_data if typed.is_bound and typed.is_valid() else {}
        until = read_moment(sent.get("until"), tournament)
        context = desk_context(tournament, "desk_matches") | {"link": link, "form": typed, "until": until}
        return render(request, "desk/postpone.html", context | {"sides": name_sides(link)})

    if "confirm" not in request.POST:
        return show(form)

    def move(sent: dict[str, Any]) -> None:
        until = read_moment(sent["until"], tournament) or datetime.min.replace(tzinfo=UTC)
        about: dict[str, Any] = {"fixture_id": link.fixture_id, "reason": sent["reason"], "actor": person_of(request)}
        postpone_table(until=until, **about)

    back = reverse("desk_match", args=[tournament.slug, match_id])
    return act_on_form(request, back, form, move, _("The table is postponed, and everybody there is told."), show)


class TellForm(forms.Form):
    """A title and a text for every language of the site; the reader's own stands first."""

    audience = forms.ChoiceField(label=gettext_lazy("To whom"), choices=Audience.choices)
    table = forms.IntegerField(
        label=gettext_lazy("Table"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=gettext_lazy("Its number, where only one table is told."),
    )
    due_at = MomentField(
        label=gettext_lazy("Not before"), help_text=gettext_lazy("In the time zone of the event. Empty: now.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = get_language() or settings.LANGUAGE_CODE
        self.languages = sorted(settings.LANGUAGES, key=lambda one: one[0] != own)
        for code, _name in self.languages:
            self.fields[f"title_{code}"] = forms.CharField(
                label=gettext_lazy("Title"), max_length=LONGEST_TITLE, required=False
            )
            self.fields[f"text_{code}"] = forms.CharField(
                label=gettext_lazy("Text"), max_length=LONGEST_TEXT, required=False, widget=forms.Textarea({"rows": 4})
            )

    def by_language(self) -> list[tuple[str, str, forms.BoundField, forms.BoundField]]:
        return [(code, name, self[f"title_{code}"], self[f"text_{code}"]) for code, name in self.languages]

    def read_texts(self) -> dict[str, dict[str, str]]:
        sent = self.cleaned_data
        return {code: {"title": sent[f"title_{code}"], "text": sent[f"text_{code}"]} for code, _name in self.languages}


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def show_tell(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = TellForm(request.POST or None)
    if request.method != "POST":
        return _render_announcements(request, tournament, form)

    def send(sent: dict[str, Any]) -> None:
        announce(
            tournament_id=tournament.pk,
            texts=form.read_texts(),
            audience=sent["audience"],
            table=sent["table"] if sent["audience"] == Audience.TABLE else None,
            due_at=read_moment(sent["due_at"], tournament),
            actor=person_of(request),
        )

    def show_again(typed: forms.Form) -> HttpResponse:
        return _render_announcements(request, tournament, typed)

    back = reverse("desk_tell", args=[tournament.slug])
    return act_on_form(request, back, form, send, _("Announced."), show_again)


def _render_announcements(request: HttpRequest, tournament: Tournament, form: forms.Form) -> HttpResponse:
    listed = [(one, say_announcement(one, get_language() or "")) for one in list_announcements(tournament)]
    context = desk_context(tournament, "desk_tell") | {"form": form, "announcements": listed}
    return render(request, "desk/tell.html", context)


@require_POST
@desk_page
def drop(request: HttpRequest, tournament: Tournament, announcement_id: int) -> HttpResponse:
    about: dict[str, Any] = {"tournament_id": tournament.pk, "announcement_id": announcement_id}
    back = reverse("desk_tell", args=[tournament.slug])
    return act(request, back, lambda: drop_announcement(**about, actor=person_of(request)), _("Dropped."))
