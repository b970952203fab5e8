"""`aurum rules`: the rules that hold under a ruleset, and which of them are our rulings."""

import argparse
import textwrap

from aurum_league.cli.terminal import add_ruleset_options, read_ruleset
from games.rules.rulebook import rules_in_force
from games.rules.ruleset import PLAYERS

HELP = "print the rules that hold"
WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, choices=PLAYERS, default=3, help="how many play (default: 3)")
    add_ruleset_options(parser)


def run(arguments: argparse.Namespace) -> int:
    ruleset = read_ruleset(arguments, arguments.players)
    print(f"Aurum {ruleset.code}: the rules that hold. [R-n] marks a ruling of ours, where the printed book is silent.")
    topic = ""
    for rule in rules_in_force(ruleset):
        if rule.topic != topic:
            topic = rule.topic
            print(f"\n{topic}")
        text = f"{rule.text} [{rule.ruling}]" if rule.ruling else rule.text
        print(textwrap.fill(text, WIDTH, initial_indent="- ", subsequent_indent="  "))
    return 0
