"""Answers one question with two lines."""

import os

while True:
    input()
    os.write(1, b'{"action": "stop"}\n{"action": "stop"}\n')
