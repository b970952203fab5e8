"""Answers with a list in a list in a list."""

import os

input()
os.write(1, b"[" * 30_000 + b"\n")
