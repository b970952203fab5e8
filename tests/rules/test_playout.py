"""Random playouts: the quick generator and the loop that search bots stand on."""

from collections import Counter

import pytest

from games.rules.actions import CHANGE, KEEP, OVER, SWAP, legal_actions
from games.rules.deal import deal_round
from games.rules.playout import Chance, play_out, random_action, random_rounds
from games.rules.round import Round
from tests.rules.positions import make_seed

MASKS = [
    pytest.param(1, id="the lowest bit"),
    pytest.param(1 << 63, id="the highest bit"),
    pytest.param((1 << 64) - 1, id="all bits"),
    pytest.param(1 << 63 | 1, id="both ends"),
    pytest.param(0b1011 << 30 | 1 << 55 | 1 << 8 | 1 << 7, id="over bytes"),
    pytest.param(0xFF00FF0000FF, id="whole bytes"),
]


@pytest.mark.parametrize("mask", MASKS)
def test_every_set_bit_is_picked_equally_often(mask: int) -> None:
    chance = Chance(11)
    bits = [place for place in range(64) if mask >> place & 1]
    found = Counter(chance.pick(mask) for _ in range(400 * len(bits)))
    assert sorted(found) == bits
    assert all(300 < count < 500 for count in found.values())


def test_numbers_stay_below_their_bound() -> None:
    chance = Chance(12)
    found = Counter(chance.below(7) for _ in range(7000))
    assert sorted(found) == list(range(7))
    assert all(850 < count < 1150 for count in found.values())


def test_the_same_seed_gives_the_same_numbers() -> None:
    assert [Chance(5).below(1000) for _ in range(3)] == [Chance(5).below(1000)] * 3
    streams = [[chance.below(1000) for _ in range(20)] for chance in (Chance(5), Chance(6), Chance(5))]
    assert streams[0] == streams[2] != streams[1]
    assert Chance(0).below(1000) == Chance(1 << 64).below(1000) == Chance(1).below(1000), "zero is no seed"


CHECKSUMS = [
    pytest.param(3, 50, 9, (2741, 31459187330425204), id="three"),
    pytest.param(4, 50, 9, (3295, 3795805292800594311), id="four"),
]


@pytest.mark.parametrize(("players", "rounds", "seed", "told"), CHECKSUMS)
def test_checksum(players: int, rounds: int, seed: int, told: tuple[int, int]) -> None:
    assert random_rounds(players, rounds, seed) == told


def test_in_the_change_window_keeping_weighs_as_much_as_changing() -> None:
    dealt = deal_round(make_seed("window"), 4, 1)
    round_ = Round(4, dealt.hands, 0, True)
    chance = Chance(3)
    while round_.phase != CHANGE:
        round_.apply(random_action(round_, chance))
    found = Counter(random_action(round_, chance) for _ in range(4000))
    assert 1850 < found[KEEP] < 2150
    assert set(found) == set(legal_actions(round_.phase, round_.legal))
    assert all(action >= SWAP for action in found if action != KEEP)


def test_a_playout_counts_its_decisions() -> None:
    dealt = deal_round(make_seed("count"), 3, 1)
    round_, other = Round(3, dealt.hands, 0, True), Round(3, dealt.hands, 0, True)
    decisions = play_out(round_, Chance(3))
    chance = Chance(3)
    for _ in range(decisions):
        assert other.phase != OVER
        other.apply(random_action(other, chance))
    assert (round_.phase, other.phase) == (OVER, OVER)
    assert list(round_.golds) == list(other.golds)


def test_a_round_begun_anew_has_forgotten_the_last_one() -> None:
    hands = [deal_round(make_seed("again"), 4, number).hands for number in (1, 2)]
    used = Round(4, hands[0], 2, True)
    play_out(used, Chance(8))
    used.start(hands[1], 1, False)
    fresh = Round(4, hands[1], 1, False)
    assert play_out(used, Chance(4)) == play_out(fresh, Chance(4))
    names = (
        "hands",
        "golds",
        "bids",
        "known",
        "tricks",
        "sizes",
        "supply",
        "played",
        "closed",
        "end_seat",
        "trick_number",
    )
    assert [getattr(used, name) for name in names] == [getattr(fresh, name) for name in names]
