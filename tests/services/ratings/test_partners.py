"""Suspect pairs of the site's own matches: found among people, bots by all versions, with their joint matches."""

import random
from io import StringIO

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games.models import Player, PlayerKind
from tests.services.ratings.conftest import Settle, make_players
from tournaments.models import RatingPool
from tournaments.selectors.cases import MODERATORS
from tournaments.selectors.partners import list_joint_matches, list_pairs, list_suspect_pairs

pytestmark = pytest.mark.django_db


def play_pool(settle: Settle, players: list[Player], matches: int, *, is_honest: bool) -> None:
    """Equals at random tables; unless they are honest, the second lets the first win where they sit together."""
    rng = random.Random(4)
    tables, results = [], []
    for _ in range(matches):
        table = rng.sample(players, 3)
        order = rng.sample(table, 3)
        if not is_honest and {players[0], players[1]} <= set(table):
            order = sorted(table, key=lambda one: (one != players[0], one == players[1]))
        tables.append(table)
        results.append(([1 + order.index(one) for one in table], ()))
    settle(tables, results)


def test_people_who_play_for_each_other_are_found_with_their_matches(
    settle_results: Settle, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    people = make_players(6, PlayerKind.PERSON)
    play_pool(settle_results, people, 240, is_honest=False)
    with django_assert_num_queries(3):
        (pair, *others) = list_suspect_pairs()
    assert (pair.helped, pair.helper) == (people[0], people[1])
    assert pair.helped_gain > 0.3 and pair.helper_gain < -0.3
    assert not others
    told = StringIO()
    call_command("ratings", "pairs", stdout=told)
    assert f"{people[1]} plays for {people[0]}" in told.getvalue()
    joint = list_joint_matches(RatingPool.objects.get(), people[0].id, people[1].id)
    assert len(joint) == pair.matches
    assert all((one.first_place, one.second_place) == (1, 3) for one in joint)


def test_honest_people_are_shown_and_not_suspect(settle_results: Settle) -> None:
    people = make_players(6, PlayerKind.PERSON)
    play_pool(settle_results, people, 240, is_honest=True)
    pairs = list_pairs(RatingPool.objects.get())
    assert len(pairs) == 15
    assert list_suspect_pairs() == []


def test_tables_of_four_are_not_judged(settle_results: Settle) -> None:
    settle_results([make_players(4)] * 12, [((1, 2), ())] * 12)
    assert all(list_pairs(pool) == [] for pool in RatingPool.objects.all())


def test_moderators_see_the_pairs_of_every_pool_but_their_own(settle_results: Settle) -> None:
    people = make_players(6, PlayerKind.PERSON)
    play_pool(settle_results, people, 240, is_honest=False)
    moderators, own = Group.objects.get_or_create(name=MODERATORS)[0], people[1].owner
    assert own is not None
    pages = []
    for user in (User.objects.create_user("mod"), own, User.objects.create_user("stranger")):
        if user.username != "stranger":
            user.groups.add(moderators)
        client = Client()
        client.force_login(user)
        pages.append(client.get(reverse("moderation_pairs")))
    address = reverse("head_to_head", args=[people[0].slug, people[1].slug])
    told, own_told, refused = pages
    assert address in told.content.decode()
    assert own_told.status_code == 200 and address not in own_told.content.decode()
    assert refused.status_code == 403
