"""The client of connected bots through a bad network: it resumes, waits when told to, and sends a decision once."""

from collections.abc import Callable
from itertools import islice

import httpx
import pytest

from aurum_league.client import BotClient, ClientError

Answer = Callable[[httpx.Request], httpx.Response]
QUESTION = {"type": "decide", "match": 7, "seat": 0, "counter": 3, "legal": ["keep"]}


def make_client(
    answers: list[Answer], asked: list[httpx.Request], waited: list[float], lost: list[str] | None = None
) -> BotClient:
    remaining = iter(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return next(remaining)(request)

    transport = httpx.MockTransport(answer)
    tell = (lost if lost is not None else []).append
    return BotClient("https://site.example/", "aurbot_t", transport=transport, sleep=waited.append, tell_lost=tell)


def lines(*texts: str) -> Answer:
    return lambda request: httpx.Response(200, text="\n".join(texts) + "\n")


def status(code: int, name: str = "", **headers: str) -> Answer:
    return lambda request: httpx.Response(code, json={"code": name, "message": "no"}, headers=headers)


def broken(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadError("the cable is out", request=request)


def test_a_broken_stream_resumes_after_the_last_number() -> None:
    asked: list[httpx.Request] = []
    waited: list[float] = []
    answers = [
        lines('{"type":"hello"}', "", '{"type":"ready","seq":4}', '{"type":"happened","seq":5}'),
        broken,
        status(429, "throttled", **{"Retry-After": "9"}),
        lambda request: httpx.Response(200, text='{"type":"happ'),
        lines('{"type":"hello"}', '{"type":"decide","seq":6}'),
    ]
    with make_client(answers, asked, waited) as client:
        told = list(islice(client.messages(), 5))
    assert [message["type"] for message in told] == ["hello", "ready", "happened", "hello", "decide"]
    assert [request.url.params.get("after") for request in asked] == [None, "5", "5", "5", "5"]
    assert 9.0 in waited
    assert all(request.headers["Authorization"] == "Bearer aurbot_t" for request in asked)


def test_a_site_that_is_away_for_a_day_finds_the_bot_still_there() -> None:
    waited: list[float] = []
    with make_client([broken, status(502)] * 1_500 + [lines('{"type":"hello"}')], [], waited) as client:
        assert next(client.messages())["type"] == "hello"
    assert sum(waited) > 86_400 and max(waited) == 30


def test_each_loss_of_the_connection_is_told_once() -> None:
    lost: list[str] = []
    answers = [broken, status(502), broken, lines('{"type":"hello"}'), broken, lines('{"type":"hello"}')]
    with make_client(answers, [], [], lost) as client:
        assert len(list(islice(client.messages(), 2))) == 2
    assert lost == ["the cable is out", "the cable is out"]


def test_a_stream_that_was_replaced_ends() -> None:
    with make_client([lines('{"type":"closed","reason":"replaced"}')], [], []) as client:
        assert list(client.messages()) == []


@pytest.mark.parametrize(
    ("answers", "is_taken", "waited"),
    [
        pytest.param([status(200)], True, [], id="at once"),
        pytest.param([broken, status(502), status(200)], True, [0.5, 0.4], id="a broken line and a proxy"),
        pytest.param([status(429, "throttled", **{"Retry-After": "3"}), status(200)], True, [3.0], id="throttled"),
        pytest.param([status(409, "table_busy"), status(200)], True, [0.2], id="another seat is deciding"),
        pytest.param([status(409, "stale_state")], False, [], id="too late"),
    ],
)
def test_a_decision_is_sent_until_it_counts_under_one_key(
    answers: list[Answer], is_taken: bool, waited: list[float]
) -> None:
    asked: list[httpx.Request] = []
    pauses: list[float] = []
    with make_client(answers, asked, pauses) as client:
        assert client.decide(QUESTION, "keep") is is_taken
    assert len({request.headers["Idempotency-Key"] for request in asked}) == 1
    assert pauses == waited


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda client: client.decide(QUESTION, "play"), id="a decision"),
        pytest.param(lambda client: next(client.messages()), id="a stream"),
    ],
)
def test_what_the_site_refuses_is_said(act: Callable[[BotClient], object]) -> None:
    with make_client([status(401, "not_authenticated")], [], []) as client, pytest.raises(ClientError) as refused:
        act(client)
    assert refused.value.code == "not_authenticated"
