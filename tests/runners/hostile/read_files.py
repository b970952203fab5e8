"""Reads whatever may hold a secret, and tells."""

import json

question = json.loads(input())
found = []
for path in [*question["files"], "/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/1/environ", ".env", "../main.py"]:
    try:
        with open(path, "rb") as file:
            file.read(1)
        found.append(path)
    except OSError:
        continue
print(json.dumps({"found": found}))
