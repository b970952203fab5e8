"""The contract: messages hold to the schema, events tell the whole match and no secret, answers are read exactly."""

import json
from functools import cache
from importlib.resources import files
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from bots.brains import make_brain
from bots.contract import (
    CONTRACT,
    ContractError,
    TimeLeft,
    make_decide,
    make_happened,
    make_hello,
    make_match_end,
    make_match_start,
    read_action,
    tell_events,
)
from games.rules.match import Match
from games.rules.ruleset import Ruleset, all_rulesets
from games.rules.view import view

SCHEMA = json.loads((files("bots.contract") / "schema.json").read_text())
TIME = TimeLeft(2.0, 9.5)


@cache
def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{kind}"}]})


def play(match: Match, seed: int, steps: int = 10_000) -> None:
    brain = make_brain("random", seed)
    for _ in range(steps):
        if match.result is not None:
            return
        seat = match.round.turn
        match.apply(seat, brain.choose(view(match, seat)))


@pytest.mark.parametrize("ruleset", all_rulesets()[::7], ids=lambda ruleset: ruleset.code)
def test_every_message_of_a_match_is_as_the_schema_says(ruleset: Ruleset) -> None:
    match = Match(ruleset, bytes(32))
    brain = make_brain("greedy", 1)
    messages = [
        make_hello("Alpha", clock="cpu"),
        make_match_start(match=3, ruleset=ruleset, seat=1, names=("A",) * ruleset.players, chance=2**64 - 1),
    ]
    told = 0
    while match.result is None:
        seat = match.round.turn
        seen = view(match, seat)
        if seat == 1:
            messages += [make_happened(3, seen, told), make_decide(3, seen, TIME)]
            told = seen.log_end
        match.apply(seat, brain.choose(seen))
    messages += [make_match_end(3, 1, match.result, [2]), make_match_end(3, 1, None, [])]
    for message in messages:
        kind = message["type"]
        errors = [error.message for error in validator(kind).iter_errors(json.loads(json.dumps(message)))]
        assert errors == [], kind


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_a_finished_round_tells_its_bids_under_the_same_names_as_the_current_one(code: str) -> None:
    """What the last question of a round called `bids` and `first_bids`, the history goes on calling so."""
    match = Match(Ruleset.from_code(code), bytes(32))
    brain = make_brain("random", 3)
    last: dict[str, object] = {}
    compared = changed = 0
    while match.result is None:
        seat = match.round.turn
        seen = view(match, seat)
        told = make_decide(3, seen, TIME)["view"]
        if told["round"]["number"] > 1 and last and last["number"] == told["round"]["number"] - 1:
            done = told["history"][-1]
            assert done["first_bids"] == last["first_bids"]
            assert done["bids"] == last["bids"]
            compared += 1
            changed += done["bids"] != done["first_bids"]
            last = {}
        elif told["round"]["phase"] == "play":
            last = told["round"]
        match.apply(seat, brain.choose(seen))
    assert compared and changed


def test_the_schema_is_a_schema_of_this_contract_and_allows_nothing_else() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"]["hello"]["properties"]["contract"]["const"] == CONTRACT
    seen = view(Match(Ruleset(), bytes(32)), 0)
    wrong = {**make_decide(1, seen, TIME), "seed": "00"}
    assert list(validator("decide").iter_errors(wrong)), "an unknown key would be a leak"


@settings(max_examples=40, deadline=None)
@given(
    ruleset=st.sampled_from(all_rulesets()),
    seed=st.binary(min_size=32, max_size=32),
    steps=st.integers(0, 200),
    cut=st.integers(0, 200),
)
def test_events_tell_every_visible_action_once_and_lead_to_the_same_match(
    ruleset: Ruleset, seed: bytes, steps: int, cut: int
) -> None:
    match = Match(ruleset, seed)
    play(match, 5, steps)
    seen = view(match, 0)
    events = tell_events(seen, 0)
    assert tell_events(seen, cut) == events[cut:]
    assert [event["counter"] for event in events] == list(range(len(events)))
    assert len(events) == (len(match.log) if match.result is not None else seen.log_end)
    again = Match(ruleset, seed)
    for event in events:
        again.apply_text(event["seat"], event["action"])
    assert again.log == match.log[: len(events)]


def test_nobody_is_told_of_a_bid_before_all_three_are_laid() -> None:
    match = Match(Ruleset(), bytes(32))
    for seat in (0, 1):
        match.apply_text(seat, view(match, seat).legal_texts()[0])
        assert tell_events(view(match, 2), 0) == []
    match.apply_text(2, view(match, 2).legal_texts()[0])
    assert len(tell_events(view(match, 2), 0)) == 3


@pytest.mark.parametrize("code", ["en3", "de4", "ru3-nozero"])
def test_exactly_the_legal_actions_are_taken(code: str) -> None:
    match = Match(Ruleset.from_code(code), bytes(32))
    chance = Random(1)
    met: set[str] = set()
    while match.result is None:
        seat = match.round.turn
        seen = view(match, seat)
        legal = seen.legal_texts()
        for text in met - set(legal):
            with pytest.raises(ContractError):
                read_action({"action": text}, seen)
        actions = [read_action({"action": text}, seen) for text in legal]
        met |= set(chance.sample(legal, min(3, len(legal))))
        match.apply(seat, chance.choice(actions))


@pytest.mark.parametrize(
    ("payload", "verdict"),
    [
        pytest.param({}, "protocol", id="nothing"),
        pytest.param({"action": 7}, "protocol", id="a number"),
        pytest.param({"action": None}, "protocol", id="null"),
        pytest.param({"action": "play G3"}, "illegal", id="another phase"),
        pytest.param({"action": "bid B7 "}, "illegal", id="a space too many"),
        pytest.param({"action": "BID B7"}, "illegal", id="in capitals"),
        pytest.param({"action": "bid G1"}, "illegal", id="gold is no bid"),
    ],
)
def test_what_is_wrong_with_an_answer_is_said(payload: dict[str, object], verdict: str) -> None:
    with pytest.raises(ContractError) as refused:
        read_action(payload, view(Match(Ruleset(), bytes(32)), 0))
    assert refused.value.verdict == verdict
