"""Looks for secrets in its environment and in that of others."""

import json
import os

question = json.loads(input())
found = [*os.environ, *os.environb]
for pid in ["self", "1", str(question["parent"]), str(os.getpid())]:
    for name in ["environ", "cmdline", "maps", "mem", "status"]:
        try:
            with open(f"/proc/{pid}/{name}", "rb") as file:
                file.read(1)
            found.append(f"{pid}/{name}")
        except OSError:
            continue
print(json.dumps({"found": [str(name) for name in found]}))
