"""Who may enter by themselves, at the desk: code, ratings, invitations, questions; and the link with the code in it."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from aurum_league.common.pages import shown_field
from games.selectors.matches import find_player
from tournaments.api.entry_rules import MOST_AT_ONCE, EntryRulesFormSerializer
from tournaments.models import Tournament
from tournaments.pages.desk.access import act_on_form, desk_context, desk_page, person_of
from tournaments.services.entry_rules import (
    LONGEST_QUESTION,
    MOST_QUESTIONS,
    invite_players,
    read_entry_rules,
    set_entry_rules,
)


class RulesForm(forms.Form):
    code = shown_field(
        EntryRulesFormSerializer,
        "code",
        label=gettext_lazy("Code"),
        help_text=gettext_lazy("Whoever enters must know it; a link has it in it already. Empty: no code."),
    )
    least = shown_field(EntryRulesFormSerializer, "least", label=gettext_lazy("Least rating"), required=False)
    most = shown_field(EntryRulesFormSerializer, "most", label=gettext_lazy("Highest rating"), required=False)
    is_by_invitation = shown_field(
        EntryRulesFormSerializer, "is_by_invitation", label=gettext_lazy("Only who is invited")
    )
    questions = forms.CharField(
        label=gettext_lazy("Questions"),
        required=False,
        max_length=MOST_QUESTIONS * (LONGEST_QUESTION + 2),
        widget=forms.Textarea({"rows": 4}),
        help_text=gettext_lazy("One a line, at most five. Only the desk reads the answers."),
    )


class EntrantInviteForm(forms.Form):
    players = forms.CharField(
        label=gettext_lazy("Players"),
        max_length=100 * MOST_AT_ONCE,
        widget=forms.Textarea({"rows": 4}),
        help_text=gettext_lazy("Short names of their pages, one a line. They are told."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def show_rules(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """POST sets the rules, or invites whom the other form names."""
    if request.method != "POST":
        return _render(request, tournament)
    back = reverse("desk_entry_rules", args=[tournament.slug])
    about: dict[str, Any] = {"tournament_id": tournament.pk, "actor": person_of(request)}

    def invite(sent: dict[str, Any]) -> None:
        names = [line.strip().removeprefix("@") for line in sent["players"].splitlines() if line.strip()]
        invite_players(players=[find_player(name) for name in names[:MOST_AT_ONCE]], **about)

    def save(sent: dict[str, Any]) -> None:
        set_entry_rules(**about, **sent | {"questions": sent["questions"].splitlines()})

    if "players" in request.POST:
        form, deed, said, name = EntrantInviteForm(request.POST), invite, _("They are invited and told."), "invite_form"
        return act_on_form(request, back, form, deed, said, lambda typed: _render(request, tournament, **{name: typed}))
    return act_on_form(
        request,
        back,
        RulesForm(request.POST),
        save,
        _("The rules of entry are set."),
        lambda typed: _render(request, tournament, form=typed),
    )


def _render(request: HttpRequest, tournament: Tournament, **typed: forms.Form) -> HttpResponse:
    rules = read_entry_rules(tournament)
    initial = {name: getattr(rules, name) for name in ("code", "least", "most", "is_by_invitation")}
    address = request.build_absolute_uri(reverse("tournament_entrants", args=[tournament.slug]))
    context = desk_context(tournament, "desk_entries") | {
        "form": RulesForm(initial=initial | {"questions": "\n".join(rules.questions)}),
        "invite_form": EntrantInviteForm(),
        "invited": len(rules.invited),
        "link": f"{address}?{urlencode({'code': rules.code})}" if rules.code else address,
    }
    return render(request, "desk/entry_rules.html", context | typed)
