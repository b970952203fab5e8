"""The puzzle of the day: one position of real play and one decision; who decided how is told once one has decided."""

import datetime as dt
import random
from collections.abc import Iterator

from django.db import IntegrityError, transaction

from aurum_league.common.errors import N_, LeagueError
from bots.brains.advice import judge_actions
from bots.models import Puzzle, PuzzleAnswer
from games.models import MatchSeat, MatchState
from games.play.agents import AgentKind
from games.play.see_table import clear_at
from games.rules.actions import PLAY, action_text
from games.rules.view import View, view
from games.selectors.matches import is_sealed, load_match, replay_match
from games.selectors.sitters import Sitter

LATEST = 300
"""Positions come from the newest matches, so that nobody has met them in an old replay."""

TRIES = 60
"""So many positions are looked at before the best so far is taken: some two seconds of a worker."""

LEAST_CHOICES = 3
CLEAR, TOO_CLEAR = 0.04, 0.3
"""By how much the best decision must beat the second to be a puzzle, and from where on it is none."""


def choose_puzzle(*, day: dt.date) -> Puzzle | None:
    """The day's puzzle, chosen where there is none yet; None while nothing fit to be asked has been played."""
    known = Puzzle.objects.filter(day=day).first()
    if known is not None:
        return known
    found = _find_position(random.Random(day.toordinal()))
    if found is None:
        return None
    match_id, seat, applied, values = found
    try:
        with transaction.atomic():
            return Puzzle.objects.create(day=day, match_id=match_id, seat=seat, applied=applied, chances=values)
    except IntegrityError:
        return Puzzle.objects.get(day=day)


def answer_puzzle(*, day: dt.date, sitter: Sitter, choice: str) -> PuzzleAnswer:
    """Somebody decides, once; deciding again changes nothing. Puzzles of earlier days can still be answered."""
    puzzle = Puzzle.objects.filter(day=day).first()
    if puzzle is None:
        raise LeagueError("no_puzzle", N_("There is no puzzle of this day."), N_("Open today's puzzle."), status=404)
    if choice not in puzzle.chances:
        raise LeagueError(
            "no_such_choice",
            N_("That cannot be played here."),
            N_("Choose one of the cards that are shown."),
            status=422,
        )
    known = puzzle.answers.filter(sitter.condition).first()
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return PuzzleAnswer.objects.create(puzzle=puzzle, choice=choice, **sitter.columns)
    except IntegrityError:
        return puzzle.answers.get(sitter.condition)


Position = tuple[int, int, int, dict[str, float]]


def _find_position(chance: random.Random) -> Position | None:
    """People's decisions first; where none fits, those of bots."""
    for has_people in (True, False):
        for tried, (match_id, seat, applied, seen) in enumerate(_walk_positions(chance, has_people)):
            if tried >= TRIES:
                break
            judged = judge_actions(seen, applied)
            values = {action_text(seen.phase, action): round(worth, 4) for action, worth in judged.items()}
            best, second = sorted(values.values(), reverse=True)[:2]
            if CLEAR <= best - second <= TOO_CLEAR:
                return match_id, seat, applied, values
    return None


def _walk_positions(chance: random.Random, has_people: bool) -> Iterator[tuple[int, int, int, View]]:
    seats = MatchSeat.objects.filter(match__state=MatchState.FINISHED, match__players=3)
    person = seats.filter(agent__startswith=AgentKind.PERSON.prefix)
    chosen = person if has_people else seats.filter(agent__startswith=AgentKind.HOUSE.prefix)
    held = list(chosen.order_by("-match_id").values_list("match_id", "seat")[:LATEST])
    chance.shuffle(held)
    for match_id, seat in held:
        match = load_match(match_id)
        if match is None or match.result.is_by_hand or is_sealed(match):
            continue
        play = replay_match(match)
        decided = [place for place, entry in enumerate(play.log) if entry & 3 == seat]
        if not decided:
            continue
        applied = chance.choice(decided)
        seen = view(clear_at(play, applied), seat)
        if seen.phase == PLAY and len(seen.legal_texts()) >= LEAST_CHOICES:
            yield match_id, seat, applied, seen
