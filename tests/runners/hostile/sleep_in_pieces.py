"""Sleeps in short pieces instead of answering."""

import time

while True:
    time.sleep(0.05)
