"""A tournament's pages: what they show in each state, to whom, in how many queries, and in files."""

import csv
import io
import json
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.formats import number_format
from django.utils.translation import override

from aurum_league.common.files import write_csv, write_json
from games.models import Match, MatchState
from tests.pages.events import HOSTILE, count_queries, make_players, make_tournament, read_page
from tournaments.models import Fixture, Matchday, MatchdayState, Stage, StageStandings, Tournament
from tournaments.pages import frame
from tournaments.pages.words import METRICS, say_percent, say_reason
from tournaments.rules.ratings.values import Estimate
from tournaments.rules.stage_sheet import widen_zeros
from tournaments.rules.standings import Metric
from tournaments.selectors.schedule import read_bracket

pytestmark = pytest.mark.django_db

PARTS = ("", "schedule/", "entrants/", "bracket/", "crosstable/", "statistics/", "balance/", "downloads/")
KNOCKOUT = {"format": "knockout", "block_deals": 1}
BRACKET_QUERIES = 5


@pytest.fixture
def finished(db: None) -> Tournament:
    return make_tournament("finished", players=make_players(6, HOSTILE))


@pytest.mark.parametrize("state", ["open", "drawn", "playing", "finished"])
def test_every_part_answers_in_every_state(client: Client, state: str) -> None:
    make_tournament(state)
    for part in PARTS:
        assert "Test Cup" in read_page(client, f"/tournaments/test-cup/{part}")


@pytest.mark.parametrize("part", [*PARTS, "now/", "downloads/archive.zip", "downloads/standings.csv"])
def test_a_draft_is_its_organisers_alone(client: Client, part: str) -> None:
    organiser = make_tournament("draft").organiser
    address = f"/tournaments/test-cup/{part}"
    assert client.get(address).status_code == 404
    client.force_login(User.objects.create_user("somebody-else"))
    assert client.get(address).status_code == 404
    client.force_login(organiser)
    assert client.get(address).status_code == 200


def test_a_draw_is_shown_once_it_is_released(client: Client) -> None:
    tournament = make_tournament("drawn")
    assert "Nothing is drawn yet" in read_page(client, "/tournaments/test-cup/schedule/")
    assert "Nothing is drawn yet" in read_page(client, "/tournaments/test-cup/balance/")
    client.force_login(tournament.organiser)
    assert "Bot 1" in read_page(client, "/tournaments/test-cup/schedule/")
    assert "As even as can be" in read_page(client, "/tournaments/test-cup/balance/")


def test_standings_say_places_intervals_and_what_decided(client: Client, finished: Tournament) -> None:
    page = read_page(client, "/tournaments/test-cup/")
    rows = StageStandings.objects.get(stage__tournament=finished).rows
    assert page.count('<th scope="row" class="is-sticky"') == len(rows) == 6
    assert "Champion" in page
    for row in rows:
        assert number_format(row["tally"]["total_score"] / row["tally"]["played"], 2) in page
        assert str(METRICS[row["decided_by"]["metric"]]) in page
    assert " ± " in page


def test_names_are_escaped_on_every_part(client: Client, finished: Tournament) -> None:
    for part in PARTS:
        page = read_page(client, f"/tournaments/test-cup/{part}")
        assert "<b>Bot" not in page
    assert "&lt;b&gt;Bot" in read_page(client, "/tournaments/test-cup/crosstable/")


def test_queries(client: Client, finished: Tournament) -> None:
    """Parts that are kept by the version of the results take the fewest."""
    expected = {
        "": 9,
        "now/": 5,
        "schedule/": 8,
        "entrants/": 6,
        "crosstable/": 3,
        "statistics/": 5,
        "balance/": 7,
        "downloads/": 2,
        "tables/1/1/1/": 9,
    }
    assert {part: count_queries(client, f"/tournaments/test-cup/{part}") for part in expected} == expected


def test_the_kept_part_changes_with_the_results(client: Client) -> None:
    tournament = make_tournament("playing")
    before = read_page(client, "/tournaments/test-cup/now/")
    stage = Stage.objects.get(tournament=tournament)
    StageStandings.objects.update_or_create(stage=stage, defaults={"version": stage.results_version + 1, "rows": []})
    Fixture.objects.filter(pk__in=Fixture.objects.values("pk")[:1]).update(open_matches=0)
    assert read_page(client, "/tournaments/test-cup/now/") != before


