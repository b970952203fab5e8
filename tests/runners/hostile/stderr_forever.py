"""Writes to stderr and nowhere else."""

import os

while True:
    os.write(2, b"e")
