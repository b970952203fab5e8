"""A report says of every goal whether it was reached, and of every promise whether it was kept."""

import json

import pytest

from benchmarks.report import (
    Figure,
    Goal,
    Survey,
    at_least,
    at_least_times,
    at_most,
    at_most_times,
    format_number,
    list_missed,
    print_report,
)


@pytest.mark.parametrize(
    ("value", "ratio", "goal", "is_reached"),
    [
        pytest.param(1.0, None, None, None, id="no goal"),
        pytest.param(60.0, None, at_most(60), True, id="at the bound"),
        pytest.param(60.1, None, at_most(60), False, id="above it"),
        pytest.param(1.0, 2.0, at_least_times(2), True, id="a ratio, whatever the value"),
        pytest.param(9.0, 1.9, at_least_times(2), False, id="a ratio too low"),
        pytest.param(93.9, None, at_least(94), False, id="below a floor"),
        pytest.param(0.1, 1.4, at_most_times(1.35), False, id="a ratio too high"),
        pytest.param(9.0, None, at_least_times(2), None, id="nothing to compare with"),
        pytest.param(float("inf"), None, at_most(1), False, id="never"),
    ],
)
def test_goal(value: float, ratio: float | None, goal: Goal | None, is_reached: bool | None) -> None:
    assert Figure("thing", "what", value, "s", goal, ratio).is_reached is is_reached


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (0.123, "0.12"), (12.34, "12.3"), (1234.5, "1,234"), (10_000, "10,000"), (float("inf"), "inf")],
)
def test_number(number: float, text: str) -> None:
    assert format_number(number) == text


FIGURES = [
    Figure("rebuild", "on the clock", 2.5, "s", at_most(2)),
    Figure("rebuild", "[red]", 3, "", at_least_times(2), 2.5),
]


def test_table_names_a_thing_once(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(Survey("Ratings", FIGURES, ["a note"], ["match 7 was lost"]))
    out = capsys.readouterr().out
    assert out.count("rebuild") == 1
    assert "[red]" in out and "missed" in out and "reached" in out
    assert out.splitlines()[-2:] == ["a note", "BROKEN match 7 was lost"]


def test_json_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(Survey("Ratings", FIGURES, ["a note"], ["match 7 was lost"]), as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert [(one["what"], one["goal"], one["is_reached"]) for one in told["figures"]] == [
        ("on the clock", "≤ 2", False),
        ("[red]", "≥ 2 times", True),
    ]
    assert (told["notes"], told["broken"]) == (["a note"], ["match 7 was lost"])


def test_missed_goals_are_sentences() -> None:
    assert list_missed(FIGURES) == ["rebuild, on the clock: 2.50 s, the goal is ≤ 2"]
