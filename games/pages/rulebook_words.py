"""The rulebook in the reader's language: rules by topic, what the books print of them, and our rulings."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.text import slugify
from django.utils.translation import gettext

from games.pages.words import EDITION_NAMES, say_players
from games.rules.books import ALL, Cells, Passage, list_passages
from games.rules.rulebook import RULES, TOPICS, Mark, Rule, cell_of, cells_of_ruling, rules_in_force
from games.rules.ruleset import EDITIONS, PLAYERS, Ruleset
from games.rules.rulings import RULINGS, Share


@dataclass(frozen=True, slots=True)
class Source:
    """What a rule is in a book: `players` is empty where it is the same for three and for four."""

    players: str
    mark: Mark
    passage: Passage | None


@dataclass(frozen=True, slots=True)
class ShownRule:
    slug: str
    text: str
    sources: list[Source]


@dataclass(frozen=True, slots=True)
class Topic:
    slug: str
    title: str
    rules: list[ShownRule]


@dataclass(frozen=True, slots=True)
class ShownRuling:
    number: str
    text: str
    reason: str
    where: str
    shares: list[str]


def list_topics(rulesets: Sequence[Ruleset]) -> list[Topic]:
    """The rules in force under at least one of these rulesets, with what they are in the books of those."""
    in_force = {rule.name for ruleset in rulesets for rule in rules_in_force(ruleset)}
    cells = [cell_of(ruleset) for ruleset in rulesets]
    rules = [rule for rule in RULES if rule.name in in_force]
    return [
        Topic(slugify(topic), gettext(topic), [_show_rule(rule, cells) for rule in rules if rule.topic == topic])
        for topic in TOPICS
    ]


def list_differences() -> list[tuple[str, list[list[Source]]]]:
    """Each rule that is not the same in all editions, with its sources by edition."""
    return [
        (gettext(rule.text), [list_sources(rule, _parts_of(edition), is_placed=False) for edition in EDITIONS])
        for rule in RULES
        if rule.differs
    ]


def list_sources(rule: Rule, cells: Sequence[str], is_placed: bool = True) -> list[Source]:
    """What a rule is in these books, said once where it is the same in all; with its place there, or without."""
    found = [(cell, rule.mark_in(cell), rule.passage_in(cell) if is_placed else None) for cell in cells]
    held = [(cell, mark, passage) for cell, mark, passage in found if mark is not None]
    if len(held) == len(cells) and len({(mark, passage) for _, mark, passage in held}) == 1:
        return [Source("", held[0][1], held[0][2])]
    return [Source(say_players(int(cell[2:])), mark, passage) for cell, mark, passage in held]


def list_rulings() -> list[ShownRuling]:
    return [
        ShownRuling(
            number,
            gettext(ruling.text),
            gettext(ruling.reason),
            _say_books(cells_of_ruling(number)),
            [_say_share(share) for share in ruling.shares],
        )
        for number, ruling in RULINGS.items()
    ]


def list_book(edition: str, topics: Sequence[Topic]) -> list[tuple[Passage, list[ShownRule]]]:
    """The headings of a printed book, each with those of these rules that come from there."""
    shown = [rule for topic in topics for rule in topic.rules]
    found = [
        (passage, [rule for rule in shown if passage in [source.passage for source in rule.sources]])
        for passage in list_passages(edition)
    ]
    return [(passage, rules) for passage, rules in found if rules]


def word_rule(name: str) -> str:
    """The text of one rule by its name in the rulebook."""
    return next(gettext(rule.text) for rule in RULES if rule.name == name)


def _show_rule(rule: Rule, cells: Sequence[str]) -> ShownRule:
    return ShownRule(f"rule-{slugify(rule.name)}", gettext(rule.text), list_sources(rule, cells))


def _parts_of(edition: str) -> list[str]:
    return [f"{edition}{players}" for players in PLAYERS]


def _say_books(cells: Cells) -> str:
    if cells == ALL:
        return gettext("all editions")
    words = []
    for edition in EDITIONS:
        counts = [players for players in PLAYERS if f"{edition}{players}" in cells]
        name = str(EDITION_NAMES[edition])
        if counts:
            words.append(name if len(counts) == len(PLAYERS) else f"{name} ({say_players(counts[0])})")
    return ", ".join(words)


def _say_share(share: Share) -> str:
    figures = [
        gettext("%(number)s %% (%(players)s)") % {"number": number_format(value, 1), "players": say_players(players)}
        for players, value in zip(PLAYERS, (share.three, share.four), strict=True)
        if value is not None
    ]
    return gettext("%(what)s: %(figures)s") % {"what": gettext(share.text), "figures": ", ".join(figures)}
