"""No token ever reaches a log line: a server of its own, as talkative as it can be, asked rightly and wrongly."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from django.db import connection

from tests.api.conftest import World
from tests.server import WebServer

pytestmark = pytest.mark.django_db
NO_SUCH_DATABASE = "there_is_no_such_database"


@contextmanager
def serve(log: Path, style: str, database: str) -> Iterator[str]:
    server = WebServer(database, LOG_LEVEL="DEBUG", LOG_FORMAT=style)
    with log.open("wb") as file:
        try:
            server.start(log_level="trace", log=file)
            yield server.address
        finally:
            server.stop()


def ask(site: str, token: str) -> list[int]:
    """Rightly, wrongly, malformed, where there is nothing, and as a bot."""
    headers = {"Authorization": f"Bearer {token}", "X-Request-ID": "asked"}
    with httpx.Client(base_url=site, headers=headers, timeout=60) as client:
        answers = [
            client.get("/api/v1/players"),
            client.get("/api/v1/nothing"),
            client.post("/api/v1/leagues", content=b"{", headers={"Content-Type": "application/json"}),
            client.post("/api/v1/tournaments/none/steps", json={"step": "open"}),
            client.get("/live/bot/stream"),
        ]
    return [answer.status_code for answer in answers]


def test_a_token_is_in_no_line(played: World, session: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    with serve(log, "json", connection.settings_dict["NAME"]) as site:
        assert ask(site, session["TOKEN"])[0] == 200
        assert ask(site, session["TOKEN"][:-8] + "00000000")[0] == 401
        assert ask(site, "aurbot_0123456789abcdef")[0] == 401
    told = log.read_text()
    assert "Not Found: /api/v1/nothing" in told
    assert session["TOKEN"][:-8] not in told and "aurbot_0123456789abcdef" not in told


def test_nor_in_the_traceback_of_an_error(session: dict[str, str], tmp_path: Path) -> None:
    """Without a database every request fails where the token is looked up."""
    log = tmp_path / "log"
    with serve(log, "console", NO_SUCH_DATABASE) as site:
        assert ask(site, session["TOKEN"])[0] == 500
    told = log.read_text()
    assert "Traceback" in told and "authenticate_credentials" in told
    assert session["TOKEN"] not in told
