"""Answers with a number beyond all floats."""

import os

input()
os.write(1, b'{"action": 1e999}\n')
