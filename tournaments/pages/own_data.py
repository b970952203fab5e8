"""A person's own page, all data about them as one file, and closing the account."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from aurum_league.common.api.access import is_within_rate
from aurum_league.common.errors import LeagueError
from aurum_league.common.files import send_lines
from aurum_league.common.pages import say_refusal
from games.services.players import ensure_person
from tournaments.selectors.own_data import read_own_data
from tournaments.services.closing import close_account

TRIES_A_MINUTE = 5


@login_required
@never_cache
@require_safe
def go_to_own_page(request: HttpRequest) -> HttpResponse:
    """The page that everybody sees of one; it is there before the first match."""
    return redirect("player", ensure_person(_account(request)).slug)


@login_required
@never_cache
@require_safe
def show_own_data(request: HttpRequest) -> HttpResponse:
    return render(request, "account/own_data.html", {"has_password": _account(request).has_usable_password()})


@login_required
@never_cache
@require_safe
def download_own_data(request: HttpRequest) -> HttpResponseBase:
    return send_lines(read_own_data(_account(request)), "aurum-league-own-data")


@login_required
@require_POST
def close(request: HttpRequest) -> HttpResponse:
    """Asks for the password, or for the user name of who has none, so that an open browser is not enough."""
    user, sent = _account(request), request.POST.get("proof", "")
    is_calm = is_within_rate(f"user-{user.pk}", "closing", TRIES_A_MINUTE)
    if not is_calm or not (user.check_password(sent) if user.has_usable_password() else sent == user.username):
        messages.error(request, _("That is not right. The account stays open."))
        return redirect("own_data")
    try:
        close_account(user=user)
    except LeagueError as error:
        messages.error(request, say_refusal(error))
        return redirect("own_data")
    logout(request)
    messages.success(request, _("Your account is closed. Thank you for playing."))
    return redirect("home")


def _account(request: HttpRequest) -> Any:
    return request.user
