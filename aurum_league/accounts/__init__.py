"""Accounts: pages of one's own, sessions, and access by token or role."""
