"""Words for what is stored as codes: metrics, formats, reasons of a draw, and the rows of a certificate."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.models import Entrant, Stage
from tournaments.rules.formats.catalogue import FORMATS
from tournaments.rules.standings import METRICS as CATALOGUE
from tournaments.rules.standings import Metric
from tournaments.rules.statistics.crosstable import CellMark

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
