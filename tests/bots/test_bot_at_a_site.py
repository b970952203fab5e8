"""`aurum bot upload, status, trial` against a real server: an author's way without a browser."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from django.contrib.auth.models import User

from aurum_league.accounts.access import create_token
from aurum_league.cli import bot_site
from aurum_league.cli.main import main
from aurum_league.common.presence import SandboxReport, report_sandbox
from bots.models import Bot, BotMode, VersionState
from bots.services.proof import form_proof, read_proof
from bots.services.qualify import qualify_waiting_versions
from bots.services.registration import register_bot
from bots.services.versions import activate_version, add_version
from games.models import Match
from tests.bots.test_uploaded import play_against_random
from tests.server import run_server
from tournaments.models import Trial
from tournaments.services.trials import stop_trial

BOTS = Path(__file__).parents[2] / "docs" / "BOTS.md"
STARTER = Path(__file__).parents[2] / "bots" / "starters" / "python" / "bot.py"
pytestmark = [
    pytest.mark.django_db(transaction=True),
    # Nudges go to a broker that nobody listens to here.
    pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored"),
]


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[str]:
    with run_server() as address:
        yield address


@pytest.fixture
def at_site(server: str, tmp_path: Path) -> list[str]:
    report_sandbox(SandboxReport(is_safe=True, reason=""))
    author = User.objects.create_user("author")
    (tmp_path / "token").write_text(create_token(user=author, name="desk", scopes=["bots", "read"])[1])
    return ["--url", server, "--token-file", str(tmp_path / "token")]


def run_in_thread(arguments: list[str], codes: list[int]) -> Thread:
    thread = Thread(target=lambda: codes.append(main(arguments)), daemon=True)
    thread.start()
    return thread


def test_from_upload_to_trial(
    at_site: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "alchemist.py"
    file.write_bytes(STARTER.read_bytes())
    codes: list[int] = []
    waiting = run_in_thread(["bot", "upload", str(file), "--activate", "--json", *at_site], codes)
    while not Bot.objects.filter(versions__isnull=False).exists():
        waiting.join(0.05)
        assert waiting.is_alive() or codes == [0]
    qualify_waiting_versions()
    waiting.join(60)
    assert codes == [0] and json.loads(capsys.readouterr().out)["state"] == "qualified"
    file.write_text("import sys\nsys.exit(1)\n")
    assert main(["bot", "upload", str(file), "--note", "worse", *at_site]) == 0
    assert "version 2: new" in capsys.readouterr().out
    qualify_waiting_versions()
    assert main(["bot", "status", *at_site]) == 0
    told = capsys.readouterr().out
    assert "alchemist" in told and "plays version 1: qualified" in told and "version 2: rejected" in told
    file.write_bytes(STARTER.read_bytes() + b"# better\n")
    assert main(["bot", "upload", str(file), *at_site]) == 0
    qualify_waiting_versions()
    capsys.readouterr()
    assert main(["bot", "trial", "1", "3", "--json", *at_site]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["new"] == 3
    author = User.objects.get(username="author")
    stop_trial(trial_id=first["id"], author=author)
    monkeypatch.setattr(bot_site, "TRIAL_PAUSE_SECONDS", 0.1)
    waits = run_in_thread(["bot", "trial", "1", "3", "--bot", "alchemist", "--wait", *at_site], codes)
    while (trial := Trial.objects.exclude(pk=first["id"]).first()) is None:
        waits.join(0.05)
        assert waits.is_alive()
    waits.join(0.3)
    assert waits.is_alive()
    stop_trial(trial_id=trial.pk, author=author)
    waits.join(60)
    assert codes == [0, 0] and f"trial {trial.pk}: stopped" in capsys.readouterr().out
    assert main(["bot", "activate", "3", *at_site]) == 0
    assert "alchemist: version 3 plays from now on" in capsys.readouterr().out
    assert main(["bot", "activate", "2", *at_site]) == 2
    assert "Version 2 has not passed the check. (not_qualified)" in capsys.readouterr().err
    assert Bot.objects.filter(active_version__number=3).exists()


@pytest.fixture
def matches(at_site: list[str]) -> list[Match]:
    """Of a bot of the author's, against house bots."""
    author = User.objects.get(username="author")
    bot = register_bot(owner=author, name="My bot", mode=BotMode.UPLOADED)
    add_version(bot_id=bot.pk, owner=author, upload=STARTER.read_bytes())
    bot.versions.update(state=VersionState.QUALIFIED)
    activate_version(bot_id=bot.pk, owner=author, number=1)
    bot.refresh_from_db()
    return play_against_random(bot, 3)


def test_the_status_names_the_latest_matches(
    at_site: list[str], matches: list[Match], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their numbers are what `bot logs` and `bot proof` want."""
    assert main(["bot", "status", *at_site]) == 0
    told = [line.strip() for line in capsys.readouterr().out.splitlines()]
    for match in matches:
        place = match.result.places[0]
        assert f"match {match.pk}: scrimmage, en3, against random 1, random 2: place {place}" in told
    monkeypatch.setattr(bot_site, "LATEST", 2)
    assert main(["bot", "status", "my-bot", "--json", *at_site]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    newest = sorted((match.pk for match in matches), reverse=True)
    assert [match["id"] for match in row["matches"]] == newest[:2]


def test_a_match_is_proved_and_its_log_read(
    at_site: list[str], matches: list[Match], capsys: pytest.CaptureFixture[str]
) -> None:
    number, codes = str(matches[0].pk), list[int]()
    assert main(["bot", "logs", number, *at_site]) == 0
    assert "seat 0: my-bot, version 1" in capsys.readouterr().out
    asks = run_in_thread(["bot", "proof", number, *at_site], codes)
    while not read_proof(matches[0]).is_asked:
        asks.join(0.05)
        assert asks.is_alive()
    form_proof(match_id=matches[0].pk)
    asks.join(60)
    told = capsys.readouterr().out
    assert codes == [0] and told.count("decisions come out again") == 2 and "seat 0 is not asked" in told


def test_the_documented_example_reads_a_version_s_matches_with_pandas(
    at_site: list[str], matches: list[Match], tmp_path: Path
) -> None:
    """docs/BOTS.md, word for word but for the site's address and the version's number."""
    (example,) = [text for text in BOTS.read_text().split("```") if "read_parquet" in text]
    assert len(example.removeprefix("python\n").strip().splitlines()) <= 10
    code = example.removeprefix("python\n").replace("https://aurum.example.org", at_site[1])
    run = [sys.executable, "-c", code.replace("versions/2", "versions/1")]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "random 1; random 2" in done.stdout and all(str(match.pk) in done.stdout for match in matches)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["status", "nobody"], "You have no bot 'nobody'. There are: none.", id="no such bot"),
        pytest.param(["trial", "1", "2", "--bot", "nobody"], "You have no bot 'nobody'", id="nothing to try"),
        pytest.param(["trial", "1", "2"], "Say which of your bots by --bot. There are: none.", id="which bot"),
        pytest.param(["upload", "missing.py"], "missing.py: No such file", id="no file"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    at_site: list[str], capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(["bot", *arguments, *at_site]) == 2
    assert sentence in capsys.readouterr().err
