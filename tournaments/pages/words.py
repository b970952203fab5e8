"""Words for what is stored as codes: metrics, formats, reasons of a draw, rows of a certificate, and cases."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import Player
from tournaments.models import Case, Deed, Entrant, Stage
from tournaments.rules.cases import DeedKind, Gift
from tournaments.rules.crosstable import CellMark
from tournaments.rules.formats import FORMATS
from tournaments.rules.standings import METRICS as CATALOGUE
from tournaments.rules.standings import Metric

DASH = "\N{EN DASH}"
"""Between two ends of a span, and alone where there is nothing to say."""

METRICS = {metric.value: gettext_lazy(metric.label) for metric in Metric} | {"bracket": gettext_lazy("the bracket")}
TABLE_KINDS = {
    "solo3": "",
    "teams4": gettext_lazy("fixed sides of two"),
    "solo4": gettext_lazy("partners rotate"),
}
MARKS = {
    CellMark.SURELY_AHEAD: gettext_lazy("surely ahead"),
    CellMark.AHEAD: gettext_lazy("ahead"),
    CellMark.LEVEL: gettext_lazy("not separable"),
    CellMark.BEHIND: gettext_lazy("behind"),
    CellMark.SURELY_BEHIND: gettext_lazy("surely behind"),
}
REASONS = {
    "lap": gettext_lazy("lap %(first)s, its matchday %(second)s"),
    "scores": gettext_lazy("points before: %(all)s"),
    "first_meeting": gettext_lazy("they had not met before"),
    "repeat": gettext_lazy("earlier meetings: %(all)s"),
    "seeds": gettext_lazy("seeds %(all)s"),
    "wave": gettext_lazy("wave %(all)s of the bracket"),
    "replay": gettext_lazy("played again, because the first time decided nothing"),
    "house_fills": gettext_lazy("a house bot fills the empty seat"),
    "unrated": gettext_lazy("unrated, because two entrants have one owner"),
}
"""What several formats share; words for a reason that only one gives are its own."""
CERTIFICATE = {
    "matches": gettext_lazy("Tables of each entrant"),
    "byes": gettext_lazy("Byes of each entrant"),
    "meetings": gettext_lazy("Meetings of each pair"),
    "partnerships": gettext_lazy("Times each pair were partners"),
    "oppositions": gettext_lazy("Times each pair were opponents"),
    "seats": gettext_lazy("Spread of each entrant's seats"),
    "seats_always": gettext_lazy("The same after every matchday"),
    "first_turns": gettext_lazy("First turns of each entrant"),
    "left_neighbours": gettext_lazy("Times each sat right before each other"),
    "left_against_right": gettext_lazy("Before against after, for each pair"),
}


def explain_metrics(codes: Iterable[str]) -> list[tuple[str, str]]:
    """The name and the meaning of each metric of a chain, in its order."""
    return [(_(metric.label), _(metric.help)) for metric in (CATALOGUE[code] for code in codes)]


def name_format(code: str) -> str:
    """What a format is called in the reader's language."""
    return _(FORMATS[code].title) if code in FORMATS else code


def name_stage(stage: Stage) -> str:
    """The name that its organiser gave; where they gave none, that of its format in the reader's language."""
    unnamed = stage.format.replace("_", " ").capitalize()
    return name_format(stage.format) if stage.name == unnamed and stage.format in FORMATS else stage.name


def say_challenger(stages: Iterable[Stage]) -> str:
    """Who meets everybody else, where a stage has such a one; nothing elsewhere."""
    stage = next((stage for stage in stages if FORMATS[stage.format].has_challenger), None)
    if stage is None:
        return ""
    named = Entrant.objects.filter(tournament_id=stage.tournament_id)
    found = named.filter(pk=stage.field[0]) if stage.field else named.filter(seed_number=1)
    name = found.values_list("player__name", flat=True).first()
    if name is None:
        return _("The challenger is the first seed: seed the one by hand who is to meet all the others.")
    return _("Challenger: %(name)s, who meets all the others.") % {"name": name}


def say_decision(decided: dict[str, Any] | None, names: dict[int, str]) -> str:
    """What decided a place: the metric, and beyond plain points both values and the neighbour."""
    if decided is None:
        return ""
    metric = METRICS.get(decided["metric"], decided["metric"])
    if decided["metric"] in ("match_points", "mean_points", "bracket", "lots"):
        return str(metric)
    values = {"mine": say_number(decided["value"]), "theirs": say_number(decided["rival_value"])}
    rival = names.get(decided["rival"], "?")
    return _("%(metric)s: %(mine)s to %(theirs)s of %(rival)s") % {"metric": metric, "rival": rival, **values}


def say_number(value: float) -> str:
    """A number with at most two decimals, none where they are zero."""
    return number_format(round(value, 2) if value != int(value) else int(value), use_l10n=True)


def say_percent(share: float, decimals: int = 0) -> str:
    words = _("%(number)s %%") % {"number": number_format(round(100 * share, decimals), decimals)}
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def say_signed(value: float) -> str:
    """A difference with its sign and one decimal; none where it rounds to nothing."""
    rounded = round(value, 1) or 0.0
    return ("+" if rounded > 0 else "") + number_format(rounded, 1)


def say_span(low: str | int, high: str | int) -> str:
    """From one to the other; only one where they are the same."""
    return str(low) if low == high else f"{low}{DASH}{high}"


def say_time_left(left: timedelta | None) -> str:
    """About how long it will take; nothing where nobody can tell."""
    if left is None:
        return ""
    minutes = round(left.total_seconds() / 60)
    if minutes < 1:
        return _("less than a minute left")
    if minutes < 120:
        return ngettext("about %(number)s minute left", "about %(number)s minutes left", minutes) % {"number": minutes}
    hours = round(minutes / 60)
    return ngettext("about %(number)s hour left", "about %(number)s hours left", hours) % {"number": hours}


def say_reason(code: str, numbers: Sequence[float]) -> str:
    """Why a table was drawn so, in words; a code that has none yet is shown as it is."""
    said = [say_number(number) for number in numbers]
    values = {"all": ", ".join(said), "first": said[0] if said else "", "second": said[1] if len(said) > 1 else ""}
    owned = (made.reasons[code] for made in FORMATS.values() if code in made.reasons)
    words = REASONS.get(code) or next(map(_, owned), None)
    return str(words) % values if words else code


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
    if case.evidence.get("is_suspended"):
        rows.append((_("One of them is suspended"), _("yes")))
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
