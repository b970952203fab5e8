"""Answers with a number of 60,000 digits."""

import os

input()
os.write(1, b'{"action": ' + b"9" * 60_000 + b"}\n")
