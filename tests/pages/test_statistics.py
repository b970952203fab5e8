"""Crosstable, bracket and statistics of a tournament: on pages, with intervals in words, and as files."""

import csv
import io
import json

import pytest
from django.test import Client

from tests.pages.events import make_players, make_tournament, read_page
from tournaments.models import Stage, StageStandings, Tournament
from tournaments.pages.tournament import FEWEST_IN_A_RACE
from tournaments.selectors.statistics import read_crosstable, read_race, read_round_bids, read_rounds

pytestmark = pytest.mark.django_db
CUP = "/tournaments/test-cup/"
ONE_DAY = {"format": "round_robin", "options": {"matchdays": 1}, "block_deals": 2}


@pytest.fixture
def finished(db: None) -> Tournament:
    stages = [{**ONE_DAY, "name": "Groups", "cut": 3}, {"format": "knockout", "name": "Final", "block_deals": 1}]
    return make_tournament("finished", players=make_players(6), stages=stages)


def read_rows(client: Client, name: str) -> list[dict[str, object]]:
    """The rows of a file, the same by CSV and JSON."""
    sent = [b"".join(client.get(f"{CUP}downloads/{name}.{form}")).decode() for form in ("json", "csv")]
    rows: list[dict[str, object]] = json.loads(sent[0])
    assert [list(row) for row in csv.DictReader(io.StringIO(sent[1]))] == [list(row) for row in rows]
    return rows


def test_every_pair_stands_in_a_list_with_its_interval(client: Client, finished: Tournament) -> None:
    page = read_page(client, f"{CUP}crosstable/?stage=1")
    stage = Stage.objects.select_related("tournament").get(tournament=finished, number=1)
    met = len(read_crosstable(stage).cells) // 2
    assert page.count('<th scope="row" class="is-sticky">Bot') == met
    assert "with intervals" in page and " to " in page and f"{CUP}downloads/crosstable.csv" in page


def test_a_whole_tournament_beside_its_stages(client: Client, finished: Tournament) -> None:
    pages = {stage: read_page(client, f"{CUP}statistics/?stage={stage}") for stage in ("1", "2", "all")}
    assert 'href="?stage=all" aria-current="page"' in pages["all"] and "has no stage" not in pages["all"]
    assert len(set(pages.values())) == 3
    assert pages["2"].count("Bot ") < pages["1"].count("Bot ") == pages["all"].count("Bot ")


def test_one_stage_needs_no_whole(client: Client) -> None:
    make_tournament("finished", players=make_players(3), stages=[ONE_DAY])
    assert "?stage=all" not in read_page(client, f"{CUP}statistics/")


def test_a_crosstable_as_rows(client: Client, finished: Tournament) -> None:
    rows = read_rows(client, "crosstable")
    assert {row["stage"] for row in rows} == {"Groups", "Final"}
    pairs = {(row["stage"], row["entrant"], row["opponent"]): row for row in rows}
    for (stage, own, other), row in pairs.items():
        assert row["mean_difference"] == pytest.approx(-pairs[stage, other, own]["mean_difference"])  # type: ignore[operator]


def test_a_bracket_as_rows(client: Client, finished: Tournament) -> None:
    rows = read_rows(client, "bracket")
    assert [row["stage"] for row in rows] == ["Final"] * 3
    assert {row["place"] for row in rows} <= {1, 2, 3} and 1 in [row["place"] for row in rows]


def test_statistics_as_rows(client: Client, finished: Tournament) -> None:
    rows = read_rows(client, "statistics")
    assert [row["stage"] for row in rows].count("Groups") == 6
    assert all(row["rounds"] == row["no_lead"] + row["no_play"] + row["declined_gold"] for row in rows)  # type: ignore[operator]


@pytest.mark.parametrize("part", ["crosstable", "bracket", "statistics"])
def test_pages_lead_to_their_files(client: Client, finished: Tournament, part: str) -> None:
    stage = "?stage=2" if part == "bracket" else ""
    page = read_page(client, f"{CUP}{part}/{stage}")
    assert all(f"{CUP}downloads/{part}.{form}" in page for form in ("csv", "json"))
    assert f"{CUP}downloads/{part}.csv" in read_page(client, f"{CUP}downloads/")


def test_bids_ends_and_seats_are_drawn_with_their_tables_behind(client: Client, finished: Tournament) -> None:
    page = read_page(client, f"{CUP}statistics/?stage=1")
    stage = Stage.objects.select_related("tournament").get(tournament=finished, number=1)
    bids = read_round_bids([stage])
    rounds = read_rounds([stage]).rounds
    assert len(bids) == 3 * rounds and all(tricks >= 0 and bid >= 0 for bid, tricks in bids)
    for picture, number in (("picture-bids", 1), ("picture-bars", 3)):
        assert page.count(f'class="picture {picture}"') == number
    assert page.count("<summary>The same as a list</summary>") == 4
    assert 'class="reach-picture"' in page


def test_the_way_to_the_standings_names_its_deciding_matches(client: Client, finished: Tournament) -> None:
    assert "part=race" in read_page(client, f"{CUP}?stage=1"), "asked for once somebody comes to it"
    page = read_page(client, f"{CUP}now/?stage=1&part=race")
    stage = Stage.objects.select_related("tournament").get(tournament=finished, number=1)
    order = [row["entrant"] for row in StageStandings.objects.get(stage=stage).rows]
    told = read_race(stage, order)
    assert ('class="picture picture-race"' in page) == (len(told.race.ahead[0]) >= FEWEST_IN_A_RACE)
    points = {name: way[-1] for name, way in zip(told.names, told.race.ahead, strict=True)}
    assert sorted(points.values(), reverse=True) == list(points.values())
    assert all(f"/matches/{number}/" in page for number in told.deciding)
