"""The sweep: whatever of the bots' affairs was left undone. It may run anywhere, at any time, twice at once."""

from bots.services.failures import tell_authors
from bots.services.messages import prune_messages
from bots.services.qualify import qualify_waiting_versions
from games.play.capability import can_run_sandbox


def sweep_bots() -> None:
    """Tell authors, forget old messages, and check uploads where the sandbox holds."""
    tell_authors()
    prune_messages()
    if can_run_sandbox():
        qualify_waiting_versions()
