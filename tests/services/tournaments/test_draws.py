"""Draws: repeatable, seated as promised, edited under the same checks."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from aurum_league.common.errors import LeagueError
from games.models import MatchSeat, Player, PlayerKind
from games.rules.deal import draw_first_seat
from tests.services.tournaments.conftest import Make
from tournaments.models import (
    Entrant,
    FixtureMatch,
    FixtureSeat,
    Matchday,
)
from tournaments.services.draw import draw_tournament, reopen_tournament, swap_entrants
from tournaments.services.entries import enter_player
from tournaments.services.field import keep_apart
from tournaments.services.release import start_tournament

pytestmark = pytest.mark.django_db

ROBIN: dict[str, Any] = {"format": "round_robin", "options": {"meetings": 1}}
DAILY: dict[str, Any] = {**ROBIN, "release": "matchday"}


def test_drawing_again_gives_the_same_draw(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 10, state="drawn")

    def drawn() -> list[tuple[int, int, int, int | None]]:
        seats = FixtureSeat.objects.order_by("fixture__matchday__number", "fixture__table", "position")
        return list(seats.values_list("fixture__matchday__number", "fixture__table", "position", "entrant_id"))

    before = drawn()
    draw_tournament(tournament_id=tournament.id)
    reopen_tournament(tournament_id=tournament.id)
    draw_tournament(tournament_id=tournament.id)
    assert drawn() == before


@pytest.mark.parametrize("stage", [ROBIN, {**ROBIN, "block_deals": 2}], ids=["single", "block"])
def test_first_position_is_first_player(make_tournament: Make, stage: dict[str, Any]) -> None:
    make_tournament(stage, 9)
    for link in FixtureMatch.objects.select_related("match", "fixture").filter(number=1):
        seats = list(link.fixture.seats.order_by("position").values_list("entrant_id", flat=True))
        first = draw_first_seat(bytes(link.match.seed), 3)
        assert [link.entrants[(first + position) % 3] for position in range(3)] == seats
        for seat in MatchSeat.objects.filter(match=link.match):
            assert Entrant.objects.get(pk=link.entrants[seat.seat]).player_id == seat.player_id


def test_block_plays_each_deal_from_every_seat(make_tournament: Make) -> None:
    make_tournament({"format": "round_robin", "options": {"matchdays": 1}, "block_deals": 2}, 3)
    links = list(FixtureMatch.objects.select_related("match").order_by("number"))
    for part in (links[:3], links[3:]):
        assert len({bytes(link.match.seed) for link in part}) == len({link.match.deals for link in part}) == 1
        for seat in range(3):
            assert len({link.entrants[seat] for link in part}) == 3
    assert links[0].match.deals != links[3].match.deals


def test_person_in_a_block_is_refused(make_tournament: Make, organiser: User) -> None:
    tournament = make_tournament({**ROBIN, "block_deals": 1}, 2, state="open", entry_kind="mixed")
    person = Player.objects.create(kind=PlayerKind.PERSON, name="Ada", slug="ada", owner=organiser)
    enter_player(tournament_id=tournament.id, player=person)
    draw_tournament(tournament_id=tournament.id)
    with pytest.raises(LeagueError) as refusal:
        start_tournament(tournament_id=tournament.id)
    assert refusal.value.code == "block_needs_bots"


def seats_of(day: Matchday, table: int) -> list[int]:
    found = FixtureSeat.objects.filter(fixture__matchday=day, fixture__table=table, entrant__isnull=False)
    return [seat.entrant_id or 0 for seat in found.order_by("position")]


def test_swap_is_marked_and_can_be_taken_back(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9, state="drawn")
    day = Matchday.objects.get(stage__tournament=tournament, number=1)
    before = seats_of(day, 1), seats_of(day, 2)
    for _ in range(2):
        swap_entrants(matchday_id=day.id, first=before[0][0], second=before[1][0])
    assert (seats_of(day, 1), seats_of(day, 2)) == before
    day.refresh_from_db()
    assert day.is_edited
    assert day.fixtures.filter(is_edited=True).count() == 2


def test_swap_may_not_bring_together_who_is_kept_apart(make_tournament: Make) -> None:
    tournament = make_tournament(DAILY, 9)
    day = Matchday.objects.get(stage__tournament=tournament, number=2)
    one, other = seats_of(day, 1), seats_of(day, 2)
    keep_apart(tournament_id=tournament.id, pair=(one[0], other[1]))
    with pytest.raises(LeagueError) as refusal:
        swap_entrants(matchday_id=day.id, first=one[0], second=other[0])
    assert refusal.value.code == "cannot_keep_apart"
    assert (seats_of(day, 1), seats_of(day, 2)) == (one, other)


def test_wish_that_cannot_be_kept_is_named(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9, state="open")
    first, second = tournament.entrants.order_by("id").values_list("id", flat=True)[:2]
    keep_apart(tournament_id=tournament.id, pair=(first, second))
    with pytest.raises(LeagueError) as refusal:
        draw_tournament(tournament_id=tournament.id)
    assert refusal.value.code == "cannot_keep_apart"
    assert str(first) in str(refusal.value)
