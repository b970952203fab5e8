"""An event shown elsewhere: projector, frames under a policy of their own, oEmbed, feeds; and copied."""

import time
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from games.pages.lobby import draw_qr
from tests.pages.desk import DESK, sign_in
from tests.pages.events import make_tournament
from tests.people import verify_address
from tournaments.models import Announcement, Tournament
from tournaments.rules.spec import read_spec

pytestmark = pytest.mark.django_db
EVENT = "/tournaments/test-cup/"


def test_the_projector_shows_tables_and_standings(client: Client) -> None:
    make_tournament("finished")
    page = client.get(f"{EVENT}projector/").content.decode()
    assert "Test Cup" in page and 'class="projector"' in page and page.count("<table") == 2
    assert "site-header" not in page


def test_the_projector_tells_what_is_next_by_the_clock_of_the_hall(client: Client) -> None:
    make_tournament("playing")
    Tournament.objects.update(starts_at=datetime(2030, 5, 1, 17, tzinfo=UTC), time_zone="Europe/Berlin")
    page = client.get(f"{EVENT}projector/").content.decode()
    assert "19:00" in page and "Europe/Berlin" in page and "UTC" not in page


@pytest.mark.parametrize(
    ("asked", "sheets", "names"),
    [
        pytest.param({}, 12, 6, id="everything"),
        pytest.param({"table": "2"}, 6, 3, id="one table"),
        pytest.param({"table": "2", "papers": "sheets"}, 6, 0, id="its sheets alone"),
        pytest.param({"table": "99"}, 12, 6, id="no such table"),
    ],
)
def test_paper_is_printed_for_the_table_of_choice(
    client: Client, asked: dict[str, str], sheets: int, names: int
) -> None:
    sign_in(client, make_tournament("playing"))
    page = client.get(f"{DESK}print/", {"day": "1", **asked}).content.decode()
    assert page.count('class="paper-sheet"') == sheets
    assert page.count("<strong>Table ") == names
    assert "Table 2 of matchday 1" in page and ("Table 1 of matchday 1" in page) == (sheets == 12)


def test_paper_for_a_hall_is_light(client: Client) -> None:
    """A thousand players have 333 sheets on one page: each is a few rows of the database and a few kilobytes."""
    sign_in(client, make_tournament("playing"))
    with CaptureQueriesContext(connection) as seen:
        page = client.get(f"{DESK}print/", {"day": "1", "papers": "sheets"}).content
    assert len(seen) <= 9 and not [query["sql"] for query in seen if '"trouble"' in query["sql"]]
    one = page.rpartition(b'<section class="paper">')[2].partition(b"</section>")[0]
    assert len(one) < 6_500


def test_only_the_embedded_page_can_be_framed(client: Client) -> None:
    make_tournament("finished")
    shown = client.get(f"{EVENT}embed/")
    assert "frame-ancestors *" in shown["Content-Security-Policy"] and "X-Frame-Options" not in shown
    assert "form-action 'none'" in shown["Content-Security-Policy"] and "<form" not in shown.content.decode()
    plain = client.get(EVENT)
    assert "frame-ancestors 'none'" in plain["Content-Security-Policy"] and plain["X-Frame-Options"] == "DENY"


def test_oembed_answers_for_our_own_events_alone(client: Client) -> None:
    make_tournament("finished")
    told = client.get("/oembed", {"url": f"{settings.SITE_URL.rstrip('/')}{EVENT}", "maxwidth": "300"}).json()
    assert (told["version"], told["type"], told["width"], told["title"]) == ("1.0", "rich", 300, "Test Cup")
    assert f'src="{settings.SITE_URL.rstrip("/")}{EVENT}embed/"' in told["html"]
    elsewhere = ("https://elsewhere.example/tournaments/test-cup/", "nonsense", "http://[", "http://[::1]:x/", "\x00")
    for url in (*elsewhere, f"{settings.SITE_URL}/tournaments/no/"):
        assert client.get("/oembed", {"url": url}).status_code == 404


def test_feeds(client: Client) -> None:
    make_tournament("finished")
    assert "Test Cup" in client.get("/feed.atom").content.decode()
    assert client.get(f"{EVENT}feed.atom")["Content-Type"].startswith("application/atom+xml")


def test_no_sign_in_a_name_ends_the_feeds_for_all(client: Client) -> None:
    """XML cannot hold some signs, and one feed has the words of every event."""
    tournament = make_tournament("finished")
    signs = "Test\x0b Cup\x1b[2J\uffff"
    Tournament.objects.filter(pk=tournament.pk).update(name=signs, description=signs)
    said = {"en": {"title": signs, "text": f"<b>{signs}"}}
    Announcement.objects.create(tournament=tournament, texts=said, due_at=timezone.now(), told_at=timezone.now())
    for path in ("/feed.atom", f"{EVENT}feed.atom"):
        assert ElementTree.fromstring(client.get(path).content).tag.endswith("feed")


def test_nobody_writes_markup_into_the_feeds(client: Client) -> None:
    """A reader takes a summary for HTML, so what it holds must be safe once XML is read."""
    tournament = make_tournament("finished")
    markup = "<img src=x onerror=alert(1)> [come](javascript:alert(1)) **bold**"
    Tournament.objects.filter(pk=tournament.pk).update(description=markup)
    said = {"en": {"title": "Break", "text": markup}}
    Announcement.objects.create(tournament=tournament, texts=said, due_at=timezone.now(), told_at=timezone.now())
    for path in ("/feed.atom", f"{EVENT}feed.atom"):
        feed = ElementTree.fromstring(client.get(path).content)
        summaries = [one.text or "" for one in feed.iter("{http://www.w3.org/2005/Atom}summary")]
        assert summaries and all("<strong>bold</strong>" in text for text in summaries)
        assert not [text for text in summaries if "<img" in text or "href" in text]


def test_codes_for_a_whole_hall_hold_no_thread() -> None:
    """Papers of a matchday show up to 400; whoever runs an event can ask for them again and again."""
    draw_qr.cache_clear()
    addresses = [f"https://aurum.example.org/play/matches/{number}/sheet/" for number in range(100_000, 100_100)]
    before = time.process_time()
    codes = {draw_qr(address) for address in addresses}
    assert time.process_time() - before < 1.0
    before = time.process_time()
    assert {draw_qr(address) for address in addresses} == codes and len(codes) == 100
    assert time.process_time() - before < 0.1


@pytest.mark.parametrize("name", ["two\nlines", "bell\x07", "\u202eright to left"])
def test_an_event_has_a_name_that_can_be_seen(name: str) -> None:
    with pytest.raises(LeagueError, match="visible"):
        read_spec({"name": name, "stages": [{"format": "round_robin"}]})


def test_an_event_is_copied_as_a_draft(client: Client) -> None:
    tournament = make_tournament("finished")
    verify_address(sign_in(client, tournament))
    answer = client.post(f"{DESK}copy/")
    made = Tournament.objects.latest("pk")
    assert (answer.status_code, made.state, made.name) == (302, "draft", "Test Cup again")
    assert [one.format for one in made.stages.all()] == [one.format for one in tournament.stages.all()]
