"""Answers with a string that no database holds."""

import os

input()
os.write(1, b'{"action": "\\u0000"}\n')
