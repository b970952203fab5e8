"""Specs and presets: what an organiser may write, and what is refused."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from aurum_league.common.errors import LeagueError
from tournaments.models import (
    Tournament,
)
from tournaments.services.leagues import SHOWN_PRESETS, create_league, create_tournament, spec_from_preset

pytestmark = pytest.mark.django_db

ROBIN: dict[str, Any] = {"format": "round_robin", "options": {"meetings": 1}}


@pytest.mark.parametrize("preset", SHOWN_PRESETS)
def test_presets_make_tournaments(organiser: User, preset: str) -> None:
    league = create_league(name="League", organiser=organiser)
    for season in (1, 2):
        tournament = create_tournament(
            spec=spec_from_preset(preset, name="Cup"), organiser=organiser, league=league
        )
        assert (tournament.state, tournament.season) == ("draft", season)
    assert Tournament.objects.filter(slug__in=("cup", "cup-2")).count() == 2


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        pytest.param({"name": "x"}, "bad_spec", id="no stages"),
        pytest.param({"name": " ", "stages": [ROBIN]}, "bad_spec", id="no name"),
        pytest.param({"name": "x", "stages": [{"format": "chess"}]}, "unknown_format", id="unknown format"),
        pytest.param(
            {"name": "x", "stages": [{"format": "swiss", "options": {"laps": 2}}]}, "unknown_option", id="wrong option"
        ),
        pytest.param({"name": "x", "ruleset": "xx3", "stages": [ROBIN]}, "unknown_ruleset", id="unknown ruleset"),
        pytest.param({"name": "x", "ruleset": "en4", "stages": [ROBIN]}, "bad_spec", id="four at tables of three"),
        pytest.param({"name": "x", "stages": [ROBIN, ROBIN]}, "bad_spec", id="no cut before the last stage"),
        pytest.param({"name": "x", "stages": [{**ROBIN, "points": [1, 0]}]}, "bad_spec", id="points for two"),
        pytest.param({"name": "x", "stages": [{**ROBIN, "tiebreaks": ["luck"]}]}, "bad_spec", id="unknown tiebreak"),
        pytest.param({"name": "x", "prize": 5, "stages": [ROBIN]}, "unknown_option", id="unknown key"),
    ],
)
def test_bad_specs_are_refused(organiser: User, spec: dict[str, Any], code: str) -> None:
    with pytest.raises(LeagueError) as refusal:
        create_tournament(spec=spec, organiser=organiser)
    assert refusal.value.code == code
    assert not Tournament.objects.exists()
