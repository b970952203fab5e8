"""Helpers: invited by link, each role doing what it says and nothing else, handed over, and events in no list."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, resolve, reverse

from tests.api.conftest import client_of
from tests.pages.desk import DESK, sign_in
from tests.pages.events import make_league, make_tournament, read_page
from tests.security.addresses import list_addresses
from tournaments.api.urls import in_tournament
from tournaments.models import Helper, Role, Tournament
from tournaments.selectors.rights import RIGHTS, Right
from tournaments.services.roles import invite_helper, join_as_helper

pytestmark = pytest.mark.django_db


def make_helper(tournament: Tournament, role: str, *, for_league: bool = False) -> Client:
    user = User.objects.create_user(f"helper-{role}")
    text = invite_helper(tournament=tournament, role=role, inviter=tournament.organiser, for_league=for_league)
    join_as_helper(invitation=text, user=user)
    client = Client()
    client.force_login(user)
    return client


def test_somebody_joins_by_the_link(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    page = client.post(f"{DESK}helpers/", {"role": "desk"}).content.decode()
    link = re.search(r"http://testserver(/desk/join/[^<]+)<", page)
    assert link
    helper = Client()
    helper.force_login(User.objects.create_user("agnes"))
    assert helper.get(DESK).status_code == 403
    assert "Desk: entries and check-in" in read_page(helper, link[1])
    helper.post(link[1])
    assert helper.get(DESK).status_code == 200
    assert "Test Cup" in read_page(helper, "/desk/")
    actor = tournament.events.get(kind="helper_joined").actor
    assert actor and actor.username == "agnes"
    assert Client().get("/desk/join/none-of-ours/").status_code == 302


DOORS = {
    Right.DESK: (
        "desk_add_players desk_list desk_undo_list desk_add_house desk_add_team desk_seeds desk_apart desk_drop_apart "
        "desk_check_in_end desk_check_in desk_entrant_deed "
        "api-guest-name api-disqualification api-replacement api-seeding api-house-bots api-check-in-end "
        "api-check-ins api-close-check-in api-lists api-list-preview api-list-undo api-conflicts api-allow-meeting"
    ),
    Right.RESULTS: ("desk_decide desk_sheet desk_accept desk_postpone api-tournament-decisions api-postponements"),
    Right.RUN: (
        "desk_step desk_beacon desk_edit desk_entry_rules desk_times desk_tell desk_drop_announcement desk_copy "
        "desk_swap desk_pin desk_changes desk_begin_rerun desk_close_rerun desk_next_season desk_helpers "
        "desk_change_helpers desk_play_off "
        "api-swaps api-entry-rules api-entry-invitations api-steps api-timetable api-rhythm api-texts api-tournament "
        "api-beacon api-reruns api-rerun-decision api-next-season api-play-off api-arrange "
        "api-announcements api-announcement"
    ),
}
"""Every deed of the desk, on pages and in the API, by the right that it wants."""
OWNERS_ALONE = {"api-helpers", "api-helper", "api-hand-over", "api-listing"}
OF_PLAYERS = {"api-entrants", "api-check-in", "api-withdrawal", "api-sheets", "api-sheet-answer"}
"""Doors that players use for themselves: there the service judges who may do it to whom."""
RIGHTS_OF_DOORS = {name: right for right, names in DOORS.items() for name in names.split()}
ARGUMENTS = {"slug": "test-cup", "step": "pause", "deed": "withdraw", "decision": "void"}
SENTENCE = "and this goes further"


def list_doors() -> Iterator[tuple[str, str]]:
    """Name and address of everything below a tournament's desk, on pages and in the API."""
    addresses = list_addresses()
    names = {name for name, one in addresses.items() if name.startswith("desk_") and one.parameters[:1] == ("slug",)}
    names -= {"desk_edit_league"}
    names |= {one.name or "" for one in flatten(in_tournament)} | {"api-tournament"}
    for name in sorted(names):
        yield name, reverse(name, kwargs={one: ARGUMENTS.get(one, 1) for one in addresses[name].parameters})


