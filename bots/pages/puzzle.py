"""The puzzle of the day: the position drawn, one decision asked, and then how everybody decided."""

import datetime as dt
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from aurum_league.common.errors import LeagueError
from bots.models import Puzzle
from bots.selectors import find_newest_puzzle, find_puzzle, find_puzzle_answer, list_puzzle_choices
from bots.services.opinion import answer_puzzle
from games.pages.play import ensure_sitter, read_sitter
from games.pages.words import describe_ruleset, name_card, say_refusal
from games.play.see_table import clear_at, see_round
from games.rules.ruleset import Ruleset
from games.selectors.matches import load_match, replay_match


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be done, and how many of those who were asked did it; `percent` is of all who answered."""

    action: str
    card: str
    name: str
    chance: int
    count: int
    percent: int
    is_best: bool
    is_own: bool


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_puzzle(request: HttpRequest, day: str = "") -> HttpResponse:
    """The newest puzzle, or that of a day; sent, it notes the decision and shows those of all others."""
    puzzle = find_puzzle(_read_day(day)) if day else find_newest_puzzle(timezone.now().date())
    if puzzle is None and day:
        raise Http404(gettext("There is no puzzle of this day."))
    if puzzle is None:
        return render(request, "play/puzzle.html", {"puzzle": None})
    if request.method == "POST":
        try:
            answer_puzzle(day=puzzle.day, sitter=ensure_sitter(request), choice=request.POST.get("choice", "")[:20])
        except LeagueError as error:
            messages.error(request, say_refusal(error))
        return redirect("puzzle_of", puzzle.day)
    return render(request, "play/puzzle.html", _describe(request, puzzle))


def _read_day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise Http404(gettext("There is no puzzle of this day.")) from None


def _describe(request: HttpRequest, puzzle: Puzzle) -> dict[str, object]:
    match = load_match(puzzle.match_id)
    assert match is not None, "a puzzle goes with its match"
    own = find_puzzle_answer(puzzle, read_sitter(request))
    seen = see_round(clear_at(replay_match(match), puzzle.applied), puzzle.seat)
    best = max(puzzle.chances, key=lambda action: puzzle.chances[action])
    counts = list_puzzle_choices(puzzle)
    everybody = sum(counts.values())
    choices = [
        Choice(
            action=action,
            card=action.split()[-1] if " " in action else "",
            name=name_card(action.split()[-1]) if " " in action else gettext("end the round"),
            chance=round(100 * chance),
            count=counts.get(action, 0),
            percent=round(100 * counts.get(action, 0) / everybody) if everybody else 0,
            is_best=action == best,
            is_own=own is not None and own.choice == action,
        )
        for action, chance in sorted(puzzle.chances.items(), key=lambda one: -one[1] if own else 0)
    ]
    players = range(len(seen.bids))
    others = [(puzzle.seat + step) % len(players) for step in players]
    places = (gettext("You"), gettext("Left"), gettext("Right"))
    return {
        "puzzle": puzzle,
        "match": match,
        "own": own,
        "seen": seen,
        "ruleset_name": describe_ruleset(Ruleset.from_code(match.ruleset)),
        "choices": choices,
        "everybody": everybody,
        "seats": [
            (places[step], seen.bids[seat], seen.tricks_won[seat], seen.gold[seat]) for step, seat in enumerate(others)
        ],
        "trick": [
            (places[(seen.leader + place - puzzle.seat) % len(players)], card) for place, card in enumerate(seen.trick)
        ],
    }
