"""Cards and actions as text, there and back."""

import pytest

from games.rules.actions import (
    ACTIONS,
    BID,
    CHANGE,
    KEEP,
    PLAY,
    SWAP,
    NotAnAction,
    action_text,
    number_text,
    parse_action,
    split_swap,
    swap_action,
)
from games.rules.cards import CARD_NAMES, card_name, cards_in, deck, gold_ranks, mask_of, rank_of

CARDS = [
    pytest.param(0, "B1", 1, id="the first"),
    pytest.param(19, "C10", 10, id="a ten"),
    pytest.param(49, "Z10", 10, id="the last metal"),
    pytest.param(50, "G0", 0, id="gold zero"),
    pytest.param(58, "G8", 8, id="gold eight"),
]


@pytest.mark.parametrize(("card", "name", "rank"), CARDS)
def test_card(card: int, name: str, rank: int) -> None:
    assert (card_name(card), CARD_NAMES[card], rank_of(card)) == (name, name, rank)


def test_decks() -> None:
    assert deck(4) == tuple(range(50))
    names = [CARD_NAMES[card] for card in deck(3)]
    assert len(names) == 36
    assert not any(name[0] == "C" or name.endswith("10") for name in names)


def test_masks_lead_back_to_their_cards() -> None:
    assert list(cards_in(mask_of([3, 58, 0, 3]))) == [0, 3, 58]
    assert gold_ranks(mask_of([50, 53, 58, 3])) == [0, 3, 3, 8]


PLAY_ACTIONS = [(BID, action) for action in range(50)] + [(PLAY, action) for action in range(60)]
CHANGE_ACTIONS = [(CHANGE, KEEP)] + [(CHANGE, action) for action in range(SWAP, ACTIONS)]


def test_every_action_has_a_text_of_its_own_that_leads_back() -> None:
    actions = PLAY_ACTIONS + CHANGE_ACTIONS
    texts = [action_text(phase, action) for phase, action in actions]
    assert len(set(texts)) == len(actions) == 50 + 60 + 1 + 1800
    assert [parse_action(text) for text in texts] == actions


@pytest.mark.parametrize(
    ("phase", "action", "text"),
    [
        pytest.param(BID, 6, "bid B7", id="bid"),
        pytest.param(CHANGE, KEEP, "keep", id="keep"),
        pytest.param(CHANGE, swap_action(0, 2, 43), "swap G0 2 Z4", id="swap"),
        pytest.param(PLAY, 53, "play G3", id="gold"),
        pytest.param(PLAY, KEEP, "stop", id="stop"),
    ],
)
def test_text(phase: int, action: int, text: str) -> None:
    assert action_text(phase, action) == text
    assert parse_action(text) == (phase, action)


def test_a_swap_is_taken_apart() -> None:
    assert split_swap(swap_action(8, 3, 49)) == (8, 3, 49)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "play",
        "play ",
        "play B0",
        "play B11",
        "bid G1",
        "swap G9 0 B1",
        "swap G0 4 B1",
        "swap G0 0 G1",
        "KEEP",
        "play  B1",
        "stop ",
    ],
)
def test_what_is_no_action(text: str) -> None:
    with pytest.raises(NotAnAction, match=r"is no action\. Actions look like: bid B7"):
        parse_action(text)


def test_of_a_long_text_only_the_beginning_is_told() -> None:
    with pytest.raises(NotAnAction) as caught:
        parse_action("x" * 100)
    assert str(caught.value).startswith(f"'{'x' * 40}' is no action.")


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "B1"),
        (58, "G8"),
        (59, "keep or stop"),
        (60, "action 60"),
        (64, "swap G0 0 B1"),
        (1863, "swap G8 3 Z10"),
        (1864, "action 1864"),
        (-1, "action -1"),
    ],
)
def test_number_in_words(action: int, text: str) -> None:
    assert number_text(action) == text
