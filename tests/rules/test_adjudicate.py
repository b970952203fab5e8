"""Judging records again: every fault is found, named and placed."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.errors import ERROR_CODES, FAULT_CODES, RecordFault
from games.rules.match import Match
from games.rules.record import make_record, read_record
from games.rules.ruleset import Ruleset
from tests.rules.positions import play_random_match
from tests.rules.spoilt_records import BESIDE, FAULTS, UNSEEDED, Change


@pytest.fixture(scope="module")
def three() -> Match:
    return play_random_match(Ruleset(3, "de"), "record 3")


def judge(record: Any) -> RecordFault:
    with pytest.raises(RecordFault) as caught:
        read_record(json.loads(json.dumps(record)))
    fault = caught.value
    assert fault.code in FAULT_CODES or fault.code in ERROR_CODES
    assert str(fault) == f"{fault.place}: {fault.code}: {fault.message}"
    return fault


@pytest.mark.parametrize(("change", "code", "place"), [*FAULTS, *BESIDE])
def test_fault(three: Match, change: Change, code: str, place: str) -> None:
    record = copy.deepcopy(make_record(three, with_seed=True))
    change(record)
    fault = judge(record)
    assert (fault.code, fault.place) == (code, place)


@pytest.mark.parametrize(("change", "code", "place"), UNSEEDED)
def test_fault_without_a_seed(three: Match, change: Change, code: str, place: str | None) -> None:
    record = copy.deepcopy(make_record(three))
    change(record)
    fault = judge(record)
    assert fault.code == code
    assert place in (None, fault.place)
    assert fault.place.startswith(("round ", "result"))


def test_every_fault_of_records_is_met_here() -> None:
    met = {param.values[1] for param in (*FAULTS, *BESIDE, *UNSEEDED)}
    elsewhere = {"not_json", "line_too_long", "bad_archive", "not_a_transcript"}
    assert set(FAULT_CODES) - elsewhere <= met


@pytest.mark.parametrize("value", [None, 7, "x", [], True])
def test_json_that_is_no_object(value: Any) -> None:
    assert judge(value).code == "not_a_record"


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_other_value_anywhere_is_found(three: Match, data: st.DataObject) -> None:
    """Whatever is changed in a record with its seed, it does not hold any more, and nothing but a fault is raised.

    But for a bid with another card of the hand: where neither is played and both miss alike, that is another match.
    """
    record = copy.deepcopy(make_record(three, with_seed=True))
    inner: Any = record
    while True:
        key = data.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
        if not isinstance(inner[key], dict | list) or not inner[key] or data.draw(st.integers(0, 9)) == 0:
            break
        inner = inner[key]
    values: st.SearchStrategy[Any] = (
        st.none() | st.booleans() | st.integers(-99, 99) | st.sampled_from(["", "B1", "G1", "P9"]) | st.just([])
    )
    value = data.draw(values)
    is_seed_dropped = inner is record and key in ("seed", "dealing")
    is_same_pile = inner[key] == value and type(inner[key]) is type(value)
    is_other_bid = any(inner is told["bids"] and value in told["hands"][key] for told in record["rounds"])
    inner[key] = value
    if not is_seed_dropped and not is_same_pile and not is_other_bid:
        judge(record)
