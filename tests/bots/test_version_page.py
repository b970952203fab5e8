"""A version's own page and its files: what every match came to, summed up as one would by hand."""

import csv
import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from bots.models import Bot, SeatLog
from bots.selectors import find_own_bot
from bots.selectors.version_results import COLUMNS, list_rows, read_times, sum_up
from games.models import Match, MatchKind
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.players import agent_of
from tests.bots.conftest import MakeBot, house_player
from tests.bots.test_uploaded import play_against_random

pytestmark = pytest.mark.django_db
FILES = "/api/v1/bots/alpha/versions/1/matches."


@pytest.fixture
def played(make_bot: MakeBot, author: User, client: Client) -> list[Match]:
    bot = make_bot(source="talker")
    client.force_login(author)
    return play_against_random(bot, 2) + play_against_random(bot, 1, "de4")


def read(client: Client, address: str) -> bytes:
    answer = client.get(address)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def test_the_sums_are_those_of_the_results(played: list[Match], author: User) -> None:
    bot: Bot = find_own_bot("alpha", author)
    version = bot.versions.get()
    told = sum_up(bot, version)
    assert told.matches == 3
    assert {(players, seat): share.matches for players, seat, share in told.by_seat} == {(3, 0): 2, (4, 0): 1}
    own = {match.pk: match.result.counted_places[0] for match in played}
    threes = [match for match in played if match.players == 3]
    ahead = {
        name: [(own[m.pk] < m.result.counted_places[s]) + (own[m.pk] == m.result.counted_places[s]) / 2 for m in threes]
        for s, name in ((1, "random 1"), (2, "random 2"))
    }
    fours = next(match for match in played if match.players == 4)
    four = (own[fours.pk] < fours.result.counted_places[1]) + (own[fours.pk] == fours.result.counted_places[1]) / 2
    shares = {name: share for name, share in told.by_opponent}
    assert shares["random 2"].mean == pytest.approx(sum(ahead["random 2"]) / 2)
    assert shares["random 1"].mean == pytest.approx((sum(ahead["random 1"]) + four) / 3)
    assert shares["random 1"].low < shares["random 1"].mean < shares["random 1"].high or four in (0, 1)
    tricks = next(line for line in told.by_phase if line.name == "tricks")
    assert tricks.own == pytest.approx(sum(m.result.tricks[0] / m.result.rounds for m in played) / 3)
    lost = [match.pk for match in played if own[match.pk] != 1]
    assert {row["match"] for row in told.worst} == set(lost)
    behind = [row["best_points"] - row["points"] for row in told.worst]
    assert behind == sorted(behind, reverse=True)


def test_the_files_hold_a_row_a_seat_and_say_the_same(played: list[Match], client: Client) -> None:
    rows = [json.loads(line) for line in read(client, f"{FILES}ndjson").splitlines()]
    assert [row["match"] for row in rows] == sorted((match.pk for match in played), reverse=True)
    assert all(list(row) == list(COLUMNS) and row["decisions"] > 5 and row["cpu_ms_p99"] > 0 for row in rows)
    table = list(csv.DictReader(read(client, f"{FILES}csv").decode().splitlines()))
    assert [int(row["points"]) for row in table] == [row["points"] for row in rows]
    parquet = read(client, f"{FILES}parquet")
    assert parquet[:4] == parquet[-4:] == b"PAR1" and b"random 1; random 2" in parquet


def test_what_is_sealed_is_left_out_everywhere(played: list[Match], author: User, client: Client) -> None:
    bot = find_own_bot("alpha", author)
    seats = (SeatPlan(bot.player, agent_of(bot.player)), *[SeatPlan(house_player(), agent_of(house_player()))] * 2)
    plan = MatchPlan(Ruleset.from_code("en3"), seats, new_seed(), played[0].deals)
    create_matches(plans=[plan], kind=MatchKind.SCRIMMAGE, is_rated=False)
    version = bot.versions.get()
    open_ones = {match.pk for match in played[1:]}
    assert {row["match"] for row in list_rows(bot, version)} == open_ones
    assert sum_up(bot, version).matches == 2
    assert {one.match for one in read_times(version).slowest} <= open_ones


def test_the_page_shows_it_with_the_times_of_the_logs(played: list[Match], author: User, client: Client) -> None:
    times = read_times(find_own_bot("alpha", author).versions.get())
    logged = SeatLog.objects.count()
    assert logged == 3 and [line.phase for line in times.phases] == ["bid", "change", "play"]
    assert sum(bar.decisions for bar in times.bars) == sum(line.decisions for line in times.phases)
    assert times.slowest[0].decision.cpu_us == max(one.decision.cpu_us for one in times.slowest)
    page = client.get("/bots/alpha/versions/1/").content.decode()
    assert "random 2" in page and f"{FILES}parquet" in page and f"/matches/{times.slowest[0].match}/logs/" in page
    assert "/bots/alpha/versions/1/" in client.get("/bots/alpha/dashboard/").content.decode()
    assert client.get("/bots/alpha/versions/9/").status_code == 404
    assert client.get("/api/v1/bots/alpha/versions/9/matches.csv").status_code == 404


def test_a_version_that_has_not_played_says_so(make_bot: MakeBot, author: User, client: Client) -> None:
    make_bot()
    client.force_login(author)
    assert "No match yet" in client.get("/bots/alpha/versions/1/").content.decode()
    assert read(client, f"{FILES}csv").decode().strip() == ",".join(COLUMNS)
    assert read(client, f"{FILES}ndjson") == b""
