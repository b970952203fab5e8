"""Raises when asked."""

input()
raise ValueError("the cards are against me")
