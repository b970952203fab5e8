"""Answers when the time is over."""

import time

input()
time.sleep(5)
print('{"action": "stop"}')
