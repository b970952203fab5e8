"""Formats: ways to pair entrants, each a frozen value on the interface in format.py."""
