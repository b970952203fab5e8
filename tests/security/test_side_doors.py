"""No seed, hand, token or password leaves by log lines, error reports, metrics or messages to workers."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis
from celery import current_app
from django.conf import settings as site_settings
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from aurum_league.settings.connections import CELERY_DATABASE, redis_url
from games.models import Match, RunnerNeed
from games.rules.cards import names_in
from games.rules.deal import derive_seed
from games.rules.match import Match as Play
from games.rules.ruleset import Ruleset
from games.selectors.sitters import Sitter
from games.services.answer import answer_decision
from games.services.lobby import play_now
from games.services.play import play_ready_matches
from tests.security.log_lines import keep_lines
from tests.security.site import PASSWORD, WISH, Site

BAD_TOKEN = "aur_no-such-token-at-all"


def list_secrets(match: Match) -> list[str]:
    """A match's seed and hands, and the seeds of its agents, in every way that they might be written."""
    seed = bytes(match.seed)
    deal = Play(Ruleset.from_code(match.ruleset), seed).dealt
    agents = [int.from_bytes(derive_seed(seed, f"agent {match.pk} {seat}")[:8], "big") for seat in range(3)]
    hands = [way(names_in(hand)) for hand in deal.hands for way in (" ".join, ",".join, str)]
    return [seed.hex(), str(seed), str(list(seed)), *map(str, agents), *map(str, deal.hands), *hands]


@pytest.fixture
def broker() -> Iterator[redis.Redis]:
    """Messages are really sent, into a queue that no worker reads."""
    current_app.conf.task_always_eager = False
    with redis.Redis.from_url(redis_url(CELERY_DATABASE), decode_responses=True) as client:
        client.delete("play", "live", "celery")
        yield client
        client.delete("play", "live", "celery")
    current_app.conf.task_always_eager = True


def play_a_table(client: Client, user_id: int) -> Match:
    """Dealt, looked at and decided at; and somebody tries a token and a password."""
    match_id = play_now(sitter=Sitter(user_id=user_id), wish=WISH)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    match = Match.objects.get(pk=match_id)
    (own,) = match.seats.filter(agent__startswith="person:").values_list("seat", flat=True)
    seen = client.get(f"/api/v1/matches/{match_id}/view?seat={own}").json()
    answer_decision(match_id=match_id, seat=own, counter=seen["counter"], text=seen["view"]["legal"][0])
    client.get("/api/v1/tournaments", headers={"authorization": f"Bearer {BAD_TOKEN}"})
    client.post("/accounts/login/", {"login": "player", "password": PASSWORD})
    return match


def test_nothing_leaves_by_logs_metrics_and_messages(
    site: Site,
    broker: redis.Redis,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    client = site.client_of("player")
    with keep_lines() as lines, django_capture_on_commit_callbacks(execute=True):
        match = play_a_table(client, site.users["player"].pk)
        play_ready_matches(needs=RunnerNeed.HOUSE)
    sent = [str(message) for queue in ("play", "live", "celery") for message in broker.lrange(queue, 0, -1)]
    metrics = client.get("/metrics").content.decode()
    assert sent and metrics and lines
    told = "\n".join([*sent, metrics, *lines])
    secrets = [*list_secrets(match), PASSWORD, BAD_TOKEN, *site.sessions.values()]
    assert [secret for secret in secrets if secret in told] == []


@pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task")
def test_an_error_report_shows_no_variables(site: Site, settings: Any) -> None:
    """A match fails in a worker, and a page fails while it holds a match: the reports say where, not with what."""
    match = Match.objects.get(pk=int(str(site.subjects["running"]["match_id"])))
    match.seats.filter(seat=1).update(agent="house:nobody-knows")
    Match.objects.filter(pk=match.pk).update(state="ready", awaited=[], log=b"")
    settings.ROOT_URLCONF = "tests.security.crashing_urls"
    with keep_lines() as lines:
        play_ready_matches(needs=RunnerNeed.HOUSE)
        answer = site.client_of("anonymous").get(f"/crash/{match.pk}/")
    assert answer.status_code == 500
    for planted in ("nobody-knows", "planted while"):
        assert any(planted in line and "Traceback" in line for line in lines)
    told = "\n".join([*lines, answer.content.decode()])
    assert [secret for secret in list_secrets(match) if secret in told] == []


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "429", "500"])
def test_error_pages_tell_nothing_of_what_went_wrong(name: str) -> None:
    """They are rendered with no more than what every page has."""
    source = (site_settings.TEMPLATES[0]["DIRS"][0] / f"{name}.html").read_text()
    assert "exception" not in source and "{{ request.META" not in source and "{% debug" not in source
