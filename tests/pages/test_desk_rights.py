"""Who sits at an organiser's desk: its organiser and the staff, nobody else, and nothing is done by a link."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Match, Player, PlayerKind
from tests.pages.desk import DEEDS, DESK, PARTS, make_stuck, sign_in
from tests.pages.events import make_tournament, read_page
from tournaments.models import Matchday, Rerun, Tournament, TournamentState

pytestmark = pytest.mark.django_db


def make_others() -> list[Player]:
    return [
        Player.objects.create(kind=PlayerKind.HOUSE, name=f"Other {number}", slug=f"house-greedy_{number + 40}")
        for number in range(6)
    ]


def test_a_visitor_signs_in_first(client: Client) -> None:
    make_tournament("open")
    for part in PARTS:
        answer = client.get(DESK + part)
        assert (part, answer.status_code) == (part, 302)
        assert answer["Location"].startswith("/accounts/login/")


def test_nobody_sees_the_desk_of_another(client: Client) -> None:
    make_tournament("open")
    client.force_login(User.objects.create_user("somebody-else"))
    answers = [client.get(DESK + part) for part in PARTS]
    assert [answer.status_code for answer in answers] == [403] * len(PARTS)
    assert b"Ask its owner" in answers[0].content and b'href="/accounts/login/"' not in answers[0].content


def test_nobody_acts_at_the_desk_of_another(client: Client) -> None:
    tournament = make_tournament("open")
    events = tournament.events.count()
    client.force_login(User.objects.create_user("somebody-else"))
    sent = {"reason": "mine now", "brain": "greedy", "count": "3"}
    assert [client.post(DESK + deed, sent).status_code for deed in DEEDS] == [403] * len(DEEDS)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.events.count()) == (TournamentState.OPEN, events)


def test_a_draft_of_another_is_not_there_at_all(client: Client) -> None:
    make_tournament("draft")
    client.force_login(User.objects.create_user("somebody-else"))
    assert client.get(DESK).status_code == 404


def test_staff_may_run_every_event(client: Client) -> None:
    make_tournament("open")
    client.force_login(User.objects.create_user("warden", is_staff=True))
    for part in PARTS:
        read_page(client, DESK + part)


def test_things_of_another_event_are_not_reached_through_ones_own(client: Client) -> None:
    other = make_tournament("playing")
    own = make_tournament("playing", name="Own Cup", players=make_others())
    Tournament.objects.filter(pk=other.pk).update(organiser=User.objects.create_user("another"))
    sign_in(client, own)
    stuck = make_stuck(other)
    entrant, day = other.entrants.first(), Matchday.objects.filter(stage__tournament=other).first()
    assert entrant is not None and day is not None
    for address in (
        f"/desk/tournaments/own-cup/matches/{stuck}/void/",
        f"/desk/tournaments/own-cup/entries/{entrant.pk}/withdraw/",
        f"/desk/tournaments/own-cup/draw/{day.pk}/swap/",
        "/desk/tournaments/own-cup/reruns/1/apply/",
    ):
        assert client.post(address, {"reason": "because"}).status_code == 404
    chosen = list(Match.objects.filter(fixture_match__stage__tournament=other).values_list("id", flat=True))
    client.post("/desk/tournaments/own-cup/reruns/", {"match": chosen, "reason": "because"})
    assert not Rerun.objects.exists()


def test_deeds_are_not_done_by_following_a_link(client: Client) -> None:
    sign_in(client, make_tournament("open"))
    for deed in DEEDS:
        assert client.get(DESK + deed).status_code == 405
