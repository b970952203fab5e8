"""Entries at the desk: who is in, entering others, seeds, pairs kept apart, and what happens to one entrant."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from aurum_league.common.pages import shown_field
from bots.brains import BRAINS
from games.models import PlayerKind
from games.selectors.matches import find_player, list_players
from tournaments.api.entrants import (
    HouseFormSerializer,
    ReasonFormSerializer,
    ReplacementFormSerializer,
)
from tournaments.api.running import PairFormSerializer
from tournaments.api.teams import NameFormSerializer, TeamFormSerializer
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.pages.desk.access import act, act_on_form, desk_context, desk_page_for, person_of
from tournaments.pages.desk.times import MomentField, read_moment, show_moment
from tournaments.pages.frame import cut_page
from tournaments.rules.lifecycle import Step, can_take
from tournaments.rules.pairing import TableKind
from tournaments.selectors.desk import MOST_FOUND, find_free_players, find_last_list, list_conflicts, list_in_field
from tournaments.selectors.entrants import AWAITED, list_entrants, read_check_in
from tournaments.selectors.leagues import GONE
from tournaments.selectors.rights import Right
from tournaments.services.entries import disqualify_entrant, enter_late, enter_now, replace_entrant, withdraw_entrant
from tournaments.services.field import (
    allow_meeting,
    check_in_entrant,
    check_in_many,
    close_check_in,
    ensure_house_players,
    keep_apart,
    seed_entrants,
    set_check_in_end,
)
from tournaments.services.guests import rename_guest
from tournaments.services.self_entry import enter_new_team

ENTRANTS_A_PAGE = 100
LONGEST_NUMBER = 6
MOST_TICKED, LONGEST_ID = 1000, 18


class HouseForm(forms.Form):
    brain = shown_field(
        HouseFormSerializer,
        "brain",
        label=gettext_lazy("House bot"),
        choices=[(brain.name, brain.title) for brain in BRAINS],
    )
    count = shown_field(
        HouseFormSerializer,
        "count",
        label=gettext_lazy("How many in all"),
        initial=3,
        help_text=gettext_lazy("Several of one kind are numbered; those who are in already are counted."),
    )


class ReasonForm(forms.Form):
    reason = shown_field(
        ReasonFormSerializer,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Goes into the audit trail; everybody can read why an entrant is out."),
    )


class NameForm(forms.Form):
    name = shown_field(NameFormSerializer, "name", label=gettext_lazy("Name"))


class ReplacementForm(ReasonForm):
    player = shown_field(
        ReplacementFormSerializer,
        "player",
        label=gettext_lazy("Who takes over"),
        help_text=gettext_lazy("The short name in the address of the player's page, such as house-greedy."),
    )


class CheckInForm(forms.Form):
    ends_at = MomentField(
        label=gettext_lazy("Check-in ends"),
        help_text=gettext_lazy("In the time zone of the event. Empty: it ends with the draw."),
    )


class TeamForm(forms.Form):
    """The name of a new team and its players; the service judges whether they can be one."""

    name = shown_field(TeamFormSerializer, "name", label=gettext_lazy("Name of the team"))
    first = shown_field(TeamFormSerializer, "members", label=gettext_lazy("Player"))
    second = shown_field(
        TeamFormSerializer,
        "members",
        label=gettext_lazy("Partner"),
        help_text=gettext_lazy("The short names in the addresses of the players' pages."),
    )


class ApartForm(forms.Form):
    """Two entrants from a list, where the API takes their ids; the service judges whether they can be kept apart."""

    first = forms.TypedChoiceField(label=gettext_lazy("Entrant"), coerce=int)
    second = forms.TypedChoiceField(label=gettext_lazy("Other entrant"), coerce=int)
    reason = shown_field(PairFormSerializer, "reason", label=gettext_lazy("Reason"))

    def __init__(self, *args: Any, choices: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]


@require_safe
@desk_page_for(Right.DESK)
def show_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _render(request, tournament)


def _render(request: HttpRequest, tournament: Tournament, **typed: forms.Form) -> HttpResponse:
    """The page, with a form that could not be done as it was typed."""
    page = cut_page(request, list_entrants(tournament), ENTRANTS_A_PAGE)
    asked = request.GET.get("find", "")
    context = desk_context(tournament, "desk_entries") | {
        "page": page,
        "asked": asked,
        "found": find_free_players(tournament, asked),
        "most_found": MOST_FOUND,
        "conflicts": list_conflicts(tournament),
        "can_enter": can_take(tournament.state, Step.ENTER),
        "can_enter_late": can_take(tournament.state, Step.ENTER_LATE),
        "can_seed": can_take(tournament.state, Step.SEED),
        "check_in": read_check_in(tournament),
        "last_list": find_last_list(tournament) if can_take(tournament.state, Step.ENTER) else None,
        "house_form": HouseForm(),
    }
    if tournament.table_kind == TableKind.TEAMS4 and can_take(tournament.state, Step.ENTER):
        context["team_form"] = TeamForm(auto_id="team_%s")
    if tournament.needs_check_in and can_take(tournament.state, Step.SET_CHECK_IN):
        ends_at = show_moment(tournament.check_in_ends_at, tournament)
        context["check_in_form"] = CheckInForm(initial={"ends_at": ends_at})
    if can_take(tournament.state, Step.KEEP_APART):
        context["apart_form"] = ApartForm(choices=list_in_field(tournament))
    return render(request, "desk/entries.html", context | typed)


@require_POST
@desk_page_for(Right.DESK)
def add_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    slugs = [slug for slug in request.POST.getlist("player")[:MOST_FOUND] if "\x00" not in slug]
    players = list(list_players().filter(slug__in=slugs).order_by("name"))
    said = _("%(count)d entered.") % {"count": len(players)}

    def enter() -> None:
        enter_now(tournament=tournament, players=players, actor=person_of(request))

    return act(request, _entries(tournament), enter, said)


@require_POST
@desk_page_for(Right.DESK)
def add_house_bots(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = HouseForm(request.POST)

    def enter(sent: dict[str, Any]) -> None:
        players = ensure_house_players({sent["brain"]: sent["count"]})
        enter_now(tournament=tournament, players=players, actor=person_of(request))

    show = _show(request, tournament, "house_form")
    return act_on_form(request, _entries(tournament), form, enter, _("The house bots are entered."), show)


@require_POST
@desk_page_for(Right.DESK)
def add_team(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = TeamForm(request.POST, auto_id="team_%s")

    def enter(sent: dict[str, Any]) -> None:
        members = (find_player(sent["first"]), find_player(sent["second"]))
        enter_new_team(tournament_id=tournament.id, name=sent["name"], members=members, actor=person_of(request))

    show = _show(request, tournament, "team_form")
    return act_on_form(request, _entries(tournament), form, enter, _("The team is entered."), show)


@require_POST
@desk_page_for(Right.DESK)
def save_seeds(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Numbers typed beside entrants; who is on another page of the list keeps the seed they have."""
    seeds = {}
    for entrant in list_entrants(tournament):
        typed = request.POST.get(f"seed-{entrant.id}")
        if typed is None:
            seeds[entrant.id] = entrant.seed_number or 0
        else:
            seeds[entrant.id] = int(typed) if typed.isdecimal() and len(typed) <= LONGEST_NUMBER else 0
    order = [entrant_id for entrant_id, seed in sorted(seeds.items(), key=lambda item: item[1]) if seed]
    return act(
        request,
        _entries(tournament),
        lambda: seed_entrants(tournament_id=tournament.id, order=order, actor=person_of(request)),
        _("The seeds are saved."),
    )


