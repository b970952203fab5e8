"""Notices: people at slow tables are written to once a decision, and nobody else."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db.models import F

from aurum_league.common.telling import send_notices
from aurum_league.models import Notice
from games.models import Match, RunnerNeed
from games.selectors.sitters import Sitter
from games.services.lobby import TableWish, play_now
from games.services.notices import send_turn_notices
from games.services.play import play_ready_matches
from tests.people import verify_address

pytestmark = pytest.mark.django_db


def deal(clock: str, email: str = "ada@example.org") -> Match:
    user = verify_address(User.objects.create_user("ada", email))
    match_id = play_now(sitter=Sitter(user_id=user.pk), wish=TableWish("en3", "greedy", clock=clock))
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    return Match.objects.get(pk=match_id)


def let_pass(match: Match, minutes: int) -> None:
    passed = timedelta(minutes=minutes)
    Match.objects.filter(pk=match.pk).update(awaited_since=F("awaited_since") - passed, deadline=F("deadline") - passed)


@pytest.mark.parametrize(
    ("clock", "minutes", "email", "sent"),
    [
        pytest.param("days", 5, "ada@example.org", 1, id="days, and not at the table"),
        pytest.param("days", 0, "ada@example.org", 0, id="perhaps still at the table"),
        pytest.param("live", 5, "ada@example.org", 0, id="a live clock is too quick for mail"),
        pytest.param("days", 5, "", 1, id="no address: on the site alone"),
    ],
)
def test_who_is_written_to(clock: str, minutes: int, email: str, sent: int, mailoutbox: list[EmailMessage]) -> None:
    match = deal(clock, email)
    let_pass(match, minutes)
    assert send_turn_notices() == sent
    assert send_turn_notices() == 0
    send_notices()
    assert Notice.objects.filter(kind="turn", url=f"/play/{match.pk}/").count() == sent
    assert [mail.to for mail in mailoutbox] == [["ada@example.org"]] * (sent if email else 0)
    assert all(f"/play/{match.pk}/" in mail.body for mail in mailoutbox)


def test_a_guest_has_no_address(mailoutbox: list[EmailMessage]) -> None:
    match_id = play_now(sitter=Sitter(guest=uuid4()), wish=TableWish("en3", "greedy", clock="days"))
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    let_pass(Match.objects.get(pk=match_id), 5)
    assert send_turn_notices() == 0
    assert mailoutbox == []
