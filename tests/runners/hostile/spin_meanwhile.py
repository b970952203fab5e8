"""Answers at once, and burns CPU while nobody asks."""

import sys

while True:
    input()
    print('{"action": "stop"}')
    sys.stdout.flush()
    for _ in range(20_000_000):
        pass
