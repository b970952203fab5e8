"""Entry of a bot process started on its own: `python -I -S -B cold.py PARENT CODE MEMORY CPU_SECONDS LIBRARY_FD`."""

import os
import sys

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))

from bots.runners.sandbox.bot_main import forget_site, open_streams, read_library, run_confined
from bots.runners.sandbox.confine import die_with_parent
from bots.runners.sandbox.libc import map_file
from bots.runners.sandbox.library import load_extensions

sys.path.pop()

if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    files = read_library(map_file(int(sys.argv[5])))
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    load_extensions()
    open_streams()
    forget_site()
    run_confined(files, sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
