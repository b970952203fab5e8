"""Log lines as the site would write them, in both styles, at the moment they are written."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from aurum_league.operations.logs import make_logging

STYLES = ("console", "json")
QUERIES = "django.db.backends"
"""Statements are logged for tests only, and hold what the database holds."""


class LineKeeper(logging.Handler):
    """Keeps every record in every style; an exception can be told only while it is handled."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.formatters = []
        for style in STYLES:
            given = dict(make_logging(style, "DEBUG")["formatters"]["line"])
            self.formatters.append(given.pop("()")(**given))

    def emit(self, record: logging.LogRecord) -> None:
        if record.name != QUERIES:
            self.lines += [formatter.format(record) for formatter in self.formatters]


@contextmanager
def keep_lines() -> Iterator[list[str]]:
    """All that is logged inside, from the least important on."""
    root, keeper = logging.getLogger(), LineKeeper()
    level = root.level
    root.addHandler(keeper)
    root.setLevel(logging.DEBUG)
    try:
        yield keeper.lines
    finally:
        root.setLevel(level)
        root.removeHandler(keeper)
