"""People at a table: their answers move the match on, late and stale ones are refused, clocks are kept."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from games.models import Heartbeat, Match, MatchKind, MatchState, Player, PlayerKind, RunnerNeed
from games.play.agents import AgentRef
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import View, view
from games.selectors.matches import load_match, record_of
from games.services.answer import answer_decision, flag_late_seats, resign_seat
from games.services.clocks import beat
from games.services.create import MatchPlan, SeatPlan, create_matches
from games.services.play import play_ready_matches
from games.services.take_back import take_back_bid
from tests.services.games.conftest import MakeMatches

LIVE = {"bank": 60.0, "increment": 0.0}
pytestmark = pytest.mark.django_db


def look(match: Match, seat: int = 0) -> View:
    match.refresh_from_db()
    return view(replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.log))), seat)


def sit_down(make_matches: MakeMatches, *agents: str, code: str = "en3") -> Match:
    (match,) = make_matches(*agents, clock=LIVE, code=code)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    match.refresh_from_db()
    assert match.state == MatchState.WAITING
    return match


def play_on(match: Match, seat: int = 0) -> None:
    """Answer with the first legal action until the match is over."""
    for _ in range(1000):
        match.refresh_from_db()
        if match.state == MatchState.FINISHED:
            return
        seen = look(match, seat)
        answer_decision(match_id=match.pk, seat=seat, counter=seen.log_end, text=seen.legal_texts()[0])
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("code", ["en3", "de4-nozero", "ru3-cumulative-golden"])
def test_a_person_plays_quick_bots_to_the_end_without_a_worker(make_matches: MakeMatches, code: str) -> None:
    bots = ["house:greedy"] * (int(code[2]) - 1)
    match = sit_down(make_matches, "person:1", *bots, code=code)
    play_on(match)
    assert match.result.forfeits == []


def test_three_people_bid_at_once_in_any_order(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "person:2", "person:3")
    assert match.awaited == [0, 1, 2]
    counter = look(match, 2).log_end
    for seat in (2, 0, 1):
        assert look(match, seat).log_end == counter
        answer_decision(match_id=match.pk, seat=seat, counter=counter, text=look(match, seat).legal_texts()[0])
    assert look(match).log_end == 3


def test_the_clock_of_those_who_still_bid_goes_on(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "person:2", "house:random")
    earlier = timezone.now() - timedelta(seconds=40)
    Match.objects.filter(pk=match.pk).update(awaited_since=earlier)
    answer_decision(match_id=match.pk, seat=0, counter=0, text=look(match, 0).legal_texts()[0])
    match.refresh_from_db()
    assert match.awaited_since == earlier
    assert 19 < match.clocks["banks"]["0"] <= 20.1


def test_a_bid_is_taken_back_while_others_have_yet_to_bid(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "person:2", "house:random")
    earlier = timezone.now() - timedelta(seconds=20)
    Match.objects.filter(pk=match.pk).update(awaited_since=earlier)
    first, second = look(match, 0).legal_texts()[:2]
    answer_decision(match_id=match.pk, seat=0, counter=0, text=first)
    laid = match.clocks
    take_back_bid(match_id=match.pk, seat=0)
    match.refresh_from_db()
    assert sorted(match.awaited) == [0, 1] and match.awaited_since == earlier, "and nobody's clock starts anew"
    assert first in look(match, 0).legal_texts() and match.clocks != laid
    answer_decision(match_id=match.pk, seat=0, counter=0, text=second)
    answer_decision(match_id=match.pk, seat=1, counter=0, text=look(match, 1).legal_texts()[0])
    bids = look(match, 0).to_dict()["round"]["first_bids"]
    assert bids[0] == second.split()[1], "the record holds the last bid alone"
    with pytest.raises(LeagueError) as refusal:
        take_back_bid(match_id=match.pk, seat=0)
    assert refusal.value.code == "nothing_to_take_back"


def test_what_a_program_decides_for_a_person_is_marked_in_the_record(make_matches: MakeMatches) -> None:
    """The first bid by hand; the second by token, taken up again and laid by hand; then every other by token."""
    match = sit_down(make_matches, "person:1", "person:2", "house:greedy")
    answer_decision(match_id=match.pk, seat=0, counter=0, text=look(match, 0).legal_texts()[0])
    answer_decision(match_id=match.pk, seat=1, counter=0, text=look(match, 1).legal_texts()[0], is_by_token=True)
    assert list(match.seats.values_list("by_token", "token_decisions")) == [(0, None), (1, [0]), (0, None)]
    is_token, expected = True, [0]
    for _ in range(1000):
        match.refresh_from_db()
        if match.state == MatchState.FINISHED:
            break
        (seat, *_rest), own = match.awaited, 0
        seen = look(match, seat)
        if seat == 1:
            own = sum(entry & 3 == 1 for entry in unpack_log(bytes(match.log)))
            is_token = not is_token
            expected += [own] if is_token else []
        is_marked = seat == 1 and is_token
        text = seen.legal_texts()[0]
        answer_decision(match_id=match.pk, seat=seat, counter=seen.log_end, text=text, is_by_token=is_marked)
    told = record_of(load_match(match.pk) or match)["seats"]
    assert [seat.get("by_token") for seat in told] == [None, expected, None]
    assert match.seats.get(seat=1).by_token == len(expected) > 3


@pytest.mark.parametrize("code", ["en4", "de4-nozero"])
def test_decisions_by_token_are_marked_at_tables_of_four_too(make_matches: MakeMatches, code: str) -> None:
    """There bids are laid in turn; every other decision of seat 1 comes by token, none of its partner's."""
    match = sit_down(make_matches, "person:1", "person:2", "house:greedy", "person:3", code=code)
    own, expected = 0, []
    for _ in range(1000):
        match.refresh_from_db()
        if match.state == MatchState.FINISHED:
            break
        seat = match.awaited[0]
        is_marked = seat == 1 and own % 2 == 1
        expected += [own] if is_marked else []
        own += seat == 1
        seen = look(match, seat)
        text = seen.legal_texts()[0]
        answer_decision(match_id=match.pk, seat=seat, counter=seen.log_end, text=text, is_by_token=is_marked)
    told = record_of(load_match(match.pk) or match)["seats"]
    assert [seat.get("by_token") for seat in told] == [None, expected, None, None]
    assert match.seats.get(seat=1).by_token == len(expected) > 3


