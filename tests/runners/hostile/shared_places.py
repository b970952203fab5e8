"""Looks for a place that two bots could share: memory, queues, keys, locks."""

import ctypes
import errno
import json

calls = {
    "x86_64": {"shmget": 29, "semget": 64, "msgget": 68, "mq_open": 240, "keyctl": 250, "memfd": 319, "flock": 73},
    "aarch64": {"shmget": 194, "semget": 190, "msgget": 186, "mq_open": 180, "keyctl": 219, "memfd": 279, "flock": 32},
}
question = json.loads(input())
libc = ctypes.CDLL(None, use_errno=True)
found = []
for name, number in calls[question["machine"]].items():
    if libc.syscall(ctypes.c_long(number), *([ctypes.c_long(0)] * 5)) >= 0 or ctypes.get_errno() != errno.EPERM:
        found.append(name)
print(json.dumps({"found": found}))
