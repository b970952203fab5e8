"""What this process can run: whether its sandbox holds is found out by the app that has one."""

from collections.abc import Callable


def _no_sandbox() -> bool:
    return False


_probe: Callable[[], bool] = _no_sandbox


def register_sandbox(probe: Callable[[], bool]) -> None:
    """Say how to find out whether uploaded bots can be run safely here."""
    global _probe
    _probe = probe


def can_run_sandbox() -> bool:
    return _probe()
