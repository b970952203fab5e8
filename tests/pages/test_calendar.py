"""The calendar page, calendar files, and the times at the desk."""

import pytest
from django.test import Client
from django.utils import timezone

from tests.pages.desk import DESK, sign_in
from tests.pages.events import make_league, make_tournament, read_page
from tournaments.selectors.timetable import Timetable
from tournaments.services.timetable import set_timetable

pytestmark = pytest.mark.django_db
SENT = {"time_zone": "Europe/Berlin", "starts_at": "2030-05-01T19:00", "draws_at": "2030-05-01T18:30"}


def test_times_are_set_in_the_zone_of_the_event(client: Client) -> None:
    tournament = make_tournament("open")
    sign_in(client, tournament)
    assert client.post(f"{DESK}times/", SENT).status_code == 302
    tournament.refresh_from_db()
    assert tournament.starts_at and tournament.starts_at.isoformat() == "2030-05-01T17:00:00+00:00"
    page = read_page(client, f"{DESK}times/")
    assert 'value="2030-05-01T19:00"' in page and 'datetime="2030-05-01T17:00:00Z"' in page
    wrong = client.post(f"{DESK}times/", SENT | {"draws_at": "2030-05-02T18:30"})
    assert wrong.status_code == 422 and 'value="2030-05-02T18:30"' in wrong.content.decode()
    public = read_page(client, "/tournaments/test-cup/")
    assert 'data-zone="Europe/Berlin"' in public and "19:00" in public


def test_matchdays_get_a_rhythm(client: Client) -> None:
    tournament = make_tournament("drawn")
    sign_in(client, tournament)
    sent = {"stage": "1", "first_at": "2030-05-01T19:00", "every": "7", "unit": "days", "is_timed": "on"}
    assert client.post(f"{DESK}times/", sent).status_code == 302
    stage = tournament.stages.get()
    assert (stage.every_minutes, stage.release) == (7 * 1440, "timed")
    assert "Matchday 2" in read_page(client, f"{DESK}times/")


def test_calendar_and_files(client: Client) -> None:
    league = make_league()
    tournament = make_tournament("open", league=league, name="Cup, of; tests", is_rated=False)
    soon = timezone.now().replace(microsecond=0)
    set_timetable(tournament_id=tournament.pk, timetable=Timetable(starts_at=soon), time_zone="Asia/Tokyo")
    assert "Cup, of; tests" in read_page(client, "/calendar/")
    assert "Cup, of; tests" not in read_page(client, "/calendar/?month=2001-02")
    assert client.get("/calendar/?month=99999-99").status_code == 200
    player = tournament.entrants.earliest("pk").player
    for path in ("/calendar.ics", f"/leagues/{league.slug}/calendar.ics", f"/players/{player.slug}/calendar.ics"):
        answer = client.get(path)
        assert answer.headers["Content-Type"].startswith("text/calendar")
        text = answer.content.decode()
        assert f"DTSTART:{soon:%Y%m%dT%H%M%SZ}\r\n" in text
        assert "SUMMARY:Cup\\, of\\; tests: Start" in text
        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert client.get(f"/tournaments/{tournament.slug}/calendar.ics").content.decode().count("BEGIN:VEVENT") == 1