def test_a_bid_by_token_that_is_taken_back_is_not_marked(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "person:2", "house:random")
    answer_decision(match_id=match.pk, seat=0, counter=0, text=look(match, 0).legal_texts()[0], is_by_token=True)
    take_back_bid(match_id=match.pk, seat=0)
    assert list(match.seats.values_list("by_token", "token_decisions")) == [(0, []), (0, None), (0, None)]


def test_a_rated_table_takes_no_decision_by_token(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "person:2", "house:random")
    Match.objects.filter(pk=match.pk).update(is_rated=True)
    said: dict[str, Any] = {"match_id": match.pk, "seat": 0, "counter": 0, "text": look(match, 0).legal_texts()[0]}
    with pytest.raises(LeagueError) as refusal:
        answer_decision(**said, is_by_token=True)
    assert (refusal.value.code, look(match, 0).log_end) == ("rated_by_hand", 0)
    answer_decision(**said)
    assert look(match, 1).log_end == 0 and match.awaited == [1]


def test_a_bid_that_others_have_seen_stays(make_matches: MakeMatches) -> None:
    """Four players bid in turn, and openly."""
    match = sit_down(make_matches, *(f"person:{one}" for one in range(1, 5)), code="en4")
    (first,) = match.awaited
    answer_decision(match_id=match.pk, seat=first, counter=0, text=look(match, first).legal_texts()[0])
    for seat in range(4):
        with pytest.raises(LeagueError, match="nothing to take back"):
            take_back_bid(match_id=match.pk, seat=seat)


