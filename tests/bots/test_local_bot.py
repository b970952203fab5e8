"""The author's bot beside `aurum bot connect`: told as on the site, and never able to hold the command up."""

import json
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from aurum_league.cli.bot_connect import OpenTables
from aurum_league.client import BotClient, ClientError
from bots.agents.local import LocalBot, NoAnswer
from tests.bots.conftest import SOURCES

QUESTION = {"type": "decide", "legal": ["keep"]}


def run_file(file: Path) -> LocalBot:
    return LocalBot([sys.executable, "-u", str(file)])


def test_the_bot_is_told_that_the_match_has_ended(capfd: pytest.CaptureFixture[str]) -> None:
    bot = run_file(SOURCES / "farewell.py")
    assert bot.ask(QUESTION) == {"action": "keep"}
    bot.dismiss({"type": "match_end"})
    assert json.loads(capfd.readouterr().err) == {"type": "match_end"}


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("import time\ntime.sleep(600)", id="sleeps"),
        pytest.param("", id="has ended already"),
        pytest.param("while True: print('more')", id="floods"),
    ],
)
def test_a_bot_that_does_not_listen_is_left(tmp_path: Path, source: str) -> None:
    (tmp_path / "bot.py").write_text(source)
    bot = run_file(tmp_path / "bot.py")
    bot.tell({"type": "hello"})
    # Were it waited for, the limit of every test would end this one.
    bot.dismiss({"type": "match_end"})


def test_a_bot_that_has_ended_gives_no_answer(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    bot = run_file(tmp_path / "bot.py")
    with pytest.raises(NoAnswer, match="ended with code 0"):
        bot.ask(QUESTION)
    bot.close()


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        pytest.param("import time\ntime.sleep(600)", "timeout_wall", id="silent"),
        pytest.param("print('well')", "protocol", id="no JSON"),
        pytest.param("print([1])", "protocol", id="no object"),
        pytest.param("print('x' * 100_000)", "output", id="a line without an end"),
        pytest.param("raise SystemExit(3)", "crash", id="gone"),
    ],
)
def test_a_program_that_does_not_answer_has_a_verdict(tmp_path: Path, source: str, verdict: str) -> None:
    (tmp_path / "bot.py").write_text(source)
    bot = run_file(tmp_path / "bot.py")
    with pytest.raises(NoAnswer) as told:
        bot.ask(QUESTION, 30 if verdict != "timeout_wall" else 0.2)
    bot.close()
    assert told.value.verdict == verdict


START: dict[str, Any] = {"type": "match_start", "match": 7, "seat": 1, "seats": ["A", "B", "C"]}
ASKED: dict[str, Any] = {"type": "decide", "match": 7, "seat": 1, "counter": 3, "time": {"decision": 30, "bank": 30}}


@pytest.mark.parametrize(
    ("source", "status", "said"),
    [
        pytest.param('print(\'{"action": "play G9"}\')', 422, "'play G9' is refused: Not legal.", id="illegal"),
        pytest.param("print('well')", 200, "no JSON object", id="no answer"),
        pytest.param("print('{\"card\": 7}')", 200, 'has no "action"', id="no action"),
        pytest.param("raise SystemExit(3)", 200, "ended with code 3", id="gone"),
    ],
)
def test_one_bad_answer_ends_neither_the_match_nor_the_others(
    tmp_path: Path, source: str, status: int, said: str
) -> None:
    loop = "import sys\nfor line in sys.stdin:\n    if 'decide' in line:\n        "
    (tmp_path / "bot.py").write_text(f"{loop}{source}\n        sys.stdout.flush()\n")
    told: list[str] = []
    tables = OpenTables([sys.executable, "-u", str(tmp_path / "bot.py")], told.append)
    refusal = httpx.Response(status, json={"code": "illegal", "message": "Not legal."})
    with BotClient("http://site", "t", transport=httpx.MockTransport(lambda request: refusal)) as client:
        for message in (START, ASKED, ASKED):
            tables.take(message, client)
    tables.close()
    assert len(told) == 3 and all(said in line for line in told[1:])


def test_a_void_token_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text('while input():\n    print(\'{"action": "keep"}\', flush=True)\n')
    tables = OpenTables([sys.executable, "-u", str(tmp_path / "bot.py")], print)
    refusal = httpx.Response(401, json={"code": "bad_token", "message": "No such token."})
    with BotClient("http://site", "t", transport=httpx.MockTransport(lambda request: refusal)) as client:
        tables.take(START, client)
        with pytest.raises(ClientError):
            tables.take(ASKED, client)
    tables.close()
