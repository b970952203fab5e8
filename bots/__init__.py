"""Bots of Aurum: house brains, uploaded versions and how they are run."""
