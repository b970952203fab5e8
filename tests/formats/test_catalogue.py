"""Every format owns its facts: what it is called, its options, and what it can do."""

from dataclasses import fields
from pathlib import Path

import pytest

from tests.formats.playing import make_field
from tournaments.rules.formats import FORMATS, make_format
from tournaments.rules.formats.format import Format
from tournaments.rules.spec import usual_chain
from tournaments.rules.standings import Metric

DOCUMENTED = (Path(__file__).parents[2] / "docs" / "FORMATS.md").read_text()
NEEDED = {"league_season": {"divisions": [9, 9]}}


@pytest.mark.parametrize("made", FORMATS.values(), ids=FORMATS)
def test_a_format_says_all_of_itself(made: type[Format]) -> None:
    assert made.title
    assert made.help.endswith(".")
    assert f"| `{made.code}` |" in DOCUMENTED
    named = [option.name for option in made.options]
    assert sorted([*named, "kind"]) == sorted(field.name for field in fields(made))  # type: ignore[arg-type]
    for option in made.options:
        assert option.label
        assert option.help.endswith(".")
        assert option.shape in ("count", "check", "sizes")


@pytest.mark.parametrize("code", FORMATS)
def test_what_a_format_says_it_can_do_it_does(code: str) -> None:
    made = make_format(code, NEEDED.get(code, {}))
    assert hasattr(made, "bracket") == made.has_bracket
    assert ("split" in vars(type(made))) == made.has_divisions
    assert (made.plan_length(18) is None) == made.runs_on
    late = make_field(18, entered_on={18: 2})
    assert any(problem.code == "no_late_entry" for problem in made.find_problems(late)) != made.takes_late_entries
    assert (usual_chain(code)[0] is Metric.MEAN_POINTS) == made.takes_late_entries


@pytest.mark.parametrize("code", FORMATS)
def test_a_kind_of_table_that_a_format_lacks_is_a_problem(code: str) -> None:
    for kind in FORMATS[code].kinds:
        assert make_format(code, {**NEEDED.get(code, {}), "kind": kind}).find_problems(make_field(18)) == ()
    if code == "knockout":
        made = make_format(code, {"kind": "solo4"})
        assert made.kind not in made.kinds
        assert made.find_problems(make_field(18))[0].code == "no_such_knockout"
