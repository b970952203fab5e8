"""The rulebook against the printed books: a ruling is marked exactly where it is ours, a rule where it is printed."""

import re
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.books import ALL, NUGGETS_IN_THE_BOX, find_passage, list_passages, name_cells, write_cells
from games.rules.outcome import RoundOutcome, find_result
from games.rules.rulebook import RULES, Rule, cell_of, cells_of_ruling, rules_in_force
from games.rules.ruleset import EDITIONS, PLAYERS, Ruleset, all_rulesets
from games.rules.rulings import RULINGS
from games.rules.scoring import SideScore, round_winners

CELLS = [f"{edition}{players}" for edition in EDITIONS for players in PLAYERS]

# "Rulings, book by book", written down by hand from the books.
OURS = {
    "R-1": {"en3", "en4", "de3", "de4"},
    "R-2": {"en3", "en4", "fr3", "fr4", "ru3", "ru4"},
    "R-3": {"en3", "en4"},
    "R-4": {"en3", "en4", "fr3", "fr4", "de4", "ru4"},
    "R-5": {"en3", "en4", "fr3", "fr4", "de3", "de4", "ru3", "ru4"},
    "R-6": {"en3", "en4", "fr3", "fr4", "de3", "de4", "ru3", "ru4"},
    "R-7": {"en4", "fr4", "de4", "ru4"},
    "R-8": {"en3", "en4"},
    "R-9": {"en3", "en4", "ru3"},
    "R-10": {"en3", "en4", "fr3", "fr4", "de3", "de4", "ru3", "ru4"},
    "R-11": {"en3", "en4", "fr3", "fr4", "ru3", "ru4"},
    "R-12": {"en3", "en4", "fr3", "fr4"},
    "R-13": {"ru3", "ru4"},
}
PRINTED = {
    "change once": {"fr3", "fr4", "ru3", "ru4"},
    "change in turn": {"fr3", "fr4", "de3", "de4", "ru3", "ru4"},
    "exact bid": {"fr3", "fr4", "de3", "de4", "ru3", "ru4"},
    "highest gold": {"fr3", "fr4", "de3", "de4", "ru4"},
    "nugget each": {"de3", "ru3"},
    "last bid": {"en3", "fr3"},
    "zero again": {"fr3", "fr4", "de3", "de4", "ru4"},
    "no agreement": {"ru4"},
    "most gold": {"de3", "de4"},
    "face down": {"de3", "de4"},
    "fourth round": {"de3", "ru3"},
}


def rulings_marked(ruleset: Ruleset) -> set[str]:
    marks = [rule.mark_in(cell_of(ruleset)) for rule in rules_in_force(ruleset)]
    return {number for mark in marks if mark is not None for number in mark.rulings}


def rule_named(name: str) -> Rule:
    (rule,) = [rule for rule in RULES if rule.name == name]
    return rule


@given(st.sampled_from(all_rulesets()), st.sampled_from(sorted(OURS)))
def test_a_ruling_is_marked_exactly_where_it_is_ours(ruleset: Ruleset, number: str) -> None:
    is_played = {"R-6": ruleset.decider == "golden_round", "R-9": ruleset.zero_gold}.get(number, True)
    assert (number in rulings_marked(ruleset)) == (is_played and cell_of(ruleset) in OURS[number])


def test_every_ruling_is_ours_somewhere_and_has_its_reason() -> None:
    assert set(RULINGS) == set(OURS)
    assert {number: cells_of_ruling(number) for number in RULINGS} == OURS
    for number, ruling in RULINGS.items():
        assert ruling.reason
        for share in ruling.shares:
            for players, value in zip(PLAYERS, (share.three, share.four), strict=True):
                is_for_them = any(cell.endswith(str(players)) for cell in OURS[number])
                assert value is None or (is_for_them and 0 <= value <= 100)


@pytest.mark.parametrize("name", PRINTED)
def test_what_only_some_books_print(name: str) -> None:
    rule = rule_named(name)
    assert {cell for cell in CELLS if rule.passage_in(cell)} == PRINTED[name]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_printed_or_ours_wherever_it_holds(rule: Rule) -> None:
    assert [each.name for each in RULES].count(rule.name) == 1
    assert rule.departs <= rule.holds & rule.printed
    for cell in CELLS:
        mark, passage = rule.mark_in(cell), rule.passage_in(cell)
        assert (mark is None) == (cell not in rule.holds)
        assert mark is None or mark.is_printed or mark.rulings
        assert (passage is not None) == (mark is not None and mark.is_printed)
        assert passage is None or (passage.edition == cell[:2] and passage in list_passages(cell[:2]))


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_only_cards_of_the_game_are_spoken_of(ruleset: Ruleset) -> None:
    texts = {rule.name: rule.text for rule in rules_in_force(ruleset)}
    zero = {name for name, text in texts.items() if "Gold 0" in text or "rank 0" in text}
    assert zero == ({"zero", "zero again", "zero stays", "worth of zero"} if ruleset.zero_gold else {"no zeros"})
    eight = {name for name, text in texts.items() if re.search(r"\b8\b", text)}
    assert eight == ({"gold for four"} if ruleset.players == 4 else {"cards for three"})


