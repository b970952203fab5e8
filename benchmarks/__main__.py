"""`python -m benchmarks NAME`, which is `aurum bench NAME`: one parser and one way to print for all instruments."""

import argparse
import sys

from aurum_league.cli.main import CommandError, main
from aurum_league.common.errors import LeagueError
from benchmarks.registry import BY_NAME, DEFAULT, INSTRUMENTS, Instrument, Knob
from benchmarks.report import print_report

HELP = "measure: rules, sandbox, queue, pages and more; or break things on purpose (only in a checkout)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A command for each instrument; without one, options are those of the default."""
    _add_options(parser, BY_NAME[DEFAULT])
    commands = parser.add_subparsers(title="instruments", metavar="instrument", dest="instrument")
    for instrument in INSTRUMENTS:
        help_ = f"{instrument.help}{' (default)' if instrument.name == DEFAULT else ''}"
        _add_options(commands.add_parser(instrument.name, help=help_, description=instrument.help), instrument)


def _add_options(parser: argparse.ArgumentParser, instrument: Instrument) -> None:
    """What is not given is left out, so that a command does not undo what was given before it."""
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="the report as JSON")
    for option in instrument.options:
        _add_option(parser, option)


def _add_option(parser: argparse.ArgumentParser, option: Knob) -> None:
    if option.default is False:
        parser.add_argument(f"--{option.name}", action="store_true", default=argparse.SUPPRESS, help=option.help)
        return
    shown = f" (default: {option.default})" if option.default != "" else ""
    kind, choices = type(option.default), option.choices or None
    metavar = None if choices else {int: "N", float: "S"}.get(kind, option.name.upper())
    parser.add_argument(
        f"--{option.name}",
        type=kind,
        choices=choices,
        metavar=metavar,
        default=argparse.SUPPRESS,
        help=f"{option.help}{shown}",
    )


def run(arguments: argparse.Namespace) -> int:
    """Exit code 1 says that a promise was broken; a goal that was missed is shown in the report."""
    given = vars(arguments)
    instrument = BY_NAME[given["instrument"] or DEFAULT]
    options = {option.name: option.default for option in instrument.options}
    known = {name for one in INSTRUMENTS for name in (option.name for option in one.options)}
    chosen = {name: value for name, value in given.items() if name in known}
    for name in sorted(chosen.keys() - options.keys()):
        raise CommandError(f"{instrument.name} has no option --{name}; see aurum bench {instrument.name} --help.")
    try:
        report = instrument.load()(**options | chosen)
    except LeagueError as error:
        raise CommandError(str(error)) from None
    print_report(report, as_json=bool(given.get("json")))
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main(["bench", *sys.argv[1:]]))
