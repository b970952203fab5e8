"""Who helps with an event: invitations by link, roles, handing it over; and joining by such a link."""

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
from django.views.decorators.http import require_http_methods, require_POST

from aurum_league.common.errors import LeagueError
from aurum_league.common.refusals import say_refusal
from tournaments.models import Role, Tournament
from tournaments.pages.desk.access import UNPROCESSABLE, act, desk_context, desk_page, person_of
from tournaments.selectors.desk import list_helpers
from tournaments.selectors.rights import require_owner
from tournaments.services.leagues import set_unlisted
from tournaments.services.roles import (
    hand_over,
    invite_helper,
    join_as_helper,
    read_helper_invitation,
    remove_helper,
)


class InviteForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("What they may do"), choices=Role.choices)
    for_league = forms.BooleanField(
        label=gettext_lazy("For the whole league"),
        required=False,
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
