"""Announcements: told once, to whom they are meant for, each in their language, now or when they are due."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.common.telling import keep_language, say_notice
from aurum_league.models import Notice
from tests.services.tournaments.test_presence import STAGE, open_event
from tournaments.models import Announcement, Tournament
from tournaments.selectors.rights import ORGANISERS
from tournaments.services.announcements import MOST_A_DAY, announce, drop_announcement, tell_due_announcements
from tournaments.services.field import check_in_entrant
from tournaments.services.leagues import create_tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
TEXTS = {
    "en": {"title": "Break", "text": "We go on at **eight**, 100 %."},
    "de": {"title": "Pause", "text": "Um acht."},
}


@pytest.fixture
def event() -> Tournament:
    people = [User.objects.create_user(name) for name in ("ada", "bob", "cleo")]
    keep_language(User.objects.get(username="bob"), "de")
    return open_event(people, needs_check_in=True, entry_kind="people")


def told() -> dict[str, str]:
    return {notice.user.username: say_notice(notice)[0] for notice in Notice.objects.filter(kind="announcement")}


def test_each_reads_it_in_their_language_and_the_page_shows_it(event: Tournament, client: Client) -> None:
    made = announce(tournament_id=event.pk, texts=TEXTS)
    assert told() == {"ada": f"{event.name}: Break", "bob": f"{event.name}: Pause", "cleo": f"{event.name}: Break"}
    assert made.people == 3 and event.events.latest("number").kind == "announced"
    address = f"/tournaments/{event.slug}/"
    assert "<strong>eight</strong>" in client.get(address).content.decode()
    assert "Um acht." in client.get(address, headers={"accept-language": "de"}).content.decode()
    assert "Break" in client.get(f"{address}feed.atom").content.decode()


def test_it_waits_until_it_is_due_and_is_told_once(event: Tournament, client: Client) -> None:
    made = announce(tournament_id=event.pk, texts=TEXTS, due_at=timezone.now() + timedelta(hours=1))
    assert tell_due_announcements() == 0 and not Notice.objects.exists()
    assert "eight" not in client.get(f"/tournaments/{event.slug}/").content.decode()
    Announcement.objects.update(due_at=timezone.now())
    assert (tell_due_announcements(), tell_due_announcements()) == (1, 0)
    assert Notice.objects.count() == 3
    assert not drop_announcement(tournament_id=event.pk, announcement_id=made.pk), "what was told stays told"


def test_those_who_have_not_checked_in(event: Tournament) -> None:
    check_in_entrant(entrant_id=event.entrants.get(player__owner__username="ada").pk)
    announce(tournament_id=event.pk, texts=TEXTS, audience="unchecked")
    assert set(told()) == {"bob", "cleo"}


def test_an_event_announces_only_so_much_a_day(event: Tournament) -> None:
    """Each goes by mail to everybody who was entered, by whomever; an hour between them changes nothing."""
    for number in range(MOST_A_DAY):
        announce(tournament_id=event.pk, texts=TEXTS, due_at=timezone.now() - timedelta(minutes=number))
    with pytest.raises(LeagueError) as caught:
        announce(tournament_id=event.pk, texts=TEXTS, due_at=timezone.now() + timedelta(hours=1))
    assert (caught.value.code, caught.value.status) == ("too_many", 429)
    assert announce(tournament_id=event.pk, texts=TEXTS, due_at=timezone.now() + timedelta(days=2))


def test_a_time_long_past_is_today(event: Tournament) -> None:
    """Else each would count for a day of its own, and all be sent at once."""
    for number in range(MOST_A_DAY):
        announce(tournament_id=event.pk, texts=TEXTS, due_at=timezone.now() - timedelta(days=number))
    with pytest.raises(LeagueError, match="announced"):
        announce(tournament_id=event.pk, texts=TEXTS, due_at=timezone.now() - timedelta(days=99))
    assert Notice.objects.count() == 3 * MOST_A_DAY


def test_nobody_announces_more_by_making_more_events(event: Tournament) -> None:
    """Anybody may run events and enter people there; an organiser answers for several at once."""
    host = User.objects.create_user("host")
    other = create_tournament(spec={"name": "Another", "stages": [STAGE]}, organiser=event.organiser)
    for number in range(MOST_A_DAY):
        announce(tournament_id=(event, other)[number % 2].pk, texts=TEXTS, actor=host)
    with pytest.raises(LeagueError) as caught:
        announce(tournament_id=other.pk, texts=TEXTS, actor=host)
    assert caught.value.status == 429
    host.groups.add(Group.objects.get_or_create(name=ORGANISERS)[0])
    assert announce(tournament_id=other.pk, texts=TEXTS, actor=User.objects.get(pk=host.pk))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"texts": {}}, "bad_announcement"),
        ({"texts": {"en": {"title": "only", "text": ""}}}, "bad_announcement"),
        ({"texts": {"xx": {"title": "a", "text": "b"}}}, "bad_announcement"),
        ({"texts": TEXTS, "audience": "table"}, "bad_audience"),
        ({"texts": TEXTS, "due_at": timezone.now() + timedelta(days=999)}, "bad_times"),
    ],
    ids=["nothing", "no text", "unknown language", "which table", "too late"],
)
def test_what_cannot_be_announced(event: Tournament, given: dict[str, Any], code: str) -> None:
    with pytest.raises(LeagueError) as caught:
        announce(tournament_id=event.pk, **given)
    assert caught.value.code == code
