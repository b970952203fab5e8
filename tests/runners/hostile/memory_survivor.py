"""Runs out of memory, catches that, and answers."""

import json

try:
    block = bytearray(1 << 30)
except MemoryError:
    block = bytearray()
input()
print(json.dumps({"action": "stop"}))