def flatten(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for one in patterns:
        yield from flatten(one.url_patterns) if isinstance(one, URLResolver) else [one]


@pytest.mark.parametrize("role", list(Role))
def test_every_door_of_the_desk_opens_for_the_roles_it_says(role: Role) -> None:
    """All look at everything; a deed that a role does not cover is refused with a sentence, on page and in the API."""
    tournament = make_tournament("playing")
    client = make_helper(tournament, role)
    program = client_of(User.objects.get(username=f"helper-{role}"))
    program.raise_request_exception = False
    seen: set[str] = set()
    wrong: list[tuple[object, ...]] = []
    for name, address in list_doors():
        for method in ("get", "post", "put", "delete"):
            if not hasattr(getattr(resolve(address).func, "cls", client), method):
                continue
            answer = knock(program if name.startswith("api-") else client, method, address)
            if answer.status_code == 405:
                continue
            said = "" if answer.streaming else answer.content.decode()
            is_refused = SENTENCE in said
            if is_refused != (answer.status_code == 403):
                wrong.append((name, method, answer.status_code, "no sentence"))
            if method == "get":
                if is_refused:
                    wrong.append((name, method, "nobody looks"))
                continue
            if name not in RIGHTS_OF_DOORS.keys() | OWNERS_ALONE | OF_PLAYERS:
                wrong.append((name, method, answer.status_code, said[:200]))
                continue
            seen.add(name)
            if name in OF_PLAYERS:
                continue
            is_covered = name not in OWNERS_ALONE and RIGHTS_OF_DOORS[name] in RIGHTS[role]
            if is_refused == is_covered:
                wrong.append((name, method, answer.status_code))
    assert not wrong
    assert seen == RIGHTS_OF_DOORS.keys() | OWNERS_ALONE | OF_PLAYERS


def knock(client: Client, method: str, address: str) -> Any:
    """What is answered; whatever it did is undone."""
    with transaction.atomic():
        answer = getattr(client, method)(address)
        transaction.set_rollback(True)
    return answer


def test_a_helper_of_the_league_helps_with_its_seasons_and_can_be_removed(client: Client) -> None:
    league = make_league()
    first = make_tournament("open", league=league)
    helper = make_helper(first, "all", for_league=True)
    second = make_tournament("draft", league=league, name="Second")
    assert helper.get(f"/desk/tournaments/{second.slug}/").status_code == 200
    sign_in(client, first)
    client.post(f"{DESK}helpers/remove/", {"helper": str(Helper.objects.get().pk)})
    assert helper.get(f"/desk/tournaments/{second.slug}/").status_code == 404


def test_a_tournament_is_handed_over_to_whoever_helps_with_everything(client: Client) -> None:
    tournament = make_tournament("open")
    make_helper(tournament, "all")
    make_helper(tournament, "desk")
    sign_in(client, tournament)
    client.post(f"{DESK}helpers/hand-over/", {"username": "helper-desk"})
    tournament.refresh_from_db()
    assert tournament.organiser.username == "organiser-of-tests"
    client.post(f"{DESK}helpers/hand-over/", {"username": "helper-all"})
    tournament.refresh_from_db()
    assert tournament.organiser.username == "helper-all"
    assert client.get(DESK).status_code == 200, "who gave it away helps on"
    assert client.post(f"{DESK}helpers/", {"role": "all"}).status_code == 422


def test_an_unlisted_event_is_found_by_its_link_alone(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    client.post(f"{DESK}helpers/unlist/")
    stranger = Client()
    for path in ("/tournaments/", "/search/?q=Test+Cup", "/calendar/", "/"):
        assert "test-cup" not in read_page(stranger, path), path
    assert stranger.get("/tournaments/test-cup/").status_code == 200
    assert "test-cup" not in stranger.get("/api/v1/tournaments").content.decode()
    client.post(f"{DESK}helpers/list/")
    assert "test-cup" in read_page(stranger, "/tournaments/")
