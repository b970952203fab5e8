"""The champion's opinion of what a person played, and the puzzle of the day.

A worker forms it, round by round; it is cached, and formed again where it was lost.
"""

import datetime as dt
import hashlib
import random
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from django.db import IntegrityError, transaction

from aurum_league.common.broker import send_nudge
from aurum_league.common.cache import add_cached, cache_value, find_cached, read_cached
from aurum_league.common.errors import N_, LeagueError
from bots.brains.advice import Advice, advise, judge_actions
from bots.models import Puzzle, PuzzleAnswer
from games.models import Match, MatchSeat, MatchState
from games.play.agents import AgentKind
from games.play.see_table import clear_at
from games.rules.actions import PLAY, action_text
from games.rules.deal import derive_seed
from games.rules.match import Match as Play
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import View, view
from games.selectors.matches import is_friendly, is_sealed, load_match, replay_match
from games.selectors.sitters import Sitter

LEVEL = "champion"
TASK = "bots.form_opinion"
CACHE_SECONDS = 30 * 86_400
HINT_SECONDS = 600
SILENT_SECONDS = 60
"""A worker that is not heard of for so long has died, and another is asked."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """One decision of a seat. `applied` is how many actions its round had before; `chance` is the chance to win with
    the best decision, and `cost` how much of it the one that was made gave away."""

    applied: int
    trick: int
    played: str
    best: str
    cost: float
    chance: float

    @property
    def is_same(self) -> bool:
        return self.played == self.best or self.cost <= 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is known of a seat's decisions in one round: all opinions, or how many decisions a worker has looked at."""

    opinions: list[Opinion] | None
    done: int = 0
    total: int = 0


def read_judgement(*, match: Match, seat: int, number: int) -> Judgement:
    """What is known now; where nobody works on it, a worker is asked to."""
    key = _key(match, seat, number)
    known = find_cached(key)
    if known is not None:
        return Judgement([Opinion(**fields) for fields in known])
    if add_cached(f"{key}:progress", (0, 0), SILENT_SECONDS):
        _ask_worker(match.pk, seat, number)
    return Judgement(None, *(find_cached(f"{key}:progress") or (0, 0)))


def form_opinion(*, match_id: int, seat: int, number: int) -> None:
    """Judge every decision of a seat in one round of a finished, open match; nothing where that has been done."""
    match = load_match(match_id)
    if match is None or is_sealed(match) or find_cached(key := _key(match, seat, number)) is not None:
        return
    play = replay_match(match)
    if not 0 < number <= len(play.rounds):
        return
    questions = list(list_questions(play, seat, number))
    opinions = []
    for done, question in enumerate(questions):
        cache_value(f"{key}:progress", (done, len(questions)), SILENT_SECONDS)
        opinions.append(asdict(_judge(play, seat, question)))
    cache_value(key, opinions, CACHE_SECONDS)


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that left a choice: what the seat saw, after so many actions of the round, and what it did."""

    applied: int
    seen: View
    action: int


def list_questions(play: Play, seat: int, number: int) -> Iterator[Question]:
    """Every decision of this seat in a finished round at which there was something to choose."""
    assert play.seed is not None
    before = sum(len(done.log) for done in play.rounds[: number - 1])
    again = replay(play.ruleset, play.seed, play.log[:before])
    for applied, entry in enumerate(play.rounds[number - 1].log):
        acting, action = entry & 3, entry >> 2
        seen = view(again, seat)
        if acting == seat and len(seen.legal_texts()) > 1:
            yield Question(applied, seen, action)
        again.apply(acting, action)


def _judge(play: Play, seat: int, question: Question) -> Opinion:
    assert play.seed is not None
    seed = int.from_bytes(derive_seed(play.seed, f"opinion {seat}")[:8], "big")
    seen = question.seen
    values = judge_actions(seen, seed + question.applied)
    best = max(values, key=lambda choice: values[choice])
    return Opinion(
        question.applied,
        max(0, seen.trick_number),
        action_text(seen.phase, question.action),
        action_text(seen.phase, best),
        max(0.0, values[best] - values[question.action]),
        values[best],
    )


def give_hint(*, match_id: int, seat: int) -> tuple[View, Advice]:
    """What the champion would do in this seat now, and why, with what the seat sees; at casual tables that count for
    nothing. It writes nothing."""
    match = load_match(match_id)
    if match is None or not is_friendly(match_id):
        raise LeagueError(
            "no_hints",
            N_("There are no hints at this table."),
            N_("Hints are for casual tables that are not rated."),
            status=403,
        )
    if match.state != MatchState.WAITING or seat not in match.awaited:
        raise LeagueError("not_awaited", N_("It is not your turn."), N_("Wait until the table asks you."), status=409)
    log = bytes(match.log or b"")
    seen = view(replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(log)), seat)
    # Chance of the hint's own: drawn from the match's seed, hints asked for often could tell of the deal.
    chance = int.from_bytes(secrets.token_bytes(8), "big")
    place = hashlib.sha256(log).hexdigest()[:16]
    return seen, read_cached(f"hint:{match_id}:{seat}:{place}", HINT_SECONDS, lambda: advise(seen, chance))


def _key(match: Match, seat: int, number: int) -> str:
    return f"opinion:{LEVEL}:3:{match.commitment}:{seat}:{number}"


def _ask_worker(match_id: int, seat: int, number: int) -> None:
    """The worker of bots' matches: it takes seconds, and people who wait at tables must not wait for it."""
    arguments = {"match_id": match_id, "seat": seat, "number": number}
    send_nudge(TASK, kwargs=arguments, queue="play", expires=600)


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
