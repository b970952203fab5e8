"""Throttles count every request, those of a process's first moment too."""

import threading
from typing import Any

import pytest
from structlog.testing import capture_logs

from aurum_league.common.api import access
from aurum_league.common.breaker import breaker

FIRST_THREADS = 8
STARTS = 20


@pytest.mark.usefixtures("db")
def test_the_first_threads_of_a_process_are_counted_all() -> None:
    """Each makes a client of its own, of which one is kept; the others must last until they have counted."""
    with capture_logs() as said:
        for number in range(STARTS):
            access.connect_counter.cache_clear()
            together = threading.Barrier(FIRST_THREADS)

            def count(name: str = f"test-{number}", together: threading.Barrier = together) -> None:
                together.wait()
                access.is_within_rate(name, "read", 1)

            threads = [threading.Thread(target=count) for _ in range(FIRST_THREADS)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert [line for line in said if line["event"] == "throttle_uncounted"] == []


def test_a_process_counts_where_its_settings_say(settings: Any) -> None:
    """Whoever asked an address that is gone, as tests do, leaves nothing behind for those who ask after."""
    caches = settings.CACHES
    access.connect_counter.cache_clear()
    settings.CACHES = {"default": {**caches["default"], "LOCATION": "redis://127.0.0.1:1"}}
    assert [access.is_within_rate("test-gone", "read", 1) for _ in range(3)] == [True] * 3
    settings.CACHES = caches
    breaker.close()
    assert [access.is_within_rate("test-gone", "read", 1) for _ in range(3)] == [True, False, False]
