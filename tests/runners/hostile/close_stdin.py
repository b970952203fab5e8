"""Closes its stdin and waits."""

import os
import time

os.close(0)
time.sleep(600)
