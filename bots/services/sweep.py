"""The sweep: whatever of the bots' affairs was left undone. It may run anywhere, at any time, twice at once."""

from bots.services.failures import tell_authors
from bots.services.qualify import qualify_waiting_versions
from games.play.capability import can_run_sandbox


def sweep_bots() -> None:
    """Tell authors, and check uploads where the sandbox holds."""
    tell_authors()
    if can_run_sandbox():
        qualify_waiting_versions()
