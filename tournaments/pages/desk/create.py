"""The desk's first page, and making events: a league, a tournament from a preset, a draft written anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal
from tournaments.models import League, Tournament
from tournaments.pages.desk.access import UNPROCESSABLE, desk_context, desk_page, find_own_league, person_of
from tournaments.pages.desk.event_form import MOST_STAGES, EventForm, LeagueForm, event_initial
from tournaments.pages.desk.preview import USUAL_ENTRANTS, name_for_now, show_look, show_preview
from tournaments.pages.desk.stage_form import StageForm, stage_initial
from tournaments.pages.frame import cut_page
from tournaments.pictures.presets import draw_preset
from tournaments.rules.formats import FORMATS
from tournaments.rules.lifecycle import TEXTS
from tournaments.selectors.desk import count_quarantined, list_own_leagues, list_own_tournaments
from tournaments.selectors.leagues import list_locks, spec_of
from tournaments.selectors.rights import (
    MOST_AT_ONCE,
    MOST_ENTRANTS,
    is_organiser,
    require_may_run,
    require_organiser,
    require_own_league,
)
from tournaments.services.leagues import (
    SHOWN_PRESETS,
    create_league,
    create_tournament,
    edit_league,
    edit_texts,
    edit_tournament,
    spec_from_preset,
)
from tournaments.services.lifecycle import open_tournament

USUAL_FORMAT = "round_robin"


@dataclass(frozen=True, slots=True)
class SpecForms:
    event: EventForm
    stages: list[StageForm]

    def are_valid(self) -> bool:
        return all([form.is_valid() for form in (self.event, *self.stages)])

    def read_spec(self) -> dict[str, Any]:
        return {**self.event.read_event(), "stages": [stage.read_stage() for stage in self.stages]}


def show_spec(spec: Mapping[str, Any], user: User, *, is_new: bool, **filled: Any) -> SpecForms:
    """Forms that say what the spec says."""
    stages, locks = spec["stages"], filled.get("locks") or {}
    return SpecForms(
        _make_event(user, is_new, initial=event_initial(spec), **filled),
        [
            _make_stage(number, len(stages), stage["format"], initial=stage_initial(stage), is_locked="stages" in locks)
            for number, stage in enumerate(stages, start=1)
        ],
    )


def read_sent(data: QueryDict, user: User, *, is_new: bool, **filled: Any) -> SpecForms:
    """Forms that hold what was sent, to be checked."""
    count = _read_count(data)
    return SpecForms(
        _make_event(user, is_new, data=data, **filled),
        [_make_stage(number, count, _read_format(data, number), data=data) for number in range(1, count + 1)],
    )


def show_anew(data: QueryDict, user: User, *, is_new: bool, **filled: Any) -> SpecForms:
    """Forms with what was typed so far, unchecked, and the fields that belong to the choices made."""
    sent = read_sent(data, user, is_new=is_new, **filled)
    count = len(sent.stages)
    return SpecForms(
        _make_event(user, is_new, **filled | {"initial": filled.get("initial", {}) | _read_typed(sent.event, data)}),
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
        if field.disabled or field.widget.value_omitted_from_data(data, form.files, prefixed):
            continue
        typed[name] = field.widget.value_from_datadict(data, form.files, prefixed)
    return typed


def _read_count(data: QueryDict) -> int:
    asked = data.get("stages", "")
    return int(asked) if asked in map(str, range(1, MOST_STAGES + 1)) else 1


def _read_format(data: QueryDict, number: int) -> str:
    asked = data.get(f"stage-{number}-format", "")
    return asked if asked in FORMATS else USUAL_FORMAT


EVENTS_A_PAGE = 24


@require_safe
@login_required
@never_cache
def show_desk(request: HttpRequest) -> HttpResponse:
    user = person_of(request)
    page = cut_page(request, list_own_tournaments(user), EVENTS_A_PAGE)
    quarantined = count_quarantined(list(page.object_list))
    context = {
        "page": page,
        "rows": [(tournament, quarantined.get(tournament.id, 0)) for tournament in page.object_list],
        "leagues": list_own_leagues(user),
        **_limits(request),
    }
    return render(request, "desk/home.html", context)


@login_required
@never_cache
def add_league(request: HttpRequest) -> HttpResponse:
    form = LeagueForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            require_organiser(request.user)
            league = create_league(organiser=person_of(request), **form.cleaned_data)
            return redirect("league", slug=league.slug)
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    context = {"form": form, **_limits(request)}
    return render(request, "desk/league_form.html", context, status=UNPROCESSABLE if form.errors else 200)


def read_league(league: League) -> dict[str, Any]:
    return {name: getattr(league, name) for name in ("name", "description", "is_unlisted")}


@login_required
@never_cache
def change_league(request: HttpRequest, slug: str) -> HttpResponse:
    """A league of one's own, renamed or described anew."""
    league = find_own_league(slug, request)
    form = LeagueForm(request.POST or None, initial=read_league(league))
    if request.method == "POST" and form.is_valid():
        try:
            edit_league(league_id=league.pk, **form.cleaned_data)
            return redirect("league", slug=league.slug)
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    context = {"form": form, "league": league, **_limits(request)}
    return render(request, "desk/league_form.html", context, status=UNPROCESSABLE if form.errors else 200)


