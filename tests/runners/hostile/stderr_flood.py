"""Fills stderr with megabytes, then answers."""

import os

for _ in range(256):
    os.write(2, b"e" * 16384)
input()
print('{"action": "stop"}')
