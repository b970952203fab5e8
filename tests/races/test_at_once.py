"""Services of games, bots and accounts run by two connections at once: one effect, a coded refusal, no deadlock."""

import uuid
from dataclasses import replace
from functools import partial

import pytest
from django.contrib.auth.models import User

from aurum_league.accounts.access import MOST_TOKENS, create_token
from aurum_league.models import AccessToken
from bots.models import Bot, BotMode, BotState
from bots.services.registration import register_bot, renew_token, retire_bot
from games.models import Lobby, LobbySeat, Match, MatchResult, MatchState, ResultKind, RunnerNeed
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.sitters import Sitter
from games.services.answer import answer_decision, resign_seat
from games.services.by_hand import HandResult, ResultDecision, settle_by_hand
from games.services.clocks import sweep_matches
from games.services.lease import claim_matches
from games.services.lobby import TableWish, open_lobby, play_now, start_lobby, take_seat
from games.services.play import play_ready_matches
from tests.races.services import run_at_once

BY_HAND = ResultDecision(ResultKind.BY_HAND, "a test")
pytestmark = [
    # Naming the apps makes the flush after each test cascade to tables of swapped models.
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
WISH = TableWish(ruleset="en3", strength="greedy", clock="live")


@pytest.fixture
def people(db: None) -> list[User]:
    return [User.objects.create_user(name, f"{name}@example.org") for name in ("agnes", "berta", "clara")]


@pytest.fixture
def waiting(people: list[User]) -> Match:
    """A table at which agnes is awaited in seat 0."""
    match_id = play_now(sitter=Sitter(user_id=people[0].pk), wish=WISH)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    match = Match.objects.get(pk=match_id)
    assert match.state == MatchState.WAITING and 0 in match.awaited
    return match


def read_question(match: Match, seat: int = 0) -> tuple[str, int]:
    """A legal action of a seat, and the counter of its view."""
    play = replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.log)))
    seen = view(play, seat)
    return seen.legal_texts()[0], seen.log_end


def test_one_decision_from_two_tabs(waiting: Match) -> None:
    text, counter = read_question(waiting)

    def decide() -> None:
        answer_decision(match_id=waiting.pk, seat=0, counter=counter, text=text)

    refused = run_at_once(decide, decide)
    assert len(refused) == 1 and refused[0] in ("stale_state", "not_awaited", "table_busy")


def test_three_people_bid_at_the_same_moment(people: list[User]) -> None:
    """Nobody sees the others' bids, so nobody's comes too late."""
    sitters = [Sitter(user_id=person.pk) for person in people]
    for _ in range(10):
        lobby = open_lobby(sitter=sitters[0], wish=WISH)
        for seat in (1, 2):
            take_seat(invitation=lobby.invitation, sitter=sitters[seat], seat=seat)
        start_lobby(invitation=lobby.invitation, sitter=sitters[0], fills_with_bots=False)
        match = Match.objects.get(state=MatchState.WAITING)
        questions = [read_question(match, seat) for seat in range(3)]
        bids = [
            partial(answer_decision, match_id=match.pk, seat=seat, counter=counter, text=text)
            for seat, (text, counter) in enumerate(questions)
        ]
        assert run_at_once(*bids) == []
        Match.objects.update(state=MatchState.VOID)


def test_a_decision_and_a_resignation(waiting: Match) -> None:
    text, counter = read_question(waiting)
    run_at_once(
        lambda: answer_decision(match_id=waiting.pk, seat=0, counter=counter, text=text),
        lambda: resign_seat(match_id=waiting.pk, seat=0),
    )
    while Match.objects.filter(state=MatchState.READY).exists():
        play_ready_matches(needs=RunnerNeed.HOUSE)
    assert MatchResult.objects.filter(match=waiting).count() <= 1


def test_a_resignation_and_a_result_by_hand(waiting: Match) -> None:
    """Whoever comes second finds the match over."""
    refused = run_at_once(
        lambda: resign_seat(match_id=waiting.pk, seat=0),
        lambda: settle_by_hand(match_id=waiting.pk, result=HandResult((1, 2, 3)), decision=BY_HAND),
    )
    play_ready_matches(needs=RunnerNeed.HOUSE)
    assert MatchResult.objects.filter(match=waiting).count() == 1
    assert refused in (["match_over"], ["match_not_open"])


def test_two_workers_claim(people: list[User]) -> None:
    """Every match goes to one of them, while a sweep looks for the lost."""
    for person in people:
        for _ in range(3):
            play_now(sitter=Sitter(user_id=person.pk), wish=replace(WISH, strength="search-1"))
    claimed: list[int] = []

    def claim() -> None:
        for _ in range(9):
            claimed.extend(match.id for match in claim_matches(token=uuid.uuid4(), limit=2, needs=RunnerNeed.HOUSE))

    assert run_at_once(claim, claim, sweep_matches) == []
    assert sorted(claimed) == sorted(Match.objects.values_list("pk", flat=True))


def test_one_seat_for_two(people: list[User]) -> None:
    lobby = open_lobby(sitter=Sitter(user_id=people[0].pk), wish=WISH)
    refused = run_at_once(
        *[
            partial(take_seat, invitation=lobby.invitation, sitter=Sitter(user_id=person.pk), seat=1)
            for person in people[1:]
        ]
    )
    assert refused == ["seat_taken"] and LobbySeat.objects.count() == 2


def test_a_table_is_dealt_once(people: list[User]) -> None:
    host = Sitter(user_id=people[0].pk)
    lobby = open_lobby(sitter=host, wish=WISH)

    def start() -> None:
        start_lobby(invitation=lobby.invitation, sitter=host, fills_with_bots=True)

    assert run_at_once(start, start) == ["lobby_started"]
    assert Match.objects.count() == 1 and Lobby.objects.get().match_id


def test_one_name_for_two_bots(people: list[User]) -> None:
    refused = run_at_once(
        *[partial(register_bot, owner=person, name="Alpha", mode=BotMode.CONNECTED) for person in people[:2]]
    )
    assert refused == ["name_taken"] and Bot.objects.count() == 1


def test_a_retired_bot_has_no_token(people: list[User]) -> None:
    bot = register_bot(owner=people[0], name="Alpha", mode=BotMode.CONNECTED)
    run_at_once(lambda: renew_token(bot_id=bot.pk, owner=people[0]), lambda: retire_bot(bot_id=bot.pk, owner=people[0]))
    bot.refresh_from_db()
    assert bot.state == BotState.RETIRED and bot.token_digest is None


def test_the_last_token_for_two_forms(people: list[User]) -> None:
    for number in range(MOST_TOKENS - 1):
        create_token(user=people[0], name=str(number), scopes=["read"])

    def make() -> None:
        create_token(user=people[0], name="last", scopes=["read"])

    assert run_at_once(make, make) == ["too_many_tokens"]
    assert AccessToken.objects.count() == MOST_TOKENS
