"""Trials in the browser: begun by the bot's author, followed between their bounds, seen by nobody else."""

import csv
import io
import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from bots.models import Bot, VersionState
from bots.services.versions import add_version
from games.models import Match, MatchKind, MatchState
from tests.bots.conftest import MakeBot, author, make_bot, read_source, safe_sandbox
from tests.pages.events import count_queries, read_page
from tests.services.ratings.conftest import settle_ready
from tournaments.models import Trial, TrialState, TrialUnit
from tournaments.selectors.trials import read_trial
from tournaments.services.trials import UNITS_AHEAD

__all__ = ["author", "make_bot", "safe_sandbox"]
pytestmark = pytest.mark.django_db
TRIALS = "/bots/alpha/trials/"
WINS = ((1, 2, 2), (2, 1, 2), (2, 2, 1), (3, 1, 1), (1, 3, 1), (1, 1, 3))
LOSES = ((3, 1, 1), (1, 3, 1), (1, 1, 3), (1, 2, 2), (2, 1, 2), (2, 2, 1))
"""Places by seat in the six matches of a deal, where the new version does best or worst throughout."""


@pytest.fixture
def bot(make_bot: MakeBot, author: User) -> Bot:
    bot = make_bot()
    add_version(bot_id=bot.pk, owner=author, upload=read_source("remember"))
    bot.versions.update(state=VersionState.QUALIFIED)
    return bot


@pytest.fixture
def signed_in(client: Client, author: User) -> Client:
    client.force_login(author)
    return client


def begin(client: Client, bot: Bot, **changes: object) -> tuple[int, str]:
    new, old = bot.versions.order_by("-number")
    form = {"new_agent": f"version:{new.pk}", "old_agent": f"version:{old.pk}", "players": 3, "edition": "en"}
    answer = client.post(TRIALS, {**form, "effect": 0.5, "most_units": 100, **changes})
    return answer.status_code, answer.content.decode()


def play_units(trial: Trial, places: tuple[tuple[int, ...], ...]) -> None:
    """Settle all units that are under way with these places by match."""
    results: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    for unit in TrialUnit.objects.filter(trial=trial, score__isnull=True):
        ids = unit.matches.filter(state=MatchState.READY).order_by("id").values_list("id", flat=True)
        results |= dict(zip(ids, ((match, ()) for match in places), strict=True))
    settle_ready(results)


def test_an_author_begins_a_trial_and_reads_its_answer(signed_in: Client, bot: Bot) -> None:
    assert TRIALS in read_page(signed_in, "/bots/alpha/dashboard/")
    assert "Begin a trial" in read_page(signed_in, TRIALS)
    assert begin(signed_in, bot)[0] == 302
    trial = Trial.objects.get()
    address = f"{TRIALS}{trial.pk}/"
    page = read_page(signed_in, address)
    assert f'data-live="/live/trials/{trial.pk}/"' in page and "Stop the trial" in page and "bounds" in page
    play_units(trial, WINS)
    trial.refresh_from_db()
    assert trial.state == TrialState.BETTER
    page = read_page(signed_in, address)
    assert "Version 2 is better than version 1." in page and "data-live" not in page and "Stop the trial" not in page
    assert str(6 * UNITS_AHEAD) in page and "picture-trial" in page and "of at most 100" in page
    assert "The new one is better" in read_page(signed_in, TRIALS)


def test_a_part_alone_for_whoever_follows(signed_in: Client, bot: Bot) -> None:
    begin(signed_in, bot)
    trial = Trial.objects.get()
    part = read_page(signed_in, f"{TRIALS}{trial.pk}/now/")
    assert "<html" not in part and "It is being played" in part
    play_units(trial, LOSES)
    assert "Version 2 is not better than version 1." in read_page(signed_in, f"{TRIALS}{trial.pk}/now/")


def test_the_way_of_a_trial_as_files(signed_in: Client, bot: Bot) -> None:
    begin(signed_in, bot)
    trial = Trial.objects.get()
    play_units(trial, WINS)
    trial.refresh_from_db()
    as_json, as_csv = (b"".join(signed_in.get(f"{TRIALS}{trial.pk}/units.{form}")).decode() for form in ("json", "csv"))
    rows = json.loads(as_json)
    assert [row["log_ratio"] for row in rows] == list(read_trial(trial).path.ratios)
    assert [row["unit"] for row in rows] == list(range(1, UNITS_AHEAD + 1))
    assert [float(row["score"]) for row in csv.DictReader(io.StringIO(as_csv))] == [row["score"] for row in rows]
    assert signed_in.get(f"{TRIALS}{trial.pk}/units.xml").status_code == 404


def test_an_author_stops_a_trial(signed_in: Client, bot: Bot) -> None:
    begin(signed_in, bot)
    trial = Trial.objects.get()
    assert signed_in.post(f"{TRIALS}{trial.pk}/stop/").status_code == 302
    assert "Stopped before an answer." in read_page(signed_in, f"{TRIALS}{trial.pk}/")
    assert not Match.objects.filter(kind=MatchKind.TRIAL, state=MatchState.READY).exists()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        pytest.param({"old_agent": "version:999"}, "999", id="no version of this bot"),
        pytest.param({"effect": 0}, "0.02", id="an effect too small"),
        pytest.param({"most_units": 10**9}, "5000", id="too many deals"),
        pytest.param({"edition": "xx"}, "xx", id="no such edition"),
        pytest.param({"players": 5}, "5", id="no such table"),
    ],
)
def test_what_cannot_be_tried_is_said_on_the_form(
    signed_in: Client, bot: Bot, changes: dict[str, object], says: str
) -> None:
    status, page = begin(signed_in, bot, **changes)
    assert (status, Trial.objects.count()) == (422, 0)
    assert says in page and "errorlist" in page


def test_one_trial_of_a_bot_at_a_time(signed_in: Client, bot: Bot) -> None:
    begin(signed_in, bot)
    status, page = begin(signed_in, bot)
    assert status == 422 and "A trial of Alpha is running already." in page


def test_a_version_is_not_tried_against_itself(signed_in: Client, bot: Bot) -> None:
    same = f"version:{bot.versions.order_by('number')[0].pk}"
    status, page = begin(signed_in, bot, new_agent=same)
    assert status == 422 and "cannot be tried against itself" in page


def test_one_version_alone_cannot_be_tried(signed_in: Client, make_bot: MakeBot) -> None:
    make_bot()
    assert "Nothing to compare yet" in read_page(signed_in, TRIALS)


def test_nobody_else_sees_it(client: Client, signed_in: Client, bot: Bot) -> None:
    begin(signed_in, bot)
    trial = Trial.objects.get()
    stranger = Client()
    assert stranger.get(f"{TRIALS}{trial.pk}/").status_code == 302
    stranger.force_login(User.objects.create_user("stranger"))
    for path in ("", f"{trial.pk}/", f"{trial.pk}/now/", f"{trial.pk}/units.csv"):
        assert stranger.get(f"{TRIALS}{path}").status_code == 404, path
    assert stranger.post(f"{TRIALS}{trial.pk}/stop/").status_code == 404


def test_queries(signed_in: Client, bot: Bot) -> None:
    begin(signed_in, bot)
    trial = Trial.objects.get()
    assert {path: count_queries(signed_in, path) for path in (TRIALS, f"{TRIALS}{trial.pk}/")} == {
        TRIALS: 6,
        f"{TRIALS}{trial.pk}/": 7,
    }
