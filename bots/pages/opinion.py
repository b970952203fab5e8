"""What the champion among the house bots thinks: a hint at the table, and afterwards of each decision a person made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from aurum_league.common.errors import LeagueError
from bots.brains.advice import Advice, AdviceReason, play_other_way
from bots.services.opinion import Judgement, Opinion, give_hint, read_judgement
from games.models import Match, MatchSeat, MatchState
from games.pages.matches import require_record
from games.pages.play import require_seat
from games.pages.words import answer_refusal, name_card
from games.play.see_table import clear_at, see_round, type_finished
from games.play.table_state import RoundState, ScoreState, TrickState
from games.rules.actions import action_text, parse_action
from games.rules.match import Match as Play
from games.selectors.matches import count_open_matches, load_match, replay_match
from games.selectors.tables import ReplayStep, list_steps

NOTABLE = 0.03
"""A difference below this is within the noise of the search."""

MOMENTS = 3
REASONS = {
    AdviceReason.ONLY: _("Nothing else is possible."),
    AdviceReason.EXACT: _("The bid is met exactly in %(share)s of 100 futures, with %(other)s in %(other_share)s."),
    AdviceReason.TRICK: _("It wins this trick in %(share)s of 100 futures, %(other)s in %(other_share)s."),
    AdviceReason.NO_TRICK: _(
        "It leaves this trick to others in %(share)s of 100 futures, %(other)s in %(other_share)s."
    ),
    AdviceReason.GOLD: _("It takes the gold of this trick in %(share)s of 100 futures, %(other)s in %(other_share)s."),
    AdviceReason.POINTS: _("It leaves %(points)s points of gold on average, %(other)s %(other_points)s."),
    AdviceReason.CHANCE: _("Little parts it from %(other)s."),
}


@require_POST
@never_cache
def show_hint(request: HttpRequest, match_id: int) -> JsonResponse:
    """What the champion would do in the seat of whoever asks, and why in a sentence."""
    try:
        own = require_seat(request, match_id)
        seen, advice = give_hint(match_id=match_id, seat=own.seat)
    except LeagueError as error:
        return answer_refusal(error)
    match = load_match(match_id)
    names = [held.player.name for held in match.seats.all()] if match else []
    told = say_advice(advice, seen.phase, own.seat, names)
    return JsonResponse({"action": action_text(seen.phase, advice.action), "sentence": told})


def say_advice(advice: Advice, phase: int, seat: int, names: list[str]) -> str:
    words = {
        "action": _say_action(action_text(phase, advice.action), seat, names),
        "chance": round(100 * advice.chance),
        "other": "" if advice.other is None else _say_action(action_text(phase, advice.other), seat, names),
        "share": round(100 * advice.share),
        "other_share": round(100 * advice.other_share),
        "points": f"{advice.share:.1f}",
        "other_points": f"{advice.other_share:.1f}",
    }
    head = gettext("The champion: %(action)s.") % words
    tail = gettext("Chance to win: about %(chance)s %%.") % words
    return f"{head} {REASONS[advice.reason] % words} {tail}"


@require_safe
def show_opinions(request: HttpRequest, match_id: int) -> HttpResponse:
    """The whole match of a seat that a person held; until a worker has judged it, the page shows how far it is."""
    match = _require_open(match_id)
    people = [held for held in match.seats.all() if held.ref.is_person]
    if not people:
        raise Http404(gettext("Nobody but bots sat at this table."))
    require_record(match)
    play = replay_match(match)
    held = next((one for one in people if str(one.seat) == request.GET.get("seat")), people[0])
    numbers = range(1, len(play.rounds) + 1)
    judged = [read_judgement(match=match, seat=held.seat, number=number) for number in numbers]
    context: dict[str, Any] = {
        "match": match,
        "held": held,
        "people": people,
        "is_judged": all(judgement.opinions is not None for judgement in judged),
        "done": sum(judgement.done if judgement.opinions is None else 1 for judgement in judged),
        "total": sum(judgement.total if judgement.opinions is None else 1 for judgement in judged),
    }
    if context["is_judged"]:
        context |= _describe_match(match, play, held, judged)
    part = "play/opinion_rows.html" if request.headers.get("HX-Request") else "play/opinion.html"
    return render(request, part, context)


def _describe_match(match: Match, play: Play, held: MatchSeat, judged: Sequence[Judgement]) -> dict[str, Any]:
    names = [one.player.name for one in match.seats.all()]
    rounds = [
        (number, describe_opinions(judgement.opinions or [], play, number, held.seat, names))
        for number, judgement in enumerate(judged, 1)
    ]
    worst = find_worst(judged)
    rows = [row for _number, told in rounds for row in told]
    return {
        "rounds": rounds,
        "same": sum(row["is_same"] for row in rows),
        "count": len(rows),
        "curve": draw_curve(judged, worst, share_of_first(match, held.side)),
        "moments": [make_moment(play, number, opinion, held.seat, names) for number, opinion in worst],
    }


def find_worst(judged: Sequence[Judgement]) -> list[tuple[int, Opinion]]:
    """The costliest decisions with their rounds' numbers, the worst first; none below what the search can tell."""
    found = [
        (number, opinion)
        for number, judgement in enumerate(judged, 1)
        for opinion in judgement.opinions or ()
        if opinion.cost >= NOTABLE
    ]
    return sorted(found, key=lambda one: -one[1].cost)[:MOMENTS]


