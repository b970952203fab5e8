"""What people are told: on the page, by mail, once, in their own language; and the chain of the site's events."""

import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.test import Client

from aurum_league.common.errors import N_
from aurum_league.common.site_events import find_site_breaks, record_site_event
from aurum_league.common.telling import MOST_A_DAY, send_notices, tell
from aurum_league.models import Notice, SiteEvent
from tests.people import verify_address

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[User]:
    return [verify_address(User.objects.create_user(name, f"{name}@example.org")) for name in ("agnes", "berta")]


def say_something(people: list[User], **values: str) -> list[Notice]:
    return tell(people, kind="test", subject=N_("Notices"), text=N_("The token is revoked."), url="/play/", **values)


def test_everybody_is_told_once_and_in_their_language(people: list[User], mailoutbox: list[EmailMessage]) -> None:
    client = Client()
    client.force_login(people[1])
    client.post("/i18n/setlang/", {"language": "de"})
    say_something(people)
    assert (send_notices(), send_notices()) == (2, 0)
    assert [mail.subject for mail in mailoutbox] == ["Aurum League: Notices", "Aurum League: Mitteilungen"]
    assert "/play/" in str(mailoutbox[0].body)


def test_a_language_that_is_none_is_not_kept(people: list[User], client: Client) -> None:
    client.force_login(people[0])
    client.post("/i18n/setlang/", {"language": "xx"})
    assert not hasattr(User.objects.get(pk=people[0].pk), "preference")


def test_who_is_gone_or_has_no_address_gets_no_mail(people: list[User], mailoutbox: list[EmailMessage]) -> None:
    people[0].is_active = False
    people[1].email = ""
    people[1].save()
    assert [notice.user_id for notice in say_something(people)] == [people[1].pk]
    assert send_notices() == 1
    assert not mailoutbox


def test_nobody_has_the_site_write_to_an_address_that_is_not_theirs(mailoutbox: list[EmailMessage]) -> None:
    """Whoever signs up can name any address; words of others go there once its owner has confirmed it."""
    stranger = User.objects.create_user("stranger", "victim@example.org")
    say_something([stranger])
    assert send_notices() == 1 and not mailoutbox
    verify_address(stranger)
    say_something([stranger])
    assert send_notices() == 1 and [mail.to for mail in mailoutbox] == [["victim@example.org"]]


def test_a_line_break_in_a_title_holds_up_nobodys_mail(people: list[User], mailoutbox: list[EmailMessage]) -> None:
    """A subject of two lines is refused by the mail library: it ended the round, for everybody who was told later."""
    about = {"kind": "test", "text": N_("The token is revoked."), "url": "/play/"}
    title = "a\r\nBcc: x@example.org"
    tell(people[:1], subject=N_("%(tournament)s: %(title)s"), tournament="Cup", title=title, **about)
    say_something(people[1:])
    assert send_notices() == 2
    assert [mail.subject for mail in mailoutbox] == ["Aurum League: Cup: a Bcc: x@example.org", "Aurum League: Notices"]
    assert all("x@example.org" not in mail.recipients() for mail in mailoutbox)


def test_nobody_has_somebody_flooded(people: list[User], mailoutbox: list[EmailMessage]) -> None:
    """Whatever of others' deeds can be done again and again: the rest of a day's stands on the page."""
    for _ in range(MOST_A_DAY + 10):
        say_something(people[:1])
    tell(people[:1], kind="other", subject=N_("Notices"), text=N_("The token is revoked."), url="/play/")
    assert send_notices() == MOST_A_DAY + 11
    assert len(mailoutbox) == MOST_A_DAY + 1
    Notice.objects.update(told_at=F("told_at") - timedelta(days=2))
    say_something(people[:1])
    assert send_notices() == 1 and len(mailoutbox) == MOST_A_DAY + 2


def test_page_marks_what_is_new_and_forgets_it(people: list[User], client: Client) -> None:
    say_something(people)
    client.force_login(people[0])
    assert b"data-new" in client.get("/account/notices/").content
    assert b"data-new" not in client.get("/account/notices/").content
    assert Notice.objects.get(user=people[1]).read_at is None


def test_values_are_shown_as_text(people: list[User], client: Client) -> None:
    tell(people, kind="test", subject="%(name)s", text="%(name)s", url="/", name="<b>")
    client.force_login(people[0])
    page = client.get("/account/notices/").content
    assert b"&lt;b&gt;" in page and b"<b>" not in page


def test_api_lists_and_marks(people: list[User], client: Client) -> None:
    say_something(people)
    client.force_login(people[0])
    rows = client.get("/api/v1/account/notices").json()["results"]
    assert [row["subject"] for row in rows] == ["Notices"]
    assert client.post("/api/v1/account/notices").json() == {"read": 1}
    assert client.post("/api/v1/account/notices").json() == {"read": 0}


def test_events_of_the_site_make_a_chain(people: list[User]) -> None:
    for kind in ("role_granted", "role_taken"):
        record_site_event(kind, actor=people[0], reason="asked", user=people[1].pk)
    assert [event.number for event in SiteEvent.objects.all()] == [1, 2]
    assert find_site_breaks() == []
    with pytest.raises(DatabaseError, match="keeps what was written"), transaction.atomic():
        SiteEvent.objects.filter(number=1).update(reason="never")
    with pytest.raises(DatabaseError, match="keeps what was written"), transaction.atomic():
        SiteEvent.objects.all().delete()


def test_a_changed_event_is_named(people: list[User]) -> None:
    record_site_event("role_granted", actor=people[0])
    record_site_event("role_taken", actor=people[0])
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE aurum_league_siteevent SET kind = 'nothing' WHERE number = 1")
        cursor.execute("SET session_replication_role = DEFAULT")
    assert find_site_breaks() == ["event 1 is not what its digest says"]


@pytest.mark.django_db(transaction=True)
def test_two_at_once_get_two_numbers() -> None:
    def write() -> None:
        for _ in range(5):
            record_site_event("noted", actor=None)
        connection.close()

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert SiteEvent.objects.count() == 15
    assert find_site_breaks() == []
