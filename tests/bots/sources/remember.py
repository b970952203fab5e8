"""Follows the match by events alone and crashes where they do not lead to what the view shows."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "match_start":
        seen = []
    elif message["type"] == "happened":
        seen += message["events"]
    elif message["type"] == "decide":
        assert [event["counter"] for event in seen] == list(range(message["counter"]))
        laid = [bid for bid in message["view"]["round"]["first_bids"] if bid]
        told = [event["action"] for event in seen if event["action"].startswith("bid")]
        past = sum(len(done["bids"]) for done in message["view"]["history"])
        assert sorted(told[past:]) == sorted(f"bid {card}" for card in laid)
        print(json.dumps({"action": message["legal"][-1]}))
