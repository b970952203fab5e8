"""The live rating against openskill: its published examples, its every bit, and what Aurum defines beyond it."""

from itertools import permutations, product
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from tournaments.rules.ratings.live import rate_match, rate_sides, rated_places
from tournaments.rules.ratings.values import PEOPLE_TAU, LiveRating, RatedTable

NEW = LiveRating()
ratings_strategy = st.builds(LiveRating, st.floats(-10, 60), st.floats(0.3, 9))


def rate(table: RatedTable, *ratings: LiveRating) -> list[LiveRating]:
    players = [player for side in table.sides for player in side]
    return [step.after for step in rate_match(dict(zip(players, ratings, strict=False)), table)]


def rate_with_library(table: RatedTable, *ratings: LiveRating) -> dict[int, LiveRating]:
    """What openskill gives for the sides in the order the rules define: by place, then by strength.

    Its last bit parts sides that are alike in everything; the rules give all of them what the first gets.
    """
    model = PlackettLuce(tau=0.0)
    known = dict(zip((player for side in table.sides for player in side), ratings, strict=True))

    def strength(side: int) -> tuple[int, float, float]:
        members = [known[player] for player in table.sides[side]]
        return table.places[side], sum(m.mu for m in members), sum(m.sigma**2 for m in members)

    order = sorted(range(len(table.sides)), key=strength)
    teams = [[model.rating(*known[player]) for player in table.sides[side]] for side in order]
    rated = model.rate(teams, ranks=[float(table.places[side]) for side in order])
    if len(rated[0]) == 1:
        keys = [strength(side) for side in order]
        rated = [rated[keys.index(key)] for key in keys]
    return {
        player: LiveRating(rating.mu, rating.sigma)
        for side, team in zip(order, rated, strict=True)
        for player, rating in zip(table.sides[side], team, strict=True)
    }


@pytest.mark.parametrize(
    ("sides", "people", "before", "after"),
    [
        pytest.param(
            ((1, 2), (3, 4)), {1, 2, 3, 4}, [NEW] * 4,
            [(26.964294621803063, 8.177962604389991)] * 2 + [(23.035705378196937, 8.177962604389991)] * 2,
            id="openskill.py's README: new players, two against two, its default tau",
        ),
        pytest.param(
            ((1, 2), (3, 4)), set(),
            [NEW, LiveRating(32.444, 5.123), LiveRating(43.381, 2.421), LiveRating(25.188, 6.211)],
            [
                (28.669648436582808, 8.071520788025197), (33.83086971107981, 5.062772998705765),
                (43.071274808241974, 2.4166900452721256), (23.149503312339064, 6.1378606973362135),
            ],
            id="openskill.py 3's README: two against two, no tau",
        ),
        pytest.param(
            ((1,), (2,)), set(), [NEW] * 2,
            [(27.63523138347365, 8.065506316323548), (22.36476861652635, 8.065506316323548)],
            id="openskill.js: one against one, no tau",
        ),
    ],
)
def test_published_examples(
    sides: tuple[tuple[int, ...], ...], people: set[int], before: list[LiveRating], after: list[tuple[float, float]]
) -> None:
    rated = rate(RatedTable(sides, (1, 2), people=frozenset(people)), *before)
    for rating, expected in zip(rated, after, strict=True):
        assert rating == pytest.approx(expected, abs=1e-12)


@given(
    st.sampled_from([((1,), (2,), (3,)), ((1,), (2,)), ((1, 2), (3, 4))]),
    st.tuples(*[st.integers(1, 3)] * 3),
    st.lists(ratings_strategy, min_size=4, max_size=4),
)
def test_equals_the_library_bit_for_bit(
    sides: tuple[tuple[int, ...], ...], places: tuple[int, ...], before: list[LiveRating]
) -> None:
    table = RatedTable(sides, places[: len(sides)])
    seats = sum(map(len, sides))
    expected = rate_with_library(table, *before[:seats])
    assert {step.player: step.after for step in rate_match(dict(enumerate(before, 1)), table)} == expected


@given(st.permutations([0, 1, 2]), st.tuples(*[st.integers(1, 3)] * 3), st.tuples(*[ratings_strategy] * 3))
def test_seats_and_names_change_no_bit(
    order: list[int], places: tuple[int, ...], before: tuple[LiveRating, ...]
) -> None:
    straight = rate(RatedTable(((1,), (2,), (3,)), places), *before)
    moved = rate(
        RatedTable(((90,), (7,), (33,)), tuple(places[seat] for seat in order)), *(before[seat] for seat in order)
    )
    assert moved == [straight[seat] for seat in order]


