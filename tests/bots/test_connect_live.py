"""`aurum bot connect` against a real server on the async stack: from the token to a qualified bot."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest
from django.contrib.auth.models import User

from aurum_league.cli.main import main
from bots.models import BotMode, BotState
from bots.services.qualify import start_qualification
from bots.services.registration import register_bot, renew_token
from games.models import RunnerNeed
from games.services.play import play_ready_matches
from tests.server import run_server

STARTER = Path(__file__).parents[2] / "bots" / "starters" / "python" / "bot.py"
pytestmark = [
    # Naming the apps lets the flush cascade to tables of libraries whose models are swapped for ours.
    pytest.mark.django_db(transaction=True),
    # Nudges go to a broker that nobody listens to here; the test plays by itself.
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
]


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[str]:
    with run_server() as address:
        yield address


# It ends in the middle of every match, and each time a new process must take the seat over.
TIRED = """import json, sys
for number, line in enumerate(line for line in sys.stdin if json.loads(line)["type"] == "decide"):
    if number == 5:
        sys.exit("five is enough")
    print(json.dumps({"action": json.loads(line)["legal"][0]}), flush=True)
"""


@pytest.mark.parametrize("source", [pytest.param(STARTER.read_text(), id="steady"), pytest.param(TIRED, id="tired")])
def test_a_bot_connects_qualifies_and_leaves(
    server: str, source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bot.py"
    file.write_text(source)
    author = User.objects.create_user("author")
    bot = register_bot(owner=author, name="Remote", mode=BotMode.CONNECTED)
    token = renew_token(bot_id=bot.pk, owner=author)
    codes: list[int] = []
    arguments = ["bot", "connect", str(file), "--url", server, "--token", token, "--matches", "2"]
    client = Thread(target=lambda: codes.append(main(arguments)), daemon=True)
    client.start()
    start_qualification(bot_id=bot.pk, owner=author)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    client.join(timeout=60)
    assert codes == [0], capsys.readouterr()
    bot.refresh_from_db()
    assert bot.state == BotState.ACTIVE
    told = capsys.readouterr().out
    assert told.count("connected as Remote") == 1 and told.count("places by side") == 2


def test_the_stream_is_for_bots_only(server: str) -> None:
    for headers in ({}, {"Authorization": "Bearer aurbot_wrong"}):
        answer = httpx.get(f"{server}/live/bot/stream", headers=headers, timeout=30)
        assert answer.status_code == 401 and answer.json()["code"] == "bad_token"
