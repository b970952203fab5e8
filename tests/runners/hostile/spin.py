"""Thinks for ever."""

while True:
    pass
