import json
import sys

print("I read", __file__.rsplit("/", 1)[-1], file=sys.stderr)
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        print("question", asked, file=sys.stderr)
        asked += 1
        print(json.dumps({"action": message["legal"][0]}), flush=True)
    elif message["type"] == "match_end":
        print("good bye", file=sys.stderr)
