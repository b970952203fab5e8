"""Ignores every signal it can and thinks for ever."""

import contextlib
import signal

for number in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
while True:
    pass
