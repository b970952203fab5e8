"""Who takes part in a tournament, entering it by oneself, and one's teams."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import shown_field
from games.models import PlayerKind
from games.pages.words import say_refusal
from tournaments.api.teams import InvitationFormSerializer
from tournaments.models import Entrant, EntrantState, Rating
from tournaments.pages.frame import chance_context, cut_page, find_shown, frame_context
from tournaments.selectors.entrants import (
    find_own_entry,
    list_entrants,
    list_own_check_ins,
    list_own_teams,
    read_check_in,
    read_entrant_ratings,
)
from tournaments.selectors.ratings import show_rating
from tournaments.services.entry_rules import MOST_QUESTIONS, read_entry_rules
from tournaments.services.field import check_in_by_oneself
from tournaments.services.self_entry import enter_oneself, invite_partner, join_team, leave_by_oneself, read_invitation


@require_POST
@login_required
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = find_shown(request, slug).tournament
    user, team = cast(User, request.user), request.POST.get("team", "")
    try:
        given = {"contribution": request.POST.get("contribution", ""), "code": request.POST.get("code", "")}
        answers = request.POST.getlist("answer")[:MOST_QUESTIONS]
        agrees = "agrees" in request.POST
        enter_oneself(tournament=tournament, user=user, agrees=agrees, team=team, answers=answers, **given)
        messages.success(request, _("You take part."))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
        # What was typed is not lost: the page shows it again.
        return _render_entrants(request, slug, request.POST.getlist("answer")[:MOST_QUESTIONS])
    return redirect("tournament_entrants", slug)


@require_POST
@login_required
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = find_shown(request, slug).tournament
    try:
        leave_by_oneself(tournament=tournament, user=cast(User, request.user))
        messages.success(request, _("You do not take part any more."))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect("tournament_entrants", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """How the check-in stands, as a part of pages; POST says that one is there."""
    tournament = find_shown(request, slug).tournament
    if request.method != "POST":
        told = {"check_in": read_check_in(tournament), "entry": find_own_entry(tournament, request.user)}
        return render(request, "tournaments/check_in_now.html", {"tournament": tournament, **told})
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("tournament_entrants", args=[slug]))
    try:
        check_in_by_oneself(tournament=tournament, user=request.user)
        messages.success(request, _("You are checked in."))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect("tournament_entrants", slug)


@require_safe
@login_required
@never_cache
def show_own_check_ins(request: HttpRequest) -> HttpResponse:
    """A part of the page of one's matches: where one is awaited now."""
    waiting = list_own_check_ins(cast(User, request.user))
    return render(request, "tournaments/own_check_ins.html", {"waiting": waiting})


class InvitationForm(forms.Form):
    name = shown_field(
        InvitationFormSerializer,
        "name",
        label=gettext_lazy("Name of the team"),
        help_text=gettext_lazy("It stands in standings and ratings, and nobody else may have it."),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_teams(request: HttpRequest) -> HttpResponse:
    """POST shows the link for the partner in the answer itself: nothing is stored until somebody follows it."""
    user, form, link = cast(User, request.user), InvitationForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            invitation = invite_partner(name=form.cleaned_data["name"], user=user)
            link = request.build_absolute_uri(reverse("team_join", args=[invitation]))
        except LeagueError as error:
            form.add_error("name", say_refusal(error))
    return render(request, "teams/list.html", {"form": form, "link": link, "teams": list_own_teams(user)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, invitation: str) -> HttpResponse:
    try:
        read = read_invitation(invitation)
    except LeagueError as error:
        raise Http404(say_refusal(error)) from None
    user = cast(User, request.user)
    if request.method == "POST":
        try:
            team = join_team(invitation=invitation, user=user)
            messages.success(request, _("You are a team now."))
            return redirect("player", team.player.slug)
        except LeagueError as error:
            messages.error(request, say_refusal(error))
            return redirect("teams")
    return render(request, "teams/join.html", {"invitation": read, "is_own": read.inviter.owner_id == user.pk})


ENTRANTS_A_PAGE = 100


@require_safe
def show_entrants(request: HttpRequest, slug: str) -> HttpResponse:
    return _render_entrants(request, slug)


def _render_entrants(request: HttpRequest, slug: str, answers: Sequence[str] | None = None) -> HttpResponse:
    """With the answers of a form that was refused, as they were typed."""
    shown = find_shown(request, slug)
    page = cut_page(request, list_entrants(shown.tournament), ENTRANTS_A_PAGE)
    ratings = read_entrant_ratings(shown.tournament, [entrant.player_id for entrant in page.object_list])
    rows = [show_row(entrant, ratings.get(entrant.player_id)) for entrant in page.object_list]
    context = frame_context(request, shown, "tournament_entrants") | {
        "page": page,
        "rows": rows,
        "stage_links": [],
        "entry": find_own_entry(shown.tournament, request.user),
        "check_in": read_check_in(shown.tournament),
        "rules": (rules := read_entry_rules(shown.tournament)),
        "questions": list(zip_longest(rules.questions, (answers or ())[: len(rules.questions)], fillvalue="")),
        "code": request.POST.get("code") or request.GET.get("code", ""),
        **chance_context(request, shown.tournament),
    }
    return render(request, "tournaments/entrants.html", context, status=200 if answers is None else 422)


def show_row(entrant: Entrant, rating: Rating | None) -> dict[str, Any]:
    """A line of the list; kind and state in words, which a model finds anew among all choices each time."""
    return {
        "entrant": entrant,
        "kind": PlayerKind(entrant.player.kind).label,
        "state": EntrantState(entrant.state).label,
        "shown": show_rating(rating) if rating else None,
    }