@pytest.mark.parametrize(
    ("seat", "counter", "text", "code"),
    [
        pytest.param(0, 99, None, "stale_state", id="a click on an old table"),
        pytest.param(1, 0, None, "not_awaited", id="somebody else's turn"),
        pytest.param(0, 0, "play G3", "wrong_phase", id="not in this phase"),
        pytest.param(0, 0, "bid C10", "card_not_in_hand", id="a card that is not there"),
        pytest.param(0, 0, "<script>", "not_an_action", id="no action at all"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_and_changes_nothing(
    make_matches: MakeMatches, seat: int, counter: int, text: str | None, code: str
) -> None:
    match = sit_down(make_matches, "person:1", "house:random", "house:random")
    before = Match.objects.values().get(pk=match.pk)
    with pytest.raises(LeagueError) as refused:
        answer_decision(match_id=match.pk, seat=seat, counter=counter, text=text or look(match).legal_texts()[0])
    assert refused.value.code == code
    assert Match.objects.values().get(pk=match.pk) == before


def test_a_doubled_click_counts_once(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "person:2", "house:random")
    text = look(match).legal_texts()[0]
    answer_decision(match_id=match.pk, seat=0, counter=0, text=text)
    with pytest.raises(LeagueError):
        answer_decision(match_id=match.pk, seat=0, counter=0, text=text)


def test_who_resigns_forfeits_and_the_others_keep_their_match(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "house:random", "house:random")
    resign_seat(match_id=match.pk, seat=0)
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    assert match.result.forfeits == [0]
    assert match.failures.get().verdict == "resigned"


def test_a_person_whose_time_is_up_forfeits(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "house:random", "house:random")
    assert not flag_late_seats(match_id=match.pk)
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    assert flag_late_seats(match_id=match.pk)
    match.refresh_from_db()
    assert match.result.forfeits == [0]


def test_an_answer_after_the_deadline_is_refused_before_the_sweep_comes(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "house:random", "house:random")
    seen, log = look(match), bytes(match.log)
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    with pytest.raises(LeagueError) as refused:
        answer_decision(match_id=match.pk, seat=0, counter=seen.log_end, text=seen.legal_texts()[0])
    assert refused.value.code == "time_is_up"
    match.refresh_from_db()
    assert (match.state, bytes(match.log)) == (MatchState.WAITING, log)


def test_who_has_time_left_may_answer_while_another_is_late(make_matches: MakeMatches) -> None:
    """Several bid at once, each with a bank of their own: the deadline is that of the shortest."""
    match = sit_down(make_matches, "person:1", "person:2", "house:random")
    now = timezone.now()
    banks = {"banks": {"0": 10.0, "1": 100.0}, "strikes": {}}
    started = now - timedelta(seconds=20)
    Match.objects.filter(pk=match.pk).update(
        clocks=banks, awaited_since=started, deadline=started + timedelta(seconds=10)
    )
    seen = look(match, 1)
    with pytest.raises(LeagueError):
        answer_decision(match_id=match.pk, seat=0, counter=seen.log_end, text=look(match, 0).legal_texts()[0])
    answer_decision(match_id=match.pk, seat=1, counter=seen.log_end, text=seen.legal_texts()[0])
    match.refresh_from_db()
    assert match.awaited == [0]


@pytest.mark.parametrize("beside", ["connected:7", "connected:8", "person:1"])
@pytest.mark.parametrize("is_rated", [True, False])
def test_a_connected_bot_shows_nobody_a_second_hand_in_rated_play(db: None, is_rated: bool, beside: str) -> None:
    owner = User.objects.create_user("author-of-both")
    bot = Player.objects.create(kind=PlayerKind.BOT, name="Both", slug="both", owner=owner)
    house = Player.objects.create(kind=PlayerKind.HOUSE, name="House", slug="house-greedy_77")
    sides = [SeatPlan(house, AgentRef("house", "greedy"))] * 2
    own = [SeatPlan(bot, AgentRef("connected", "7")), SeatPlan(bot, AgentRef.parse(beside))]
    seats = (own[0], sides[0], own[1], sides[1])
    plan = MatchPlan(Ruleset.from_code("en4"), seats, bytes(32), uuid.uuid4())
    if not is_rated:
        assert create_matches(plans=[plan], kind=MatchKind.SCRIMMAGE, is_rated=False)
        return
    with pytest.raises(LeagueError) as refused:
        create_matches(plans=[plan], kind=MatchKind.TOURNAMENT, is_rated=True)
    assert refused.value.code == "both_seats"


def test_a_connected_bot_that_is_late_gets_a_strike_and_plays_on(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "connected:1", "house:random", "house:random")
    for strikes in (1, 2):
        Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=1))
        flag_late_seats(match_id=match.pk)
        match.refresh_from_db()
        assert match.clocks["strikes"] == {"0": strikes}
        assert match.state == MatchState.WAITING
    play_on(match)
    assert match.result.forfeits == []


def test_a_slow_bot_is_left_to_a_worker(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "house:search-1", "house:random")
    seen = look(match)
    answer_decision(match_id=match.pk, seat=0, counter=seen.log_end, text=seen.legal_texts()[0])
    for _ in range(60):
        match.refresh_from_db()
        if match.state == MatchState.READY:
            break
        seen = look(match)
        answer_decision(match_id=match.pk, seat=0, counter=seen.log_end, text=seen.legal_texts()[0])
    assert match.state == MatchState.READY
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    match.refresh_from_db()
    assert match.state in (MatchState.WAITING, MatchState.FINISHED)


def test_no_clock_runs_while_the_service_is_down(make_matches: MakeMatches) -> None:
    match = sit_down(make_matches, "person:1", "house:random", "house:random")
    beat()
    Heartbeat.objects.update(beat_at=timezone.now() - timedelta(minutes=10))
    assert beat() >= timedelta(minutes=10)
    deadline = match.deadline
    match.refresh_from_db()
    assert deadline is not None and match.deadline is not None
    assert match.deadline - deadline >= timedelta(minutes=10)
    assert beat() == timedelta(0)
