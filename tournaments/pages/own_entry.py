"""Entering a tournament by oneself, and leaving it."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from aurum_league.common.errors import LeagueError
from games.pages.refusals import say_refusal
from tournaments.pages.frame import find_shown
from tournaments.services.self_entry import enter_oneself, leave_by_oneself


@require_POST
@login_required
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = find_shown(request, slug).tournament
    user, team = cast(User, request.user), request.POST.get("team", "")
    try:
        enter_oneself(tournament=tournament, user=user, agrees="agrees" in request.POST, team=team)
        messages.success(request, _("You take part."))
    except LeagueError as error:
        messages.error(request, say_refusal(error))
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
