"""Leagues and tournaments in the admin: all of them to look at, and actions that go through the services."""

from tournaments.admin import draws, events

__all__ = ["draws", "events", "ratings"]
