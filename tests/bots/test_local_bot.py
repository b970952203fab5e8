"""The author's bot beside `aurum bot connect`: told as on the site, and never able to hold the command up."""

import json
from pathlib import Path

import pytest

from aurum_league.cli.bot_connect import LocalBot
from aurum_league.cli.main import CommandError
from tests.bots.conftest import SOURCES

QUESTION = {"type": "decide", "legal": ["keep"]}


def test_the_bot_is_told_that_the_match_has_ended(capfd: pytest.CaptureFixture[str]) -> None:
    bot = LocalBot(SOURCES / "farewell.py")
    assert bot.ask(QUESTION) == "keep"
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
    bot = LocalBot(tmp_path / "bot.py")
    bot.tell({"type": "hello"})
    # Were it waited for, the limit of every test would end this one.
    bot.dismiss({"type": "match_end"})


def test_a_bot_that_has_ended_gives_no_answer(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    bot = LocalBot(tmp_path / "bot.py")
    with pytest.raises(CommandError, match="no answer"):
        bot.ask(QUESTION)
    bot.close()
