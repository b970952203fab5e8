"""Chaos: a tournament played while everything it stands on is killed, and the check that nothing is lost."""
