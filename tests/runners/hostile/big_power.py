"""Computes a number with no end."""

print(9**9**9)