@require_POST
@desk_page_for(Right.DESK)
def add_conflict(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = ApartForm(request.POST, choices=list_in_field(tournament))

    def part(sent: dict[str, Any]) -> None:
        pair = (sent["first"], sent["second"])
        keep_apart(tournament_id=tournament.id, pair=pair, reason=sent["reason"], actor=person_of(request))

    said, show = _("They are kept apart from the next draw on."), _show(request, tournament, "apart_form")
    return act_on_form(request, _entries(tournament), form, part, said, show)


@require_POST
@desk_page_for(Right.DESK)
def drop_conflict(request: HttpRequest, tournament: Tournament, conflict_id: int) -> HttpResponse:
    conflict = next((one for one in list_conflicts(tournament) if one.pk == conflict_id), None)
    if conflict is None:
        raise Http404("no such pair")
    pair = (conflict.first_id, conflict.second_id)
    return act(
        request,
        _entries(tournament),
        lambda: allow_meeting(tournament_id=tournament.id, pair=pair, actor=person_of(request)),
        _("They may meet from the next draw on."),
    )


@require_POST
@desk_page_for(Right.DESK)
def change_check_in_end(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    def change(sent: dict[str, Any]) -> None:
        ends_at = read_moment(sent["ends_at"], tournament)
        set_check_in_end(tournament_id=tournament.id, ends_at=ends_at, actor=person_of(request))

    said, show = _("The end of check-in is set."), _show(request, tournament, "check_in_form")
    return act_on_form(request, _entries(tournament), CheckInForm(request.POST), change, said, show)


@require_POST
@desk_page_for(Right.DESK)
def check_in(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Those ticked in the list, everybody who is entered, or the end of it, by the button that was pressed."""
    about: dict[str, Any] = {"tournament_id": tournament.id, "actor": person_of(request)}
    if "close" in request.POST:
        said = _("The check-in is closed. Who is missing is set aside, and can come back until the draw.")
        return act(request, _entries(tournament), lambda: close_check_in(**about), said)
    chosen = None if "all" in request.POST else read_numbers(request.POST.getlist("entrant"))
    said = _("They are checked in.")
    return act(request, _entries(tournament), lambda: check_in_many(entrant_ids=chosen, **about), said)


def read_numbers(sent: list[str]) -> list[int]:
    """Ids as a form sends them; what is none is passed over."""
    return [int(one) for one in sent[:MOST_TICKED] if one.isdecimal() and len(one) <= LONGEST_ID]


@require_safe
@desk_page_for(Right.DESK)
def show_entrant(request: HttpRequest, tournament: Tournament, entrant_id: int) -> HttpResponse:
    return _render_entrant(request, tournament, _find(tournament, entrant_id))


def _render_entrant(
    request: HttpRequest, tournament: Tournament, entrant: Entrant, **typed: forms.Form
) -> HttpResponse:
    is_in = entrant.state not in GONE
    context = desk_context(tournament, "desk_entries") | {
        "entrant": entrant,
        "can_check_in": entrant.state in AWAITED and can_take(tournament.state, Step.CHECK_IN),
        "can_return": entrant.state == EntrantState.ABSENT and can_take(tournament.state, Step.ENTER_LATE),
        "can_leave": (is_in or entrant.state in (EntrantState.WAITING, EntrantState.ABSENT))
        and can_take(tournament.state, Step.LEAVE),
        "can_replace": is_in and can_take(tournament.state, Step.REPLACE),
        "reason_form": ReasonForm(),
        "replacement_form": ReplacementForm(auto_id="new_%s"),
        "rename_form": NameForm(initial={"name": entrant.player.name}, auto_id="name_%s")
        if entrant.player.kind == PlayerKind.GUEST
        else None,
    }
    return render(request, "desk/entrant.html", context | typed)


@require_POST
@desk_page_for(Right.DESK)
def change_entrant(request: HttpRequest, tournament: Tournament, entrant_id: int, deed: str) -> HttpResponse:
    entrant = _find(tournament, entrant_id)
    about: dict[str, Any] = {"entrant_id": entrant.id, "actor": person_of(request)}
    taken = ReplacementForm(request.POST, auto_id="new_%s")
    deeds: dict[str, tuple[str, forms.Form, Callable[[dict[str, Any]], object]]] = {
        "check-in": ("form", forms.Form(request.POST), lambda sent: check_in_entrant(**about, at_desk=True)),
        "withdraw": ("reason_form", ReasonForm(request.POST), lambda sent: withdraw_entrant(**about, **sent)),
        "disqualify": ("reason_form", ReasonForm(request.POST), lambda sent: disqualify_entrant(**about, **sent)),
        "return": (
            "form",
            forms.Form(request.POST),
            lambda sent: enter_late(tournament_id=tournament.id, player=entrant.player, actor=person_of(request)),
        ),
        "rename": (
            "rename_form",
            NameForm(request.POST, auto_id="name_%s"),
            lambda sent: rename_guest(**about, name=sent["name"]),
        ),
        "replace": (
            "replacement_form",
            taken,
            lambda sent: replace_entrant(**about, player=find_player(sent["player"]), reason=sent["reason"]),
        ),
    }
    if deed not in deeds:
        raise Http404("no such deed")
    back = reverse("desk_entrant", args=[tournament.slug, entrant.id])
    name, form, change = deeds[deed]

    def show(typed: forms.Form) -> HttpResponse:
        return _render_entrant(request, tournament, _find(tournament, entrant_id), **{name: typed})

    return act_on_form(request, back, form, change, _("Done; it is in the audit trail."), show)


def _find(tournament: Tournament, entrant_id: int) -> Entrant:
    entrant = list_entrants(tournament).filter(pk=entrant_id).first()
    if entrant is None:
        raise Http404("no such entrant")
    return entrant


def _show(request: HttpRequest, tournament: Tournament, name: str) -> Callable[[forms.Form], HttpResponse]:
    """How the page is shown again with this form as it was typed."""
    return lambda form: _render(request, tournament, **{name: form})


def _entries(tournament: Tournament) -> str:
    return reverse("desk_entries", args=[tournament.slug])
