"""Who may sit at the desk of an event, what its pages share, and how a deed is done and reported."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from aurum_league.common.errors import LeagueError
from aurum_league.common.refusals import say_refusal
from tournaments.models import League, Tournament
from tournaments.selectors.rights import require_own_league, require_own_tournament

P = ParamSpec("P")
UNPROCESSABLE = 422


def person_of(request: HttpRequest) -> User:
    return cast(User, request.user)


def desk_page(
    view: Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """The view for the tournament of that address: for its organiser and the staff, nobody else."""

    @wraps(view)
    def page(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with _refusals_as_pages():
            tournament = require_own_tournament(slug, request.user)
        return view(request, tournament, *args, **kwargs)

    return cast(Callable[Concatenate[HttpRequest, str, P], HttpResponse], login_required(never_cache(page)))


def find_own_league(slug: str, request: HttpRequest) -> League:
    """The league of that address, for its organiser and the staff."""
    with _refusals_as_pages():
        return require_own_league(slug, request.user)


@contextmanager
def _refusals_as_pages() -> Iterator[None]:
    try:
        yield
    except LeagueError as error:
        if error.status == 403:
            raise PermissionDenied(say_refusal(error)) from None
        raise Http404(say_refusal(error)) from None


def desk_context(tournament: Tournament, tab: str) -> dict[str, Any]:
    """The context of templates/desk/frame.html."""
    tabs = (
        (_("Overview"), "desk_tournament"),
        (_("Entries"), "desk_entries"),
        (_("When"), "desk_times"),
        (_("Draw"), "desk_draw"),
        (_("Matches"), "desk_matches"),
        (_("Audit trail"), "desk_trail"),
    )
    return {
        "tournament": tournament,
        "crumbs": [(_("Organiser's desk"), reverse("desk"))],
        "tabs": [(name, reverse(view, args=[tournament.slug])) for name, view in tabs],
        "tab": reverse(tab, args=[tournament.slug]),
    }


def act(request: HttpRequest, back: str, deed: Callable[[], object], said: str) -> HttpResponse:
    """Do what was asked and say so, or say why it cannot be done; then show the page again."""
    try:
        deed()
        messages.success(request, said)
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect(back)


def act_on_form(
    request: HttpRequest,
    back: str,
    form: forms.Form,
    deed: Callable[[dict[str, Any]], object],
    said: str,
    show: Callable[[forms.Form], HttpResponse],
) -> HttpResponse:
    """The same with what a form holds; where that cannot be done, `show` gives the page with what was typed."""
    if form.is_valid():
        try:
            deed(form.cleaned_data)
            messages.success(request, said)
            return redirect(back)
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    messages.error(request, "; ".join(_list_errors(form)))
    answer = show(form)
    answer.status_code = UNPROCESSABLE
    return answer


def _list_errors(form: forms.Form) -> Iterator[str]:
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else None
        yield f"{label}: {errors[0]}" if label else str(errors[0])