def share_of_first(match: Match, side: int) -> float:
    """1 for whoever came first alone, a part for those who share it, and nothing for everybody else."""
    first = match.result.places.count(1)
    return 1 / first if match.result.places[side] == 1 else 0.0


@dataclass(frozen=True, slots=True)
class Curve:
    """The chance to win as a path in a box of 1000 by 100; `marks` are the costliest decisions, by their place."""

    line: str
    area: str
    borders: tuple[float, ...]
    marks: tuple[tuple[int, float, float], ...]
    last: float


def draw_curve(judged: Sequence[Judgement], worst: Sequence[tuple[int, Opinion]], end: float) -> Curve:
    told = [(number, one) for number, judgement in enumerate(judged, 1) for one in judgement.opinions or ()]
    step = 1000 / max(1, len(told))
    points = [(place * step, 100 - 100 * opinion.chance) for place, (_number, opinion) in enumerate(told)]
    points.append((1000.0, 100 - 100 * end))
    line = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    starts = [place for place in range(1, len(told)) if told[place][0] != told[place - 1][0]]
    marks = [(order, *points[told.index(one)]) for order, one in enumerate(worst, 1)]
    return Curve(line, f"{line} L1000 100 L0 100 Z", tuple(place * step for place in starts), tuple(marks), 100 * end)


@dataclass(frozen=True, slots=True)
class CostlyMoment:
    """A costly decision: the table before it, and the two ways the round went on from there."""

    row: dict[str, Any]
    round_number: int
    seen: RoundState
    trick: tuple[tuple[str, str], ...]
    is_lead: bool
    played_card: str
    best_card: str
    score: ScoreState
    other_score: ScoreState
    other_tricks: tuple[tuple[TrickState, tuple[tuple[str, str], ...], str], ...]


def make_moment(play: Play, number: int, opinion: Opinion, seat: int, names: list[str]) -> CostlyMoment:
    before = sum(len(done.log) for done in play.rounds[: number - 1]) + opinion.applied
    at = clear_at(play, before)
    seen = see_round(at, seat)
    other = play_other_way(play, before, seat, parse_action(opinion.best)[1])
    real, might = type_finished(play.rounds[number - 1]), type_finished(other.rounds[number - 1])
    side = seat % play.ruleset.sides
    shown = tuple(
        (trick, _name_plays(trick, names), "" if trick.winner is None else names[trick.winner])
        for trick in might.tricks[max(0, opinion.trick - 1) :]
        if trick.plays
    )
    return CostlyMoment(
        row=describe_opinions([opinion], play, number, seat, names)[0],
        round_number=number,
        seen=seen,
        trick=_name_plays(seen.tricks[-1], names) if seen.trick else (),
        is_lead=seen.phase == "play" and not seen.trick,
        played_card=_card_of(opinion.played),
        best_card=_card_of(opinion.best),
        score=real.scores[side],
        other_score=might.scores[side],
        other_tricks=shown,
    )


def _name_plays(trick: TrickState, names: list[str]) -> tuple[tuple[str, str], ...]:
    """Who played which card, in the order of play."""
    return tuple((names[(trick.leader + place) % len(names)], card) for place, card in enumerate(trick.plays))


def _card_of(text: str) -> str:
    """The card that is laid by an action, to be drawn; none for keeping the bids and for ending the round."""
    return text.split()[-1] if " " in text else ""


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
        "chance": round(100 * opinion.chance),
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
