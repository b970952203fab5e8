"""Who may sit at the desk of an event, how a deed is done there; who helps, by invitation, and handing it over."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import Refused, say_refusal, shown_field
from tournaments.api.desk import InviteFormSerializer
from tournaments.models import League, Tournament
from tournaments.selectors.desk import list_helpers
from tournaments.selectors.rights import Right, require_own_league, require_own_tournament, require_owner
from tournaments.services.leagues import set_unlisted
from tournaments.services.roles import (
    hand_over,
    invite_helper,
    join_as_helper,
    read_helper_invitation,
    remove_helper,
)

P = ParamSpec("P")
UNPROCESSABLE = 422


def person_of(request: HttpRequest) -> User:
    return cast(User, request.user)


View = Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse]
Page = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def desk_page(view: View[P]) -> Page[P]:
    """The view for the tournament of that address: everybody at its desk looks, who runs it acts."""
    return desk_page_for(Right.RUN)(view)


def desk_page_for(right: Right) -> Callable[[View[P]], Page[P]]:
    """The same where another right is enough to act."""

    def decorate(view: View[P]) -> Page[P]:
        @wraps(view)
        def page(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            asked = Right.LOOK if request.method in ("GET", "HEAD") else right
            with _refusals_as_pages():
                tournament = require_own_tournament(slug, request.user, asked)
            return view(request, tournament, *args, **kwargs)

        return cast(Page[P], login_required(never_cache(page)))

    return decorate


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
            raise Refused(say_refusal(error)) from None
        raise Http404(say_refusal(error)) from None


def desk_context(tournament: Tournament, tab: str) -> dict[str, Any]:
    """The context of templates/desk/frame.html."""
    tabs = (
        (_("Overview"), "desk_tournament"),
        (_("Entries"), "desk_entries"),
        (_("When"), "desk_times"),
        (_("Draw"), "desk_draw"),
        (_("Matches"), "desk_matches"),
        (pgettext("desk", "Tell"), "desk_tell"),
        (_("Who"), "desk_helpers"),
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


class InviteForm(forms.Form):
    role = shown_field(InviteFormSerializer, "role", label=gettext_lazy("What they may do"))
    for_league = shown_field(
        InviteFormSerializer,
        "for_league",
        label=gettext_lazy("For the whole league"),
        help_text=gettext_lazy("Every season of it, the coming ones too."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def show_helpers(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """POST makes a link, shown in the answer itself: nothing is stored until somebody follows it."""
    user, link = person_of(request), ""
    is_owner = user.is_staff or tournament.organiser_id == user.pk
    form = InviteForm(request.POST if request.method == "POST" else None)
    if tournament.league_id is None:
        del form.fields["for_league"]
    if request.method == "POST" and form.is_valid():
        try:
            require_owner(tournament.slug, user)
            text = invite_helper(tournament=tournament, inviter=user, **form.cleaned_data)
            link = request.build_absolute_uri(reverse("helper_join", args=[text]))
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    context = desk_context(tournament, "desk_helpers") | {
        "form": form,
        "link": link,
        "helpers": list_helpers(tournament),
        "is_owner": is_owner,
    }
    return render(request, "desk/helpers.html", context, status=UNPROCESSABLE if form.errors else 200)


@require_POST
@desk_page
def change_helpers(request: HttpRequest, tournament: Tournament, deed: str) -> HttpResponse:
    """Take a helper's role away, hand the event over, or take it out of the lists and back."""
    user = person_of(request)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "actor": user}
    sent = request.POST.get("helper", "")
    helper_id = int(sent) if sent.isdecimal() and len(sent) <= 18 else 0
    deeds = {
        "remove": lambda: remove_helper(helper_id=helper_id, **about),
        "hand-over": lambda: hand_over(username=request.POST.get("username", "")[:150].replace("\x00", ""), **about),
        "unlist": lambda: set_unlisted(is_unlisted=True, **about),
        "list": lambda: set_unlisted(is_unlisted=False, **about),
    }
    if deed not in deeds:
        raise Http404("no such deed")

    def change() -> None:
        require_owner(tournament.slug, user)
        deeds[deed]()

    back = reverse("desk_helpers", args=[tournament.slug])
    return act(request, back, change, _("Done; it is in the audit trail."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, invitation: str) -> HttpResponse:
    try:
        read = read_helper_invitation(invitation)
    except LeagueError as error:
        raise Http404(say_refusal(error)) from None
    if request.method == "POST":
        try:
            join_as_helper(invitation=invitation, user=cast(User, request.user))
            messages.success(request, _("You help now."))
        except LeagueError as error:
            messages.error(request, say_refusal(error))
        return redirect("desk")
    return render(request, "desk/join.html", {"invitation": read})
