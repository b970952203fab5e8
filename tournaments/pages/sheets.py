"""Score sheets on a page: written at the table by its players, or at the desk; looked at first, then sent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.pages import say_refusal
from games.rules.ruleset import Ruleset
from games.rules.score_sheet import MOST_ROUNDS, Reckoning, SheetLine
from tournaments.models import FixtureMatch, ScoreSheet, SheetState, Tournament
from tournaments.pages.desk.access import UNPROCESSABLE, act, desk_context, desk_page_for, person_of
from tournaments.selectors.desk import find_desk_match, find_sheet_match, name_sides
from tournaments.selectors.rights import Right
from tournaments.services.sheets import (
    Sheet,
    accept_sheet,
    confirm_sheet,
    dispute_result,
    dispute_sheet,
    enter_sheet,
    read_rounds,
    reckon,
    take_back_sheet,
    write_sheet,
)

USUAL_ROUNDS = 3
LONGEST_GOLD = 15
TOLD = N_("The organiser is told, and decides.")


class SheetForm(forms.Form):
    """A row of three figures for every side in every round; the gold as digits, one for each card."""

    def __init__(self, data: Any = None, *, sides: Sequence[str], rounds: int, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.sides, self.rounds = sides, rounds
        for number in range(1, rounds + 1):
            for side, name in enumerate(sides):
                about = {"name": name, "number": number}
                key = f"round{number}_side{side}"
                self.fields[f"{key}_bid"] = _figure(_("Bid of %(name)s in round %(number)s") % about, 10)
                self.fields[f"{key}_tricks"] = _figure(_("Tricks of %(name)s in round %(number)s") % about, 20)
                self.fields[f"{key}_gold"] = forms.RegexField(
                    r"^[0-8 ,]*$",
                    label=_("Gold of %(name)s in round %(number)s") % about,
                    required=False,
                    max_length=2 * LONGEST_GOLD,
                    error_messages={"invalid": _("Write a digit from 0 to 8 for each gold card.")},
                    widget=forms.TextInput({"inputmode": "numeric", "autocomplete": "off"}),
                )
        for side, name in enumerate(sides):
            self.fields[f"place{side}"] = _figure(_("Place of %(name)s") % {"name": name}, len(sides))
            self.fields[f"lot{side}"] = _figure(_("Lot of %(name)s") % {"name": name}, len(sides))

    def rows(self) -> list[tuple[int, list[tuple[str, list[forms.BoundField]]]]]:
        """What the template draws: round by round, side by side, its three fields."""
        return [
            (
                number,
                [
                    (name, [self[f"round{number}_side{side}_{part}"] for part in ("bid", "tricks", "gold")])
                    for side, name in enumerate(self.sides)
                ],
            )
            for number in range(1, self.rounds + 1)
        ]

    def places(self) -> list[tuple[str, forms.BoundField]]:
        return [(name, self[f"place{side}"]) for side, name in enumerate(self.sides)]

    def lots(self) -> list[tuple[str, forms.BoundField]]:
        return [(name, self[f"lot{side}"]) for side, name in enumerate(self.sides)]

    def read_sheet(self) -> Sheet:
        """Rounds as far as they are filled in; a coded error where one is half filled."""
        sent = self.cleaned_data
        rounds = []
        for number in range(1, self.rounds + 1):
            keys = [f"round{number}_side{side}" for side in range(len(self.sides))]
            figures = [sent.get(f"{key}_{part}") for key in keys for part in ("bid", "tricks")]
            if all(one is None for one in figures):
                break
            if any(one is None for one in figures):
                message = gettext_lazy("Round %(number)s lacks a bid or tricks.") % {"number": number}
                self.add_error(None, message)
                break
            rounds.append(tuple(SheetLine(sent[f"{key}_bid"], sent[f"{key}_tricks"], _gold(sent, key)) for key in keys))
        lots = sorted((sent[f"lot{side}"], side) for side in range(len(self.sides)) if sent.get(f"lot{side}"))
        places = [sent.get(f"place{side}") for side in range(len(self.sides))]
        if not rounds and any(one is None for one in places) and not self.errors:
            self.add_error(None, _("Write down the rounds, or give every side its place."))
        given = tuple(one for one in places if one is not None)
        return Sheet(tuple(rounds), tuple(side for _lot, side in lots), given if not rounds else ())


def _figure(label: str, most: int) -> forms.IntegerField:
    widget = forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=most, widget=widget)


def _gold(sent: dict[str, Any], key: str) -> tuple[int, ...]:
    return tuple(int(digit) for digit in sent.get(f"{key}_gold") or "" if digit.isdecimal())


@dataclass(frozen=True, slots=True)
class Written:
    """A sheet as it was sent: what the form holds, and what it comes to where it can be so."""

    form: SheetForm
    sheet: Sheet | None = None
    places: tuple[int, ...] = ()
    told: Reckoning | None = None


def read_written(request: HttpRequest, link: FixtureMatch, sides: Sequence[str]) -> Written:
    asked = request.POST.get("rounds", "")
    rounds = min(max(int(asked), 1), MOST_ROUNDS) if asked.isdecimal() and len(asked) < 3 else USUAL_ROUNDS
    if "more" in request.POST:
        return Written(SheetForm(initial=request.POST.dict(), sides=sides, rounds=min(rounds + 1, MOST_ROUNDS)))
    form = SheetForm(request.POST if request.method == "POST" else None, sides=sides, rounds=rounds)
    if request.method != "POST" or not form.is_valid():
        return Written(form)
    sheet = form.read_sheet()
    if form.errors:
        return Written(form)
    try:
        result, told = reckon(Ruleset.from_code(link.match.ruleset), sheet)
    except LeagueError as error:
        form.add_error(None, say_refusal(error))
        return Written(form)
    return Written(form, sheet, result.places, told)


def show_told(sides: Sequence[str], places: Sequence[int], told: Reckoning | None) -> dict[str, Any]:
    """What a sheet comes to, for the template: round by round points and nuggets, then places."""
    rounds = [
        (number, [(score, side in one.winners) for side, score in enumerate(one.scores)])
        for number, one in enumerate(told.rounds if told else (), start=1)
    ]
    result = told.result if told else None
    totals = list(zip(result.nuggets, result.totals, strict=True)) if result else []
    ranked = sorted(zip(places, sides, strict=True))
    return {"told_rounds": rounds, "told_totals": totals, "ranked": ranked, "sides": sides}


def _show_written(report: ScoreSheet, ruleset: Ruleset, sides: Sequence[str]) -> dict[str, Any]:
    sheet = Sheet(read_rounds(report.rounds), tuple(report.lots), tuple(report.places))
    told = reckon(ruleset, sheet)[1]
    return {"report": report, **show_told(sides, report.places, told)}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def show_table_sheet(request: HttpRequest, match_id: int) -> HttpResponse:
    """One's own table: to be written down, waiting for another's word, or with its result."""
    found = find_sheet_match(match_id, cast(User, request.user))
    if found is None:
        raise Http404("no such table of yours")
    link, seat, report = found
    sides = name_sides(link)
    context: dict[str, Any] = {"link": link, "tournament": link.stage.tournament, "sides": sides, "own_side": seat.side}
    is_open = report is None and not hasattr(link.match, "result")
    status = 200
    if is_open:
        written = read_written(request, link, sides)
        if written.sheet is not None and "send" in request.POST:
            return _send(request, link.match_id, written.sheet)
        context |= {"form": written.form, "can_send": written.sheet is not None}
        context |= show_told(sides, written.places, written.told) if written.sheet else {}
        status = UNPROCESSABLE if written.form.errors else 200
    elif report is not None:
        context |= _show_written(report, Ruleset.from_code(link.match.ruleset), sides)
        waits = report.state == SheetState.OPEN
        reporter = next((one.side for one in link.match.seats.all() if one.seat == report.seat), None)
        context |= {"can_confirm": waits and reporter != seat.side, "can_take_back": waits and reporter == seat.side}
    if result := getattr(link.match, "result", None):
        is_other = report is None or result.counted_places != report.places
        context |= {"stands": sorted(zip(result.counted_places, sides, strict=True)) if is_other else []}
        context |= {"can_dispute": report is None or report.state == SheetState.COUNTED}
    return render(request, "tournaments/sheet.html", context, status=status)


def _send(request: HttpRequest, match_id: int, sheet: Sheet) -> HttpResponse:
    try:
        write_sheet(match_id=match_id, user=cast(User, request.user), sheet=sheet)
        messages.success(request, _("Reported. It counts once somebody of another side confirms it."))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect("table_sheet", match_id)


@require_POST
@login_required
def answer_sheet(request: HttpRequest, match_id: int, deed: str) -> HttpResponse:
    """Confirm, dispute or take back what was reported of one's own table; dispute what counts without a report too."""
    user, note = cast(User, request.user), request.POST.get("note", "")
    found = find_sheet_match(match_id, user)
    report = found[2] if found else None
    if report is not None:
        sheet_id = report.pk
        deeds: dict[str, tuple[Callable[[], object], str]] = {
            "confirm": (lambda: confirm_sheet(sheet_id=sheet_id, user=user), _("Confirmed: the result counts.")),
            "dispute": (lambda: dispute_sheet(sheet_id=sheet_id, user=user, note=note), _(TOLD)),
            "take-back": (lambda: take_back_sheet(sheet_id=sheet_id, user=user), _("Taken back: write it down again.")),
        }
    else:
        deeds = {"dispute": (lambda: dispute_result(match_id=match_id, user=user, note=note), _(TOLD))}
    if found is None or deed not in deeds:
        raise Http404("no such report")
    return act(request, reverse("table_sheet", args=[match_id]), *deeds[deed])


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page_for(Right.RESULTS)
def show_sheet(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """The score sheet of any match at the desk; it counts at once."""
    link = find_desk_match(tournament, match_id)
    if link is None:
        raise Http404("no such match")
    sides = name_sides(link)
    written = read_written(request, link, sides)
    if written.sheet is not None and "send" in request.POST:
        try:
            reason = request.POST.get("reason", "").strip()[:400] or "score sheet"
            enter_sheet(match_id=match_id, sheet=written.sheet, reason=reason, actor=person_of(request))
            messages.success(request, _("The result stands."))
            return redirect(reverse("desk_match", args=[tournament.slug, match_id]))
        except LeagueError as error:
            written.form.add_error(None, say_refusal(error))
    context = desk_context(tournament, "desk_matches") | {"link": link, "form": written.form, "sides": sides}
    context |= {"can_send": written.sheet is not None, "reason": request.POST.get("reason", "")}
    context |= show_told(sides, written.places, written.told) if written.sheet else {}
    return render(request, "desk/sheet.html", context, status=UNPROCESSABLE if written.form.errors else 200)


@require_POST
@desk_page_for(Right.RESULTS)
def accept(request: HttpRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """Let what was reported count by the organiser's word."""
    link = find_desk_match(tournament, match_id)
    report = link and link.match.sheets.filter(state__in=(SheetState.OPEN, SheetState.DISPUTED)).first()
    if not report:
        raise Http404("no such report")
    try:
        accept_sheet(sheet_id=report.pk, actor=person_of(request), reason=request.POST.get("reason", ""))
        messages.success(request, _("The result stands."))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect(reverse("desk_match", args=[tournament.slug, match_id]))
