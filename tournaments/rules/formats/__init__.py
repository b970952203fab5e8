"""All formats by name, and how one is made from stored or typed options, with mistakes an organiser can act on."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from aurum_league.common.errors import N_, LeagueError, Sentence
from tournaments.rules.formats.format import Format, Option
from tournaments.rules.formats.gauntlet import Gauntlet
from tournaments.rules.formats.knockout import Knockout
from tournaments.rules.formats.ladder import Ladder
from tournaments.rules.formats.league_season import LeagueSeason
from tournaments.rules.formats.round_robin import RoundRobin
from tournaments.rules.formats.swiss import Swiss
from tournaments.rules.pairing import ImpossibleDraw, Problem, TableKind

FORMATS: dict[str, type[Format]] = {
    made.code: made for made in (RoundRobin, Swiss, Knockout, LeagueSeason, Ladder, Gauntlet)
}


def list_option_fields(chosen: type[Format]) -> tuple[Field[Any], ...]:
    """The fields of a format's dataclass: its options with their defaults, and the kind of table."""
    return fields(chosen)  # type: ignore[arg-type]


def make_format(name: str, options: Mapping[str, Any]) -> Format:
    """A format from its name and plain options, as JSON or TOML hold them. Raises ImpossibleDraw for a wrong one."""
    if name not in FORMATS:
        unknown = N_("There is no format %(name)s; there are: %(known)s.")
        raise ImpossibleDraw(Problem("unknown_format", Sentence(unknown, name=repr(name), known=sorted(FORMATS))))
    known_options = {field.name for field in list_option_fields(FORMATS[name])}
    if wrong := sorted(set(options) - known_options):
        sentence = N_("%(format)s has no option %(name)s; it has: %(names)s.")
        told = Sentence(sentence, format=name, name=repr(wrong[0]), names=sorted(known_options))
        raise ImpossibleDraw(Problem("unknown_option", told))
    if needed := [field.name for field in list_option_fields(FORMATS[name]) if _is_missing(field, options)]:
        told = Sentence(N_("%(format)s needs the option %(name)s."), format=name, name=repr(needed[0]))
        raise ImpossibleDraw(Problem("bad_option", told))
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
    try:
        if "kind" in values:
            values["kind"] = TableKind(values["kind"])
        make: Any = FORMATS[name]
        made: Format = make(**values)
    except (TypeError, ValueError) as error:
        raise ImpossibleDraw(
            Problem("bad_option", Sentence(N_("%(name)s: %(error)s."), name=name, error=error))
        ) from error
    shapes = {option.name: option for option in made.options}
    for field in list_option_fields(FORMATS[name]):
        given = getattr(made, field.name)
        if field.name in shapes and not _fits(given, field.default, shapes[field.name]):
            value = repr(options.get(field.name, given))
            told = Sentence(N_("%(format)s: %(name)s cannot be %(value)s."), format=name, name=field.name, value=value)
            raise ImpossibleDraw(Problem("bad_option", told))
    return made


def _is_missing(field: Field[Any], options: Mapping[str, Any]) -> bool:
    return field.default is MISSING and field.name not in options


def _fits(value: Any, default: Any, shape: Option) -> bool:
    """Whether an option has the shape that a form gives it; where the default is None, None will do too."""
    if shape.shape == "check":
        return isinstance(value, bool)
    if shape.shape == "sizes":
        return isinstance(value, tuple) and bool(value) and all(type(one) is int for one in value)
    return (value is None and default is None) or (type(value) is int and value <= shape.most)


def make_stage_format(name: str, kind: TableKind, options: Mapping[str, Any]) -> Format:
    """The format of that name for tables of this kind; raises a coded error that names what is wrong."""
    try:
        return make_format(name, {**options, "kind": kind})
    except ImpossibleDraw as impossible:
        raise LeagueError(impossible.problem.code, impossible.problem.sentence) from None
