"""Reads whatever may hold a secret, and tells."""

import json

question = json.loads(input())
found = []
system = ["/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/1/environ"]
for path in [*question["files"], *system, ".env", "../main.py"]:
    try:
        with open(path, "rb") as file:
            file.read(1)
        found.append(path)
    except OSError:
        continue
print(json.dumps({"found": found}))
