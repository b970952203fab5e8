"""What the champion thinks of a decision: every action valued, reasons that are true, and the other way played out."""

import pytest

from bots.brains.advice import AdviceReason, advise, judge_actions, play_other_way
from bots.brains.learnt import Outlook
from games.play.see_table import clear_at
from games.rules.actions import legal_actions
from games.rules.match import Match, replay
from games.rules.view import View, view
from tests.table.test_table_state import play_by_chance


def list_decisions(play: Match, seat: int = 0) -> list[View]:
    moments = (clear_at(play, applied) for applied in range(len(play.log)))
    return [view(at, seat) for at in moments if seat in at.awaiting()]


@pytest.mark.parametrize("code", ["en3", "de4", "ru3-nozero-cumulative"])
def test_every_legal_action_has_a_chance(code: str) -> None:
    for seen in list_decisions(play_by_chance(code))[::7]:
        values = judge_actions(seen, 1)
        assert sorted(values) == sorted(legal_actions(seen.phase, seen.legal))
        assert all(0 <= chance <= 1 for chance in values.values())


@pytest.mark.parametrize("code", ["en3", "de4-cumulative"])
def test_the_best_has_the_chance_that_was_measured(code: str) -> None:
    """What is shown for a position is on the calibrated scale, not the search's own."""
    for seen in list_decisions(play_by_chance(code))[::9]:
        assert max(judge_actions(seen, 1).values()) == pytest.approx(Outlook(seen.players).win_chance(seen))


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_the_reason_speaks_for_the_choice(code: str) -> None:
    told = [advise(seen, 3) for seen in list_decisions(play_by_chance(code))]
    assert len({advice.reason for advice in told}) > 2
    for advice in told:
        assert advice.chance >= advice.other_chance
        assert (advice.other is None) == (advice.reason is AdviceReason.ONLY)
        if advice.reason not in (AdviceReason.ONLY, AdviceReason.CHANCE):
            assert advice.share > advice.other_share


def test_hidden_cards_do_not_change_the_advice() -> None:
    """Two deals that look alike from a seat: the same is said of both."""
    play = play_by_chance("en3")
    seen = list_decisions(play)[0]
    others = clear_at(play, 0)
    others.round.start([others.round.hands[0], others.round.hands[2], others.round.hands[1]], others.round.first, True)
    assert advise(view(others, 0), 9) == advise(seen, 9)


def test_the_other_way_differs_from_there_on_and_ends_with_its_round() -> None:
    play = play_by_chance("en3")
    seat, action = play.log[0] & 3, play.log[0] >> 2
    other = next(card for card in legal_actions(0, clear_at(play, 0).round.hands[seat]) if card != action)
    went = play_other_way(play, 0, seat, other)
    assert len(went.rounds) == 1 and went.log[0] == seat | other << 2
    assert play.seed is not None
    assert replay(play.ruleset, play.seed, went.log).rounds == went.rounds