@pytest.mark.parametrize("edition", EDITIONS)
def test_nuggets_in_the_box(edition: str) -> None:
    words = {3: "three nuggets", 4: "four nuggets"}
    held = {name for name in words.values() if rule_named(name).mark_in(f"{edition}3")}
    assert held == {words[NUGGETS_IN_THE_BOX[edition]]}


@pytest.mark.parametrize(
    ("place", "cell", "heading", "page"),
    [
        pytest.param("bid", "en3", "Bid", "14", id="two pages"),
        pytest.param("setup", "de4", "Aufbau (4 Alchemisten)", "5", id="two headings"),
        pytest.param("scoring", "fr4", "Décompte des points", "10, 11", id="over two pages"),
        pytest.param("end of round", "ru3", "Конец раунда", "", id="a heading alone"),
        pytest.param("change", "en4", "Rules for playing cards", "6", id="a heading for four alone"),
    ],
)
def test_where_a_book_says_it(place: str, cell: str, heading: str, page: str) -> None:
    passage = find_passage(place, cell)
    assert (passage.heading, passage.page) == (heading, page)


def test_names_of_places_are_unique_in_an_address() -> None:
    anchors = [passage.anchor for edition in EDITIONS for passage in list_passages(edition)]
    assert len(set(anchors)) == len(anchors)
    assert all(anchor == "".join(anchor.split()) for anchor in anchors)


@pytest.mark.parametrize(("text", "cells"), [("en fr3", 3), ("3", 4), ("", 0), ("en fr de ru", 8)])
def test_books_are_named_and_written(text: str, cells: int) -> None:
    assert len(name_cells(text)) == cells
    assert name_cells(write_cells(name_cells(text)).replace(",", "")) == name_cells(text)
    assert name_cells("3 4") == ALL


def decide(ruleset: Ruleset, *scores: SideScore) -> list[int]:
    """Who wins a round in which the sides that are not named have nothing."""
    nothing = SideScore(bid=9, tricks=0, bid_points=0, gold_points=0, best_gold=8)
    return list(round_winners(ruleset, (*scores, *[nothing] * (ruleset.sides - len(scores)))))


def is_over(ruleset: Ruleset, *winners: list[int]) -> bool:
    """Whether a match has ended after rounds that these sides won; no side is level with another in the end."""
    scores = tuple(SideScore(bid, bid, 2 * bid, 0, -1) for bid in range(ruleset.sides, 0, -1))
    rounds = [RoundOutcome(scores, tuple(round_)) for round_ in winners]
    return find_result(ruleset, rounds, cast(Any, None)) is not None


EXACT = SideScore(bid=3, tricks=3, bid_points=6, gold_points=2, best_gold=1)
OVER = SideScore(bid=6, tricks=7, bid_points=6, gold_points=2, best_gold=5)
OVER_LESS_GOLD = SideScore(bid=6, tricks=7, bid_points=6, gold_points=2, best_gold=3)
PLAYED: dict[str, Callable[[Ruleset], bool]] = {
    "exact bid": lambda ruleset: decide(ruleset, EXACT, OVER) == [0],
    "highest gold": lambda ruleset: decide(ruleset, OVER_LESS_GOLD, OVER) == [1],
    "nugget each": lambda ruleset: decide(ruleset, OVER, OVER) == [0, 1],
    "two nuggets": lambda ruleset: is_over(ruleset, [0, 1], [0, 1]),
    "both reach two": lambda ruleset: is_over(ruleset, [0, 1], [0, 1]),
    "three rounds": lambda ruleset: is_over(ruleset, [0], [0]) and not is_over(ruleset, [0, 1], [0, 1]),
    "both at two": lambda ruleset: is_over(ruleset, [0], [0]) and not is_over(ruleset, [0, 1], [0, 1]),
    "fourth round": lambda ruleset: ruleset.sides == 3 and not is_over(ruleset, [0], [1], [2]),
    "most points": lambda ruleset: not is_over(ruleset, [0], [0]),
}


@pytest.mark.parametrize("name", PLAYED)
def test_what_is_worded_is_what_is_played(name: str) -> None:
    for ruleset in all_rulesets():
        assert PLAYED[name](ruleset) == rule_named(name).is_in_force(ruleset), ruleset.code
