"""`aurum draw`: draws what needs no results from a tournament's file, with its certificate and a forecast."""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from aurum_league.cli.main import CommandError, is_name
from aurum_league.common.errors import LeagueError
from tournaments.rules.certificate import Certificate, Seatings, certify_draws
from tournaments.rules.forecast import compare_forecasts
from tournaments.rules.formats import make_stage_format
from tournaments.rules.formats.format import Entry, Format, Situation, draw_matchdays, split_groups
from tournaments.rules.pairing import Draw, ImpossibleDraw, seat_fixture
from tournaments.rules.spec import StageSpec, TournamentSpec, read_spec, spec_from_preset

HELP = "draw a tournament from its file: what needs no results, the certificate, and a forecast"
LONGEST_SPEC = 1_000_000
HOUSE_SEAT = "house bot"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", nargs="?", default="-", help="a TOML file as for `tournament run` (-: stdin)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seed", default="", help="any text; the same text draws the same")


def run(arguments: argparse.Namespace) -> int:
    name = "standard input" if arguments.spec == "-" else arguments.spec
    text = read_text(arguments.spec)
    try:
        spec, players = read_tournament(text)
        described = draw_spec(spec, players, arguments.seed)
    except tomllib.TOMLDecodeError as error:
        last = f"at line {text.count(chr(10)) + 1}, the end"
        raise CommandError(f"{name} is not TOML: {str(error).replace('at end of document', last)}.") from None
    except ValueError as error:
        # The library's own words, as of a number of thousands of digits.
        raise CommandError(f"{name} is not TOML: {error}.") from None
    except LeagueError as error:
        raise CommandError(f"{name}, line {find_line(text, str(error))}: {error}") from None
    print(json.dumps(described, indent=2) if arguments.json else tell(described))
    return 0


def read_text(path: str) -> str:
    """The file, or standard input where the path is -."""
    try:
        raw = sys.stdin.buffer.read(LONGEST_SPEC + 1) if path == "-" else Path(path).read_bytes()
        if len(raw) > LONGEST_SPEC:
            raise CommandError(f"A tournament's file has at most {LONGEST_SPEC:,} bytes.")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise CommandError(f"Line {line} is not UTF-8 text.") from None


def _load_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise CommandError("A tournament's file does not nest so deep.") from None


def read_tournament(text: str) -> tuple[TournamentSpec, list[str]]:
    """The checked spec and the players' names in order of seeding, house bots first as where it is run."""
    given = _load_toml(text)
    house, players = take_field(given)
    bots = [f"{brain} {number}" for brain, count in house.items() for number in range(1, count + 1)]
    names = [*bots, *players]
    if twice := sorted({one for one in names if names.count(one) > 1}):
        raise LeagueError("bad_players", "players names %(name)s twice.", name=repr(twice[0]))
    preset = given.pop("preset", None)
    return read_spec(spec_from_preset(preset, **given) if preset is not None else given), names


def take_field(given: dict[str, Any]) -> tuple[dict[str, int], list[str]]:
    """Take out of a file who plays: so many bots of each brain, and players by name."""
    house, players = given.pop("house", {}), given.pop("players", [])
    if not isinstance(players, list) or not all(isinstance(one, str) and is_name(one) for one in players):
        raise LeagueError("bad_players", "players must be a list of names.")
    if not isinstance(house, dict) or not all(type(count) is int and 0 <= count <= 1000 for count in house.values()):
        raise LeagueError("bad_players", "house must give a number of bots for each brain.")
    return house, players


