"""Agents that play for bots of others, and the checks such a bot must pass; no Django."""
