"""Tell, at the desk: announcements to entrants, in several languages side by side, now or at a time."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.models import Audience, Tournament
from tournaments.pages.desk.access import act, act_on_form, desk_context, desk_page, person_of
from tournaments.pages.desk.times import MomentField
from tournaments.selectors.leagues import list_announcements, say_announcement
from tournaments.services.announcements import LONGEST_TEXT, LONGEST_TITLE, announce, drop_announcement


class TellForm(forms.Form):
    """A title and a text for every language of the site; the reader's own stands first."""

    audience = forms.ChoiceField(label=gettext_lazy("To whom"), choices=Audience.choices)
    table = forms.IntegerField(
        label=gettext_lazy("Table"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=gettext_lazy("Its number, where only one table is told."),
    )
    due_at = MomentField(
        label=gettext_lazy("Not before"), help_text=gettext_lazy("In the time zone of the event. Empty: now.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = get_language() or settings.LANGUAGE_CODE
        self.languages = sorted(settings.LANGUAGES, key=lambda one: one[0] != own)
        for code, _name in self.languages:
            self.fields[f"title_{code}"] = forms.CharField(
                label=gettext_lazy("Title"), max_length=LONGEST_TITLE, required=False
            )
            self.fields[f"text_{code}"] = forms.CharField(
                label=gettext_lazy("Text"), max_length=LONGEST_TEXT, required=False, widget=forms.Textarea({"rows": 4})
            )

    def by_language(self) -> list[tuple[str, str, forms.BoundField, forms.BoundField]]:
        return [(code, name, self[f"title_{code}"], self[f"text_{code}"]) for code, name in self.languages]

    def read_texts(self) -> dict[str, dict[str, str]]:
        sent = self.cleaned_data
        return {code: {"title": sent[f"title_{code}"], "text": sent[f"text_{code}"]} for code, _name in self.languages}


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def show_tell(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = TellForm(request.POST or None)
    if request.method != "POST":
        return _render(request, tournament, form)

    def send(sent: dict[str, Any]) -> None:
        due_at = sent["due_at"]
        announce(
            tournament_id=tournament.pk,
            texts=form.read_texts(),
            audience=sent["audience"],
            table=sent["table"] if sent["audience"] == Audience.TABLE else None,
            due_at=due_at.replace(tzinfo=ZoneInfo(tournament.time_zone)) if due_at else None,
            actor=person_of(request),
        )

    back = reverse("desk_tell", args=[tournament.slug])
    return act_on_form(request, back, form, send, _("Announced."), lambda typed: _render(request, tournament, typed))


def _render(request: HttpRequest, tournament: Tournament, form: forms.Form) -> HttpResponse:
    listed = [(one, say_announcement(one, get_language() or "")) for one in list_announcements(tournament)]
    context = desk_context(tournament, "desk_tell") | {"form": form, "announcements": listed}
    return render(request, "desk/tell.html", context)


@require_POST
@desk_page
def drop(request: HttpRequest, tournament: Tournament, announcement_id: int) -> HttpResponse:
    about: dict[str, Any] = {"tournament_id": tournament.pk, "announcement_id": announcement_id}
    back = reverse("desk_tell", args=[tournament.slug])
    return act(request, back, lambda: drop_announcement(**about, actor=person_of(request)), _("Dropped."))
