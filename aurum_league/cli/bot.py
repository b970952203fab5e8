"""`aurum bot`: write, check, play and connect a bot of one's own."""

import argparse

from aurum_league.cli import bot_check, bot_connect, bot_new, bot_play

HELP = "write, check, play and connect a bot of your own"
COMMANDS = {"new": bot_new, "check": bot_check, "play": bot_play, "connect": bot_connect}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="commands", required=True, metavar="command")
    for name, module in COMMANDS.items():
        command = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(command)
        command.set_defaults(run_bot=module.run)


def run(arguments: argparse.Namespace) -> int:
    code: int = arguments.run_bot(arguments)
    return code
