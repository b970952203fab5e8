"""Answers with zero bytes."""

import os

input()
os.write(1, bytes(100) + b"\n")
