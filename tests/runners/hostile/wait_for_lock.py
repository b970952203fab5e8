"""Waits for a lock that nobody opens."""

import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()
