"""What a case holds, in words: its evidence, the decisions that the champion found costly, and what was done."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Player
from tournaments.models import Case, Deed
from tournaments.pages.words import say_percent, say_signed
from tournaments.rules.cases import DeedKind, Gift

NUMBERS: dict[str, Any] = {
    "matches": gettext_lazy("Matches together"),
    "p_value": gettext_lazy("Chance of this in an honest pool"),
    "helped_gain": gettext_lazy("Points a match more than expected, of the one helped"),
    "helper_gain": gettext_lazy("Points a match more than expected, of the helper"),
    "third_gain": gettext_lazy("Points a match more than expected, of the third"),
    "devices": gettext_lazy("Months with the same device"),
    "addresses": gettext_lazy("Months with the same address"),
    "rated_matches": gettext_lazy("Rated matches at one table"),
    "before": gettext_lazy("Rating a month ago"),
    "after": gettext_lazy("Rating now"),
    "error": gettext_lazy("Error of the rating a month ago"),
    "rated": gettext_lazy("Rated matches in this month"),
}
SIGNED = ("helped_gain", "helper_gain", "third_gain")


def describe_evidence(case: Case) -> list[tuple[str, str]]:
    """Numbers with their names; players by name."""
    rows = []
    names = dict(case.players.values_list("pk", "name"))
    if "helped" in case.evidence:
        rows.append((_("Helped"), names.get(case.evidence["helped"], "")))
        rows.append((_("Helper"), names.get(case.evidence["helper"], "")))
    for name, label in NUMBERS.items():
        value = case.evidence.get(name)
        if value is not None:
            rows.append((str(label), _say_number(name, value)))
    return rows


def _say_number(name: str, value: float) -> str:
    if name == "p_value":
        return f"{value:.2g}"
    return say_signed(value) if name in SIGNED else f"{value:.0f}"


def describe_gifts(case: Case) -> list[dict[str, Any]]:
    """Each with its address in the replay, seen by the seat that decided."""
    gifts = [(Gift(**told["gift"]), told["by"], told["for"], told["step"]) for told in case.evidence.get("gifts", [])]
    people = {player for _gift, by, helped, _step in gifts for player in (by, helped)}
    names = dict(Player.objects.filter(pk__in=people).values_list("pk", "name"))
    return [
        {
            "gift": gift,
            "by": names.get(by, ""),
            "helped": names.get(helped, ""),
            "cost": say_percent(gift.cost),
            "helped_by": say_percent(gift.helped_by),
            "url": f"{reverse('match', args=[gift.match])}?{step}",
        }
        for gift, by, helped, step in gifts
    ]


def say_deed(deed: Deed) -> str:
    """`Held from rated play until 2026-12-01`."""
    label = _(DeedKind(deed.kind).label)
    if deed.until is not None:
        label = _("%(deed)s until %(date)s") % {"deed": label, "date": f"{deed.until:%Y-%m-%d}"}
    return label
