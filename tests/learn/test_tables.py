"""Tables play by the site's rules, show what a View shows and no more, and do not depend on threads."""

from itertools import combinations

import numpy as np
import pytest

from games.learn import BITS, Tables, unpack
from games.learn.places import HANDS, KNOWN
from games.rules.cards import cards_in
from games.rules.ruleset import Ruleset, all_rulesets
from tests.learn.mirror import Mirror, read_words

TABLES = 4
MATCHES = 6
"""At least so many of each ruleset are followed to their end."""


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_tables_and_rules_in_lock_step(ruleset: Ruleset) -> None:
    """Seats, masks, observations of all seats, points of rounds, shares of matches, golden rounds and lots."""
    tables = Tables(TABLES, ruleset, seed=7)
    mirrors = [Mirror(tables, table) for table in range(TABLES)]
    step = 0
    while sum(mirror.matches - 1 for mirror in mirrors) < MATCHES:
        for mirror in mirrors:
            mirror.compare(all_seats=step % 5 == 0)
        tables.step_random()
        for table, mirror in enumerate(mirrors):
            mirror.follow(int(tables.drawn[table]))
        step += 1


@pytest.mark.parametrize("code", ["en3", "de4", "ru3-nozero", "fr4-cumulative"])
def test_hidden_cards_change_no_bit(code: str) -> None:
    """Pairs of positions that differ in two cards of two others' hands, or in a bid that lies face down."""
    tables = Tables(32, code, seed=3)
    pairs = 0
    for _ in range(160):
        tables.step_random()
        for table in range(0, 32, 4):
            seat = int(tables.seat[table])
            seen = tables.observe(table, seat).tolist()
            words = read_words(tables, table)
            others = [other for other in range(tables.ruleset.players) if other != seat]
            for one, other in combinations(others, 2):
                kept = words.copy()
                if not exchange_cards(words, one, other):
                    continue
                assert tables.observe(table, seat).tolist() == seen
                words[:] = kept
                pairs += 1
    assert pairs > 500


def exchange_cards(words: np.ndarray, one: int, other: int) -> bool:
    """Give each of two hands a card of the other that nobody has seen there; whether there are such cards."""
    hidden = [int(words[HANDS + seat]) & ~int(words[KNOWN + seat]) for seat in (one, other)]
    if not all(hidden):
        return False
    both = sum(1 << next(iter(cards_in(mask))) for mask in hidden)
    for seat in (one, other):
        words[HANDS + seat] = np.uint64(int(words[HANDS + seat]) ^ both)
    return True


def test_a_secret_bid_changes_no_bit() -> None:
    for first in range(3):
        seen = set()
        for pick in range(12):
            tables = Tables(1, "en3", seed=11 + first)
            bidder = int(tables.seat[0])
            tables.step(np.array([list(cards_in(int(tables.legal[0])))[pick]]))
            seen.add(tuple(tuple(tables.observe(0, seat).tolist()) for seat in range(3) if seat != bidder))
        assert len(seen) == 1


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_the_same_seed_plays_the_same_on_any_number_of_threads(code: str) -> None:
    tables = [Tables(101, code, seed=5, threads=threads) for threads in (1, 2, 3)]
    for _ in range(150):
        for some in tables:
            some.step_random()
        for some in tables[1:]:
            assert np.array_equal(some.planes, tables[0].planes)
            assert np.array_equal(some.mask, tables[0].mask)
            assert np.array_equal(some.rewards, tables[0].rewards)
    other = Tables(101, code, seed=6)
    assert not np.array_equal(other.planes, Tables(101, code, seed=5).planes)


def test_spread_bits_are_the_planes() -> None:
    tables = Tables(9, "fr4", spread=True)
    for _ in range(80):
        tables.step_random()
        assert tables.bits.shape == (9, BITS)
        assert np.array_equal(tables.bits, unpack(tables.planes))


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    tables = Tables(3, "en3")
    before = tables.planes.copy()
    actions = np.array([next(iter(cards_in(int(legal)))) for legal in tables.legal])
    actions[1] = 59
    with pytest.raises(ValueError, match="Action 59 is not legal at table 1; legal are"):
        tables.step(actions)
    assert np.array_equal(tables.planes, before)


def test_rewards_by_points_come_with_the_end_of_a_round() -> None:
    tables = Tables(64, "en4", rewards="points")
    paid = 0
    for _ in range(200):
        tables.step_random()
        assert not tables.rewards[tables.ended == 0].any()
        paid += int((tables.rewards[tables.ended > 0] > 0).sum())
    assert paid > 100


@pytest.mark.parametrize("options", [{"n": 0}, {"n": 1, "threads": 0}, {"n": 1, "rewards": "fame"}])
def test_refuses_what_are_no_tables(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="at least one table"):
        Tables(**options)  # type: ignore[arg-type]
