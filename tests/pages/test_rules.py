"""The rules pages: each rule in the words of the rulebook, each ruling where it is ours, each drawn trick as played."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.pages.rules import TRICKS, TrickExample
from games.pages.table_words import HINTS
from games.rules.actions import KEEP
from games.rules.books import list_passages
from games.rules.cards import CARD_BY_NAME, deck, mask_of
from games.rules.round import Round
from games.rules.rulebook import RULES, cell_of, cells_of_ruling, rules_in_force
from games.rules.ruleset import EDITIONS, PLAYERS, Ruleset, all_rulesets
from games.rules.rulings import RULINGS

pytestmark = pytest.mark.django_db


def read_page(client: Client, name: str, *arguments: str, query: str = "") -> str:
    answer = client.get(reverse(name, args=arguments) + query)
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def read_words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


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


@pytest.mark.parametrize(
    ("language", "gold"), [("en", "or gold"), ("fr", "ou de l"), ("de", "oder Gold"), ("ru", "золото")]
)
def test_a_guided_player_is_not_told_that_only_metals_follow(language: str, gold: str) -> None:
    """Gold follows as well as a metal: every sentence about how to follow names it."""
    with override(language):
        for code in ("lead", "follow"):
            (hint,) = [hint for hint in HINTS if hint.code == code]
            (sentence,) = re.findall(r"[^.:]*(?:yet|encore dans|noch nicht|ещё нет)[^.]*", str(hint.text))
            assert gold in sentence


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_rule_of_an_edition_names_its_place_in_the_book(client: Client, edition: str) -> None:
    page = read_page(client, "rules", query=f"?edition={edition}")
    editions = read_page(client, "rules_editions")
    rulesets = [Ruleset(players, edition) for players in PLAYERS]
    in_force = {rule.name: rule for ruleset in rulesets for rule in rules_in_force(ruleset)}
    items = dict(re.findall(r'<li id="rule-([^"]+)">(.*?)</li>', page))
    assert set(items) == {name.replace(" ", "-") for name in in_force}
    for name, rule in in_force.items():
        item = items[name.replace(" ", "-")]
        assert read_words(item).startswith(rule.text)
        linked = set(re.findall(r'href="#([^"]+)"', item))
        ruled = set(re.findall(r'href="/rules/editions/#([^"]+)"', item))
        marks = [(rule.mark_in(cell_of(each)), rule.passage_in(cell_of(each))) for each in rulesets]
        passages = {passage.anchor for _, passage in marks if passage is not None}
        assert linked == passages
        assert ruled == {number for mark, _ in marks if mark for number in mark.rulings}
        assert all(f'id="{anchor}"' in page for anchor in linked)
        assert all(f'id="{number}"' in editions for number in ruled)
        assert ("not as printed" in item) == any(mark is not None and mark.departs for mark, _ in marks)


@pytest.mark.parametrize(
    ("language", "query", "edition"),
    [
        pytest.param("de", "", "de", id="the reader's own edition"),
        pytest.param("de", "?edition=ru", "ru", id="another one asked for"),
        pytest.param("en", "?edition=xx", "en", id="nonsense"),
    ],
)
def test_which_edition_is_shown(client: Client, language: str, query: str, edition: str) -> None:
    page = client.get(reverse("rules") + query, headers={"accept-language": language}).content.decode()
    assert f'href="?edition={edition}" aria-current="true"' in page


def test_every_ruling_stands_where_it_is_ours_with_its_reason(client: Client) -> None:
    page = read_page(client, "rules_editions")
    names = {"en": "English", "fr": "French", "de": "German", "ru": "Russian"}
    for number, ruling in RULINGS.items():
        (entry,) = re.findall(rf'<dt id="{number}">(.*?)</dd>', page)
        words = read_words(entry)
        assert ruling.text in words and ruling.reason in words
        assert all(share.text in words for share in ruling.shares)
        where = words.partition("Ours in: ")[2].partition(". ")[0]
        for edition, name in names.items():
            cells = {cell for cell in cells_of_ruling(number) if cell[:2] == edition}
            shown = where == "all editions" or f"{name} edition" in where
            assert shown == bool(cells)
            if len(cells) == 1:
                assert f"{name} edition ({cells.pop()[2:]} players)" in where


def test_what_differs_is_in_the_table(client: Client) -> None:
    page = read_page(client, "rules_editions")
    rows = [unescape(row) for row in re.findall(r'<tr><th scope="row" class="is-sticky">(.*?)</th>', page)]
    assert rows == [rule.text for rule in RULES if rule.differs]
    assert "silent, or can be read in two ways" in page


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_heading_of_a_book_leads_to_its_rules(client: Client, edition: str) -> None:
    page = read_page(client, "rules", query=f"?edition={edition}")
    usual = [rule for rule in RULES if rule.variant in ("", "zeros", "nuggets", "shared")]
    cells = [f"{edition}{players}" for players in PLAYERS]
    for passage in list_passages(edition):
        printed = {rule.name.replace(" ", "-") for rule in usual if passage in map(rule.passage_in, cells)}
        entries = re.findall(rf'<li id="{re.escape(passage.anchor)}"><details>(.*?)</details>', page)
        assert len(entries) == bool(printed)
        assert set(re.findall(r'href="#rule-([^"]+)"', "".join(entries))) == printed


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=lambda ruleset: ruleset.code)
def test_a_card_has_the_rules_and_rulings_in_force(client: Client, ruleset: Ruleset) -> None:
    page = read_page(client, "rules_card", ruleset.code)
    card = page.partition('<article class="panel rules-card">')[2].partition("</article>")[0]
    items = [read_words(item) for item in re.findall(r"<li>(.*?)</li>", card)]
    marked = []
    for rule in rules_in_force(ruleset):
        mark = rule.mark_in(cell_of(ruleset))
        assert mark is not None
        notes = ["(not as printed)"] * mark.departs + [f"({number})" for number in mark.rulings]
        marked.append(" ".join([rule.text, *notes]))
    assert items == marked
    assert ("card-G0" in card) == ruleset.zero_gold


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
    """The head of the chain on the page about fairness is read once and kept."""
    read_page(client, name)
    with django_assert_num_queries(0):
        assert f'<a href="{reverse(name)}" aria-current="page">' in read_page(client, name)
