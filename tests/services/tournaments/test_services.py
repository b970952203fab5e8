"""Every service run twice and at the wrong time."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from aurum_league.common.errors import LeagueError
from games.models import Match
from tests.services.tournaments.conftest import Make, make_bots
from tournaments.models import (
    Bye,
    Entrant,
    Fixture,
    FixtureSeat,
    Tournament,
)
from tournaments.services.advance import advance_tournament, finish_tournament, sweep_tournaments
from tournaments.services.draw import draw_tournament, reopen_tournament
from tournaments.services.entries import disqualify_entrant, enter_late, enter_player, withdraw_entrant
from tournaments.services.field import (
    allow_meeting,
    check_in_entrant,
    check_in_many,
    close_check_in,
    keep_apart,
    seed_entrants,
    set_check_in_end,
)
from tournaments.services.leagues import create_next_season, edit_texts, edit_tournament
from tournaments.services.lifecycle import cancel_tournament, open_tournament, pause_tournament, resume_tournament
from tournaments.services.release import release_by_hand, start_tournament

pytestmark = pytest.mark.django_db

ROBIN: dict[str, Any] = {"format": "round_robin", "options": {"meetings": 1}}
SOON = datetime(2030, 1, 1, tzinfo=UTC)
DAILY: dict[str, Any] = {**ROBIN, "release": "matchday"}


def snapshot(tournament: Tournament) -> tuple[Any, ...]:
    """Everything a second run must not change, events included."""
    tournament.refresh_from_db()
    return (
        tournament.state,
        sorted(tournament.entrants.values_list("id", "state", "player_id", "entered_on", "left_on", "seed_number")),
        sorted(FixtureSeat.objects.values_list("fixture_id", "position", "entrant_id")),
        sorted(Bye.objects.values_list("matchday_id", "entrant_id")),
        sorted(Fixture.objects.values_list("id", "state", "open_matches")),
        sorted(Match.objects.values_list("id", "state", "attempt")),
        tournament.events.count(),
    )


def first_entrant(tournament: Tournament) -> Entrant:
    return tournament.entrants.order_by("id")[0]


def first_pair(tournament: Tournament) -> tuple[int, int]:
    first, second = tournament.entrants.order_by("id").values_list("id", flat=True)[:2]
    return first, second


def part_and_let_meet(tournament: Tournament) -> None:
    if not tournament.events.filter(kind="kept_apart").exists():
        keep_apart(tournament_id=tournament.id, pair=first_pair(tournament))
    allow_meeting(tournament_id=tournament.id, pair=first_pair(tournament))
    assert not tournament.conflicts.exists()


TWICE: dict[str, tuple[str, Callable[[Tournament], object]]] = {
    "open": ("draft", lambda t: open_tournament(tournament_id=t.id)),
    "enter": ("open", lambda t: enter_player(tournament_id=t.id, player=first_entrant(t).player)),
    "check in": ("open", lambda t: check_in_entrant(entrant_id=first_entrant(t).id)),
    "withdraw": ("open", lambda t: withdraw_entrant(entrant_id=first_entrant(t).id)),
    "withdraw while playing": ("playing", lambda t: withdraw_entrant(entrant_id=first_entrant(t).id)),
    "disqualify": ("playing", lambda t: disqualify_entrant(entrant_id=first_entrant(t).id, reason="cheated")),
    "keep apart": ("open", lambda t: keep_apart(tournament_id=t.id, pair=first_pair(t))),
    "let meet": ("open", lambda t: part_and_let_meet(t)),
    "let meet who never were apart": ("open", lambda t: allow_meeting(tournament_id=t.id, pair=first_pair(t))),
    "check in all": ("open", lambda t: check_in_many(tournament_id=t.id)),
    "close the check-in": ("open", lambda t: close_check_in(tournament_id=t.id)),
    "change the texts": ("playing", lambda t: edit_texts(tournament_id=t.id, name="Anew", contact="me")),
    "set the end of check-in": ("open", lambda t: set_check_in_end(tournament_id=t.id, ends_at=SOON)),
    "set the end of check-in of a draft": ("draft", lambda t: set_check_in_end(tournament_id=t.id, ends_at=SOON)),
    "start": ("drawn", lambda t: start_tournament(tournament_id=t.id)),
    "reopen": ("drawn", lambda t: reopen_tournament(tournament_id=t.id)),
    "advance": ("playing", lambda t: advance_tournament(tournament_id=t.id)),
    "sweep": ("playing", lambda t: sweep_tournaments()),
    "pause": ("playing", lambda t: pause_tournament(tournament_id=t.id)),
    "cancel": ("playing", lambda t: cancel_tournament(tournament_id=t.id)),
}


@pytest.mark.parametrize(("state", "service"), TWICE.values(), ids=TWICE)
def test_second_run_changes_nothing(make_tournament: Make, state: str, service: Callable[[Tournament], object]) -> None:
    tournament = make_tournament(DAILY, 9, state=state)
    Tournament.objects.filter(pk=tournament.pk).update(needs_check_in=state in ("draft", "open"))
    service(tournament)
    before = snapshot(tournament)
    service(tournament)
    assert snapshot(tournament) == before


WRONG: dict[str, tuple[str, Callable[[Tournament], object]]] = {
    "enter a draft": ("draft", lambda t: enter_player(tournament_id=t.id, player=make_bots(1)[0])),
    "enter once drawn": ("drawn", lambda t: enter_player(tournament_id=t.id, player=make_bots(1)[0])),
    "enter late before the start": ("open", lambda t: enter_late(tournament_id=t.id, player=make_bots(1)[0])),
    "edit what is drawn": (
        "drawn",
        lambda t: edit_tournament(tournament_id=t.id, spec={"name": "x", "stages": [ROBIN]}),
    ),
    "check in once drawn": ("drawn", lambda t: check_in_entrant(entrant_id=first_entrant(t).id)),
    "draw a draft": ("draft", lambda t: draw_tournament(tournament_id=t.id)),
    "draw what plays": ("playing", lambda t: draw_tournament(tournament_id=t.id)),
    "start what is open": ("open", lambda t: start_tournament(tournament_id=t.id)),
    "release what is not started": ("drawn", lambda t: release_by_hand(tournament_id=t.id)),
    "reopen what plays": ("playing", lambda t: reopen_tournament(tournament_id=t.id)),
    "pause what is drawn": ("drawn", lambda t: pause_tournament(tournament_id=t.id)),
    "resume what is drawn": ("drawn", lambda t: resume_tournament(tournament_id=t.id)),
    "finish what is drawn": ("drawn", lambda t: finish_tournament(tournament_id=t.id)),
    "let meet in a draft": ("draft", lambda t: allow_meeting(tournament_id=t.id, pair=(1, 2))),
    "let meet once drawn": ("drawn", lambda t: allow_meeting(tournament_id=t.id, pair=first_pair(t))),
    "end the check-in once drawn": ("drawn", lambda t: set_check_in_end(tournament_id=t.id, ends_at=SOON)),
    "next season of one that plays": ("playing", lambda t: create_next_season(tournament_id=t.id)),
    "seed what plays": ("playing", lambda t: seed_entrants(tournament_id=t.id, order=[])),
}


@pytest.mark.parametrize(("state", "service"), WRONG.values(), ids=WRONG)
def test_wrong_time_is_refused_and_changes_nothing(
    make_tournament: Make, state: str, service: Callable[[Tournament], object]
) -> None:
    tournament = make_tournament(DAILY, 9, state=state)
    before = snapshot(tournament)
    with pytest.raises(LeagueError) as refusal:
        service(tournament)
    assert refusal.value.code == "wrong_state"
    assert snapshot(tournament) == before
