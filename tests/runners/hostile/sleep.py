"""Sleeps instead of answering."""

import time

time.sleep(600)