def test_a_large_stage_is_counted_after_the_page_has_come(
    client: Client, finished: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame, "LARGE_STAGE", 0)
    for part, says, counted in (
        ("crosstable/", "Counting…", "picture-crosstable"),
        ("statistics/", "Counting…", "How rounds ended"),
    ):
        page = read_page(client, f"/tournaments/test-cup/{part}")
        assert (says in page, counted in page) == (True, False), part
        assert "counted=1" in page
        assert counted in read_page(client, f"/tournaments/test-cup/{part}?counted=1"), part


def test_intervals_stand_beside_the_places_without_counting(client: Client, finished: Tournament) -> None:
    cache.clear()
    with CaptureQueriesContext(connection) as seen:
        assert " ± " in read_page(client, "/tournaments/test-cup/")
    assert not [query["sql"] for query in seen if "games_matchresult" in query["sql"]]


def test_bad_addresses_are_answered_in_place(client: Client, finished: Tournament) -> None:
    for address, says in (
        ("?stage=7", "has no stage"),
        ("?stage=%00", "has no stage"),
        ("?page=99999999999999999999", "Standings"),
        ("?page=-1", "Standings"),
        ("?page=%E2%82%AC", "Standings"),
        ("schedule/?day=77", "There is no matchday"),
        ("schedule/?day=%3Cscript%3E", "&lt;script&gt;"),
        ("bracket/", "This stage has no bracket"),
    ):
        assert says in read_page(client, f"/tournaments/test-cup/{address}"), address


def test_what_is_not_there_is_a_404(client: Client, finished: Tournament) -> None:
    for address in (
        "/tournaments/nothing/",
        "/tournaments/test-cup/nothing/",
        "/tournaments/test-cup/tables/1/1/99/",
        "/tournaments/test-cup/tables/99999999999999999999/1/1/",
        "/tournaments/test-cup/tables/1/1/99999999999999999999/",
        "/tournaments/test-cup/downloads/secrets.csv",
        "/tournaments/test-cup/downloads/standings.exe",
        "/leagues/nothing/",
        "/players/nothing/",
    ):
        assert client.get(address).status_code == 404, address


def test_a_knockout_is_drawn_as_a_bracket(client: Client) -> None:
    make_tournament("finished", players=make_players(9), ruleset="en3-golden", stages=[KNOCKOUT])
    page = read_page(client, "/tournaments/test-cup/bracket/")
    assert page.count('class="bracket-table"') == 4
    assert "F1" in page


def test_a_bracket_has_a_column_for_each_wave_however_its_tables_were_released(client: Client) -> None:
    make_tournament("finished", players=make_players(27), ruleset="en3-golden", stages=[KNOCKOUT])
    stage = Stage.objects.get()
    # As if each table of the second wave had waited for a slow one before it.
    for number, fixture in enumerate(Fixture.objects.filter(slot__startswith="W2.").order_by("-slot"), start=50):
        fixture.matchday = Matchday.objects.create(stage=stage, number=number, state=MatchdayState.RELEASED)
        fixture.save(update_fields=("matchday",))
    lines = read_bracket(stage)
    assert Counter(line.wave for line in lines) == {1: 9, 2: 3, 3: 1}


@pytest.mark.parametrize("players", [9, 27])
def test_a_bracket_takes_the_same_queries_however_large(client: Client, players: int) -> None:
    make_tournament("finished", players=make_players(players), ruleset="en3-golden", stages=[KNOCKOUT])
    assert count_queries(client, "/tournaments/test-cup/bracket/") == BRACKET_QUERIES


def test_divisions_have_places_of_their_own(client: Client) -> None:
    stage = {"format": "league_season", "groups": 2, "options": {"laps": 1}}
    make_tournament("finished", players=make_players(8), stages=[stage])
    page = read_page(client, "/tournaments/test-cup/")
    assert "Division D1" in page
    assert "Division D2" in page


