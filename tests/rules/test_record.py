"""The record: as the format says, there and back, lots included."""

from typing import Any

import pytest

from games.rules.adjudicate import RecordedDeals
from games.rules.deal import DEALING, Deal, draw_lots
from games.rules.errors import RecordFault
from games.rules.match import Match
from games.rules.record import dump_record, load_record, make_record, read_record
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.transcript import read_transcript, write_transcript
from tests.rules.positions import cards, make_seed, play_random_match


@pytest.fixture(scope="module")
def three() -> Match:
    return play_random_match(Ruleset(3, "de"), "record 3")


@pytest.fixture(scope="module")
def four() -> Match:
    return play_random_match(Ruleset(4, "en"), "record 4")


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_there_and_back(ruleset: Ruleset) -> None:
    match = play_random_match(ruleset, f"back {ruleset.code}")
    for with_seed in (False, True):
        record = load_record(dump_record(make_record(match, with_seed=with_seed)))
        again = read_record(record)
        assert (again.log, again.rounds, again.result) == (match.log, match.rounds, match.result)
        assert (again.seed, again.ruleset) == (match.seed if with_seed else None, ruleset)
        assert make_record(again, with_seed=with_seed) == record


def test_the_fixed_keys_and_the_callers_own(four: Match) -> None:
    record = make_record(four, notes="ours")
    assert list(record) == ["format", "version", "ruleset", "notes", "rounds", "result"]
    assert (record["format"], record["version"], record["notes"]) == ("aurum-record", 1, "ours")
    first = record["rounds"][0]
    assert list(first) == ["first_seat", "hands", "set_aside", "bids", "tricks", "end", "scores", "winners"]
    assert list(first["tricks"][0]) == ["leader", "bid_changes", "plays", "winner", "gold_to", "gold"]
    assert list(first["scores"][0]) == ["bid", "tricks", "bid_points", "gold_points", "total"]
    assert [len(hand) for hand in first["hands"]] == [12] * 4
    assert len(first["set_aside"]) == 2
    read_record(record)


def test_a_record_is_one_short_line_that_keeps_every_letter(three: Match) -> None:
    text = dump_record(make_record(three, with_seed=True, note="Złoto"))
    assert three.seed is not None
    assert f'"note":"Złoto","dealing":"{DEALING}","seed":"{three.seed.hex()}",' in text
    assert len(text.split()) == 1


def test_keys_beside_the_fixed_ones_do_no_harm(three: Match) -> None:
    record = make_record(three, seats=[{"name": "a"}], seed=12, dealing="another way")
    record["rounds"][0]["notes"] = record["rounds"][0]["scores"][0]["notes"] = {"x": 1}
    assert read_record(record).seed is None


def test_lots_come_from_the_seed_where_it_is_known(four: Match) -> None:
    for label in range(8):
        seed = make_seed(label)
        match = play_random_match(four.ruleset, label)
        deals = RecordedDeals(make_record(match, with_seed=True), match.ruleset, seed)
        assert deals.draw_lots([1, 0]) == draw_lots(seed, [0, 1])


def test_what_has_no_record() -> None:
    with pytest.raises(ValueError, match=r"^A match that is not over has no record\.$"):
        make_record(Match(Ruleset(), make_seed("open")))
    with pytest.raises(ValueError, match="own: result, rounds"):
        make_record(play_random_match(Ruleset(), "own"), rounds=1, result=2)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b'{"format": ', id="cut off"),
        pytest.param(b"\xff\xfe\x00", id="no text"),
        pytest.param(b"[" * 100_000, id="nested too deeply"),
        pytest.param(b'{"a": 1, "a": 2}', id="a key twice"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", id="a number too long"),
    ],
)
def test_text_that_is_no_json(text: bytes) -> None:
    with pytest.raises(RecordFault) as caught:
        load_record(text)
    assert (caught.value.code, caught.value.place) == ("not_json", "record")
    assert caught.value.message


def test_json_without_a_bottom_is_told_so() -> None:
    with pytest.raises(RecordFault, match=r": the JSON is nested too deeply$"):
        load_record(b"[" * 100_000)


class LevelDeals:
    """Every round ends at its third card with no trick for anybody, so that nothing but lots can decide the match."""

    first_seat = 0
    pattern = ("B7 B8 B9 B10 P1 P2 P3 P4 P5 P6 P7 P8", "C7 C8 C9 C10 S1 S2 S3 S4 S5 S6 S7 S8",
               "B1 B2 B3 B4 B5 B6 C1 C2 C3 C4 C5 C6", "Z1 Z2 Z3 Z4 Z5 Z6 Z7 Z8 Z9 Z10 P9 P10")  # fmt: skip

    def deal(self, round_number: int) -> Deal:
        first = round_number - 1
        return Deal(tuple(cards(self.pattern[(seat - first) % 4]) for seat in range(4)), cards("S9 S10"))

    def draw_lots(self, sides: Any) -> list[int]:
        return [1, 0]


@pytest.fixture(scope="module")
def level() -> dict[str, Any]:
    """The record of a match that three golden rounds could not decide."""
    match = Match(Ruleset(4, "en", zero_gold=False, decider="golden_round"), None, LevelDeals())
    while match.result is None:
        for text in ("bid P4", "bid S4", "bid B1", "bid Z1", "play B7", "play C7"):
            match.apply_text(match.round.turn, text)
    return make_record(match)


def test_lots_decide_after_three_golden_rounds(level: dict[str, Any]) -> None:
    assert len(level["rounds"]) == 6
    assert [told["winners"] for told in level["rounds"]] == [[0, 1]] * 6
    assert level["result"] == {"places": [[1], [0]], "nuggets": [6, 6], "totals": [0, 0], "lots": True}


def test_lots_are_told_in_the_text_notation(level: dict[str, Any]) -> None:
    assert write_transcript(level).endswith("\nlots: yes\n")
    assert read_transcript(write_transcript(level)) == level


@pytest.mark.parametrize("places", [[[1], [0]], [[0], [1]]])
def test_without_a_seed_the_lots_are_taken_as_told(level: dict[str, Any], places: list[list[int]]) -> None:
    match = read_record(level | {"result": level["result"] | {"places": places}})
    assert match.result is not None
    assert [list(group) for group in match.result.places] == places


@pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param({"places": [[0, 1]]}, "wrong_places", id="shared"),
        pytest.param({"places": [[0], [0]]}, "wrong_places", id="a side twice"),
        pytest.param({"places": []}, "wrong_places", id="none"),
        pytest.param({"lots": False}, "wrong_lots", id="lots denied"),
    ],
)
def test_lots_told_wrongly(level: dict[str, Any], change: dict[str, Any], code: str) -> None:
    with pytest.raises(RecordFault) as caught:
        read_record(level | {"result": level["result"] | change})
    assert (caught.value.code, caught.value.place) == (code, "result")
