"""Statistics read from stored results: counted by SQL, equal to a plain recount, blocks as blocks."""

from collections.abc import Iterator
from math import isclose

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import MatchResult
from tests.services.ratings.conftest import Settle, make_players
from tests.services.tournaments.conftest import Make, make_tournament, organiser, play_on
from tournaments.models import FixtureMatch, Stage
from tournaments.selectors.exports import export_crosstable, export_statistics
from tournaments.selectors.players import list_opponents
from tournaments.selectors.statistics import (
    RoundEnds,
    read_bias,
    read_bids,
    read_crosstable,
    read_head_to_head,
    read_player_bids,
    read_rounds,
)

__all__ = ["make_tournament", "organiser"]
pytestmark = pytest.mark.django_db

A_BLOCK = 6
"""One deal from every seat, in both directions."""


@pytest.fixture
def stage(make_tournament: Make) -> Stage:
    """A round robin of seven on blocks of six matches a deal, played by house bots."""
    tournament = play_on(make_tournament({"format": "round_robin", "options": {"matchdays": 3}, "block_deals": 1}, 7))
    return tournament.stages.select_related("tournament").get()


def seats_of(stage: Stage) -> Iterator[tuple[int, int, MatchResult]]:
    """Entrant, side and result of every seat."""
    for link in FixtureMatch.objects.filter(stage=stage).select_related("match__result"):
        for seat, entrant in enumerate(link.entrants):
            yield entrant, seat, link.match.result


def test_bids_are_those_of_a_plain_recount(stage: Stage, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        bids = read_bids([stage])
    assert set(bids) == {entrant for entrant, _, _ in seats_of(stage)}
    for entrant, row in bids.items():
        mine = [(seat, result) for holder, seat, result in seats_of(stage) if holder == entrant]
        assert row.matches == len(mine)
        assert row.rounds == sum(result.rounds for _, result in mine)
        assert row.exact == sum(result.exact_bids[seat] for seat, result in mine)
        assert row.gold_points == sum(result.gold_points[seat] for seat, result in mine)
        assert row.ends == RoundEnds(*(sum(result.ends[reason] for _, result in mine) for reason in range(3)))
        assert row.blocks == len(mine) / A_BLOCK
        if row.exact_low is not None and row.exact_high is not None:
            assert 0 <= row.exact_low <= row.exact_high <= 1


def test_rounds_are_those_of_a_plain_recount(stage: Stage) -> None:
    results = list(MatchResult.objects.all())
    rounds = read_rounds([stage])
    assert (rounds.matches, rounds.rounds) == (len(results), sum(result.rounds for result in results))
    ends = RoundEnds(*(sum(result.ends[reason] for result in results) for reason in range(3)))
    assert rounds.ends == ends
    assert ends.no_lead + ends.no_play + ends.declined_gold == rounds.rounds


def test_a_whole_tournament_is_the_sum_of_its_stages(make_tournament: Make) -> None:
    one_day = {"format": "round_robin", "options": {"matchdays": 1}}
    tournament = play_on(make_tournament({}, 6, stages=[{**one_day, "cut": 3}, {**one_day, "name": "Final"}]))
    stages = list(tournament.stages.select_related("tournament").order_by("number"))
    parts = [read_bids([one]) for one in stages]
    for entrant, whole in read_bids(stages).items():
        assert whole.rounds == sum(part[entrant].rounds for part in parts if entrant in part)
        assert whole.ends.no_play == sum(part[entrant].ends.no_play for part in parts if entrant in part)
    assert read_rounds(stages).rounds == sum(read_rounds([one]).rounds for one in stages)
    assert read_bias(stages).seat.matches == sum(read_bias([one]).seat.matches for one in stages)


def test_a_players_bids_are_summed_over_tournaments(stage: Stage) -> None:
    by_entrant = read_bids([stage])
    for entrant_id, row in by_entrant.items():
        player = FixtureMatch.objects.filter(entrants__contains=[entrant_id]).first()
        assert player is not None
        entrant = stage.tournament.entrants.get(pk=entrant_id)
        mine = read_player_bids(entrant.player_id)[3]
        assert (mine.rounds, mine.exact, mine.total) == (row.rounds, row.exact, row.total)


def test_a_players_page_counts_the_latest_matches_alone(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    player = stage.tournament.entrants.first().player  # type: ignore[union-attr]
    played = read_player_bids(player.pk)[3].matches
    met = sum(one.meetings for one in list_opponents(player, 100))
    assert played > 2 and met == 2 * played
    monkeypatch.setattr("tournaments.selectors.statistics.LATEST_MATCHES", 2)
    monkeypatch.setattr("tournaments.selectors.players.LATEST_MATCHES", 2)
    assert read_player_bids(player.pk)[3].matches == 2
    assert sum(one.meetings for one in list_opponents(player, 100)) == 4


def test_bias_counts_blocks_not_matches(stage: Stage) -> None:
    bias = read_bias([stage])
    assert bias.seat.matches == FixtureMatch.objects.filter(stage=stage).count()
    assert {share.observations for share in bias.first_player.shares} == {bias.seat.matches / A_BLOCK}
    assert isclose(sum(share.mean for share in bias.seat.shares), 1)


def test_the_crosstable_is_antisymmetric_and_counts_meetings(stage: Stage) -> None:
    table = read_crosstable(stage)
    assert len(table.entrants) == 7
    for (own, other), cell in table.cells.items():
        mirror = table.cells[other, own]
        assert (cell.meetings, cell.blocks) == (mirror.meetings, mirror.blocks)
        assert cell.meetings == A_BLOCK * cell.blocks
        assert cell.share_ahead + mirror.share_ahead == pytest.approx(1)
        assert cell.mean_difference == pytest.approx(-mirror.mean_difference)
    rows = list(export_crosstable(stage.tournament))
    assert list(rows[0])[:4] == ["stage", "entrant", "opponent", "meetings"]
    assert len(rows) == len(table.cells)
    assert {entrant for pair in read_crosstable(stage, limit=3).cells for entrant in pair} <= {
        entrant for entrant, _ in table.entrants[:3]
    }


def test_a_crosstable_is_computed_once_for_each_version(
    stage: Stage, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    read_crosstable(stage)
    with django_assert_num_queries(0):
        read_crosstable(stage)


def test_statistics_as_rows_name_their_entrants(stage: Stage) -> None:
    rows = list(export_statistics(stage.tournament))
    assert {row["entrant"] for row in rows} == set(stage.tournament.entrants.values_list("player__name", flat=True))
    assert all(row["no_lead"] + row["no_play"] + row["declined_gold"] == row["rounds"] for row in rows)
    assert all(row["exact_share"] == row["exact"] / row["rounds"] for row in rows)


def test_two_players_head_to_head(settle_results: Settle) -> None:
    a, b, c = make_players(3)
    ids = settle_results(
        [(a, b, c), (b, a, c), (c, a, b), (a, c, b)],
        [((1, 2, 3), ()), ((1, 2, 3), ()), ((1, 2, 2), ()), ((1, 2, 3), (2,))],
        blocks=[0, 0, 1, 2],
    )
    meeting = read_head_to_head(a.id, b.id)
    assert meeting.cell is not None
    assert (meeting.cell.meetings, meeting.cell.share_ahead) == (4, (1 + 0 + 0.5 + 1) / 4)
    assert meeting.latest_matches == tuple(reversed(ids))
    assert read_head_to_head(a.id, b.id, players=4).cell is None
