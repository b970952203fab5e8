"""Hidden information: what a seat may not know changes no byte of what its owner, or anybody, is told."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from games.models import Match, MatchKind, MatchState
from games.play.agents import AgentRef
from games.rules.deal import commitment
from games.rules.match import Match as Play
from games.rules.match import pack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.services.create import MatchPlan, SeatPlan, create_matches
from tests.api.conftest import World, client_of
from tests.api.test_schema import SCHEMA
from tests.api.test_stream import read_lines

pytestmark = pytest.mark.django_db
RULESET = Ruleset.from_code("en3")
Told = tuple[int, bytes, dict[str, str]]
REFUSED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("decisions", {"seat": 1, "counter": 0, "action": "bid B1"}),
    ("decisions", {"seat": 0, "counter": 99, "action": "bid B1"}),
    ("decisions", {"seat": 0, "counter": 0, "action": "nonsense"}),
    ("resignations", {"seat": 1}),
)
"""Deeds that are refused whatever the cards are: the refusal must not tell them either."""

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def sit_down(world: World, seed: bytes) -> Match:
    seats = (
        SeatPlan(world.player, AgentRef.parse(f"person:{world.player.pk}")),
        *(SeatPlan(bot, AgentRef.parse("house:greedy")) for bot in world.bots[:2]),
    )
    (match_id,) = create_matches(
        plans=[MatchPlan(RULESET, seats, seed, uuid.UUID(int=7))],
        kind=MatchKind.CASUAL,
        is_rated=False,
        clock={"bank": 600},
    )
    Match.objects.filter(pk=match_id).update(
        state=MatchState.WAITING,
        awaited=[0],
        created_at=NOON,
        started_at=NOON,
        awaited_since=NOON,
        deadline=NOON,
        commitment=commitment(seed_of(0)),
        log=pack_log(()),
    )
    return Match.objects.get(pk=match_id)


def addresses(match: Match, world: World) -> list[str]:
    """Every address of the schema that can be read, filled in with this match, its players and a tournament."""
    slugs = {"tournaments": world.tournament.slug, "bots": world.bot.player.slug, "players": world.player.slug}
    values: dict[str, Any] = {
        "match_id": match.pk,
        "other": world.bots[0].slug,
        "code": "en3",
        "stage": 1,
        "matchday": 1,
        "number": 1,
        "entrant_id": 1,
        "trial_id": 1,
        "rerun_id": 1,
        "failure_id": 1,
        "invitation": "none",
        "pool": "bots-3",
    }
    found = []
    for path, operations in SCHEMA["paths"].items():
        # A ticket is new each time it is asked for, whatever lies on the tables.
        if "get" in operations and path.startswith("/api/v1/") and path != "/api/v1/tables/ticket":
            found.append(path.format(**values, slug=slugs.get(path.split("/")[3], "none")))
    return [
        *found,
        *(f"/api/v1/matches/{match.pk}/view?seat={seat}" for seat in range(3)),
        f"/api/v1/matches?player={world.player.slug}",
        "/api/v1/matches?kind=casual&state=waiting",
    ]


def read_all(client: APIClient, match: Match, world: World) -> dict[str, Told]:
    """What every address answers: status, body and all headers, so that sizes are compared too."""
    told = {address: _tell(client.get(address)) for address in addresses(match, world)}
    for part, body in REFUSED:
        address = f"/api/v1/matches/{match.pk}/{part}"
        told[f"POST {address} {body}"] = _tell(client.post(address, body, format="json"))
    return told


def _tell(answer: Any) -> Told:
    body = answer.getvalue() if answer.streaming else answer.content
    request_id = answer.get("X-Request-ID", "")
    headers = {name: value for name, value in answer.headers.items() if name != "X-Request-ID"}
    return answer.status_code, body.replace(request_id.encode(), b"-"), headers


@pytest.mark.parametrize("who", ["stranger", "organiser", "seat 0"])
def test_other_hands_change_nothing(world: World, who: str) -> None:
    """The seed is swapped under a table: whoever may not know a hand is answered the same, byte for byte."""
    match = sit_down(world, seed_of(1))
    client = {"stranger": APIClient(), "organiser": client_of(world.organiser), "seat 0": client_of(world.person)}[who]
    before = read_all(client, match, world)
    Match.objects.filter(pk=match.pk).update(seed=seed_of(2))
    after = read_all(client, match, world)
    changed = {address for address in before if before[address] != after[address]}
    own = {f"/api/v1/matches/{match.pk}/view?seat=0"} if who == "seat 0" else set()
    # Why an action is not possible may be told to whoever holds those cards.
    told = {address for address in before if "'seat': 0" in address} if who == "seat 0" else set()
    # The first seat of a round is public and comes from the seed too: only there may what everybody sees differ.
    shared = {f"/api/v1/matches/{match.pk}/view"} if first_seat(1) != first_seat(2) else set()
    assert changed - own - shared - told == set()
    assert own <= changed


def first_seat(number: int) -> int:
    return view(Play(RULESET, seed_of(number)), -1).first


def test_a_seats_view_is_for_whoever_decides_there(world: World) -> None:
    match = sit_down(world, seed_of(1))
    address = f"/api/v1/matches/{match.pk}/view?seat="
    own = client_of(world.person)
    assert own.get(f"{address}0").json()["view"]["round"]["hand"]
    for client, seat in ((own, 1), (client_of(world.organiser), 0), (APIClient(), 0)):
        answer = client.get(f"{address}{seat}")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_seat")


def test_a_sealed_match_tells_its_places_and_no_more(world: World) -> None:
    """One match of a block has ended, another on the same deals has not."""
    done = Match.objects.filter(state=MatchState.FINISHED).first()
    assert done is not None
    waiting = sit_down(world, seed_of(1))
    Match.objects.filter(pk=waiting.pk).update(deals=done.deals)
    client = APIClient()
    told = client.get(f"/api/v1/matches/{done.pk}").json()
    assert told["is_sealed"] and told["result"]["places"]
    assert [told["result"][name] for name in ("nuggets", "totals", "rounds", "lots")] == [None] * 4
    for part in ("record", "notation"):
        answer = client.get(f"/api/v1/matches/{done.pk}/{part}")
        assert (answer.status_code, answer.json()["code"]) == (403, "match_sealed")
    assert client.get(f"/api/v1/matches/{done.pk}/view").json()["view"] is None
    assert client.get(f"/api/v1/matches/{done.pk}/view?seat=1").status_code == 403
    listed = client.get("/api/v1/matches?state=finished&limit=200").json()["results"]
    assert next(row for row in listed if row["id"] == done.pk)["result"]["totals"] is None


def test_what_authors_try_out_is_theirs(world: World) -> None:
    match = sit_down(world, seed_of(1))
    Match.objects.filter(pk=match.pk).update(kind=MatchKind.SCRIMMAGE)
    assert APIClient().get(f"/api/v1/matches/{match.pk}").status_code == 404
    assert client_of(world.organiser).get(f"/api/v1/matches/{match.pk}/view").status_code == 404
    assert client_of(world.person).get(f"/api/v1/matches/{match.pk}").status_code == 200


def test_the_stream_of_a_tournament_tells_no_cards(world: World) -> None:
    """The seeds of all its matches are swapped while one of them is still to end: every line stays the same."""
    address = f"/live/api/v1/tournaments/{world.tournament.slug}/events"
    waiting = sit_down(world, seed_of(1))
    Match.objects.filter(pk=waiting.pk).update(kind=MatchKind.TOURNAMENT)
    before = [read_lines(address, 1), read_lines(f"{address}?after=0", 3)]
    Match.objects.update(seed=seed_of(2))
    assert [read_lines(address, 1), read_lines(f"{address}?after=0", 3)] == before
