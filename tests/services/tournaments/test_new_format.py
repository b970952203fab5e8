"""A format that nobody but this test knows is chosen, drawn, played and shown everywhere like those of the house."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from rest_framework.test import APIClient

from tests.api.conftest import client_of
from tests.pages.desk import read_fields
from tests.pages.events import read_page
from tests.services.tournaments.conftest import make_bots, play_on
from tournaments.models import Tournament, TournamentState
from tournaments.rules.formats import FORMATS
from tournaments.rules.formats.format import Format, Option, Situation, find_size_problems
from tournaments.rules.pairing import Draw, Finished, Pairing, Problem, Reason, TableKind, Waiting
from tournaments.selectors.standings import read_standings
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, slots=True)
class Turntable(Format):
    """Every matchday the field turns by one, and tables are cut from it in order; who is over rests."""

    kind: TableKind = TableKind.SOLO3
    turns: int = 2

    code: ClassVar[str] = "turntable"
    title: ClassVar[str] = "Turntable"
    help: ClassVar[str] = "The field turns by one each matchday."
    options: ClassVar[tuple[Option, ...]] = (Option("turns", "Turns", "How often the field turns.", most=9),)
    needs_results: ClassVar[bool] = False
    takes_late_entries: ClassVar[bool] = False
    reasons: ClassVar[Mapping[str, str]] = {"turned": "the field turned by %(first)s"}

    def find_problems(self, situation: Situation) -> tuple[Problem, ...]:
        return find_size_problems(self.kind, len(situation.active))

    def plan_length(self, entrants: int) -> int:
        return self.turns

    def draw(self, situation: Situation, rng: Random) -> Draw | Waiting | Finished:
        turn = situation.matchday - 1
        if turn >= self.turns:
            return Finished()
        ids = [entry.id for entry in situation.active]
        turned, size = ids[turn:] + ids[:turn], self.kind.entrants
        whole = len(ids) - len(ids) % size
        tables = [tuple(turned[start : start + size]) for start in range(0, whole, size)]
        why = (Reason("turned", (turn,)),)
        pairings = tuple(Pairing(number, self.kind.seat(table), why) for number, table in enumerate(tables, start=1))
        return Draw(situation.matchday, pairings, tuple(turned[whole:]))


@pytest.fixture(autouse=True)
def turntable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(FORMATS, Turntable.code, Turntable)
    yield


@pytest.fixture
def agnes(client: Client) -> User:
    user = User.objects.create_user("agnes")
    user.groups.add(Group.objects.get_or_create(name="organiser")[0])
    client.force_login(user)
    return user


def test_services_play_it(agnes: User) -> None:
    stage = {"format": "turntable", "options": {"turns": 3}}
    tournament = create_tournament(spec={"name": "Turning", "stages": [stage]}, organiser=agnes)
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=make_bots(7))
    draw_tournament(tournament_id=tournament.id)
    start_tournament(tournament_id=tournament.id)
    assert play_on(tournament).state == TournamentState.FINISHED
    standings = read_standings(tournament.stages.get())
    assert standings.is_current
    assert len(standings.lines) == 7
    assert sum(line.tally["played"] for line in standings.lines) == 3 * 2 * 3
    assert standings.chain[0] == "match_points"


def test_the_desk_offers_it_and_the_pages_show_it(client: Client, agnes: User) -> None:
    address = "/desk/tournaments/new/?preset=bot_league"
    sent = read_fields(read_page(client, address))
    page = client.post(address, {**sent, "redraw": "1", "stage-1-format": "turntable"}).content.decode()
    assert '<option value="turntable" selected>Turntable</option>' in page
    assert 'name="stage-1-turns"' in page
    assert "How often the field turns." in page
    assert 'name="stage-1-groups"' not in page
    filled = {**read_fields(page), "name": "Turning", "stage-1-turns": "1", "stage-1-block_deals": "0"}
    assert client.post(address, filled)["Location"] == "/desk/tournaments/turning/"
    tournament = Tournament.objects.get()
    assert tournament.stages.get().options == {"turns": 1}
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=make_bots(4))
    client.post("/desk/tournaments/turning/steps/draw/")
    assert "the field turned by 0" in read_page(client, "/desk/tournaments/turning/draw/")
    client.post("/desk/tournaments/turning/steps/start/")
    assert play_on(tournament).state == TournamentState.FINISHED
    assert "Turntable" in read_page(client, "/desk/tournaments/turning/")
    for part in ("", "schedule/", "entrants/", "bracket/", "crosstable/", "statistics/", "balance/", "downloads/"):
        assert "Turntable" in read_page(client, f"/tournaments/turning/{part}"), part


def test_the_api_runs_it(agnes: User) -> None:
    organiser, cup = client_of(agnes), "/api/v1/tournaments/turning"
    spec = {"name": "Turning", "stages": [{"format": "turntable"}]}
    assert organiser.post("/api/v1/tournaments", spec, format="json").status_code == 201
    assert organiser.post(f"{cup}/steps", {"step": "open"}, format="json").status_code == 200
    for bot in make_bots(3):
        assert organiser.post(f"{cup}/entrants", {"player": bot.slug}, format="json").status_code == 201
    for step in ("draw", "start"):
        assert organiser.post(f"{cup}/steps", {"step": step}, format="json").status_code == 200
    play_on(Tournament.objects.get())
    stage = APIClient().get(f"{cup}/stages/1").json()
    assert (stage["format"], stage["state"]) == ("turntable", "finished")
    rows = APIClient().get(f"{cup}/stages/1/standings").json()["lines"]
    assert len(rows) == 3
    fixtures = APIClient().get(f"{cup}/stages/1/matchdays/2/fixtures").json()["results"]
    assert fixtures[0]["why"] == [{"code": "turned", "numbers": [1]}]


@pytest.mark.parametrize(
    ("stage", "code"),
    [
        pytest.param({"options": {"turns": "two"}}, "bad_option", id="an option of the wrong type"),
        pytest.param({"options": {"laps": 2}}, "unknown_option", id="another format's option"),
        pytest.param({"groups": 2}, "bad_spec", id="groups it has not"),
    ],
)
def test_its_mistakes_are_named_like_any_others(agnes: User, stage: dict[str, object], code: str) -> None:
    spec = {"name": "Turning", "stages": [{"format": "turntable", **stage}]}
    answer = client_of(agnes).post("/api/v1/tournaments", spec, format="json")
    assert answer.json()["code"] == code
