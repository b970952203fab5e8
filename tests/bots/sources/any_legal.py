import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "match_start":
        chance = random.Random(message["chance"])
    elif message["type"] == "decide":
        print(json.dumps({"action": chance.choice(message["legal"])}))
