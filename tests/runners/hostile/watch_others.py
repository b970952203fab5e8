"""Measures how long others think by their CPU clocks."""

import json
import time

question = json.loads(input())
found = []
for pid in [question["parent"], question["parent"] + 1, question["parent"] - 1, 1]:
    try:
        found.append(time.clock_gettime((~pid << 3) | 2))
    except OSError:
        continue
print(json.dumps({"found": found}))
