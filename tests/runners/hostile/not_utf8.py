"""Answers in bytes that are no UTF-8."""

import os

input()
os.write(1, b'{"action": "\xff\xfe"}\n')
