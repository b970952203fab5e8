"""What the games app does when a match has moved on: whoever watches it is told."""

from django.dispatch import receiver

from aurum_league.common.broker import publish
from games.signals import match_moved


@receiver(match_moved)
def tell_watchers(match_id: int, version: int, **details: object) -> None:
    publish(f"match:{match_id}", {"kind": "moved", "version": version})
