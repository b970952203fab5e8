"""Answers with NaN, which JSON does not know."""

import os

input()
os.write(1, b'{"action": NaN}\n')
