"""Public pages say until when people's fixtures are to be played, and by which clock."""

from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.formats import date_format

from games.models import Match
from games.pages.words import describe_clock
from tests.pages.events import read_page
from tests.pages.test_agreement import DAYS, LIVE, start_event
from tournaments.models import Tournament

pytestmark = pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task")
SAID_LIVE = "Live: 5 minutes for the match, and 5 seconds more for each decision"
SAID_DAYS = "By days: 2 days for each decision"


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        pytest.param(None, "", id="nobody is timed"),
        pytest.param({"each": 86_400.0}, "By days: 1 day for each decision", id="a day"),
        pytest.param({"each": 129_600}, "By days: 36 hours for each decision", id="a day and a half"),
        pytest.param({"bank": 90.0}, "Live: 90 seconds for the match", id="no increment"),
        pytest.param({"bank": 60, "window": 3600}, "Live: 1 minute for the match", id="a window is told apart"),
        pytest.param(LIVE, SAID_LIVE, id="bank and increment"),
    ],
)
def test_a_clock_in_words(clock: dict[str, float] | None, said: str) -> None:
    assert describe_clock(clock) == said


def read_both(client: Client, match: Match) -> tuple[str, str]:
    """The match's page and the schedule, as a stranger sees them."""
    client.logout()
    slug = Tournament.objects.get().slug
    return read_page(client, f"/matches/{match.pk}/"), read_page(client, f"/tournaments/{slug}/schedule/")


@pytest.mark.django_db
def test_a_window_is_shown_with_its_clock_until_they_have_met(client: Client) -> None:
    ada = User.objects.create_user("ada")
    match = start_event(ada, LIVE)
    assert match.closes_at is not None
    Tournament.objects.update(time_zone="Europe/Berlin")
    page, schedule = read_both(client, match)
    assert SAID_LIVE in page and SAID_LIVE in schedule
    # Berlin is ahead of UTC all year: the clock of the site shows another hour.
    at = match.closes_at.astimezone(ZoneInfo("Europe/Berlin"))
    said = f'{date_format(at, "SHORT_DATE_FORMAT")}, {at:%H:%M} <small class="soft">Europe/Berlin</small>'
    assert f'data-zone="Europe/Berlin" data-yours="your time">{said}' in page.partition("To be played before")[2]
    assert said in schedule.partition("before <time")[2]
    client.force_login(ada)
    assert said in read_page(client, "/play/").partition("before <time")[2]
    assert f'href="/play/{match.pk}/"' in read_page(client, f"/matches/{match.pk}/")
    client.post(f"/play/{match.pk}/agree/")
    client.post(f"/play/{match.pk}/sit/")
    page, schedule = read_both(client, match)
    assert SAID_LIVE in page and "To be played before" not in page
    assert SAID_LIVE in schedule and "before <time" not in schedule


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("clock", "said"), [pytest.param(DAYS, SAID_DAYS, id="two days"), pytest.param(None, "Live: ", id="the usual one")]
)
def test_every_event_with_people_says_its_clock(client: Client, clock: dict[str, float] | None, said: str) -> None:
    page, schedule = read_both(client, start_event(User.objects.create_user("ada"), clock))
    assert said in page and said in schedule
