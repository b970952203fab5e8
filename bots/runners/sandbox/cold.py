"""Entry of a bot process started on its own: `python -I -S -B cold.py PARENT CODE MEMORY CPU_SECONDS`."""

import os
import sys

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))

from bots.runners.sandbox.bot_main import run_confined
from bots.runners.sandbox.confine import PythonFiles, die_with_parent

sys.path.pop()

if __name__ == "__main__":
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    die_with_parent(int(sys.argv[1]))
    run_confined(PythonFiles(), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
