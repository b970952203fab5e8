"""The typed table: its schema says what it is, every state of every match fits it, and each reader draws from it."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from games.pages.replay import Replay
from games.pages.table_words import PlayedTable, WatchedTable
from games.play.see_table import clear_at, follow, see_view, stop_at
from games.play.table_state import TableState, to_json
from games.rules.actions import NOBODY, OVER, legal_actions
from games.rules.match import Match, pack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.tables import HeldSeat, StoredTable, TableFacts, see_stored
from tests.table.schema import make_schema

ROOT = Path(__file__).parents[2]
CODES = ("en3", "de4", "ru3-nozero", "fr4-nozero-cumulative")


def play_by_chance(code: str, seed: int = 1) -> Match:
    chance = random.Random(seed)
    play = Match(Ruleset.from_code(code), bytes([seed]) * 32)
    while not play.is_over:
        seat = play.awaiting()[0]
        seen = view(play, seat)
        actions = list(legal_actions(seen.phase, seen.legal))
        play.apply(seat, actions[0] if chance.random() < 0.5 else chance.choice(actions))
    return play


def store(play: Match, code: str) -> StoredTable:
    names = [f"Player {seat}" for seat in range(play.players)]
    sides = play.ruleset.sides
    held = tuple(HeldSeat(i % sides, name, f"p{i}", "house", "house:greedy", False) for i, name in enumerate(names))
    facts = TableFacts(
        *(
            1,
            code,
            "0" * 64,
            False,
            "waiting",
            (0,),
            None,
            None,
            {"bank": 600.0},
            {"banks": {"0": 3.5}},
            None,
            None,
            held,
        )
    )
    assert play.seed is not None
    return StoredTable(facts, play.seed, pack_log(play.log), has_cards=True)


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        pytest.param(TableState, "games/play/table_state.schema.json", id="the table"),
        pytest.param(PlayedTable, "games/pages/played_table.schema.json", id="the table on the play page"),
        pytest.param(WatchedTable, "games/pages/watched_table.schema.json", id="the table that is watched"),
        pytest.param(Replay, "games/pages/replay.schema.json", id="a step of a replay"),
    ],
)
def test_the_schema_says_what_the_types_say(kind: type, path: str) -> None:
    """After a change of the types: `python -m tests.table.schema` writes both files."""
    assert json.loads((ROOT / path).read_text()) == make_schema(kind)


@pytest.mark.parametrize("code", CODES)
def test_every_moment_of_a_match_fits_the_schema(code: str) -> None:
    play = play_by_chance(code)
    check = Draft202012Validator(make_schema(TableState))
    for applied in range(0, len(play.log), 19):
        stored = store(clear_at(play, applied), code)
        for seat in (NOBODY, 1):
            told = to_json(see_stored(stored, seat, max(0, applied - 9)))
            check.validate(json.loads(json.dumps(told)))


@pytest.mark.parametrize("code", CODES)
def test_the_view_is_told_as_bots_are_told(code: str) -> None:
    """What the typed state adds to the view of the rules: hands that are seen, and the step that decided a round."""
    play = play_by_chance(code)
    for applied in range(0, len(play.log), 17):
        at = clear_at(play, applied)
        for seat in (NOBODY, 0):
            told = to_json(see_view(at, seat))
            if told["round"]:
                del told["round"]["hands"]
            for done in told["history"]:
                del done["decided_by"]
            assert told == view(at, seat).to_dict()


@pytest.mark.parametrize("code", CODES)
def test_a_round_that_ends_still_lies_on_the_table(code: str) -> None:
    play = play_by_chance(code)
    again = clear_at(play, 0)
    ends = [told for told in follow(again, play.log, 0) if told.result]
    assert len(ends) == len(play.rounds)
    for number, (told, done) in enumerate(zip(ends, play.rounds, strict=True), 1):
        assert (told.round.number, told.round.phase) == (number, "over")
        tricks = [sum(told.round.tricks_won[side :: play.ruleset.sides]) for side in range(play.ruleset.sides)]
        assert tricks == [score.tricks for score in done.outcome.scores]


def test_stopping_before_a_round_is_cleared_leaves_the_same_cards() -> None:
    play = play_by_chance("en3")
    for applied in range(1, len(play.log), 3):
        stopped, cleared = stop_at(play, applied), clear_at(play, applied)
        if stopped.round.phase != OVER:
            assert to_json(see_view(stopped, 1)) == to_json(see_view(cleared, 1))


@pytest.mark.parametrize("code", CODES)
def test_nothing_of_a_hand_reaches_a_watcher(code: str) -> None:
    play = play_by_chance(code)
    for applied in range(0, len(play.log), 23):
        seen = see_stored(store(clear_at(play, applied), code), NOBODY, 0)
        rounds = [told.round for told in seen.happenings]
        for round_ in [*rounds, *([seen.view.round] if seen.view and seen.view.round else [])]:
            assert round_.hand == () and set(round_.hands) == {None}


def test_nobody_watches_deals_that_others_have_yet_to_play() -> None:
    play = play_by_chance("en3")
    stored = replace(store(clear_at(play, 40), "en3"), is_sealed=True)
    assert see_stored(stored, NOBODY, 0).view is None and see_stored(stored, NOBODY, 0).happenings == ()
    assert see_stored(stored, 1).view is not None, "who plays sees the own table"
    over = replace(stored, facts=replace(stored.facts, places=(1, 2, 3), state="finished"))
    assert see_stored(over, 1).view is None, "and no more once it is over"
