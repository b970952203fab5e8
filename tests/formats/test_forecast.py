"""The forecast agrees with whole tournaments drawn by the real formats, and says what more deals would give."""

from math import sqrt
from time import process_time

import pytest

from benchmarks.formats import count_best
from tournaments.rules.forecast import Pace, compare_forecasts, find_forecast_problems, find_gap, forecast_tournament
from tournaments.rules.pairing import TableKind
from tournaments.rules.spec import PRESETS, StageSpec, read_spec

SOLO3, TEAMS4, SOLO4 = TableKind
CUP = StageSpec("knockout", block_deals=4)
REPEATS = 150


@pytest.mark.parametrize(
    ("kind", "stage", "n"),
    [
        pytest.param(SOLO3, CUP, 11, id="knockout"),
        pytest.param(SOLO3, StageSpec("round_robin", options={"meetings": 1}, matches_each=3), 9, id="round robin"),
        pytest.param(SOLO3, StageSpec("swiss", options={"house_fills": True}), 8, id="swiss, a house bot fills"),
        pytest.param(TEAMS4, StageSpec("knockout", options={"is_double": True}), 6, id="double elimination"),
        pytest.param(SOLO4, StageSpec("round_robin"), 8, id="rotating partners"),
    ],
)
def test_it_agrees_with_the_real_formats(kind: TableKind, stage: StageSpec, n: int) -> None:
    told = forecast_tournament(kind, [stage], n, spread=0.7)
    assert told.best_wins is not None
    real = count_best(kind, stage, n, 0.7, REPEATS)
    error = sqrt(told.best_wins * (1 - told.best_wins) * (1 / REPEATS + 1 / told.worlds))
    assert abs(real - told.best_wins) < 3.5 * error


def test_the_best_of_twenty_seven_wins_a_league_far_oftener_than_a_swiss() -> None:
    told = {}
    for code in ("bot_league", "swiss_weekend", "knockout_cup"):
        spec = read_spec({**PRESETS[code].spec, "name": code})
        told[code] = forecast_tournament(spec.table_kind, spec.stages, 27).best_wins or 0
    assert 0.70 < told["bot_league"] < 0.82
    assert 0.12 < told["swiss_weekend"] < 0.20
    assert 0.28 < told["knockout_cup"] < 0.40


def test_more_deals_tell_more_and_take_longer() -> None:
    told = compare_forecasts(SOLO3, [CUP], 27, pace=Pace(seconds_a_match=2, workers=4))
    now, twice = told["this"], told["twice"]
    assert now.best_wins and twice.best_wins and now.gap and twice.gap
    assert twice.best_wins > now.best_wins
    assert twice.gap == pytest.approx(now.gap / sqrt(2))
    assert (now.matches, now.seconds) == (13 * 12, 13 * 12 * 2 / 4)
    assert {"bot_league", "swiss_weekend", "groups_then_knockout"} <= set(told)
    assert "ladder" not in told


def test_a_field_of_thousands_is_counted_and_not_waited_for() -> None:
    league = StageSpec("round_robin", options={"meetings": 2}, block_deals=4)
    told = compare_forecasts(SOLO3, [league], 2000, pace=Pace(seconds_a_match=1, workers=2))
    assert told["this"].best_wins is None
    assert told["this"].matches and told["this"].gap
    assert told["this"].seconds == told["this"].matches / 2
    assert told["swiss_weekend"].best_wins is not None


@pytest.mark.parametrize("preset", [code for code in PRESETS if code != "ladder"])
def test_every_preset_of_two_hundred_is_played_on_paper(preset: str) -> None:
    spec = read_spec({**PRESETS[preset].spec, "name": preset})
    started = process_time()
    told = compare_forecasts(spec.table_kind, spec.stages, 200)
    assert process_time() - started < 3
    assert all(one.best_wins is not None and one.gap is not None for one in told.values())


def test_groups_too_small_for_a_table_are_said() -> None:
    groups = StageSpec("league_season", groups=3, options={"laps": 1})
    [problem] = find_forecast_problems(SOLO3, [groups], 8)
    assert problem.sentence == "3 groups need at least 9 entrants, not 8."
    assert find_forecast_problems(SOLO3, [groups], 9) == ()


def test_known_ratings_count() -> None:
    level = forecast_tournament(SOLO3, [CUP], 9, ratings=[0.01] + [0.0] * 8).best_wins
    clear = forecast_tournament(SOLO3, [CUP], 9, ratings=[1.5] + [0.0] * 8).best_wins
    assert level and clear
    assert level < 0.2 < 0.9 < clear


def test_what_runs_on_has_no_forecast() -> None:
    assert forecast_tournament(SOLO3, [StageSpec("ladder")], 9).best_wins is None


def test_the_gap_shrinks_with_matches_and_grows_with_the_field() -> None:
    assert find_gap(SOLO3, 9, 400) == pytest.approx(find_gap(SOLO3, 9, 100) / 2)
    assert find_gap(SOLO3, 27, 100) > find_gap(SOLO3, 3, 100)
