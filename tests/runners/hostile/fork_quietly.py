"""Forks, hides that it could not, and answers."""

import os

for _ in range(100):
    try:
        os.fork()
    except OSError:
        continue
input()
print('{"action": "stop"}')
