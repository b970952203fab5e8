"""Becomes another program, which the system ends as soon as its parent dies: tether <parent pid> <command…>."""

import ctypes
import os
import signal
import sys

# From Linux' include/uapi/linux/prctl.h; the setting survives exec.
PR_SET_PDEATHSIG = 1


def tether(command: list[str]) -> list[str]:
    """The command that ends with the thread that starts it, which the system takes for the parent."""
    return [sys.executable, "-m", "aurum_league.supervision.tether", str(os.getpid()), *command]


def become(parent: int, command: list[str]) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    # The parent may have died before the request was made.
    if os.getppid() != parent:
        sys.exit("aurum: the program that started this one is gone.")
    os.execv(command[0], command)


if __name__ == "__main__":
    become(int(sys.argv[1]), sys.argv[2:])
