"""The error that ends a command with one sentence."""


class CommandError(Exception):
    """What the caller can mend; printed without a traceback, exit code 2."""
