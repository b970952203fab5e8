"""What the bots app does when matches have moved on or have been settled."""

from collections.abc import Sequence

from django.dispatch import receiver

from bots.services.agents import count_failures, store_logs, store_usage
from bots.services.connected import write_messages
from bots.services.qualify import judge_qualifications
from games.play.agents import AgentRef
from games.signals import SettledMatch, match_moved, matches_settled


@receiver(matches_settled)
def note_matches(matches: Sequence[SettledMatch], **details: object) -> None:
    """Inside the settling transaction: what bots used and how they failed is kept with the result or not at all."""
    store_usage(matches=matches)
    store_logs(match_ids=[match.id for match in matches])
    count_failures(matches=matches)
    judge_qualifications(matches=matches)


@receiver(match_moved)
def follow_match(match_id: int, agents: Sequence[AgentRef], **details: object) -> None:
    """A match of a person waits: what was said so far is kept, since another process may play on."""
    store_logs(match_ids=[match_id])
    if any(agent.is_connected for agent in agents):
        write_messages(match_id=match_id)
