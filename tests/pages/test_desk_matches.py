"""Matches at the desk: those that want a decision, results by hand, and reruns looked at before they count."""

import re
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Match, MatchState, RunnerNeed
from games.services.play import play_ready_matches
from tests.pages.desk import DESK, PARTS, make_stuck, sign_in
from tests.pages.events import make_tournament, read_page
from tournaments.models import FixtureMatch, Rerun, RerunState

pytestmark = pytest.mark.django_db


def test_a_stuck_match_is_shown_first_with_what_to_do(client: Client) -> None:
    tournament = make_tournament("playing")
    sign_in(client, tournament)
    stuck = make_stuck(tournament)
    assert "1 match wants a decision" in read_page(client, "/desk/")
    assert "waits for your decision" in read_page(client, DESK)
    listed = read_page(client, f"{DESK}matches/")
    assert re.findall(rf'{DESK}matches/(\d+)/"', listed) == [str(stuck)]
    page = read_page(client, f"{DESK}matches/{stuck}/")
    assert "the worker died &lt;b&gt;thrice" in page
    assert [one for one in ("again", "forfeit", "result", "void") if f"{stuck}/{one}/" in page] == [
        "again",
        "forfeit",
        "result",
        "void",
    ]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        pytest.param({"table": "2"}, {(1, 2)}, id="a table"),
        pytest.param({"table": "2", "day": "1"}, {(1, 2)}, id="a table of a matchday"),
        pytest.param({"table": "2", "day": "2"}, set(), id="a table of a matchday to come"),
        pytest.param({"table": "2", "day": "1", "state": "quarantined"}, set(), id="and a state of none there"),
        pytest.param({"table": "1", "day": "1", "state": "quarantined"}, {(1, 1)}, id="and a state"),
        pytest.param({"table": "two"}, {(1, 1), (1, 2)}, id="no number"),
    ],
)
def test_the_list_is_filtered_by_name_state_and_table(
    client: Client, asked: dict[str, str], wanted: set[tuple[int, int]]
) -> None:
    """Whatever is asked is asked together, and the tabs of the states keep it."""
    tournament = make_tournament("playing")
    sign_in(client, tournament)
    make_stuck(tournament)
    page = read_page(client, f"{DESK}matches/?{urlencode({'state': 'all', **asked})}")
    links = FixtureMatch.objects.select_related("fixture__matchday").in_bulk(field_name="match_id")
    shown = {links[int(one)] for one in re.findall(rf'{DESK}matches/(\d+)/"', page)}
    assert {(link.fixture.matchday.number, link.fixture.table) for link in shown} == wanted
    kept = "".join(f"&amp;{name}={asked[name]}" for name in ("day", "table") if name in asked)
    assert f'{DESK}matches/?state=all{kept}"' in page
    seat = next(iter(links.values())).match.seats.earliest("seat")
    named = read_page(client, f"{DESK}matches/?{urlencode({'state': 'all', 'who': seat.player.name, **asked})}")
    assert set(re.findall(rf'{DESK}matches/(\d+)/"', named)) < {str(one) for one in links}


@pytest.mark.parametrize(
    ("decision", "sent", "state"),
    [
        pytest.param("again", {}, MatchState.READY, id="again"),
        pytest.param("void", {"reason": "broken"}, MatchState.VOID, id="void"),
        pytest.param("void", {"reason": " "}, MatchState.QUARANTINED, id="void without a reason"),
        pytest.param("forfeit", {"reason": "crashed", "seats": ["1"]}, MatchState.FINISHED, id="forfeit"),
        pytest.param("forfeit", {"reason": "crashed"}, MatchState.QUARANTINED, id="nobody forfeits"),
        pytest.param("forfeit", {"reason": "x", "seats": ["7"]}, MatchState.QUARANTINED, id="no such seat"),
        pytest.param("result", {"reason": "paper", "places": "2, 1, 3"}, MatchState.FINISHED, id="result"),
        pytest.param("result", {"reason": "paper", "places": "1, 1, 2"}, MatchState.QUARANTINED, id="no result"),
        pytest.param("result", {"reason": "x", "places": "1, 2.5, 3"}, MatchState.QUARANTINED, id="half places"),
        pytest.param("result", {"reason": "x", "places": f"1, 2, {10**30}"}, MatchState.QUARANTINED, id="huge places"),
    ],
)
def test_decisions(client: Client, decision: str, sent: dict[str, str], state: MatchState) -> None:
    tournament = make_tournament("playing")
    sign_in(client, tournament)
    stuck = make_stuck(tournament)
    client.post(f"{DESK}matches/{stuck}/{decision}/", sent)
    assert Match.objects.get(pk=stuck).state == state


def test_a_result_changed_by_hand_is_in_the_trail(client: Client) -> None:
    tournament = make_tournament("finished")
    sign_in(client, tournament)
    match = Match.objects.filter(fixture_match__stage__tournament=tournament).earliest("id")
    client.post(f"{DESK}matches/{match.pk}/result/", {"places": "3, 2, 1", "reason": "scorer's mistake"})
    match.result.refresh_from_db()
    assert (match.result.places, match.result.is_by_hand) == ([3, 2, 1], True)
    trail = read_page(client, f"{DESK}trail/")
    assert "scorer&#x27;s mistake" in trail
    assert "places after 3, 2, 1" in trail


def test_a_rerun_is_looked_at_before_it_is_applied(client: Client) -> None:
    tournament = make_tournament("finished")
    sign_in(client, tournament)
    match = Match.objects.filter(fixture_match__stage__tournament=tournament).earliest("id")
    client.post(f"{DESK}matches/{match.pk}/result/", {"places": "1, 1, 1", "reason": "a wrong hand"})
    page = client.post(f"{DESK}reruns/", {"match": [match.pk, "x"], "reason": "look again"}, follow=True)
    assert "1 match is still to be played" in page.content.decode()
    rerun = Rerun.objects.get()
    client.post(f"{DESK}reruns/{rerun.pk}/apply/")
    rerun.refresh_from_db()
    assert rerun.state == RerunState.PLAYING
    play_ready_matches(needs=RunnerNeed.HOUSE)
    assert "<td>1, 1, 1</td>" in read_page(client, f"{DESK}reruns/{rerun.pk}/")
    client.post(f"{DESK}reruns/{rerun.pk}/apply/")
    rerun.refresh_from_db()
    match.result.refresh_from_db()
    assert rerun.state == RerunState.APPLIED
    assert match.result.is_by_hand is False
    assert match.result.rounds > 0


def test_no_desk_page_loads_seeds_or_logs(client: Client) -> None:
    tournament = make_tournament("playing")
    sign_in(client, tournament)
    stuck = make_stuck(tournament)
    with CaptureQueriesContext(connection) as seen:
        for part in (*PARTS, f"matches/{stuck}/"):
            read_page(client, DESK + part)
    hidden = ("match", "seed"), ("match", "log"), ("matchresult", "log"), ("tournament", "seed")
    columns = [f'{table}"."{column}"' for table, column in hidden]
    assert [query["sql"] for query in seen if any(column in query["sql"] for column in columns)] == []
