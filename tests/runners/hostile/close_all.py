"""Closes every descriptor and lives on."""

import os
import time

os.closerange(0, 32)
time.sleep(600)
