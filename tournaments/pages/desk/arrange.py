"""Changes by hand at the desk, each looked at before it is done: matchdays, rests, replacing, merging, splitting,
and tables pinned."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal, shown_field
from tournaments.api.arranging import ArrangingFormSerializer, list_concerned, make_deed
from tournaments.models import EntrantState, MatchdayState, Tournament, TournamentState
from tournaments.pages.desk.access import UNPROCESSABLE, act, desk_context, desk_page, person_of
from tournaments.pages.desk.times import MomentField, read_moment
from tournaments.rules.formats import FORMATS
from tournaments.rules.lifecycle import Step, can_take
from tournaments.selectors.board import PlacesChange, can_swap_days, find_merge_choices, has_table
from tournaments.selectors.desk import list_in_field, list_unplayed_days
from tournaments.selectors.leagues import find_current_stage
from tournaments.services.arrange import look_at, pin_table

Choices = Sequence[tuple[str, str]]


class ChangeForm(forms.Form):
    """Each kind of change has some of these fields; what they take is the API's."""

    entrant = forms.ChoiceField(label=gettext_lazy("Entrant"))
    player = shown_field(
        ArrangingFormSerializer,
        "player",
        required=True,
        label=gettext_lazy("Who takes over"),
        help_text=gettext_lazy("The short name in the address of the player's page, such as house-greedy."),
    )
    matchday = forms.ChoiceField(label=gettext_lazy("Matchday"))
    other = forms.ChoiceField(label=gettext_lazy("Other matchday"))
    at = MomentField(
        label=gettext_lazy("New time"),
        help_text=gettext_lazy("In the time zone of the event. Empty: as the rhythm says."),
    )
    tournament = forms.ChoiceField(label=gettext_lazy("The event that joins this one"))
    name = shown_field(ArrangingFormSerializer, "name", required=True, label=gettext_lazy("Name of the new event"))
    count = shown_field(ArrangingFormSerializer, "count", label=gettext_lazy("How many go"))
    reason = shown_field(
        ArrangingFormSerializer,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Goes into the audit trail."),
    )

    def __init__(self, data: Any, *, fields: Sequence[str], choices: dict[str, Choices], **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields = {name: self.fields[name] for name in (*fields, "reason")}
        for name, listed in choices.items():
            if name in self.fields:
                self.fields[name].choices = listed  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of change: its words and the fields it reads."""

    title: Promise
    help: Promise
    fields: tuple[str, ...]


KINDS = {
    "days": Kind(
        gettext_lazy("Swap two matchdays"),
        gettext_lazy("Their tables change places, with who rests and what is pinned."),
        ("matchday", "other"),
    ),
    "move": Kind(
        gettext_lazy("Move a matchday"),
        gettext_lazy("It is played at another time; everybody who plays is told."),
        ("matchday", "at"),
    ),
    "rest": Kind(
        gettext_lazy("A rest by wish"),
        gettext_lazy("Somebody does not play on one matchday, for no points; the others are drawn without them."),
        ("entrant", "matchday"),
    ),
    "no-rest": Kind(
        gettext_lazy("Play after all"),
        gettext_lazy("Takes such a wish back."),
        ("entrant", "matchday"),
    ),
    "replace": Kind(
        gettext_lazy("Replace an entrant"),
        gettext_lazy("Another player takes over place and points, and sits at every table that is not begun."),
        ("entrant", "player"),
    ),
    "merge": Kind(
        gettext_lazy("Merge with a small event"),
        gettext_lazy("Everybody of it enters here, in the order in which they entered there; it is cancelled."),
        ("tournament",),
    ),
    "split": Kind(
        gettext_lazy("Split a large event"),
        gettext_lazy("Some go to a new event of the same kind, so that both are about equally strong."),
        ("name", "count"),
    ),
}


def list_kinds(tournament: Tournament) -> list[str]:
    """What can be changed now."""
    stage = find_current_stage(tournament)
    made = FORMATS[stage.format]
    is_open = tournament.state == TournamentState.OPEN
    has_field = bool(stage.field) and can_take(tournament.state, Step.EDIT_DRAW)
    days = list_unplayed_days(stage)
    drawn = [number for number, state in days if state == MatchdayState.DRAWN]
    possible = {
        "days": has_field and can_swap_days(stage) and len(drawn) > 1,
        "move": bool(days) and can_take(tournament.state, Step.SET_TIMES),
        "rest": can_take(tournament.state, Step.REST) and not (made.has_bracket or made.runs_on),
        "no-rest": tournament.entrants.exclude(rests=[]).exists() and can_take(tournament.state, Step.REST),
        "replace": can_take(tournament.state, Step.REPLACE),
        "merge": is_open and bool(find_merge_choices(tournament, tournament.organiser_id)),
        "split": is_open and tournament.entrants.count() > 1,
    }
    return [kind for kind in KINDS if possible[kind]]


def make_form(tournament: Tournament, kind: str, data: Any = None) -> ChangeForm:
    stage = find_current_stage(tournament)
    numbers = [number for number, _state in list_unplayed_days(stage)]
    if kind in ("rest", "no-rest"):
        numbers = sorted({*numbers, (numbers or [0])[-1] + 1})
    days = [(str(number), str(number)) for number in numbers]
    merged = find_merge_choices(tournament, tournament.organiser_id) if kind == "merge" else []
    choices: dict[str, Choices] = {
        "matchday": days,
        "other": days,
        "entrant": [(str(pk), name) for pk, name in list_in_field(tournament)],
        "tournament": [(one.slug, one.name) for one in merged],
    }
    initial = {"name": f"{tournament.name[:77]} B", "count": max(1, tournament.entrants.count() // 2)}
    return ChangeForm(data, fields=KINDS[kind].fields, choices=choices, initial=initial, auto_id=f"{kind}_%s")


def read_sent(tournament: Tournament, kind: str, form: ChangeForm) -> dict[str, Any]:
    """What the form holds as the API takes it."""
    filled = {name: value for name, value in form.cleaned_data.items() if name != "at"}
    checked = ArrangingFormSerializer(data={"deed": kind, "stage": find_current_stage(tournament).number, **filled})
    checked.is_valid(raise_exception=True)
    return {**checked.validated_data, "at": read_moment(form.cleaned_data.get("at"), tournament)}


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def show_changes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """POST shows what would change for whom; with `confirm` it does it."""
    possible = list_kinds(tournament)
    asked = request.POST.get("kind", "")
    if request.method != "POST" or asked not in possible:
        return _render(request, tournament, {kind: make_form(tournament, kind) for kind in possible})
    form = make_form(tournament, asked, request.POST)
    made = {kind: form if kind == asked else make_form(tournament, kind) for kind in possible}
    if not form.is_valid():
        return _render(request, tournament, made, asked, status=UNPROCESSABLE)
    try:
        sent = read_sent(tournament, asked, form)
        deed = make_deed(tournament, sent, person_of(request))
        if "confirm" in request.POST:
            deed()
            messages.success(request, _("Done; it is in the audit trail."))
            return redirect("desk_changes", slug=tournament.slug)
        changes, concerned = look_at(tournament, deed), list_concerned(tournament, sent)
    except LeagueError as error:
        form.add_error(None, say_refusal(error))
        return _render(request, tournament, made, asked, status=UNPROCESSABLE)
    said = [(change, say_change(change)) for change in changes]
    return _render(request, tournament, made, asked, changes=said, concerned=concerned, looked=True)


def _render(
    request: HttpRequest,
    tournament: Tournament,
    made: dict[str, ChangeForm],
    asked: str = "",
    status: int = 200,
    **told: Any,
) -> HttpResponse:
    context = desk_context(tournament, "desk_draw") | {
        "kinds": [(kind, KINDS[kind], form, kind == asked) for kind, form in made.items()],
        **told,
    }
    return render(request, "desk/changes.html", context, status=status)


def say_change(change: PlacesChange) -> list[str]:
    """In words: a new state, then day by day."""
    said = []
    if change.state_before != change.state_after:
        said.append(EntrantState(change.state_after).label if change.state_after else _("is in no more"))
    for day, before, after in change.list_days():
        values = {"day": day, "before": say_place(before), "after": say_place(after)}
        said.append(_("matchday %(day)s: %(before)s → %(after)s") % values)
    return [str(one) for one in said]


def say_place(table: int | None) -> str:
    if table is None:
        return _("not drawn")
    return _("table %(number)s") % {"number": table} if table else _("rests")


@require_POST
@desk_page
def pin(request: HttpRequest, tournament: Tournament, fixture_id: int) -> HttpResponse:
    """Pin a table, or let it go."""
    if not has_table(tournament, fixture_id):
        raise Http404("no such table")
    is_pinned = "release" not in request.POST
    said = _("The table stays as it is through every draw.") if is_pinned else _("The table can be drawn anew.")

    def change() -> None:
        pin_table(fixture_id=fixture_id, is_pinned=is_pinned, actor=person_of(request))

    return act(request, f"{reverse('desk_draw', args=[tournament.slug])}#board", change, said)
