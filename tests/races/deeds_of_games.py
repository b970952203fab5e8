"""What people and workers do to matches and lobbies."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Lobby, Match, MatchKind, MatchSeat, MatchState, ResultKind, RunnerNeed
from games.play.agents import AgentRef
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.sitters import Sitter
from games.services.answer import answer_decision, flag_late_seats, resign_seat, start_at_once
from games.services.by_hand import HandResult, ResultDecision, correct_result, settle_by_hand, take_result, void_results
from games.services.clocks import beat, close_window, close_windows, flag_late_matches, sit_at_table, sweep_matches
from games.services.company import accept_meeting, propose_meeting, say_phrase, say_text
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.lease import (
    claim_matches,
    free_stale_leases,
    give_back_matches,
    keep_leases,
    return_matches,
    send_to_patience,
)
from games.services.lobby import leave_seat, open_lobby, play_again, play_now, start_lobby, take_seat
from games.services.notices import send_turn_notices, send_window_notices
from games.services.play import look_for_matches, play_ready_matches
from games.services.players import agree_to_bots
from games.services.tables import find_last_decision
from games.services.take_back import answer_take_back, ask_take_back, take_back_bid
from tests.races.services import Job, call
from tests.races.world import WISH, World

BY_HAND = HandResult((1, 2, 3))
FOR_A_RACE = ResultDecision(ResultKind.BY_HAND, "race")
HOUSE = RunnerNeed.HOUSE


def decide(world: World) -> Job:
    """A legal answer of a seat that is awaited, as its page would send it."""
    return answer_at(world.pick_match(state=MatchState.WAITING, players=3))


def answer_at(match: Match) -> Job:
    play = replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.log)))
    seat = match.awaited[0] if match.awaited else 0
    seen = view(play, seat)
    text = seen.legal_texts()[0] if match.awaited else "keep"
    return call(answer_decision, match_id=match.pk, seat=seat, counter=seen.log_end, text=text)


def make_late(world: World) -> Match:
    """Somebody's time is over, and nobody has noticed yet."""
    match = world.pick_match(state=MatchState.WAITING)
    Match.objects.filter(pk=match.pk, state=MatchState.WAITING).update(deadline=timezone.now() - timedelta(seconds=1))
    return match


def open_window(world: World) -> Match:
    """People are to meet at a table, and the time for it is over."""
    match = world.pick_match(state=MatchState.WAITING, kind=MatchKind.CASUAL)
    ended = timezone.now() - timedelta(seconds=1)
    values = {"state": MatchState.OPEN, "closes_at": ended, "awaited": [], "log": b"", "deadline": None}
    Match.objects.filter(pk=match.pk, state=MatchState.WAITING).update(**values)
    return match


def close_all(world: World) -> Job:
    open_window(world)
    return close_windows


def tell_windows(world: World) -> Job:
    open_window(world)
    return send_window_notices


def answer_slow_bots(world: World) -> Job:
    """Bots that think have not bid yet: whoever bids leaves the next decision to a worker."""
    match_id = play_now(sitter=Sitter(user_id=world.pick_person().pk), wish=WISH)
    seats = MatchSeat.objects.filter(match=match_id)
    seats.filter(agent__startswith="house:").update(agent="house:search-1")
    person = seats.exclude(agent__startswith="house:").get().seat
    Match.objects.filter(pk=match_id).update(state=MatchState.WAITING, log=b"", awaited=[person])
    return answer_at(Match.objects.get(pk=match_id))


def deal_to_friends(world: World) -> Match:
    """Two people and a bot, who has bid; both people are awaited."""
    host, friend = (Sitter(user_id=person.pk) for person in world.people[:2])
    lobby = open_lobby(sitter=host, wish=WISH)
    take_seat(invitation=lobby.invitation, sitter=friend, seat=1)
    return Match.objects.get(pk=start_lobby(invitation=lobby.invitation, sitter=host, fills_with_bots=True))


def take_back(world: World) -> Job:
    match = deal_to_friends(world)
    answer_at(match)()
    return call(take_back_bid, match_id=match.pk, seat=match.awaited[0])


