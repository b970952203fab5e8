"""Entries by list at the desk: pasted or from a file, looked at line by line, then entered, and undone."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal, say_sentence, shown_field
from tournaments.api.teams import ListFormSerializer
from tournaments.models import Tournament
from tournaments.pages.desk.access import UNPROCESSABLE, act, act_on_form, desk_context, desk_page_for, person_of
from tournaments.selectors.rights import Right
from tournaments.services.guests import LONGEST_TEXT, Line, LineDeed, enter_list, plan_list, takes_guests, undo_list

DEED_WORDS = {
    LineDeed.PLAYER: gettext_lazy("enters with their account"),
    LineDeed.GUEST: gettext_lazy("enters as a guest"),
    LineDeed.NOTHING: gettext_lazy("nothing changes"),
    LineDeed.REFUSED: gettext_lazy("cannot enter"),
}


class ListForm(forms.Form):
    names = shown_field(
        ListFormSerializer,
        "names",
        label=gettext_lazy("Names"),
        required=False,
        widget=forms.Textarea({"rows": 10}),
        help_text=gettext_lazy("One a line, or rows of a table with the name first. @name is a player of this site."),
    )
    file = forms.FileField(label=gettext_lazy("Or a CSV file"), required=False)

    def clean(self) -> dict[str, Any]:
        """What the file holds stands in the field, to be looked at and sent back."""
        file = self.cleaned_data.get("file")
        if file is not None:
            try:
                self.cleaned_data["names"] = file.read(LONGEST_TEXT).decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("The file is no text in UTF-8."))
        if not self.cleaned_data.get("names", "").strip() and not self.errors:
            self.add_error("names", _("Give at least one name."))
        return self.cleaned_data


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page_for(Right.DESK)
def show_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """POST shows what each line would do; with `enter` it does it."""
    if request.method != "POST":
        return _render(request, tournament, ListForm())
    form = ListForm(request.POST, request.FILES)
    if "enter" in request.POST:
        back = reverse("desk_entries", args=[tournament.slug])

        def enter(sent: dict[str, Any]) -> None:
            enter_list(tournament_id=tournament.pk, text=sent["names"], actor=person_of(request))

        said = _("They are entered. It can be undone below.")
        return act_on_form(request, back, form, enter, said, lambda typed: _render(request, tournament, typed))
    lines: list[Line] = []
    if form.is_valid():
        try:
            lines = plan_list(tournament=tournament, text=form.cleaned_data["names"])
            form = ListForm(initial={"names": form.cleaned_data["names"]})
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    return _render(request, tournament, form, lines)


def _render(
    request: HttpRequest, tournament: Tournament, form: forms.Form, lines: list[Line] | None = None
) -> HttpResponse:
    rows = [(line, DEED_WORDS[line.deed], say_sentence(line.why)) for line in lines or ()]
    context = desk_context(tournament, "desk_entries") | {
        "form": form,
        "rows": rows,
        "takes_guests": takes_guests(tournament),
        "entering": sum(line.deed in (LineDeed.PLAYER, LineDeed.GUEST) for line in lines or ()),
    }
    return render(request, "desk/list.html", context, status=UNPROCESSABLE if form.errors else 200)


@require_POST
@desk_page_for(Right.DESK)
def undo(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    about: dict[str, Any] = {"tournament_id": tournament.pk, "number": number, "actor": person_of(request)}
    back = reverse("desk_entries", args=[tournament.slug])
    return act(request, back, lambda: undo_list(**about), _("Those of the list are out again."))
