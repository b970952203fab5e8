"""Writes one line without end."""

import os

input()
while True:
    os.write(1, b"x" * 4096)
