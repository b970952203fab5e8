"""The options that name a ruleset, the same for every command."""

import argparse

from games.rules.ruleset import DECIDERS, EDITIONS, SCORINGS, Ruleset


def add_ruleset_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--edition", choices=EDITIONS, default="en", help="whose printed rules hold (default: en)")
    parser.add_argument("--scoring", choices=SCORINGS, default="nuggets", help="what decides (default: nuggets)")
    parser.add_argument("--no-zero", action="store_true", help="the Gold 0 cards are out of the game")
    parser.add_argument(
        "--decider", choices=DECIDERS, default="shared", help="what becomes of a shared first place (default: shared)"
    )


def read_ruleset(arguments: argparse.Namespace, players: int) -> Ruleset:
    return Ruleset(players, arguments.edition, not arguments.no_zero, arguments.scoring, arguments.decider)
