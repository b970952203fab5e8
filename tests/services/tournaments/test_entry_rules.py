"""Who may enter by themselves: a code, ratings, invitations; and the organiser's questions."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.models import Notice
from games.models import Match, MatchKind, MatchState, Player
from games.services.players import ensure_person
from tournaments.models import Entrant, Rating, RatingChange, RatingPool, Tournament
from tournaments.services.entries import enter_player
from tournaments.services.entry_rules import invite_players, read_entry_rules, set_entry_rules
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.self_entry import enter_oneself

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
QUESTIONS = ["Which club are you from?", "Do you bring cards?"]


@pytest.fixture
def tournament() -> Tournament:
    spec = {"name": "Club", "entry_kind": "people", "is_rated": False, "stages": [{"format": "swiss"}]}
    made = create_tournament(spec=spec, organiser=User.objects.create_user("host"))
    return open_tournament(tournament_id=made.pk)


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def rate(person: Player, value: float) -> None:
    pool = RatingPool.objects.create(players=3, entry_kind="people", is_teams=False)
    numbers = {"official": value, "official_low": value - 50, "official_high": value + 50}
    Rating.objects.create(pool=pool, player=person, mu=25, sigma=3, matches=50, **numbers)


def refusal_of(tournament: Tournament, user: User, **given: Any) -> str:
    tournament.refresh_from_db()
    try:
        enter_oneself(tournament=tournament, user=user, **given)
    except LeagueError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("code", "refused"),
    [
        pytest.param("", "wrong_code", id="none"),
        pytest.param("silver", "wrong_code", id="another"),
        pytest.param(" GOLD ", "", id="however it is written"),
    ],
)
def test_a_code(tournament: Tournament, ada: User, code: str, refused: str) -> None:
    set_entry_rules(tournament_id=tournament.pk, code="gold")
    assert refusal_of(tournament, ada, code=code) == refused
    assert "gold" not in str(list(tournament.events.values_list("detail", flat=True)))


@pytest.mark.parametrize(
    ("rating", "least", "most", "refused"),
    [
        pytest.param(1500, 1600, None, "out_of_range", id="too low"),
        pytest.param(1500, None, 1400, "out_of_range", id="too high"),
        pytest.param(1500, 1400, 1600, "", id="within"),
        pytest.param(None, 1400, None, "out_of_range", id="unrated below a least"),
        pytest.param(None, None, 1400, "", id="unrated among beginners"),
    ],
)
def test_a_range_of_ratings(
    tournament: Tournament, ada: User, rating: float | None, least: int | None, most: int | None, refused: str
) -> None:
    if rating is not None:
        rate(ensure_person(ada), rating)
    set_entry_rules(tournament_id=tournament.pk, least=least, most=most)
    assert refusal_of(tournament, ada) == refused


@pytest.mark.parametrize(
    ("days", "refused"),
    [
        pytest.param(89, "out_of_range", id="lost on purpose since"),
        pytest.param(91, "", id="long ago"),
    ],
)
def test_an_upper_bound_goes_by_the_best_of_ninety_days(
    tournament: Tournament, ada: User, days: int, refused: str
) -> None:
    person = ensure_person(ada)
    pool = RatingPool.objects.create(players=3, entry_kind="people", is_teams=False)
    Rating.objects.create(pool=pool, player=person, mu=25, sigma=2, matches=100)
    then = timezone.now() - timedelta(days=days)
    match = Match.objects.create(
        kind=MatchKind.CASUAL, ruleset="en3", players=3, is_rated=True, state=MatchState.FINISHED, seed=bytes(32),
        deals=uuid.uuid4(), finished_at=then,
    )  # fmt: skip
    steps = {"mu_before": 33.0, "mu_after": 32.0, "sigma_before": 2.0, "sigma_after": 2.0}
    RatingChange.objects.create(pool=pool, match=match, player=person, sequence=1, place=2, **steps)
    set_entry_rules(tournament_id=tournament.pk, most=1600)
    assert refusal_of(tournament, ada) == refused


def test_who_is_invited_enters_whatever_the_rules_say_and_is_told_once(tournament: Tournament, ada: User) -> None:
    set_entry_rules(tournament_id=tournament.pk, is_by_invitation=True, code="gold", least=9000)
    assert refusal_of(tournament, ada) == "by_invitation"
    for _again in range(2):
        invite_players(tournament_id=tournament.pk, players=[ensure_person(ada)])
    assert list(Notice.objects.values_list("kind", "user__username")) == [("invited", "ada")]
    assert refusal_of(tournament, ada) == ""


def test_setting_the_rules_anew_keeps_invitations(tournament: Tournament, ada: User) -> None:
    invite_players(tournament_id=tournament.pk, players=[ensure_person(ada)])
    set_entry_rules(tournament_id=tournament.pk, code="gold")
    assert read_entry_rules(Tournament.objects.get()).invited == (ensure_person(ada).pk,)


def test_the_desk_enters_whom_it_likes(tournament: Tournament, ada: User) -> None:
    set_entry_rules(tournament_id=tournament.pk, is_by_invitation=True, questions=QUESTIONS)
    enter_player(tournament_id=tournament.pk, player=ensure_person(ada))
    assert Entrant.objects.get().answers == []


@pytest.mark.parametrize("answers", [[], ["Berlin"], ["Berlin", " "], ["Berlin", "yes", "more"]])
def test_each_question_wants_an_answer_and_nobody_enters_without(
    tournament: Tournament, ada: User, answers: list[str]
) -> None:
    set_entry_rules(tournament_id=tournament.pk, questions=QUESTIONS)
    assert refusal_of(tournament, ada, answers=answers) == "answers_needed"
    assert not Entrant.objects.exists()


def test_answers_are_for_the_desk_alone(tournament: Tournament, ada: User, client: Client) -> None:
    set_entry_rules(tournament_id=tournament.pk, questions=QUESTIONS)
    client.force_login(ada)
    page = client.post("/tournaments/club/enter/", {"answer": ["Berlin <b>", ""]})
    assert page.status_code == 422
    assert "Berlin &lt;b&gt;" in page.content.decode()
    client.post("/tournaments/club/enter/", {"answer": ["Berlin", "yes"]})
    assert Entrant.objects.get().answers == [[QUESTIONS[0], "Berlin"], [QUESTIONS[1], "yes"]]
    assert "Berlin" not in client.get("/tournaments/club/entrants/").content.decode()
    assert client.get("/api/v1/tournaments/club/entry-answers").status_code == 403
    client.force_login(tournament.organiser)
    assert "Berlin" in client.get(f"/desk/tournaments/club/entries/{Entrant.objects.get().pk}/").content.decode()


def test_the_desk_sets_them_and_gives_a_link(tournament: Tournament, client: Client) -> None:
    client.force_login(tournament.organiser)
    address = "/desk/tournaments/club/entries/rules/"
    client.post(address, {"code": "gold & more", "least": "", "most": "1800", "questions": "\n".join(QUESTIONS)})
    assert read_entry_rules(Tournament.objects.get()).questions == tuple(QUESTIONS)
    assert "entrants/?code=gold+%26+more" in client.get(address).content.decode()
    page = client.post(address, {"players": "nobody-of-that-name"})
    assert page.status_code == 422
    assert "nobody-of-that-name" in page.content.decode()
