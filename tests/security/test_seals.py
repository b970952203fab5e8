"""What is hidden changes no byte of what anybody else is shown, and is in no log line, message or metric.

Two matches of one seed can differ in a secret only while three players bid: what seat 1 has laid face down. So every
card of its hand in turn is that bid, in one and the same match, and all else stays: each two of these tables are a
pair. Cards exchanged between hands, which no seed deals, are compared a level below, in tests/rules/test_view.py.
"""

import logging
import re
from typing import Any

import pytest
from celery.signals import before_task_publish
from django.conf import settings
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.models import Match, MatchState, RunnerNeed
from games.rules.cards import names_in
from games.rules.match import Match as Play
from games.rules.match import pack_log
from games.rules.ruleset import Ruleset
from games.selectors.sitters import Sitter
from games.services.answer import answer_decision
from games.services.lobby import play_now
from games.services.play import play_ready_matches
from tests.security.addresses import list_addresses
from tests.security.site import PASSWORD, WISH, Site

RULESET = Ruleset.from_code("en3")
SEEDS = [number.to_bytes(32, "big") for number in range(1, 11)]
PUBLIC = ("match", "match_table", "home_now", "api-match", "api-view", "api-matches")
OWN = ("play_table", "play_state", "api-view", "match_table")
ADDRESSES = list_addresses()


def list_bids(seed: bytes) -> list[str]:
    return [f"bid {name}" for name in names_in(Play(RULESET, seed).dealt.hands[1])]


def lay(match_id: int, seed: bytes, bid: str | None) -> None:
    """The table waits for seats 0 and 2; seat 1 has bid, and nobody may know what."""
    play = Play(RULESET, seed)
    if bid:
        play.apply_text(1, bid)
    Match.objects.filter(pk=match_id).update(
        seed=seed, log=pack_log(play.log), state=MatchState.WAITING, awaited=[0, 2] if bid else [0, 1, 2]
    )


def read(client: Client, site: Site, names: tuple[str, ...], query: str = "") -> dict[str, bytes]:
    told = {}
    for name in names:
        answer = client.get(ADDRESSES[name].fill_in(site, "running") + (query if name == "api-view" else ""))
        assert answer.status_code == 200, name
        told[name] = _without_own_marks(answer)
    return told


def _without_own_marks(answer: Any) -> bytes:
    """A CSRF token is masked anew each time, a request has a number of its own, and a table says what time it is."""
    body = re.sub(rb'"now": "[^"]*"', b"", answer.content)
    for mark in (answer.headers.get("X-Request-ID", ""), str((answer.context or {}).get("csrf_token", ""))):
        body = body.replace(mark.encode(), b"") if mark else body
    return body


@pytest.mark.parametrize("who", ["seat 0", "stranger"])
def test_a_secret_bid_changes_nothing(site: Site, who: str) -> None:
    """Ten deals, every bid: 10 x 12 x 11 / 2 = 660 pairs for the seat, 198 for strangers."""
    match_id = int(str(site.subjects["running"]["match_id"]))
    client = site.client_of("player" if who == "seat 0" else "anonymous")
    names, query = (OWN, "?seat=0") if who == "seat 0" else (PUBLIC, "")
    for seed in SEEDS if who == "seat 0" else SEEDS[:3]:
        lay(match_id, seed, None)
        bids = list_bids(seed)
        told = []
        for bid in bids:
            lay(match_id, seed, bid)
            told.append(read(client, site, names, query))
        assert [name for name in names if len({one[name] for one in told}) > 1] == [], seed.hex()
        assert len(bids) > 10


def test_other_deals_change_nothing_for_watchers(site: Site) -> None:
    """Before the first card nobody but the seats knows anything: deals with the same first seat look the same."""
    match_id = int(str(site.subjects["running"]["match_id"]))
    client = site.client_of("staff")
    told: dict[int, set[tuple[tuple[str, bytes], ...]]] = {}
    for seed in SEEDS:
        lay(match_id, seed, None)
        first = Play(RULESET, seed).first_seat
        told.setdefault(first, set()).add(tuple(read(client, site, PUBLIC).items()))
    assert all(len(pages) == 1 for pages in told.values()) and len(told) > 1


@pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task")
def test_no_secret_leaves_by_the_side(
    site: Site,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """A table is dealt, decided at and asked about; then logs, messages to workers and metrics are read."""
    sent: list[str] = []

    def keep(body: object = None, headers: object = None, **_: object) -> None:
        sent.append(f"{body} {headers}")

    before_task_publish.connect(keep)
    caplog.set_level(logging.DEBUG)
    client = site.client_of("player")
    with django_capture_on_commit_callbacks(execute=True):
        match_id = play_now(sitter=Sitter(user_id=site.users["player"].pk), wish=WISH)
        play_ready_matches(needs=RunnerNeed.HOUSE)
        match = Match.objects.get(pk=match_id)
        (own,) = match.seats.filter(agent__startswith="person:").values_list("seat", flat=True)
        seen = client.get(f"/api/v1/matches/{match_id}/view?seat={own}").json()
        answer_decision(match_id=match_id, seat=own, counter=seen["counter"], text=seen["view"]["legal"][0])
        client.get("/tournaments/nothing/", headers={"authorization": "Bearer aur_no-such-token-at-all"})
        client.post("/accounts/login/", {"login": "player", "password": PASSWORD})
    before_task_publish.disconnect(keep)
    metrics = client.get("/metrics").content.decode()
    deal = Play(RULESET, bytes(match.seed)).dealt
    hands = [" ".join(names_in(hand)) for hand in deal.hands] + [str(names_in(hand)) for hand in deal.hands]
    secrets = [bytes(match.seed).hex(), str(bytes(match.seed)), PASSWORD, "aur_no-such-token", *hands]
    secrets += [*site.sessions.values()]
    written = [record.getMessage() + str(record.__dict__) for record in caplog.records]
    assert sent and metrics and written
    told = "\n".join([*sent, metrics, *written])
    assert [secret for secret in secrets if secret in told] == []


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "429", "500"])
def test_error_pages_tell_nothing_of_what_went_wrong(name: str) -> None:
    """They are rendered with no more than what every page has."""
    source = (settings.TEMPLATES[0]["DIRS"][0] / f"{name}.html").read_text()
    assert "exception" not in source and "{{ request.META" not in source and "{% debug" not in source
