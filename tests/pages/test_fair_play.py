"""Pages of fair play: a report from match and player pages, one's own page with the appeal, the moderators' desk."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.services.tournaments.test_fair_play import Club
from tournaments.models import Appeal, Case, Deed, Report
from tournaments.rules.cases import DeedKind
from tournaments.services.rebuild import refresh_ratings

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    return Club()


def as_(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_from_report_to_refund(club: Club) -> None:
    """The whole way by forms alone, with what each sees on it."""
    thrown = [club.play("bob", "ann", "cyd") for _ in range(2)]
    ann, mod, cyd = as_(club.people["ann"]), as_(club.mods["mod"]), as_(club.people["cyd"])
    page = ann.get(reverse("match", args=[thrown[0].pk])).content.decode()
    address = reverse("report_match", args=[thrown[0].pk])
    assert address in page
    assert 'value="ann"' not in ann.get(f"{address}?round=2&trick=3").content.decode(), "nobody reports themselves"
    sent = {"player": "cyd", "kind": "throwing", "round_number": 2, "trick": 3, "text": "Threw <b>everything</b>."}
    assert ann.post(address, sent).status_code == 302
    assert (Report.objects.get().round_number, Report.objects.get().trick) == (2, 3)
    again = ann.post(address, sent)
    assert again.status_code == 422 and "You have reported this match." in again.content.decode()
    case = Case.objects.get()
    listed = mod.get(reverse("moderation")).content.decode()
    assert reverse("moderation_case", args=[case.pk]) in listed
    shown = mod.get(reverse("moderation_case", args=[case.pk])).content.decode()
    assert "Threw &lt;b&gt;everything" in shown and "?round=2&amp;trick=3" in shown
    wanted = {"do": "void", "player": club.players["cyd"].pk, "days": 7, "reason": "Thrown matches."}
    wanted["match"] = [match.pk for match in thrown]
    preview = mod.post(reverse("moderation_case", args=[case.pk]), wanted)
    assert preview.status_code == 200 and not Deed.objects.exists() and "bob" in preview.content.decode()
    done = mod.post(reverse("moderation_case", args=[case.pk]), {**wanted, "sure": "1"})
    assert done.status_code == 302 and Deed.objects.get().matches == [match.pk for match in thrown]
    refresh_ratings()
    assert not club.players["bob"].ratings.exists(), "refunded"
    own = cyd.get(reverse("own_fair_play")).content.decode()
    assert "Thrown matches." in own and "ann" not in own.replace("cannot", ""), "nor who reported it"
    cyd.post(reverse("appeal", args=[case.pk]), {"text": "I was ill."})
    answer = reverse("answer_appeal", args=[Appeal.objects.get().pk])
    assert mod.post(answer, {"do": "grant", "answer": "Fine."}).status_code == 403, "another decides"
    assert as_(club.mods["max"]).post(answer, {"do": "refuse", "answer": "The replay is plain."}).status_code == 302
    assert "The replay is plain." in cyd.get(reverse("own_fair_play")).content.decode()
    assert "Closed" in ann.get(reverse("own_fair_play")).content.decode()


def test_a_player_is_reported_from_their_page(club: Club) -> None:
    ann = as_(club.people["ann"])
    address = reverse("report_player", args=["bob"])
    assert address in ann.get(reverse("player", args=["bob"])).content.decode()
    assert address not in as_(club.people["bob"]).get(reverse("player", args=["bob"])).content.decode()
    assert ann.post(address, {"player": "bob", "kind": "words", "text": ""}).status_code == 422
    assert ann.post(address, {"player": "bob", "kind": "words", "text": "Swears."}).status_code == 302
    assert Report.objects.get().match is None


def test_the_desk_is_for_moderators_and_not_for_their_own_cases(club: Club) -> None:
    case = club.report("ann", "cyd")
    address = reverse("moderation_case", args=[case.pk])
    assert as_(club.people["cyd"]).get(address).status_code == 403
    assert as_(User.objects.create_superuser("root")).get(reverse("moderation")).status_code == 403
    club.people["cyd"].groups.add(*club.mods["mod"].groups.all())
    assert as_(club.people["cyd"]).get(address).status_code == 403
    assert address not in as_(club.people["cyd"]).get(reverse("moderation")).content.decode()


def test_the_list_asks_the_database_as_often_for_many_as_for_one(
    club: Club, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    mod = as_(club.mods["mod"])
    for name in ("bob", "cyd"):
        club.report("ann", name)
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        assert mod.get(reverse("moderation")).status_code == 200


@pytest.mark.parametrize("language", ["de", "fr", "ru"])
def test_the_pages_speak_the_readers_language(club: Club, language: str) -> None:
    case = club.report("ann", "cyd")
    club.act(case, DeedKind.HOLD, "cyd", days=7)
    words = {"de": "Einspruch erheben", "fr": "Faire appel", "ru": "Обжаловать"}
    own = as_(club.people["cyd"]).get(reverse("own_fair_play"), HTTP_ACCEPT_LANGUAGE=language)
    assert words[language] in own.content.decode()
    told = as_(club.people["cyd"]).get(reverse("notices"), HTTP_ACCEPT_LANGUAGE=language).content.decode()
    assert {"de": "ferngehalten", "fr": "écarté", "ru": "отстранены"}[language] in told
