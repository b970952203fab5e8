"""Ways to spoil a record, with the fault that each is: change, code and place (None where it depends on the match)."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

Change = Callable[[dict[str, Any]], object]


def put(*path: Any) -> Change:
    """Change one value of a record: keys and places, then the value."""
    *way, last, value = path

    def change(record: dict[str, Any]) -> None:
        inner: Any = record
        for key in way:
            inner = inner[key]
        inner[last] = value

    return change


def forfeit(seats: list[int], places: list[int]) -> Change:
    """Say who forfeited, and which places count then."""

    def change(record: dict[str, Any]) -> None:
        record.update(forfeits=seats, places=places)

    return change


def drop(*path: Any) -> Change:
    *way, last = path

    def change(record: dict[str, Any]) -> None:
        inner: Any = record
        for key in way:
            inner = inner[key]
        del inner[last]

    return change


def first_trick(record: dict[str, Any], wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    return next(trick for told in record["rounds"] for trick in told["tricks"] if wanted(trick))


def first_change(record: dict[str, Any]) -> dict[str, Any]:
    return first_trick(record, lambda trick: trick["bid_changes"])["bid_changes"][0]


def swap_hands(record: dict[str, Any]) -> None:
    hands = record["rounds"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def move_plays(record: dict[str, Any]) -> None:
    plays = record["rounds"][0]["tricks"][0]["plays"]
    plays[0] = plays[1]


def append_trick(record: dict[str, Any]) -> None:
    tricks = record["rounds"][0]["tricks"]
    tricks.append(copy.deepcopy(tricks[0]))


def append_card(record: dict[str, Any]) -> None:
    """One card more in the trick that ended a round."""
    first_trick(record, lambda trick: trick["winner"] is None)["plays"].append("B1")


FAULTS = [
    pytest.param(put("format", "chess"), "not_a_record", "record", id="another format"),
    pytest.param(put("version", 2), "not_a_record", "record", id="another version"),
    pytest.param(put("version", True), "not_a_record", "record", id="a truth as version"),
    pytest.param(drop("rounds"), "missing_key", "record", id="no rounds"),
    pytest.param(drop("rounds", 0, "tricks", 1, "gold"), "missing_key", "round 1, trick 2", id="no gold"),
    pytest.param(drop("result", "lots"), "missing_key", "result", id="no lots"),
    pytest.param(put("rounds", {}), "wrong_type", "rounds", id="rounds no list"),
    pytest.param(put("rounds", 0, []), "wrong_type", "round 1", id="a round no object"),
    pytest.param(put("rounds", 0, "hands", 1, 2, 7), "wrong_type", "round 1, hands[1][2]", id="a card no text"),
    pytest.param(
        put("rounds", 0, "tricks", 2, "leader", True), "wrong_type", "round 1, trick 3, leader", id="a truth as seat"
    ),
    pytest.param(put("result", "lots", 0), "wrong_type", "result, lots", id="a number as truth"),
    pytest.param(put("result", "totals", 0, 1.0), "wrong_type", "result, totals[0]", id="a fraction"),
    pytest.param(
        put("rounds", 0, "tricks", 0, "winner", "0"), "wrong_type", "round 1, trick 1, winner", id="a text as seat"
    ),
    pytest.param(put("ruleset", []), "wrong_type", "ruleset", id="ruleset no object"),
    pytest.param(put("ruleset", "edition", "it"), "unknown_ruleset", "ruleset", id="no such edition"),
    pytest.param(put("rounds", []), "missing_rounds", "rounds", id="no round at all"),
    pytest.param(put("rounds", 0, "hands", 0, 0, "X1"), "not_a_card", "round 1, hands[0]", id="no card"),
    pytest.param(put("rounds", 0, "hands", 0, 0, "G1"), "not_a_card", "round 1, hands[0]", id="gold in a hand"),
    pytest.param(put("rounds", 0, "hands", 0, 0, "G0"), "not_a_card", "round 1, hands[0]", id="a G0 in a hand"),
    pytest.param(put("rounds", 0, "bids", 0, "Q"), "not_a_card", "round 1, bids", id="no card as bid"),
    pytest.param(put("rounds", 0, "tricks", 0, "plays", 0, ""), "not_a_card", "round 1, trick 1", id="no card played"),
    pytest.param(drop("rounds", 1, "hands", 2, 0), "wrong_number_of_cards", "round 2, hands[2]", id="eleven cards"),
    pytest.param(drop("rounds", 1, "hands", 2), "wrong_number_of_cards", "round 2, hands", id="a hand too few"),
    pytest.param(drop("rounds", 0, "bids", 0), "wrong_number_of_cards", "round 1, bids", id="a bid too few"),
    pytest.param(put("rounds", 0, "set_aside", ["B1"]), "wrong_number_of_cards", "round 1, set_aside", id="set aside"),
    pytest.param(put("rounds", 0, "hands", 0, 0, "B10"), "card_not_in_game", "round 1, hands[0]", id="a ten of three"),
    pytest.param(
        lambda record: put("rounds", 0, "hands", 0, 0, record["rounds"][0]["hands"][1][0])(record),
        "card_twice",
        "round 1, hands[1]",
        id="a card twice",
    ),
    pytest.param(put("seed", "xyz"), "bad_seed", "seed", id="no hexadecimal seed"),
    pytest.param(put("seed", 7), "bad_seed", "seed", id="a number as seed"),
    pytest.param(put("seed", "00" * 31), "bad_seed", "seed", id="a short seed"),
    pytest.param(swap_hands, "wrong_deal", "round 1", id="other cards than the seed deals"),
    pytest.param(put("seed", "11" * 32), "wrong_deal", "round 1", id="another seed"),
]

UNSEEDED = [
    pytest.param(put("rounds", 0, "first_seat", 3), "wrong_first_seat", "round 1", id="no such seat"),
    pytest.param(put("rounds", 0, "first_seat", -1), "wrong_first_seat", "round 1", id="a negative seat"),
    pytest.param(
        lambda record: put("rounds", 1, "first_seat", record["rounds"][0]["first_seat"])(record),
        "wrong_first_seat",
        "round 2",
        id="the same seat first again",
    ),
    pytest.param(
        lambda record: put("rounds", 0, "bids", 0, record["rounds"][0]["bids"][1])(record),
        "card_not_in_hand",
        "round 1, bids",
        id="another's card as bid",
    ),
    pytest.param(put("rounds", 0, "tricks", 3, "leader", 9), "wrong_leader", "round 1, trick 4", id="no such leader"),
    pytest.param(move_plays, "card_not_in_hand", "round 1, trick 1", id="another's card led"),
    pytest.param(
        put("rounds", 0, "tricks", 0, "plays", 0, "G8"), "gold_not_owned", "round 1, trick 1", id="gold nobody has"
    ),
    pytest.param(lambda record: first_change(record).update(gold=9), "gold_not_owned", None, id="no such gold spent"),
    pytest.param(
        lambda record: first_change(record).update(gold=7), "gold_not_owned", None, id="gold spent that is not there"
    ),
    pytest.param(lambda record: first_change(record).update(bid_of=4), "not_your_bid", None, id="no such bid"),
    pytest.param(
        lambda record: first_change(record).update(bid_of=3), "not_your_bid", None, id="a fourth bid of three"
    ),
    pytest.param(lambda record: first_change(record).update(card="G1"), "not_a_card", None, id="gold as new bid"),
    pytest.param(
        lambda record: first_change(record).update(seat=5), "bid_change_out_of_turn", None, id="no such seat pays"
    ),
    pytest.param(
        lambda record: first_trick(record, lambda trick: trick["bid_changes"])["bid_changes"].append(
            dict(first_change(record))
        ),
        "bid_change_out_of_turn",
        None,
        id="a second change of one seat",
    ),
    pytest.param(
        lambda record: record["rounds"][0]["tricks"][0]["plays"].append("B1"),
        "too_many_plays",
        "round 1, trick 1",
        id="a fourth card of three",
    ),
    pytest.param(drop("rounds", 0, "tricks", 0, "plays", 2), "missing_plays", "round 1, trick 1", id="a card left out"),
    pytest.param(drop("rounds", 0, "tricks", -1), "missing_tricks", "round 1", id="the last trick left out"),
    pytest.param(append_trick, "trailing_tricks", None, id="a trick after the end"),
    pytest.param(append_card, "trailing_tricks", None, id="a card after the end"),
    pytest.param(put("rounds", 0, "tricks", 0, "winner", None), "wrong_winner", "round 1, trick 1", id="nobody wins"),
    pytest.param(
        lambda record: first_trick(record, lambda trick: trick["winner"] is None).update(winner=0),
        "wrong_winner",
        None,
        id="an unfinished trick won",
    ),
    pytest.param(
        put("rounds", 0, "tricks", 0, "gold_to", 7), "wrong_gold_to", "round 1, trick 1", id="gold to another"
    ),
    pytest.param(put("rounds", 0, "tricks", 0, "gold", 8), "wrong_gold", "round 1, trick 1", id="another gold"),
    pytest.param(
        lambda record: first_trick(record, lambda trick: trick["gold"]).update(gold=None),
        "wrong_gold",
        None,
        id="gold not noted",
    ),
    pytest.param(put("rounds", 0, "end", "seat", 9), "wrong_end", "round 1", id="ended by another"),
    pytest.param(put("rounds", 0, "scores", 1, "bid_points", 99), "wrong_scores", "round 1", id="other bid points"),
    pytest.param(put("rounds", 0, "scores", 1, "total", -1), "wrong_scores", "round 1", id="another total"),
    pytest.param(lambda record: record["rounds"][0]["scores"].pop(), "wrong_scores", "round 1", id="a score too few"),
    pytest.param(put("rounds", 0, "winners", []), "wrong_winners", "round 1", id="no nugget"),
    pytest.param(drop("rounds", -1), "missing_rounds", None, id="the last round left out"),
    pytest.param(
        lambda record: record["rounds"].append(copy.deepcopy(record["rounds"][0])),
        "trailing_rounds",
        None,
        id="a round after the end",
    ),
    pytest.param(put("result", "places", [[0, 1, 2]]), "wrong_places", "result", id="all share the first place"),
    pytest.param(put("result", "nuggets", [9, 9, 9]), "wrong_nuggets", "result", id="other nuggets"),
    pytest.param(put("result", "totals", 1, 999), "wrong_totals", "result", id="other totals"),
    pytest.param(put("result", "lots", True), "wrong_lots", "result", id="lots that were not drawn"),
]

BESIDE = [
    pytest.param(put("commitment", "1" * 64), "wrong_commitment", "commitment", id="a commitment of ones"),
    pytest.param(put("commitment", 7), "wrong_commitment", "commitment", id="a commitment that is no text"),
    pytest.param(put("parts", {"mixing": "luck"}), "wrong_parts", "parts", id="a seed mixed in another way"),
    pytest.param(forfeit([9], [1, 2, 3]), "wrong_forfeits", "forfeits", id="a seat that is not there forfeits"),
    pytest.param(forfeit([0, 1, 2], [1, 2, 3]), "wrong_places", "places", id="places that forget the forfeits"),
]
"""What the site writes beside a record with its seed."""
