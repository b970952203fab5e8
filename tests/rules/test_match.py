"""The match as a log: stored as two bytes an action and rebuilt from its seed."""

import pytest

from games.rules.match import Match, pack_log, replay, unpack_log
from games.rules.ruleset import Ruleset
from tests.rules.positions import make_seed, play_random_match


def test_a_log_is_two_bytes_an_action_low_byte_first() -> None:
    assert pack_log([0, 1, 258, 7455]) == bytes([0, 0, 1, 0, 2, 1, 31, 29])
    assert unpack_log(bytes([0, 0, 1, 0, 2, 1, 31, 29])) == [0, 1, 258, 7455]


@pytest.mark.parametrize("players", [3, 4])
def test_a_match_is_rebuilt_from_seed_and_log(players: int) -> None:
    match = play_random_match(Ruleset(players), "rebuild")
    again = replay(match.ruleset, make_seed("rebuild"), unpack_log(pack_log(match.log)))
    assert (again.log, again.rounds, again.result, again.is_over) == (match.log, match.rounds, match.result, True)


def test_a_match_half_way() -> None:
    match = play_random_match(Ruleset(4), "rebuild")
    half = replay(match.ruleset, make_seed("rebuild"), match.log[:90])
    assert not half.is_over
    assert half.log == match.log[:90]
    assert half.log[half.round_start :] == match.log[half.round_start : 90]
    assert half.rounds == match.rounds[: len(half.rounds)]


def test_an_entry_is_the_action_and_its_seat() -> None:
    match = Match(Ruleset(3), make_seed("entry"))
    seat = match.round.turn
    card = match.round.hands[seat].bit_length() - 1
    match.apply(seat, card)
    assert match.log == [card * 4 + seat]
    assert match.awaiting() == tuple(other for other in range(3) if other != seat)
