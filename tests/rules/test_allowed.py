"""What a round allows: exactly what it lists, in every phase, and a coded refusal of everything else."""

import pytest

from games.rules.actions import ACTIONS, OVER, PLAY, legal_actions
from games.rules.deal import deal_round
from games.rules.errors import IllegalAction
from games.rules.playout import Chance, random_action
from games.rules.round import Round
from tests.rules.positions import make_seed

BEYOND = 250
"""Past the last action, so that gold of ranks that do not exist is asked for too."""


@pytest.mark.parametrize("players", [3, 4])
def test_a_round_allows_what_it_lists(players: int) -> None:
    round_ = Round(players, deal_round(make_seed("allowed"), players, 1).hands, 0, True)
    chance = Chance(7)
    while round_.phase != OVER:
        allowed = [action for action in range(-2, ACTIONS + BEYOND) if round_.allows(action)]
        assert allowed == sorted(legal_actions(round_.phase, round_.legal))
        if round_.phase == PLAY:
            assert round_.asked == players
        round_.apply(random_action(round_, chance))


def test_numbers_below_zero_are_refused_by_the_round_too() -> None:
    round_ = Round(3, deal_round(make_seed("below"), 3, 1).hands, 0, True)
    for refuse in (lambda: round_.apply(-1), lambda: round_.lay_bid(1, -1)):
        with pytest.raises(IllegalAction) as caught:
            refuse()
        assert caught.value.code == "not_an_action"
