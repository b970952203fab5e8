"""The `aurum` command: play, check, show and measure matches without a database."""

from aurum_league.cli.main import main

__all__ = ["main"]
