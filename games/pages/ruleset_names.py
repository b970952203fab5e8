"""Rulesets in words that people read."""

from django.utils.translation import gettext, gettext_lazy, ngettext

from games.rules.ruleset import Ruleset

EDITION_NAMES = {
    "en": gettext_lazy("English edition"),
    "fr": gettext_lazy("French edition"),
    "de": gettext_lazy("German edition"),
    "ru": gettext_lazy("Russian edition"),
}


def say_players(players: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", players) % {"count": players}


def describe_ruleset(ruleset: Ruleset) -> str:
    """`German edition, 4 players, without zeros`."""
    parts = [str(EDITION_NAMES[ruleset.edition]), say_players(ruleset.players)]
    if not ruleset.zero_gold:
        parts.append(gettext("without zeros"))
    if ruleset.is_cumulative:
        parts.append(gettext("cumulative scores"))
    if ruleset.decider == "golden_round":
        parts.append(gettext("golden rounds"))
    return ", ".join(parts)
