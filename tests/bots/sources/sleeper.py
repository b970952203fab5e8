import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        time.sleep(0.4)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
