"""Events form a chain that nobody rewrites: the database refuses, and whoever is above it is found out."""

import pgtrigger
import pytest
from django.db import DatabaseError, transaction

from tests.services.tournaments.conftest import Make
from tournaments.models import TournamentEvent
from tournaments.selectors.exports import find_chain_breaks, read_site_head
from tournaments.services.lifecycle import pause_tournament

pytestmark = pytest.mark.django_db
ONE_TABLE = {"format": "round_robin", "options": {"meetings": 1}}
FORGED = [
    pytest.param({"kind": "resumed"}, id="kind"),
    pytest.param({"reason": "no reason"}, id="reason"),
    pytest.param({"detail": {"held": 99}}, id="detail"),
    pytest.param({"number": 99}, id="number"),
    pytest.param({"at": "2020-01-01T00:00:00Z"}, id="time"),
    pytest.param({"previous": "1" * 64}, id="the digest before"),
    pytest.param({"digest": "1" * 64}, id="the digest"),
]


def test_events_follow_from_each_other(make_tournament: Make) -> None:
    tournament = make_tournament(ONE_TABLE, 3)
    head = read_site_head()
    assert find_chain_breaks(tournament) == []
    pause_tournament(tournament_id=tournament.id, reason="a power cut — “hier”")
    assert find_chain_breaks(tournament) == []
    assert read_site_head() != head


@pytest.mark.parametrize("values", FORGED)
def test_nobody_changes_an_event(make_tournament: Make, values: dict[str, object]) -> None:
    tournament = make_tournament(ONE_TABLE, 3)
    with pytest.raises(DatabaseError), transaction.atomic():
        TournamentEvent.objects.filter(tournament=tournament, number=2).update(**values)
    with pytest.raises(DatabaseError), transaction.atomic():
        TournamentEvent.objects.filter(tournament=tournament, number=2).delete()


@pytest.mark.parametrize("values", FORGED)
def test_what_an_owner_of_the_database_changes_is_found(make_tournament: Make, values: dict[str, object]) -> None:
    tournament = make_tournament(ONE_TABLE, 3)
    with pgtrigger.ignore("tournaments.TournamentEvent:event_stays"):
        TournamentEvent.objects.filter(tournament=tournament, number=2).update(**values)
    assert find_chain_breaks(tournament)


def test_an_event_taken_out_is_found(make_tournament: Make) -> None:
    tournament = make_tournament(ONE_TABLE, 3)
    with pgtrigger.ignore("tournaments.TournamentEvent:event_stays"):
        TournamentEvent.objects.filter(tournament=tournament, number=2).delete()
    assert find_chain_breaks(tournament) == [
        "event 3 follows where event 2 should",
        "event 3 does not follow from the one before it",
    ]
