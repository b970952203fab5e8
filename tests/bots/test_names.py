"""Names of bots: which are taken, in which form, and which are not."""

import pytest

from aurum_league.common.errors import LeagueError
from bots.services.registration import check_name, choose_slug
from games.models import Player, PlayerKind


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        pytest.param("  Deep   Gold ", "Deep Gold", id="spaces"),
        pytest.param("\uff21\uff22", "AB", id="wide letters"),
        pytest.param("Золото-9", "Золото-9", id="Cyrillic"),
        pytest.param("Δ-bot"[0] + " 7", "Δ 7", id="Greek"),
        pytest.param("नमस्ते", "नमस्ते", id="marks that belong"),
    ],
)
def test_a_name_is_stored_in_one_form(name: str, stored: str) -> None:
    assert check_name(name) == stored


@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param("x", "name_length", id="too short"),
        pytest.param("x" * 41, "name_length", id="too long"),
        pytest.param("evil\u202egod", "name_characters", id="turns the line round"),
        pytest.param("zero\u200bwidth", "name_characters", id="zero width"),
        pytest.param("bell\x07", "name_characters", id="control character"),
        pytest.param("a" + "\u0301\u0302\u0303\u0304" + "b", "name_characters", id="a tower of marks"),
        pytest.param("!!!", "name_characters", id="no letter"),
        pytest.param("\ue000\ue001", "name_characters", id="private use"),
        pytest.param("C\u043eunting", "name_alphabets", id="a Cyrillic o"),
        pytest.param("Admin", "name_reserved", id="reserved"),
    ],
)
def test_a_name_that_could_mislead_is_refused(name: str, code: str) -> None:
    with pytest.raises(LeagueError) as refused:
        check_name(name)
    assert refused.value.code == code


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "slug"),
    [
        pytest.param("Deep Gold", "deep-gold", id="plain"),
        pytest.param("House Greedy", "bot-house-greedy", id="not a house bot's"),
        pytest.param("Золото", "bot", id="no Latin letter"),
        pytest.param("Taken", "taken-2", id="taken"),
    ],
)
def test_an_address_is_free_and_never_a_house_bots(name: str, slug: str) -> None:
    Player.objects.create(kind=PlayerKind.HOUSE, name="Somebody", slug="taken")
    assert choose_slug(name) == slug
