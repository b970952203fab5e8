"""The rules pages: the game for newcomers, the editions side by side, how fairness is kept, and a card to print."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import get_language, gettext, gettext_lazy
from django.views.decorators.http import require_safe

from games.pages.words import EDITION_NAMES, describe_ruleset, say_players
from games.rules.books import ALL, Cells, Passage, list_passages
from games.rules.rulebook import RULES, TOPICS, Mark, Rule, cell_of, cells_of_ruling, rules_in_force
from games.rules.ruleset import EDITIONS, PLAYERS, Ruleset, RulesetError
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


VARIANT_RULES = {"nozero": "no zeros", "cumulative": "most points", "golden": "golden rounds"}


@dataclass(frozen=True, slots=True)
class TrickExample:
    """A trick as it was played, from the leader on; `winner` and `lowest` are places in it, `gold` what was collected.

    A test plays every example by the rules.
    """

    plays: tuple[str, ...]
    winner: int
    lowest: int
    gold: int | None
    text: str | Promise


TRICKS = (
    TrickExample(
        ("B7", "S3", "Z9"),
        2,
        1,
        3,
        gettext_lazy(
            "Three metals, all different. Zinc 9 is the highest and wins. Silver 3 is the lowest: it takes Gold 3."
        ),
    ),
    TrickExample(
        ("B9", "G0", "Z7"),
        1,
        2,
        7,
        gettext_lazy("Any gold beats every metal, even Gold 0. Zinc 7 is the lowest metal and takes Gold 7."),
    ),
    TrickExample(
        ("P5", "S5", "B5"),
        2,
        2,
        5,
        gettext_lazy(
            "All equal: the card played last counts, for the highest and for the lowest. It wins and takes Gold 5."
        ),
    ),
    TrickExample(
        ("S9", "G0", "G0"),
        2,
        0,
        None,
        gettext_lazy(
            "Gold upon gold is allowed, and of equals the later wins. Silver 9 is lowest, but there is no Gold 9."
        ),
    ),
)


@require_safe
def show_rules(request: HttpRequest) -> HttpResponse:
    """The rules of one edition for three and for four: the edition asked for, or that of the reader's language."""
    spoken = (get_language() or "en")[:2]
    wanted = request.GET.get("edition", spoken)
    edition = wanted if wanted in EDITIONS else "en"
    topics = list_topics([Ruleset(players, edition) for players in PLAYERS])
    context = {
        "tricks": TRICKS,
        "edition": edition,
        "editions": EDITION_NAMES.items(),
        "topics": topics,
        "book": list_book(edition, topics),
    }
    return render(request, "rules/rules.html", context)


@require_safe
def show_editions(request: HttpRequest) -> HttpResponse:
    context = {
        "editions": EDITION_NAMES.items(),
        "differences": list_differences(),
        "rulings": list_rulings(),
        "variants": {code: word_rule(name) for code, name in VARIANT_RULES.items()},
    }
    return render(request, "rules/editions.html", context)


@require_safe
def show_fairness(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/fairness.html")


@require_safe
def choose_card(request: HttpRequest) -> HttpResponse:
    """From the form's choices to the address of the card; what cannot be read becomes the usual ruleset."""
    chosen = request.GET
    edition = chosen.get("edition", "")
    ruleset = Ruleset(
        players=4 if chosen.get("players") == "4" else 3,
        edition=edition if edition in EDITIONS else "en",
        zero_gold="nozero" not in chosen,
        scoring="cumulative" if "cumulative" in chosen else "nuggets",
        decider="golden_round" if "golden" in chosen else "shared",
    )
    return redirect("rules_card", ruleset.code)


@require_safe
def show_card(request: HttpRequest, code: str) -> HttpResponse:
    try:
        ruleset = Ruleset.from_code(code)
    except RulesetError:
        raise Http404(gettext("There is no such ruleset.")) from None
    context = {
        "ruleset": ruleset,
        "ruleset_name": describe_ruleset(ruleset),
        "editions": EDITION_NAMES.items(),
        "topics": list_topics([ruleset]),
    }
    return render(request, "rules/card.html", context)
