"""The rules pages: every ruling named, every drawn trick played by the rules, a card for every ruleset."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.pages.rules import TRICKS, TrickExample
from games.rules.actions import KEEP
from games.rules.cards import CARD_BY_NAME, deck, mask_of
from games.rules.round import Round
from games.rules.rulebook import RULINGS, rules_in_force
from games.rules.ruleset import DECIDERS, EDITIONS, PLAYERS, SCORINGS, Ruleset

pytestmark = pytest.mark.django_db
RULESETS = [
    Ruleset(players, edition, zero, scoring, decider)
    for players in PLAYERS
    for edition in EDITIONS
    for zero in (True, False)
    for scoring in SCORINGS
    for decider in DECIDERS
]


def read_page(client: Client, name: str, *arguments: str) -> str:
    answer = client.get(reverse(name, args=arguments))
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


@pytest.mark.parametrize("example", TRICKS, ids=lambda example: " ".join(example.plays))
def test_a_drawn_trick_is_what_the_rules_say(example: TrickExample) -> None:
    cards = [CARD_BY_NAME[name] for name in example.plays]
    spare = [card for card in deck(3) if card not in cards]
    hands = [
        mask_of([*([card] if card < 50 else []), *spare[seat * 2 : seat * 2 + 2]]) for seat, card in enumerate(cards)
    ]
    round_ = Round(3, hands, 0, True)
    for seat in range(3):
        round_.lay_bid(seat, spare[seat * 2])
    for _ in range(3):
        round_.apply(KEEP)
    for card in cards:
        round_.apply(card)
    gold = round_.last_gold if round_.last_gold >= 0 else None
    assert (round_.last_winner, round_.last_gold_to, gold) == (example.winner, example.lowest, example.gold)


def test_every_ruling_is_named_as_ours(client: Client) -> None:
    page = read_page(client, "rules_editions")
    for number, text in RULINGS.items():
        assert f"<dt>{number}</dt><dd>{text}</dd>" in page


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.code)
def test_a_card_names_the_rulings_that_are_in_force(client: Client, ruleset: Ruleset) -> None:
    page = read_page(client, "rules_card", ruleset.code)
    in_force = {rule.ruling for rule in rules_in_force(ruleset) if rule.ruling}
    named = {number for number in RULINGS if number in page}
    assert in_force - {"R-5"} <= named <= in_force


@pytest.mark.parametrize(
    ("query", "code"),
    [
        pytest.param("", "en3", id="nothing chosen"),
        pytest.param("edition=de&players=4&nozero=on", "de4-nozero", id="German, four, no zeros"),
        pytest.param("edition=ru&players=3&cumulative=on&golden=on", "ru3-cumulative-golden", id="all variants"),
        pytest.param("edition=xx&players=99", "en3", id="nonsense"),
    ],
)
def test_the_form_leads_to_the_card(client: Client, query: str, code: str) -> None:
    answer = client.get(f"{reverse('rules_cards')}?{query}")
    assert answer.headers["Location"] == reverse("rules_card", args=[code])


def test_an_unknown_ruleset_is_a_page_not_a_crash(client: Client) -> None:
    assert client.get(reverse("rules_card", args=["xx9"])).status_code == 404


@pytest.mark.parametrize("name", ["rules", "rules_editions", "rules_fairness"])
def test_a_page_about_the_rules_asks_no_database(client: Client, django_assert_num_queries, name: str) -> None:  # type: ignore[no-untyped-def]
    with django_assert_num_queries(0):
        assert f'<a href="{reverse(name)}" aria-current="page">' in read_page(client, name)
