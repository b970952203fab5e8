#!/usr/bin/env python
"""Django's command line, with our coded errors as one sentence instead of a traceback."""

import os
import sys

from aurum_league.common.errors import LeagueError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except LeagueError as error:
        sys.exit(f"aurum: {error}")


if __name__ == "__main__":
    main()