class TestFiles:
    def test_rows_come_as_csv_and_json(self, client: Client, finished: Tournament) -> None:
        def fetch(name: str) -> str:
            return b"".join(client.get(f"/tournaments/test-cup/downloads/{name}")).decode()

        matches = Match.objects.count()
        for name, expected in (("standings", 6), ("schedule", 4), ("results", 3 * matches)):
            assert len(list(csv.DictReader(io.StringIO(fetch(f"{name}.csv"))))) == expected
            assert len(json.loads(fetch(f"{name}.json"))) == expected

    def test_the_archive_is_judged_again(self, client: Client, finished: Tournament, tmp_path: Path) -> None:
        sent = b"".join(client.get("/tournaments/test-cup/downloads/archive.zip"))
        with zipfile.ZipFile(io.BytesIO(sent)) as archive:
            assert archive.testzip() is None
            archive.extractall(tmp_path)
        records = tmp_path / "test-cup" / "records.jsonl"
        verdict = subprocess.run(
            [sys.executable, "-m", "aurum_league.cli", "verify", str(records)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert verdict.stdout.strip() == f"{Match.objects.count()} records hold."

    def test_sealed_matches_stay_out_of_the_archive(self, client: Client, finished: Tournament) -> None:
        match = Match.objects.order_by("id").first()
        assert match is not None
        sealed = Match.objects.filter(deals=match.deals)
        total, kept = Match.objects.count(), sealed.count()
        sealed.filter(pk=match.pk).update(state=MatchState.READY, finished_at=None)
        sent = b"".join(client.get("/tournaments/test-cup/downloads/archive.zip"))
        with zipfile.ZipFile(io.BytesIO(sent)) as archive:
            lines = archive.read("test-cup/records.jsonl").splitlines()
        assert len(lines) == total - kept
        assert match.commitment not in b"".join(lines).decode()

    @pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx"])
    def test_no_name_becomes_a_formula(self, name: str) -> None:
        assert "".join(write_csv([{"name": name, "value": -1}])).splitlines()[1] in (f"'{name},-1", f'"\'{name}",-1')

    def test_nothing_is_valid_json_too(self) -> None:
        assert json.loads("".join(write_json([]))) == []


class TestWords:
    def test_every_metric_has_a_word(self) -> None:
        assert set(Metric) <= set(METRICS)

    def test_every_reason_that_is_documented_has_words(self) -> None:
        documented = Path("docs/FORMATS.md").read_text().split("| reason code |")[1].split("\n\n")[0]
        codes = [code for code in documented.split("`")[1::2]]
        assert len(codes) >= 10
        for code in codes:
            assert say_reason(code, (1, 2, 3)) != code

    def test_a_share_in_per_cent(self) -> None:
        assert say_percent(0.1234, 1) == "12.3\N{NO-BREAK SPACE}%"


def test_results_that_never_varied_are_not_certain() -> None:
    estimates = widen_zeros({1: Estimate(2.0, 0.0), 2: Estimate(1.0, 0.3), 3: Estimate(0.5, 0.1)})
    assert estimates[1].se == 0.3
    assert widen_zeros({1: Estimate(2.0, 0.0)})[1].se == float("inf")


def test_a_match_leads_back_to_its_table(client: Client, finished: Tournament) -> None:
    match = Match.objects.filter(fixture_match__stage__tournament=finished).latest("pk")
    page = read_page(client, f"/matches/{match.pk}/")
    fixture = match.fixture_match.fixture
    table = f"/tournaments/test-cup/tables/1/{fixture.matchday.number}/{fixture.table}/"
    assert f'<a href="{table}">Table {fixture.table} of matchday {fixture.matchday.number}</a>' in page
    assert match.get_kind_display() in page


@pytest.mark.parametrize(
    ("name", "shown"),
    [pytest.param("", "Jeder gegen jeden", id="unnamed"), pytest.param("Round robin A", "Round robin A", id="named")],
)
def test_a_stage_that_nobody_named_is_called_by_its_format(client: Client, name: str, shown: str) -> None:
    make_tournament("finished", stages=[{"format": "round_robin", "options": {"matchdays": 1}, "name": name}])
    with override("en"):
        answer = client.get("/tournaments/test-cup/", headers={"accept-language": "de"}).content.decode()
    assert f"<caption>{shown}" in answer
