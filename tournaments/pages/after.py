"""After a match, for whoever played it: the rating before and after, the costliest moments, and the next match."""

from typing import Any

from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots.pages.opinion import NOTABLE, describe_opinions
from bots.services.opinion import read_judgement
from games.models import Match, MatchKind, MatchState
from games.pages.play import read_sitter
from games.selectors.matches import is_sealed, load_match, replay_match
from games.selectors.sitters import Sitter, find_own_seat, list_open_tables
from tournaments.models import RatingChange
from tournaments.rules.ratings.values import LiveRating, show_live
from tournaments.selectors.schedule import find_fixture_of

MOMENTS = 3


@require_safe
@never_cache
def show_after(request: HttpRequest, match_id: int) -> JsonResponse:
    """`moments` is null where the deals are sealed, and not whole before `is_judged`: the page asks again."""
    sitter = read_sitter(request)
    own, match = find_own_seat(match_id, sitter), load_match(match_id)
    if own is None or match is None or match.state != MatchState.FINISHED:
        raise Http404(gettext("You did not play this match, or it is not over."))
    moments, is_judged = list_moments(match, own.seat)
    told = {"moments": moments, "is_judged": is_judged}
    return JsonResponse({**told, "rating": _read_rating(match, own.seat), "next": _find_next(match, sitter)})


def list_moments(match: Match, seat: int) -> tuple[list[dict[str, Any]] | None, bool]:
    """What cost this seat most by the champion's count, the worst first, and whether all rounds were looked at."""
    if match.result.is_by_hand or is_sealed(match):
        return None, True
    play = replay_match(match)
    judged = [read_judgement(match=match, seat=seat, number=number) for number in range(1, len(play.rounds) + 1)]
    names = [held.player.name for held in match.seats.all()]
    found = [
        (opinion, number)
        for number, judgement in enumerate(judged, 1)
        for opinion in judgement.opinions or ()
        if opinion.cost >= NOTABLE
    ]
    worst = sorted(found, key=lambda one: -one[0].cost)[:MOMENTS]
    rows = [
        {**describe_opinions([opinion], play, number, seat, names)[0], "round": number} for opinion, number in worst
    ]
    for row in rows:
        row["url"] = reverse("match", args=[match.pk]) + row.pop("query")
    return rows, all(judgement.opinions is not None for judgement in judged)


def _read_rating(match: Match, seat: int) -> dict[str, Any] | None:
    player = next(held.player for held in match.seats.all() if held.seat == seat)
    change = RatingChange.objects.filter(match=match, player=player).first()
    if change is None:
        return None
    before = show_live(LiveRating(change.mu_before, change.sigma_before))
    after = show_live(LiveRating(change.mu_after, change.sigma_after))
    numbers = {"before": before.number, "after": after.number, "low": after.low, "high": after.high}
    return {"name": player.name, **{name: round(number) for name, number in numbers.items()}}


def _find_next(match: Match, sitter: Sitter) -> dict[str, Any] | None:
    """The next match of a tournament at which this person is awaited."""
    waiting = list_open_tables(sitter).filter(kind=MatchKind.TOURNAMENT).exclude(pk=match.pk)
    following = waiting.order_by("closes_at", "deadline", "pk").first()
    fixture = find_fixture_of(following) if following else None
    if following is None or fixture is None:
        return None
    about = {"tournament": fixture.matchday.stage.tournament.name, "table": fixture.table}
    until = following.closes_at or following.deadline
    return {
        "name": gettext("%(tournament)s, table %(table)s") % about,
        "url": reverse("play_table", args=[following.pk]),
        "closes_at": date_format(until, "DATETIME_FORMAT") if until else "",
    }
