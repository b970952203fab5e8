"""Calls itself without end."""


def deeper(level: int) -> int:
    return deeper(level + 1)


deeper(0)
