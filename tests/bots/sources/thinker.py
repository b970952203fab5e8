import json
import sys
import time

until = 1.2
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        while time.process_time() < until:
            pass
        print(json.dumps({"action": message["legal"][0]}), flush=True)