def lead_among_friends(world: World) -> tuple[Match, int]:
    """Two people and a bot, and the seat of one of them who has played a card."""
    match = deal_to_friends(world)
    people = list(match.seats.filter(agent__startswith="person:").values_list("seat", flat=True))
    for _ in range(40):
        play = replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.log)))
        decided = next((seat for seat in people if find_last_decision(play, seat) is not None), None)
        if decided is not None:
            return match, decided
        answer_at(match)()
        match.refresh_from_db()
    raise AssertionError("nobody plays a card")


def ask_back(world: World) -> Job:
    match, seat = lead_among_friends(world)
    return call(ask_take_back, match_id=match.pk, seat=seat)


def allow_back(world: World) -> Job:
    match, seat = lead_among_friends(world)
    ask_take_back(match_id=match.pk, seat=seat)
    others = match.seats.filter(agent__startswith="person:").exclude(seat=seat)
    return call(answer_take_back, match_id=match.pk, seat=others.get().seat, is_allowed=True)


def talk(service: Callable[..., object], **given: object) -> Callable[[World], Job]:
    return lambda world: call(service, match_id=deal_to_friends(world).pk, seat=0, **given)


def meet(service: Callable[..., object], seat: int) -> Callable[[World], Job]:
    """Friends who have yet to agree on the time, which the first of them has proposed."""

    def choose(world: World) -> Job:
        match, now = deal_to_friends(world), timezone.now()
        values = {"state": MatchState.OPEN, "closes_at": now + timedelta(days=2), "awaited": [], "log": b""}
        Match.objects.filter(pk=match.pk).update(**values, deadline=None)
        given: dict[str, Any] = {"match_id": match.pk, "starts_at": now + timedelta(days=1)}
        propose_meeting(seat=match.awaited[0], **given)
        return call(service, seat=match.awaited[seat], **given)

    return choose


def sweep_late(world: World) -> Job:
    make_late(world)
    return flag_late_matches


def lose_lease(world: World) -> Job:
    claim_matches(token=uuid.uuid4(), limit=3, needs=HOUSE)
    Match.objects.filter(state=MatchState.PLAYING).update(lease_until=timezone.now() - timedelta(seconds=1))
    return free_stale_leases


def return_unsettled(world: World) -> Job:
    token = uuid.uuid4()
    claim_matches(token=token, limit=3, needs=HOUSE)
    return call(return_matches, tokens=[token])


def be_patient(world: World) -> Job:
    token = uuid.uuid4()
    claimed = claim_matches(token=token, limit=3, needs=HOUSE)
    seat = MatchSeat.objects.filter(match__in=[match.id for match in claimed]).first() or MatchSeat.objects.all()[0]
    ids = [match.id for match in claimed]
    return call(send_to_patience, ids=ids, token=token, player=seat.player_id, agent=seat.ref)


def give_back(world: World) -> Job:
    token = uuid.uuid4()
    ids = [match.id for match in claim_matches(token=token, limit=3, needs=HOUSE)]
    return call(give_back_matches, ids=ids, token=token, trouble="race")


def keep(world: World) -> Job:
    token = uuid.uuid4()
    return call(keep_leases, ids=[match.id for match in claim_matches(token=token, limit=3, needs=HOUSE)], token=token)


def create(world: World) -> Job:
    seats = tuple(SeatPlan(player, AgentRef.parse("house:random")) for player in world.players[:3])
    plans = [MatchPlan(Ruleset(), seats, new_seed(), uuid.uuid4()) for _ in range(3)]
    return call(create_matches, plans=plans, kind=MatchKind.CASUAL, is_rated=False)


def with_sitter(service: Callable[..., object], **given: object) -> Callable[[World], Job]:
    return lambda world: call(service, sitter=Sitter(user_id=world.pick_person().pk), **given)


def in_lobby(service: Callable[..., object], **given: object) -> Callable[[World], Job]:
    def choose(world: World) -> Job:
        sitter = Sitter(user_id=world.pick_person().pk)
        return call(service, invitation=world.pick(Lobby.objects.all()).invitation, sitter=sitter, **given)

    return choose


