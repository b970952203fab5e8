"""What one's own uploads did in a match: every decision with its time or fuel and its words, beside the replay."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal
from bots.agents.decision_log import LoggedDecision
from bots.pages.bots import author_of
from bots.selectors import LoggedSeat, read_own_seats
from games.pages.matches import answer_sealed, require_match
from games.pages.replay import Asked, address_of, make_replay, name_place
from games.pages.words import describe_ruleset, table_words
from games.play.table_state import to_json
from games.rules.match import Match as Play
from games.selectors.matches import replay_match
from games.selectors.tables import ReplayStep, list_steps


@dataclass(frozen=True, slots=True)
class LogRow:
    """`at` names the step of the replay that shows what came of the decision."""

    decision: LoggedDecision
    place: str
    at: str
    address: str


@dataclass(frozen=True, slots=True)
class SeatRows:
    own: LoggedSeat
    rows: list[LogRow]
    last_words: str


@login_required
@require_safe
@never_cache
def show_logs(request: HttpRequest, match_id: int) -> HttpResponse:
    match = require_match(request, match_id)
    if sealed := answer_sealed(request, match):
        return sealed
    try:
        own = read_own_seats(match, author_of(request))
    except LeagueError as error:
        raise Http404(say_refusal(error)) from None
    held, play = list(match.seats.all()), replay_match(match)
    asked = Asked.read(request.GET, match.players)
    replay = make_replay(play, held, asked)
    context = {
        "match": match,
        "held": held,
        "ruleset_name": describe_ruleset(play.ruleset),
        "replay": replay,
        "table_state": to_json(replay),
        "words": table_words(),
        "seats": [_list_rows(play, seat) for seat in own],
        "here": f"{asked.round_number}-{asked.trick}-{asked.number}",
    }
    return render(request, "bots/match_logs.html", context)


def _list_rows(play: Play, own: LoggedSeat) -> SeatRows:
    steps = _find_steps(play, own.seat)
    if own.log is None:
        return SeatRows(own, [], "")
    rows = []
    for decision in own.log.decisions:
        step = steps[decision.counter]
        place = name_place(step, len(play.rounds))
        at = f"{step.round_number}-{step.trick}-{step.number}"
        rows.append(LogRow(decision, place, at, address_of(step, own.seat)))
    return SeatRows(own, rows, own.log.last_words)


def _find_steps(play: Play, seat: int) -> dict[int, ReplayStep]:
    """By what a decision's view showed: the step right after it. Kept bids make none; the next one stands for them."""
    by_round: dict[int, list[ReplayStep]] = {}
    for step in list_steps(play):
        by_round.setdefault(step.round_number, []).append(step)
    return {
        counter: by_round[number][bisect_left([step.applied for step in by_round[number]], applied)]
        for number, counter, applied in _list_own(play, seat)
    }


def _list_own(play: Play, seat: int) -> Iterator[tuple[int, int, int]]:
    """Each action of a seat: the round, the counter of the view that it was decided from, actions of the round with it.

    Three players bid in secret, so that the view of a bid shows nothing of the round.
    """
    start = 0
    for number, done in enumerate(play.rounds, 1):
        for index, entry in enumerate(done.log):
            if entry & 3 == seat:
                is_secret = play.players == 3 and index < play.players
                yield number, start if is_secret else start + index, index + 1
        start += len(done.log)
