"""The doctor names in a sentence what is wrong with an installation, and what to do."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from aurum_league.common.errors import LeagueError
from aurum_league.common.presence import SandboxReport, report_alive, report_gone, report_sandbox
from aurum_league.operations import checks
from aurum_league.operations.checks import INSTALLATION, Check, examine_installation
from games.models import Heartbeat, Match, MatchState
from games.services.clocks import beat
from tests.services.games.conftest import MakeMatches, make_matches  # noqa: F401

WORKERS = ("worker@doctor", "live@doctor")
pytestmark = pytest.mark.django_db
HOUSE = ("house:random",) * 3
LONG_AGO = timedelta(hours=1)


def ask(name: str) -> Check:
    return INSTALLATION[name]()


@pytest.fixture
def started(db: None) -> None:
    beat()
    schedule = IntervalSchedule.objects.create(every=5, period="seconds")
    PeriodicTask.objects.create(name="sweep", task="x", interval=schedule, last_run_at=timezone.now())


def test_a_sound_installation_passes(started: None) -> None:
    assert [check.sentence for check in examine_installation() if check.is_needed and not check.passed] == []


def test_silence_is_told(started: None) -> None:
    Heartbeat.objects.update(beat_at=timezone.now() - LONG_AGO)
    PeriodicTask.objects.update(last_run_at=timezone.now() - LONG_AGO, date_changed=timezone.now() - LONG_AGO)
    assert "No sweep has run since" in ask("sweep").sentence and "up --only live" in ask("sweep").sentence
    assert "up --only beat" in ask("beat").sentence and not ask("beat").passed


def test_beat_is_sound_before_it_has_noted_what_it_started(started: None) -> None:
    """As in the first minutes after its start."""
    PeriodicTask.objects.update(last_run_at=None)
    assert ask("beat").passed


def test_an_installation_that_never_ran(db: None) -> None:
    assert "No sweep has run ever" in ask("sweep").sentence and not ask("beat").passed


def test_matches_in_trouble_are_counted(make_matches: MakeMatches) -> None:  # noqa: F811
    first, second = make_matches(*HOUSE, count=2)
    assert ask("leases").passed and ask("quarantine").passed
    held = {"state": MatchState.PLAYING, "lease_token": "0" * 32, "lease_until": timezone.now() - LONG_AGO}
    Match.objects.filter(pk=first.pk).update(**held)
    Match.objects.filter(pk=second.pk).update(state=MatchState.QUARANTINED)
    assert ask("leases").sentence.startswith("1 matches are held by workers that are gone")
    assert ask("quarantine").sentence.startswith("1 matches could not be played") and not ask("quarantine").is_needed


def test_a_clock_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_SECONDS_APART", -1)
    assert "apart" in ask("clock").sentence and not ask("clock").passed


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LEAST_FREE", 10**18)
    assert "MB are free" in ask("disk").sentence and not ask("disk").passed


def test_mail_that_goes_nowhere(settings: Any) -> None:
    assert "EMAIL_URL" in ask("mail").sentence and not ask("mail").is_needed
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert "does not answer" in ask("mail").sentence and ask("mail").is_needed


def test_static_files_that_were_not_collected(settings: Any, tmp_path: Path) -> None:
    assert ask("static files").passed
    settings.STORAGES = {"staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}
    settings.STATIC_ROOT = tmp_path
    assert "collectstatic" in ask("static files").sentence
    (tmp_path / "staticfiles.json").write_text("{}")
    assert ask("static files").passed


def test_a_redis_that_forgets(settings: Any) -> None:
    from redis import Redis

    from aurum_league.settings.connections import CELERY_DATABASE, redis_url

    with Redis.from_url(redis_url(CELERY_DATABASE), decode_responses=True) as client:
        assert ask("redis server").passed
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            assert "maxmemory-policy noeviction" in ask("redis server").sentence
        finally:
            client.config_set("maxmemory-policy", "noeviction")


def test_the_command_ends_well_or_says_how_many_checks_failed(
    started: None, capsys: pytest.CaptureFixture[str]
) -> None:
    for worker in WORKERS:
        report_alive(worker)
    report_sandbox(SandboxReport(is_safe=True, reason=""))
    call_command("doctor")
    assert "WRONG" not in capsys.readouterr().out
    for worker in WORKERS:
        report_gone(worker)
    with pytest.raises(LeagueError, match="1 of the checks failed"):
        call_command("doctor")
    assert "WRONG No worker is alive" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        pytest.param(["archive", "--days=-1"], "from 0", id="days that are yet to come"),
        pytest.param(["archive", "--tournament=nope"], "nope is no tournament", id="no such tournament"),
        pytest.param(["audit", "--newest=-1"], "from 1", id="fewer matches than none"),
        pytest.param(["backup", "none/aurum.dump"], "cannot be written: No such file", id="no such folder"),
        pytest.param(["backup", "house.toml/dump"], "cannot be written: Not a dir", id="a file for a folder"),
        pytest.param(["sendtestmail", "nobody"], "no e-mail address", id="no address"),
        pytest.param(["tournament", "run", "house.toml"], "house must give a number", id="a number for a table"),
        pytest.param(["tournament", "run", "players.toml"], "players must be a list", id="a number for names"),
    ],
)
def test_what_an_operator_mistypes_is_one_sentence(
    db: None, command: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("house", "players"):
        Path(f"{name}.toml").write_text(f'{name} = 3\nname = "Cup"\nstages = [{{format = "round_robin"}}]\n')
    with pytest.raises((LeagueError, CommandError), match=sentence):
        call_command(*command)


def test_a_mail_that_is_only_printed_is_not_told_as_sent(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("sendtestmail", "me@example.org")
    assert capsys.readouterr().out == "Without EMAIL_URL the mail is only printed here, and sent to nobody.\n"
