"""Plays anything legal, and notes on stderr what it is told without being asked."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}))
    else:
        print(line, end="", file=sys.stderr)
