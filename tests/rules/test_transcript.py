"""The text notation of a match: readable, and back to the same record."""

from typing import Any

import pytest

from games.rules.errors import RecordFault
from games.rules.record import make_record, read_record
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.transcript import read_transcript, write_transcript
from tests.rules.positions import play_random_match


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_there_and_back(ruleset: Ruleset) -> None:
    for with_seed in (False, True):
        record = make_record(play_random_match(ruleset, f"text {ruleset.code}"), with_seed=with_seed)
        assert read_transcript(write_transcript(record)) == record


TRICK: dict[str, Any] = {
    "leader": 2,
    "bid_changes": [{"seat": 2, "gold": 0, "bid_of": 0, "card": "Z4"}],
    "plays": ["B7", "S3", "G0", "Z1"],
    "winner": 0,
    "gold_to": 1,
    "gold": 1,
}

LINES = [
    pytest.param({}, " 1. [2 swap G0 0 Z4] 2 leads B7 S3 G0 Z1 -> 0 wins, G1 to 1", id="a bid change and gold"),
    pytest.param({"bid_changes": []}, " 1. 2 leads B7 S3 G0 Z1 -> 0 wins, G1 to 1", id="no change"),
    pytest.param(
        {"bid_changes": [], "gold": None}, " 1. 2 leads B7 S3 G0 Z1 -> 0 wins, no gold to 1", id="no gold left"
    ),
    pytest.param(
        {"bid_changes": [], "plays": ["B7"], "winner": None, "gold_to": None, "gold": None},
        " 1. 2 leads B7 -> unfinished",
        id="unfinished",
    ),
]


@pytest.mark.parametrize(("change", "line"), LINES)
def test_a_trick_is_one_line(change: dict[str, Any], line: str) -> None:
    record = make_record(play_random_match(Ruleset(4), "lines"))
    record["rounds"][0]["tricks"] = [TRICK | change]
    text = write_transcript(record)
    assert line in text.splitlines()
    assert read_transcript(text) == record


def test_the_head_and_the_foot() -> None:
    record = make_record(play_random_match(Ruleset(3, "ru"), "head"), with_seed=True, notes="left out")
    lines = write_transcript(record).splitlines()
    assert lines[:2] == ["aurum ru3", f"seed: {record['seed']}"]
    assert lines[2] == f"round 1, first seat {record['rounds'][0]['first_seat']}"
    assert [line.partition(":")[0] for line in lines[-4:]] == ["places", "nuggets", "totals", "lots"]
    assert "left out" not in "".join(lines)


@pytest.mark.parametrize(
    ("text", "code", "place", "message"),
    [
        pytest.param("aurum en3\nhello", "not_a_transcript", "line 2", "'hello' cannot be read", id="no such line"),
        pytest.param(
            "aurum en3\n\nbids: B1 B2 B3",
            "not_a_transcript",
            "line 3",
            "this line comes before its round",
            id="bids before a round",
        ),
        pytest.param("aurum en9", "unknown_ruleset", "line 1", "There is no ruleset 'en9'", id="no such ruleset"),
        pytest.param(
            " 1. 2 leads B7 -> unfinished",
            "not_a_transcript",
            "line 1",
            "this line comes before its round",
            id="a trick before a round",
        ),
        pytest.param(
            "aurum en3 ; DROP", "not_a_transcript", "line 1", "'aurum en3 ; DROP' cannot be read", id="more on the line"
        ),
    ],
)
def test_what_cannot_be_read(text: str, code: str, place: str, message: str) -> None:
    with pytest.raises(RecordFault) as caught:
        read_transcript(text)
    assert (caught.value.code, caught.value.place) == (code, place)
    assert caught.value.message.startswith(message)


def test_an_incomplete_text_is_no_record_that_holds() -> None:
    with pytest.raises(RecordFault):
        read_record(read_transcript("aurum en3\nround 1, first seat 0"))
