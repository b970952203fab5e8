import json
import sys

for line in sys.stdin:
    if json.loads(line)["type"] == "decide":
        print("thinking hard", file=sys.stderr)
        print('{"action": "play G9"}')
