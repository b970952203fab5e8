"""The site's addresses and one more, whose page fails while it holds a match with all its cards."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from aurum_league.urls import urlpatterns as of_the_site
from games.models import Match
from games.rules.match import Match as Play
from games.rules.ruleset import Ruleset


def crash(request: HttpRequest, match_id: int) -> HttpResponse:
    match = Match.objects.get(pk=match_id)
    play = Play(Ruleset.from_code(match.ruleset), bytes(match.seed))
    raise RuntimeError(f"planted while {len(play.dealt.hands)} hands were held")


urlpatterns = [path("crash/<int:match_id>/", crash), *of_the_site]
