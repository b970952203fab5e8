"""`aurum bench`: how fast the rules are."""

import argparse

HELP = "measure how fast the rules are"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(arguments: argparse.Namespace) -> int:
    return 0
