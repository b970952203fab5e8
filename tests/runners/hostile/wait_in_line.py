"""Never ends its line."""

import os
import time

input()
os.write(1, b'{"action": ')
time.sleep(600)
