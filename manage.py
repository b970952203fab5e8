#!/usr/bin/env python
"""Django's command line, with our coded errors as one sentence instead of a traceback."""

import os
import sys

from aurum_league.common.errors import LeagueError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aurum_league.settings.embedded")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except LeagueError as error:
        sys.exit(f"aurum: {error}")
    except OperationalError as error:
        reason = str(error).strip().splitlines()[0]
        sys.exit(f"aurum: The database refused ({reason}). Run manage.py services start, or check DATABASE_URL.")


if __name__ == "__main__":
    main()
