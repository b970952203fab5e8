"""Leaves by the double fork of a daemon, to live on after the match."""

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
