"""The champion looks at the decisions of those a case is about: what cost them and helped another at the table."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from bots.brains.advice import judge_actions
from bots.brains.counting import choose_action
from bots.brains.sampling import HandSampler, decision_chance
from bots.brains.search import explain
from bots.brains.stakes import Stakes
from bots.brains.tally import Tally
from bots.services.opinion import Question, list_questions
from games.models import Match, MatchSeat, MatchState
from games.rules.actions import BID, OVER, action_text
from games.rules.deal import derive_seed
from games.rules.match import Match as Play
from games.rules.round import Round
from games.rules.view import View
from games.selectors.matches import is_sealed, load_match, replay_match
from games.selectors.tables import list_steps
from tournaments.models import Case
from tournaments.rules.cases import COSTLY, Gift, is_gift
from tournaments.selectors.cases import list_joint_matches

MATCHES_STUDIED = 6
GIFTS_KEPT = 20
QUICK = "search-1"
WORLDS = 400
"""Sampled hands on which the decision and the better one are both played out for every side."""


def study_waiting_cases() -> int:
    """Study what nobody has studied yet, the oldest first, one a call; how many were."""
    case_id = Case.objects.filter(studied_at=None, closed_at=None).order_by("id").values_list("pk", flat=True).first()
    if case_id is None:
        return 0
    study_case(case_id=case_id)
    return 1


def study_case(*, case_id: int) -> int:
    """Find gifts in the reported matches and the latest of the players together; how many were found."""
    case = Case.objects.get(pk=case_id)
    accused = set(case.players.values_list("pk", flat=True))
    reported = list(case.reports.filter(match__isnull=False).values_list("match_id", flat=True))
    latest = [match.pk for match in list_joint_matches(list(case.players.all()), MATCHES_STUDIED)]
    chosen = list(dict.fromkeys([*reported, *latest]))[:MATCHES_STUDIED]
    gifts = [told for match_id in chosen for told in _study_match(match_id, accused)]
    gifts.sort(key=lambda told: -told["gift"]["cost"])
    # Read anew: studying takes seconds, and somebody may have added to it.
    evidence = Case.objects.values_list("evidence", flat=True).get(pk=case_id)
    Case.objects.filter(pk=case_id).update(
        evidence={**evidence, "gifts": gifts[:GIFTS_KEPT]}, studied_at=timezone.now()
    )
    return len(gifts)


def _study_match(match_id: int, accused: set[int]) -> Iterator[dict[str, Any]]:
    match = load_match(match_id)
    if match is None or match.state != MatchState.FINISHED or match.result.is_by_hand or is_sealed(match):
        return
    play = replay_match(match)
    held = list(match.seats.all())
    for seat in (one for one in held if one.player_id in accused):
        for number in range(1, len(play.rounds) + 1):
            for question in list_questions(play, seat.seat, number):
                gift = _judge(match, play, seat.seat, number, question, _others(held, seat, accused))
                if gift is not None:
                    helped = held[gift.helped_seat].player_id
                    where = _find_step(play, gift)
                    yield {"gift": asdict(gift), "by": seat.player_id, "for": helped, "step": where}


def _others(held: list[MatchSeat], own: MatchSeat, accused: set[int]) -> list[int]:
    """Whom a gift may be for: the other of a pair that a case is about, else anybody of another side."""
    others = [one for one in held if one.side != own.side]
    partners = [one.seat for one in others if one.player_id in accused]
    return partners or [one.seat for one in others]


def _judge(match: Match, play: Play, seat: int, number: int, asked: Question, others: list[int]) -> Gift | None:
    """A quick look first; only what seems costly is looked at by the champion and played out for all."""
    assert play.seed is not None
    seed = int.from_bytes(derive_seed(play.seed, f"study {seat}")[:8], "big") + asked.applied
    seen = asked.seen
    quick = dict(explain(seen, seed, QUICK))
    if max(quick.values()) - quick.get(asked.action, 0.0) < COSTLY:
        return None
    values = judge_actions(seen, seed)
    best = max(values, key=lambda action: values[action])
    if best == asked.action or values[best] - values.get(asked.action, 0.0) < COSTLY:
        return None
    worth = weigh_for_all(seen, seed, [asked.action, best])
    sides = play.ruleset.sides
    gains = {other: worth[asked.action][other % sides] - worth[best][other % sides] for other in others}
    helped = max(gains, key=lambda other: gains[other])
    cost = worth[best][seat % sides] - worth[asked.action][seat % sides]
    if not is_gift(cost, gains[helped]):
        return None
    words = [action_text(seen.phase, action) for action in (asked.action, best)]
    return Gift(match.pk, seat, number, asked.applied, words[0], words[1], cost, helped, gains[helped])


def weigh_for_all(seen: View, seed: int, actions: list[int]) -> dict[int, list[float]]:
    """What each of these actions is worth to every side, played out on the same sampled hands: whom it helps, and whom
    it costs. The worth is the chance to win the match, and a little for the points (stakes.py)."""
    sampler, chance, tally, stakes = HandSampler(seen), decision_chance(seed, seen), Tally(), Stakes(seen)
    sums = {action: [0.0] * seen.ruleset.sides for action in actions}
    for _ in range(WORLDS):
        hands = sampler.deal(chance)
        for action, own in sums.items():
            round_ = seen.imagine(hands)
            _begin(seen, round_, action, tally)
            while round_.phase != OVER:
                round_.apply(choose_action(tally, round_, round_.turn, seen.set_aside))
            stakes.measure(round_)
            for side in range(seen.ruleset.sides):
                own[side] += stakes.worth[side] / WORLDS
    return sums


def _begin(seen: View, round_: Round, action: int, tally: Tally) -> None:
    """Take the action; three bid at once, so that the others' bids are guessed."""
    if seen.phase != BID or seen.players == 4:
        round_.apply(action)
        return
    others = {seat: choose_action(tally, round_, seat, seen.set_aside) for seat in range(3) if seat != seen.seat}
    for seat, bid in sorted({**others, seen.seat: action}.items()):
        round_.lay_bid(seat, bid)


def _find_step(play: Play, gift: Gift) -> str:
    """The decision's place in the replay, as its address says it."""
    steps = [step for step in list_steps(play) if step.round_number == gift.round_number]
    step = next((one for one in steps if one.applied > gift.applied), steps[-1])
    return f"round={gift.round_number}&trick={step.trick}&step={step.number}&seat={gift.seat}"
