"""The typed client: against a server of its own, and through a bad network."""

from collections.abc import Callable, Iterator
from itertools import islice

import httpx
import pytest

from aurum_league.client import ClientError, LeagueClient

Answer = Callable[[httpx.Request], httpx.Response]
REFUSAL = {"code": "not_yours", "message": "This is not yours.", "details": {"fix": "Ask."}, "request_id": "r-1"}


@pytest.fixture
def league(session: dict[str, str]) -> Iterator[LeagueClient]:
    with LeagueClient(session["SITE"], session["TOKEN"]) as client:
        yield client


@pytest.mark.django_db
def test_everything_public_is_read(league: LeagueClient) -> None:
    assert [one["slug"] for one in league.list_tournaments(state="finished")] == ["autumn-cup"]
    assert league.read_tournament("autumn-cup")["state"] == "finished"
    assert [stage["number"] for stage in league.list_stages("autumn-cup")] == [1]
    assert league.read_standings("autumn-cup")["lines"][0]["place"] == 1
    matches = list(league.list_matches(state="finished", limit=3))
    assert len(matches) == len({match["id"] for match in matches}) > 3
    assert len(list(league.list_tournament_matches("autumn-cup"))) == len(matches)
    number = matches[0]["id"]
    assert league.read_match(number) == matches[0]
    assert league.read_record(number)["format"] == "aurum-record"
    assert league.read_notation(number).startswith("aurum en3")
    assert league.read_table(number)["state"] == "finished"
    assert len(list(league.export_records("autumn-cup"))) == len(matches)
    assert len(list(league.export_results("autumn-cup"))) == 3 * len(matches)
    assert len(list(league.list_players(kind="house", limit=2))) >= 5
    assert len(list(league.list_entrants("autumn-cup"))) == 5
    assert next(league.list_events("autumn-cup", after=1))["number"] == 2
    assert len(list(league.list_ratings("bots-3"))) == 5
    assert "ladder" in {preset["code"] for preset in league.list_presets()}
    assert [bot["slug"] for bot in league.list_bots(mode="uploaded")] == ["alchemist"]
    assert [version["number"] for version in league.list_versions("alchemist")] == [1]


@pytest.mark.django_db
def test_a_script_runs_a_tournament(league: LeagueClient) -> None:
    league.create_league("Client League")
    made = league.create_tournament(
        {"name": "Client Cup", "league": "client-league", "stages": [{"format": "round_robin"}]}
    )
    assert league.take_step(made["slug"], "open")["state"] == "open"
    entered = league.enter(made["slug"], "house-greedy_1")
    assert len(league.enter_house_bots(made["slug"], "random", 3)) == 3
    assert league.withdraw(made["slug"], entered["id"], "ill")["state"] == "withdrawn"
    bot = league.register_bot("Remote", "connected")
    team = league.create_team("Remote Pair", "remote", "alchemist")
    assert [one["slug"] for one in league.list_teams(member="remote")] == [team["slug"]]
    assert league.invite_partner("Other Pair")
    with pytest.raises(ClientError) as used:
        league.join_team("no-such-invitation")
    assert used.value.code == "bad_invitation"
    assert (bot["state"], bot["slug"]) == ("new", "remote")
    with pytest.raises(ClientError) as refused:
        league.take_step(made["slug"], "start")
    assert (refused.value.code, refused.value.status) == ("wrong_state", 409)
    assert refused.value.request_id and refused.value.message == str(refused.value)


@pytest.mark.django_db
def test_a_stranger_reads_and_is_told_why_not_to_write(session: dict[str, str]) -> None:
    with LeagueClient(session["SITE"]) as stranger:
        assert stranger.read_tournament("autumn-cup")["slug"] == "autumn-cup"
        with pytest.raises(ClientError) as refused:
            stranger.create_league("Mine")
    assert (refused.value.code, refused.value.status) == ("not_authenticated", 401)


def answer(status: int, body: object = None, **headers: str) -> Answer:
    return lambda request: httpx.Response(status, json=body if body is not None else {}, headers=headers)


def lines(*told: str) -> Answer:
    return lambda request: httpx.Response(200, content="".join(f"{line}\n" for line in told))


def broken(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("no way", request=request)


def make_client(answers: list[Answer], asked: list[httpx.Request], waited: list[float]) -> LeagueClient:
    waiting = iter(answers)

    def reply(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return next(waiting)(request)

    return LeagueClient("https://site.example/", "aur_t", transport=httpx.MockTransport(reply), sleep=waited.append)


@pytest.mark.parametrize(
    ("answers", "waited"),
    [
        pytest.param([answer(201)], [], id="at once"),
        pytest.param([broken, answer(502), answer(201)], [0.5, 1.0], id="a broken line and a proxy"),
        pytest.param([answer(429, {"code": "throttled"}, **{"Retry-After": "3"}), answer(201)], [3.0], id="throttled"),
    ],
)
def test_a_deed_is_sent_until_it_is_answered_under_one_key(answers: list[Answer], waited: list[float]) -> None:
    asked: list[httpx.Request] = []
    pauses: list[float] = []
    with make_client(answers, asked, pauses) as client:
        client.create_league("Sundays")
    assert len({request.headers["Idempotency-Key"] for request in asked}) == 1
    assert all(request.headers["Authorization"] == "Bearer aur_t" for request in asked)
    assert pauses == waited


@pytest.mark.parametrize(
    ("answers", "code", "tries"),
    [
        pytest.param([answer(403, REFUSAL)], "not_yours", 1, id="a refusal"),
        pytest.param([answer(429, {"code": "quota_exceeded", "message": "x"})], "quota_exceeded", 1, id="a quota"),
        pytest.param([answer(503, {"code": "sandbox_unsafe", "message": "x"})], "sandbox_unsafe", 1, id="no sandbox"),
        pytest.param([broken] * 5, "unreachable", 5, id="nobody there"),
        pytest.param([answer(504)] * 5, "504", 5, id="a proxy that gives up"),
    ],
)
def test_every_refusal_is_one_kind_of_error(answers: list[Answer], code: str, tries: int) -> None:
    asked: list[httpx.Request] = []
    with make_client(answers, asked, []) as client, pytest.raises(ClientError) as refused:
        client.create_league("Sundays")
    assert (refused.value.code, len(asked)) == (code, tries)
    if code == "not_yours":
        assert (refused.value.details, refused.value.request_id) == ({"fix": "Ask."}, "r-1")


def test_pages_are_asked_of_the_same_host() -> None:
    asked: list[httpx.Request] = []
    first = answer(200, {"results": [1], "next": "https://evil.example/api/v1/matches?cursor=abc&limit=1"})
    with make_client([first, answer(200, {"results": [2], "next": None})], asked, []) as client:
        assert list(client.list_matches(limit=1, is_rated=True)) == [1, 2]
    assert [request.url.host for request in asked] == ["site.example"] * 2
    assert asked[0].url.params["is_rated"] == "true" and asked[1].url.params["cursor"] == "abc"


def test_a_stream_resumes_where_it_broke() -> None:
    asked: list[httpx.Request] = []
    answers = [lines('{"type":"state","number":7}', "", '{"type":"event","number":8}'), broken, lines('{"number":9}')]
    with make_client(answers, asked, []) as client:
        told = list(islice(client.follow_events("autumn-cup"), 3))
    assert [message["number"] for message in told] == [7, 8, 9]
    assert [request.url.params.get("after") for request in asked] == [None, "8", "8"]
