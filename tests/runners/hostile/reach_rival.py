"""Reaches for another bot at the same table: its pipes, its memory, its clock."""

import json
import os
import signal
import time

pid = json.loads(input()).get("rival", 1)
found = []
for name in ["fd/0", "fd/1", "fd/2", "mem", "maps", "environ", "cwd/main.py", "root/etc/passwd"]:
    try:
        os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_NONBLOCK))
        found.append(name)
    except OSError:
        continue
attempts = {
    "signal": lambda: os.kill(pid, signal.SIGKILL),
    "descriptor": lambda: os.pidfd_open(pid),
    "clock": lambda: time.clock_gettime((~pid << 3) | 2),
    "affinity": lambda: os.sched_setaffinity(pid, {0}),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
}
for name, attempt in attempts.items():
    try:
        attempt()
        found.append(name)
    except OSError:
        continue
print(json.dumps({"found": found}))