@login_required
@never_cache
def add_tournament(request: HttpRequest) -> HttpResponse:
    """First the presets, then the form that the chosen one fills in."""
    preset = request.GET.get("preset", "")
    if preset not in SHOWN_PRESETS:
        presets = [(code, preset, draw_preset(code)) for code, preset in SHOWN_PRESETS.items()]
        return render(request, "desk/presets.html", {"presets": presets, **_limits(request)})
    user = person_of(request)
    context = {"preset": SHOWN_PRESETS[preset], **_limits(request)}
    if request.method != "POST":
        return _render(request, show_spec(spec_from_preset(preset), user, is_new=True), context)
    if "redraw" in request.POST:
        return _render(request, show_anew(request.POST, user, is_new=True), context)
    if "preview" in request.POST:
        unnamed = read_sent(name_for_now(request.POST), user, is_new=True)
        return show_preview(request, unnamed.read_spec() if unnamed.are_valid() else None)
    sent = read_sent(request.POST, user, is_new=True)
    if "look" in request.POST and sent.are_valid():
        return show_look(request, sent.read_spec(), context)
    if sent.are_valid():
        try:
            made = _create(request, sent)
            if "open" in request.POST:
                open_tournament(tournament_id=made.pk, actor=user)
            return redirect("desk_entries" if "open" in request.POST else "desk_tournament", slug=made.slug)
        except LeagueError as error:
            sent.event.add_error(None, say_refusal(error))
    return _render(request, sent, context, UNPROCESSABLE)


@desk_page
def change_tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everything before the draw, and the texts at any time, by the same form; what stands says why."""
    user, spec = person_of(request), spec_of(tournament)
    locks = list_locks(tournament)
    filled: dict[str, Any] = {"locks": locks, "is_new": False}
    context = desk_context(tournament, "desk_tournament") | _limits(request)
    context |= {"locks": locks, "are_stages_locked": "stages" in locks}
    if request.method != "POST":
        return _render(request, show_spec(spec, user, **filled), context)
    if "stages" in locks:
        return _change_texts(request, tournament, show_spec(spec, user, data=request.POST, **filled), context)
    filled["initial"] = event_initial(spec)
    if "redraw" in request.POST:
        return _render(request, show_anew(request.POST, user, **filled), context)
    sent = read_sent(request.POST, user, **filled)
    if sent.are_valid():
        try:
            changed = sent.read_spec()
            require_may_run(user, changed, is_new=False)
            edit_tournament(tournament_id=tournament.id, spec=changed, actor=user)
            return redirect("desk_tournament", slug=tournament.slug)
        except LeagueError as error:
            sent.event.add_error(None, say_refusal(error))
    return _render(request, sent, context, UNPROCESSABLE)


def _change_texts(
    request: HttpRequest, tournament: Tournament, shown: SpecForms, context: dict[str, Any]
) -> HttpResponse:
    if shown.event.is_valid():
        texts = {name: shown.event.cleaned_data[name] for name in TEXTS}
        try:
            edit_texts(tournament_id=tournament.id, actor=person_of(request), **texts)
            return redirect("desk_tournament", slug=tournament.slug)
        except LeagueError as error:
            shown.event.add_error(None, say_refusal(error))
    return _render(request, shown, context, UNPROCESSABLE)


def _create(request: HttpRequest, sent: SpecForms) -> Tournament:
    spec = sent.read_spec()
    require_may_run(person_of(request), spec)
    slug = sent.event.cleaned_data.get("league")
    league: League | None = require_own_league(slug, request.user) if slug else None
    return create_tournament(spec=spec, organiser=person_of(request), league=league)


@require_POST
@desk_page
def copy_tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The same event once more, as a draft of one's own; entrants and times stay behind."""
    spec = spec_of(tournament) | {"name": (_("%(name)s again") % {"name": tournament.name})[:80]}
    if not is_organiser(person_of(request)):
        spec |= {"is_rated": False, "capacity": min(spec["capacity"] or MOST_ENTRANTS, MOST_ENTRANTS)}
    try:
        require_may_run(person_of(request), spec)
        made = create_tournament(spec=spec, organiser=person_of(request))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
        return redirect("desk_tournament", slug=tournament.slug)
    return redirect("desk_edit", slug=made.slug)


def _limits(request: HttpRequest) -> dict[str, Any]:
    """What a page says about the role of whoever looks at it."""
    return {
        "is_organiser": is_organiser(person_of(request)),
        "most_at_once": MOST_AT_ONCE,
        "most_entrants": MOST_ENTRANTS,
    }


def _render(request: HttpRequest, shown: SpecForms, context: dict[str, Any], status: int = 200) -> HttpResponse:
    stages = [(_("Stage %(number)d") % {"number": number}, form) for number, form in enumerate(shown.stages, start=1)]
    filled = {"event": shown.event, "stages": stages, "usual_entrants": USUAL_ENTRANTS}
    return render(request, "desk/tournament_form.html", {**context, **filled}, status=status)
