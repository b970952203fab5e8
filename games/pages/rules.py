"""The rules pages: the game for newcomers, the editions side by side, how fairness is kept, and a card to print."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy
from django.views.decorators.http import require_safe

from games.pages.rulebook_words import list_book, list_differences, list_rulings, list_topics, word_rule
from games.pages.words import EDITION_NAMES, describe_ruleset
from games.rules.ruleset import EDITIONS, PLAYERS, Ruleset, RulesetError

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
