"""What the champion among the house bots thinks of each decision that a person made in a finished match."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from bots.services.opinion import LEVEL, Opinion, read_judgement
from games.models import Match, MatchState
from games.pages.words import name_card
from games.rules.match import Match as Play
from games.selectors.matches import count_open_matches, load_match, replay_match
from games.selectors.replays import ReplayStep, list_steps

NOTABLE = 0.03
"""A difference below this is within the noise of the search."""


@require_safe
def show_opinions(request: HttpRequest, match_id: int) -> HttpResponse:
    """One round at a time, for seats that people held; until a worker has judged it, the page shows how far it is."""
    match = _require_open(match_id)
    people = [held for held in match.seats.all() if held.ref.is_person]
    if not people:
        raise Http404(gettext("Nobody but bots sat at this table."))
    play = replay_match(match)
    held = next((one for one in people if str(one.seat) == request.GET.get("seat")), people[0])
    wanted = request.GET.get("round", "1")
    number = next((n for n in range(1, len(play.rounds) + 1) if str(n) == wanted), 1)
    judgement = read_judgement(match=match, seat=held.seat, number=number)
    names = [one.player.name for one in match.seats.all()]
    rows = describe_opinions(judgement.opinions or [], play, number, held.seat, names)
    context = {
        "match": match,
        "held": held,
        "people": people,
        "rounds": range(1, len(play.rounds) + 1),
        "number": number,
        "judgement": judgement,
        "rows": rows,
        "same": sum(row["is_same"] for row in rows),
        "level": LEVEL,
    }
    part = "play/opinion_rows.html" if request.headers.get("HX-Request") else "play/opinion.html"
    return render(request, part, context)


def describe_opinions(
    opinions: list[Opinion], play: Play, number: int, seat: int, names: list[str]
) -> list[dict[str, Any]]:
    """Each in words, with the address of its step in the replay."""
    steps = {(step.round_number, step.applied): step for step in list_steps(play)}
    return [_describe(opinion, steps, number, seat, names) for opinion in opinions]


def _require_open(match_id: int) -> Match:
    match = load_match(match_id)
    if match is None or match.state != MatchState.FINISHED or match.result.is_by_hand or count_open_matches(match):
        raise Http404(gettext("There is no finished match with an open record here."))
    return match


def _describe(
    opinion: Opinion, steps: dict[tuple[int, int], ReplayStep], number: int, seat: int, names: list[str]
) -> dict[str, Any]:
    step = steps.get((number, opinion.applied + 1)) or steps.get((number, opinion.applied))
    query = f"?round={number}&trick={step.trick}&step={step.number}&seat={seat}" if step else ""
    return {
        "trick": opinion.trick,
        "played": _say_action(opinion.played, seat, names),
        "best": _say_action(opinion.best, seat, names),
        "percent": round(100 * opinion.cost),
        "is_same": opinion.is_same or opinion.cost < NOTABLE,
        "query": query,
    }


def _say_action(text: str, seat: int, names: list[str]) -> str:
    verb, _, rest = text.partition(" ")
    if verb == "keep":
        return gettext("keep the bids")
    if verb == "stop":
        return gettext("end the round")
    if verb != "swap":
        return name_card(rest)
    gold, bid_of, card = rest.split()
    words = {"gold": name_card(gold), "card": name_card(card), "name": names[int(bid_of)]}
    if int(bid_of) == seat:
        return gettext("spend %(gold)s, bid %(card)s") % words
    return gettext("spend %(gold)s, bid %(card)s for %(name)s") % words