@pytest.mark.parametrize("places", list(product((1, 2, 3), repeat=3)))
def test_newcomers_who_share_a_place_get_the_same_bits(places: tuple[int, ...]) -> None:
    after = rate(RatedTable(((1,), (2,), (3,)), places), NEW, NEW, NEW)
    for one, other in permutations(range(3), 2):
        assert (after[one] == after[other]) == (places[one] == places[other])


@given(st.sampled_from(list(product((1, 2, 3), repeat=3))), ratings_strategy)
def test_among_equals_nobody_passes_a_better_finisher(places: tuple[int, ...], before: LiveRating) -> None:
    after = rate(RatedTable(((1,), (2,), (3,)), places), before, before, before)
    for one, other in permutations(range(3), 2):
        if places[one] < places[other]:
            assert after[one].mu >= after[other].mu
        if places[one] == places[other]:
            assert after[one].mu == pytest.approx(after[other].mu)


def test_a_tie_pulls_two_sides_together() -> None:
    strong, weak = rate(RatedTable(((1,), (2,)), (1, 1)), LiveRating(30, 5), LiveRating(20, 5))
    assert strong.mu < 30
    assert weak.mu > 20


@pytest.mark.parametrize(
    ("sides", "places", "forfeits", "expected"),
    [
        pytest.param(((1,), (2,), (3,)), (1, 2, 3), set(), (1, 2, 3), id="no forfeit"),
        pytest.param(((1,), (2,), (3,)), (1, 2, 3), {1}, (4, 2, 3), id="the winner forfeits and is behind all"),
        pytest.param(((1,), (2,), (3,)), (1, 2, 2), {3}, (1, 2, 3), id="a shared place ends with the forfeit"),
        pytest.param(((1,), (2,), (3,)), (1, 2, 3), {1, 3}, (4, 2, 4), id="two forfeits share the last place"),
        pytest.param(((1, 2), (3, 4)), (1, 2), {2}, (3, 2), id="a partner's forfeit is the side's"),
        pytest.param(((1,), (2,), (3,)), (1, 2, 3), {1, 2, 3}, None, id="all forfeit: nothing to rate"),
    ],
)
def test_forfeits_come_last(
    sides: tuple[tuple[int, ...], ...], places: tuple[int, ...], forfeits: set[int], expected: tuple[int, ...] | None
) -> None:
    table = RatedTable(sides, places, frozenset(forfeits))
    assert rated_places(table) == expected
    assert bool(rate_match({}, table)) is (expected is not None)


def test_steps_say_what_happened() -> None:
    known = LiveRating(28.0, 4.0)
    first, second, third = rate_match({2: known}, RatedTable(((1,), (2,), (3,)), (2, 1, 3), frozenset({2})))
    assert (first.before, second.before, third.before) == (NEW, known, NEW)
    assert [(step.player, step.place, step.is_forfeit) for step in (first, second, third)] == [
        (1, 2, False), (2, 4, True), (3, 3, False)
    ]
    assert first.after.mu > third.after.mu > 0
    assert second.after.mu < known.mu


def test_only_people_drift() -> None:
    sure = LiveRating(25.0, 1.0)
    person, bot = rate(RatedTable(((1,), (2,)), (1, 2), people=frozenset({1})), sure, sure)
    drifted = LiveRating(25.0, sqrt(1.0 + PEOPLE_TAU * PEOPLE_TAU))
    both = rate(RatedTable(((1,), (2,)), (1, 2)), drifted, sure)
    assert [person, bot] == both


@pytest.mark.parametrize("sides", [((1,),), ((1,), (2,), (3,), (4,))], ids=["one side", "four sides"])
def test_other_tables_are_refused(sides: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(ValueError, match="two or three sides"):
        rate_match({}, RatedTable(sides, tuple(range(1, len(sides) + 1))))


@pytest.mark.parametrize("places", [(1, 2), (1, 2, 3, 4)], ids=["too few", "too many"])
def test_a_place_for_each_side(places: tuple[int, ...]) -> None:
    table = RatedTable(((1,), (2,), (3,)), (1, 2, 3))
    with pytest.raises(ValueError):
        rate_sides({}, table, places)
    with pytest.raises(ValueError, match="each with a place"):
        rate_match({}, table._replace(places=places))
