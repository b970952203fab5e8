"""What is hidden changes no byte of what anybody else is shown, by pages, API, admin, error pages and log lines.

Streams are read in test_stream_seals.py. Cards exchanged between hands, which no seed deals, are compared a level
below, in tests/rules/test_view.py.
"""

import re

import pytest
from django.test import Client

from games.rules.match import Match as Play
from games.rules.view import view
from tests.security.addresses import list_addresses
from tests.security.log_lines import keep_lines
from tests.security.secret_bids import PAIRS_A_DEAL, RULESET, SEEDS, find_differences, lay, without_own_marks
from tests.security.site import Site

PUBLIC = ("match", "match_table", "home_now", "api-match", "api-view", "api-matches")
OWN = ("play_table", "play_state", "api-view", "match_table")
REFUSED = ("match_record", "match_step", "match_transcript", "api-record", "api-notation")
ADMIN = ("/admin/games/match/{}/change/", "/admin/games/match/", "/admin/games/match/?q={}")
ADDRESSES = list_addresses()


def running(site: Site) -> int:
    return int(str(site.subjects["running"]["match_id"]))


def read(client: Client, site: Site, names: tuple[str, ...], status: int = 200, query: str = "") -> dict[str, bytes]:
    told = {}
    for name in names:
        answer = client.get(ADDRESSES[name].fill_in(site, "running") + (query if name == "api-view" else ""))
        assert answer.status_code in (status, 404 if status == 403 else status), name
        told[name] = without_own_marks(answer)
    return told


@pytest.mark.parametrize(
    ("role", "names", "query"),
    [
        pytest.param("player", OWN, "?seat=0", id="seat 0"),
        pytest.param("anonymous", PUBLIC, "", id="stranger"),
    ],
)
def test_a_secret_bid_changes_no_page(site: Site, role: str, names: tuple[str, ...], query: str) -> None:
    client = site.client_of(role)

    def tell(seed: bytes, bid: str) -> dict[str, bytes]:
        lay(running(site), seed, bid)
        return read(client, site, names, query=query)

    assert find_differences(SEEDS, tell) == (PAIRS_A_DEAL * len(SEEDS), set())


@pytest.mark.parametrize("role", ["player", "staff"])
def test_a_secret_bid_changes_no_refusal(site: Site, role: str) -> None:
    """Error pages, to the seat itself and to the staff."""
    client = site.client_of(role)

    def tell(seed: bytes, bid: str) -> dict[str, bytes]:
        lay(running(site), seed, bid)
        return read(client, site, REFUSED, status=403)

    assert find_differences(SEEDS[:3], tell) == (PAIRS_A_DEAL * 3, set())


def test_a_secret_bid_changes_nothing_in_the_admin(site: Site) -> None:
    user = site.users["staff"]
    user.is_superuser = True
    user.save()
    client = site.client_of("staff")

    def tell(seed: bytes, bid: str) -> dict[str, bytes]:
        lay(running(site), seed, bid)
        answers = {path: client.get(path.format(running(site))) for path in ADMIN}
        assert {answer.status_code for answer in answers.values()} == {200}
        return {path: without_own_marks(answer) for path, answer in answers.items()}

    assert find_differences(SEEDS[:1], tell) == (PAIRS_A_DEAL, set())


def test_a_secret_bid_changes_no_log_line(site: Site) -> None:
    """All that is written while a seat looks and asks for what it may not have; times and numbers apart."""
    client = site.client_of("player")

    def tell(seed: bytes, bid: str) -> dict[str, bytes]:
        lay(running(site), seed, bid)
        with keep_lines() as lines:
            read(client, site, OWN, query="?seat=0")
            read(client, site, REFUSED, status=403)
        assert lines
        return {"lines": re.sub(r"[0-9a-f-]{36}|\d+\.\d+|\d{4}-\d\d-\d\dT\S+", "", "\n".join(lines)).encode()}

    assert find_differences(SEEDS[:2], tell) == (PAIRS_A_DEAL * 2, set())


def test_the_comparison_sees_what_the_bidder_sees(site: Site) -> None:
    """Its own bid is shown to seat 1: so the tests above would see it, were it shown to others."""

    def tell(seed: bytes, bid: str) -> dict[str, bytes]:
        play = Play(RULESET, seed)
        play.apply_text(1, bid)
        return {"view": repr(view(play, 1).to_dict()).encode()}

    assert find_differences(SEEDS[:1], tell) == (PAIRS_A_DEAL, {"view"})


def test_other_deals_change_nothing_for_watchers(site: Site) -> None:
    """Before the first card nobody but the seats knows anything: deals with the same first seat look the same."""
    client = site.client_of("staff")
    told: dict[int, set[tuple[tuple[str, bytes], ...]]] = {}
    for seed in SEEDS:
        lay(running(site), seed, None)
        first = Play(RULESET, seed).first_seat
        told.setdefault(first, set()).add(tuple(read(client, site, PUBLIC).items()))
    assert all(len(pages) == 1 for pages in told.values()) and len(told) > 1