def draw_spec(spec: TournamentSpec, players: Sequence[str], seed: str) -> dict[str, Any]:
    """Matchdays of the first stage, the certificate of what is drawn, and the forecast of the whole."""
    stage = spec.stages[0]
    order, options = list(range(1, len(players) + 1)), dict(stage.options)
    if stage.groups:
        groups = split_groups(order, stage.groups)
        order = [entrant for group in groups for entrant in group]
        options["divisions"] = [len(group) for group in groups]
    made = make_stage_format(stage.format, spec.table_kind, options)
    situation = Situation(tuple(Entry(entrant) for entrant in order), is_rated=False)
    if problems := made.find_problems(situation):
        given = "These are the %(players)s players given."
        raise LeagueError(problems[0].code, problems[0].sentence, given, players=len(players))
    try:
        draws, _ = draw_matchdays(made, situation, lambda matchday: Random(f"{seed} {matchday}"))
    except ImpossibleDraw as impossible:
        raise LeagueError(impossible.problem.code, impossible.problem.sentence) from None
    names = {0: HOUSE_SEAT, **dict(enumerate(players, start=1))}
    return {
        "matchdays": [describe_draw(draw, names) for draw in draws],
        "certificate": describe_certificates(made, stage, draws, order),
        "forecast": {
            name: asdict(told) for name, told in compare_forecasts(spec.table_kind, spec.stages, len(players)).items()
        },
    }


def describe_draw(draw: Draw, names: dict[int, str]) -> dict[str, Any]:
    tables = [{"seats": [names[entrant] for entrant in pairing.seats]} for pairing in draw.pairings]
    return {"number": draw.matchday, "tables": tables, "byes": [names[entrant] for entrant in draw.byes]}


def describe_certificates(
    made: Format, stage: StageSpec, draws: Sequence[Draw], order: Sequence[int]
) -> dict[str, Any]:
    """One certificate, or one for each division under its name."""
    if not made.has_divisions:
        return describe_certificate(certify_draws(draws, made.kind, order, fixture_of(stage)))
    members: dict[str, list[int]] = {}
    for draw in draws:
        for pairing in draw.pairings:
            row = members.setdefault(pairing.slot, [])
            row += [entrant for entrant in pairing.entrants if entrant not in row]
    return {
        name: describe_certificate(certify_draws(draws, made.kind, among, fixture_of(stage), slot=name))
        for name, among in sorted(members.items())
    }


def fixture_of(stage: StageSpec) -> Seatings:
    return partial(seat_fixture, block_deals=stage.block_deals, matches=stage.matches_each)


def describe_certificate(certificate: Certificate) -> dict[str, Any]:
    return {
        row.name: {"least": row.least, "most": row.most, "spread": row.spread, "bound": row.lower_bound}
        for row in certificate.rows
    }


def tell(described: dict[str, Any]) -> str:
    """The same for people."""
    lines = []
    for day in described["matchdays"]:
        lines.append(f"Matchday {day['number']}")
        lines += ["  " + ", ".join(table["seats"]) for table in day["tables"]]
        lines += ["  rest: " + ", ".join(day["byes"])] if day["byes"] else []
    lines += tell_forecasts(described["forecast"])
    return "\n".join(lines)


def tell_forecasts(forecasts: dict[str, dict[str, Any]]) -> list[str]:
    if forecasts["this"]["matches"] is None:
        return ["It runs on without end: nothing can be forecast."]
    names = {"this": "Forecast", "twice": "  twice as many deals"}
    return [f"{names.get(name, f'  {name}')}: {tell_forecast(told)}" for name, told in forecasts.items()]


def tell_forecast(told: dict[str, Any]) -> str:
    wins = "too large to say how often the best entrant wins"
    if told["best_wins"] is not None:
        wins = f"the best entrant wins in {100 * told['best_wins']:.0f} % of such tournaments"
    return f"{told['matches']} matches; {wins}; a gap of {told['gap']:.0f} rating points is separated with 80 %"


def find_line(text: str, sentence: str) -> int:
    """The line that an error is about: the one whose key or value the sentence names, above all between quotes."""
    told = set(re.findall(r"[\w-]+", sentence))
    quoted = {word for quote in re.findall(r"'([^']*)'", sentence) for word in re.findall(r"[\w-]+", quote)}
    best, found = 0, 1
    for number, line in enumerate(text.splitlines(), start=1):
        keys = re.findall(r"([\w-]+)\s*=", line)
        words = re.findall(r"[\w-]+", line)
        weight = 3 * any(key in told for key in keys) + sum(word in told for word in words)
        weight += 5 * any(word in quoted for word in words)
        if weight > best:
            best, found = weight, number
    return found
