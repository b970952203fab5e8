"""The next season at the desk: who would go up, down or stay, and the button that makes it so."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from aurum_league.common.errors import LeagueError
from aurum_league.common.refusals import say_refusal
from tournaments.models import Tournament
from tournaments.pages.desk.access import UNPROCESSABLE, desk_context, desk_page, person_of
from tournaments.services.next_season import MOST_MOVES, Move, SeasonPlan, create_next_season, plan_next_season

USUAL_MOVES = 1
MOVE_WORDS = {Move.UP: _("goes up"), Move.DOWN: _("goes down"), Move.STAYS: ""}


class SeasonForm(forms.Form):
    moves = forms.IntegerField(
        label=_("How many go up and down"),
        min_value=0,
        max_value=MOST_MOVES,
        help_text=_("Between each division and the next. They keep their sizes."),
    )
    name = forms.CharField(
        label=_("Name"), max_length=80, required=False, help_text=_("Empty: the league's name and the season's number.")
    )


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def show_next_season(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A preview for the number asked for; what is sent makes it."""
    sent = request.POST if request.method == "POST" else request.GET
    form = SeasonForm({"moves": USUAL_MOVES, "name": "", **sent.dict()})
    plan: SeasonPlan | None = None
    if form.is_valid():
        try:
            if request.method == "POST":
                made = create_next_season(
                    tournament_id=tournament.id, actor=person_of(request), **form.cleaned_data
                )
                return redirect("desk_tournament", slug=made.slug)
            plan = plan_next_season(tournament=tournament, moves=form.cleaned_data["moves"])
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    context = desk_context(tournament, "desk_tournament") | {"form": form, "plan": plan, "divisions": _show(plan)}
    return render(request, "desk/next_season.html", context, status=UNPROCESSABLE if form.errors else 200)


def _show(plan: SeasonPlan | None) -> list[list[tuple[str, object]]]:
    """Names of each division with what happens to them."""
    divisions = plan.divisions if plan else ()
    return [[(place.entrant.player.name, MOVE_WORDS[place.move]) for place in division] for division in divisions]
