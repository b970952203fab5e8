"""`python -m aurum_league.cli` is `aurum`."""

from aurum_league.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
