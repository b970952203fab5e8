"""What the tests of the organiser's desk share: its addresses, its organiser, and its forms as a browser sends them."""

import re

from django.contrib.auth.models import User
from django.test import Client

from games.models import Match, MatchState
from tournaments.models import Tournament

DESK = "/desk/tournaments/test-cup/"
PARTS = ("", "now/", "edit/", "entries/", "forecast/", "draw/", "matches/", "trail/")
DEEDS = (
    "steps/cancel/",
    "entries/add/",
    "entries/house/",
    "entries/seeds/",
    "entries/apart/",
    "entries/apart/1/",
    "entries/check-in/",
    "reruns/",
)


def sign_in(client: Client, tournament: Tournament) -> User:
    client.force_login(tournament.organiser)
    return tournament.organiser


def read_fields(page: str) -> dict[str, str | list[str]]:
    """What a browser would send of the page's first form that has a name in it, untouched."""
    form = page[page.index('<form id="event-form"') :]
    form = form[: form.index("</form>")]
    sent: dict[str, str | list[str]] = {}
    for tag in re.findall(r"<input [^>]*>", form):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if not name or ('type="checkbox"' in tag and "checked" not in tag) or name[1] == "csrfmiddlewaretoken":
            continue
        sent[name[1]] = value[1] if value else ("on" if "checkbox" in tag else "")
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        sent[name] = chosen[1] if chosen else re.findall(r'<option value="([^"]*)"', options)[0]
    return sent


def make_stuck(tournament: Tournament) -> int:
    """A match of a running tournament that wants a decision."""
    match = Match.objects.filter(fixture_match__stage__tournament=tournament, state=MatchState.READY).earliest("id")
    Match.objects.filter(pk=match.pk).update(state=MatchState.QUARANTINED, trouble="the worker died <b>thrice</b>")
    return match.pk
