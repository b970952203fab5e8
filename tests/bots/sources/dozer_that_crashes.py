import json
import sys
import time

for line in sys.stdin:
    if json.loads(line)["type"] == "decide":
        time.sleep(0.7)
        sys.exit(1)