def play_twice(world: World) -> Job:
    """Two friends gave up a table, and one of them would play again."""
    match = deal_to_friends(world)
    people = list(match.seats.filter(agent__startswith="person:").order_by("seat"))
    for held in people:
        resign_seat(match_id=match.pk, seat=held.seat)
    return call(play_again, match_id=match.pk, sitter=Sitter(user_id=people[0].owner_id))


def on_match(service: Callable[..., object], state: MatchState, **given: object) -> Callable[[World], Job]:
    return lambda world: call(service, match_id=world.pick_match(state=state).pk, **given)


def take_again(world: World) -> Job:
    match = world.pick_match(state=MatchState.FINISHED)
    again = world.pick_match(state=MatchState.FINISHED, ruleset=match.ruleset, seed=match.seed)
    return call(take_result, match_id=match.pk, from_match_id=again.pk, decision=FOR_A_RACE)


def void_one(world: World) -> Job:
    return call(void_results, match_ids=[world.pick_match(state=MatchState.FINISHED).pk], decision=FOR_A_RACE)


DEEDS: dict[str, Callable[[World], Job]] = {
    "games.answer.answer_decision": decide,
    "games.answer.resign_seat": on_match(resign_seat, MatchState.WAITING, seat=0),
    "games.answer.flag_late_seats": lambda world: call(flag_late_seats, match_id=make_late(world).pk),
    "games.answer.start_at_once": on_match(start_at_once, MatchState.READY),
    "games.take_back.take_back_bid": take_back,
    "games.take_back.ask_take_back": ask_back,
    "games.take_back.answer_take_back": allow_back,
    "games.by_hand.settle_by_hand": on_match(settle_by_hand, MatchState.WAITING, result=BY_HAND, decision=FOR_A_RACE),
    "games.by_hand.correct_result": on_match(correct_result, MatchState.FINISHED, result=BY_HAND, decision=FOR_A_RACE),
    "games.by_hand.take_result": take_again,
    "games.by_hand.void_results": void_one,
    "games.clocks.beat": lambda world: beat,
    "games.clocks.flag_late_matches": sweep_late,
    "games.company.accept_meeting": meet(accept_meeting, 1),
    "games.company.propose_meeting": meet(propose_meeting, 1),
    "games.company.say_phrase": talk(say_phrase, phrase="hello"),
    "games.company.say_text": talk(say_text, text="Well, well"),
    "games.create.create_matches": create,
    "games.lease.claim_matches": lambda world: call(claim_matches, token=uuid.uuid4(), limit=3, needs=HOUSE),
    "games.lease.free_stale_leases": lose_lease,
    "games.lease.give_back_matches": give_back,
    "games.lease.keep_leases": keep,
    "games.lease.return_matches": return_unsettled,
    "games.lease.send_to_patience": be_patient,
    "games.lobby.leave_seat": in_lobby(leave_seat),
    "games.lobby.open_lobby": with_sitter(open_lobby, wish=WISH),
    "games.lobby.play_again": play_twice,
    "games.lobby.play_now": with_sitter(play_now, wish=WISH),
    "games.lobby.start_lobby": in_lobby(start_lobby, fills_with_bots=True),
    "games.lobby.take_seat": in_lobby(take_seat, seat=2),
    "games.tables.hand_over": answer_slow_bots,
    "games.notices.send_turn_notices": lambda world: send_turn_notices,
    "games.notices.send_window_notices": tell_windows,
    "games.players.agree_to_bots": lambda world: call(agree_to_bots, user_id=world.pick_person().pk),
    "games.play.look_for_matches": lambda world: call(look_for_matches, seconds=0.5),
    "games.play.play_ready_matches": lambda world: call(play_ready_matches, needs=HOUSE, seconds=0.5),
    "games.clocks.sweep_matches": lambda world: sweep_matches,
    "games.clocks.close_window": lambda world: call(close_window, match_id=open_window(world).pk),
    "games.clocks.close_windows": close_all,
    "games.clocks.sit_at_table": lambda world: call(sit_at_table, match_id=open_window(world).pk, seat=0),
}
