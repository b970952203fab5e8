"""One's teams: inviting a partner, and saying yes to an invitation."""

from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from aurum_league.common.errors import LeagueError
from games.pages.refusals import say_refusal
from tournaments.selectors.teams import list_own_teams
from tournaments.services.teams import invite_partner, join_team, read_invitation


class InvitationForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name of the team"),
        max_length=40,
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
