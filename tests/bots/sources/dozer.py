import json
import sys
import time

nap = 0.6
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        time.sleep(nap)
        nap = 0
        print(json.dumps({"action": message["legal"][0]}), flush=True)
