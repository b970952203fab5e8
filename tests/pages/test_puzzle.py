"""The puzzle of the day: chosen once from real play, answered once by each, and told to those who have answered."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from bots.models import Puzzle, PuzzleAnswer
from bots.services.opinion import choose_puzzle
from tests.pages.events import make_players, make_tournament, read_page

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 11, 18)


@pytest.fixture
def puzzle() -> Puzzle:
    """By chance nothing in a few matches may be worth asking; then more are played."""
    players = make_players(6)
    for number in range(10):
        make_tournament("finished", players=players, name=f"Cup {number}")
        chosen = choose_puzzle(day=DAY)
        if chosen is not None:
            return chosen
    raise AssertionError("ten tournaments without a decision worth asking")


def test_a_day_has_one_puzzle_with_a_decision_worth_asking(puzzle: Puzzle) -> None:
    assert choose_puzzle(day=DAY) == puzzle and Puzzle.objects.count() == 1
    best, second, *_others = sorted(puzzle.chances.values(), reverse=True)
    assert len(puzzle.chances) >= 3 and 0.04 <= best - second <= 0.3


def test_there_is_none_before_anything_was_played(client: Client) -> None:
    assert choose_puzzle(day=DAY) is None
    assert "No puzzle yet" in read_page(client, reverse("puzzle"))


def test_how_others_decided_is_told_to_whoever_has_decided(client: Client, puzzle: Puzzle) -> None:
    address = reverse("puzzle_of", args=[puzzle.day])
    choices = list(puzzle.chances)
    other = Client()
    other.force_login(User.objects.create(username="other"))
    other.post(address, {"choice": choices[0]})
    before = read_page(client, address)
    assert "Chance to win" not in before and before.count('name="choice"') == len(choices)
    client.post(address, {"choice": choices[1]})
    after = read_page(client, address)
    assert "How 2 decided" in after and after.count("50 %") >= 2 and 'name="choice"' not in after


def test_nobody_decides_twice_or_what_cannot_be_played(client: Client, puzzle: Puzzle) -> None:
    address = reverse("puzzle_of", args=[puzzle.day])
    client.post(address, {"choice": "play X1"})
    assert not PuzzleAnswer.objects.exists()
    for choice in list(puzzle.chances)[:2]:
        client.post(address, {"choice": choice})
    assert [answer.choice for answer in PuzzleAnswer.objects.all()] == list(puzzle.chances)[:1]


def test_there_is_no_puzzle_of_tomorrow(client: Client, puzzle: Puzzle) -> None:
    assert client.get(reverse("puzzle_of", args=[puzzle.day + dt.timedelta(days=1)])).status_code == 404
