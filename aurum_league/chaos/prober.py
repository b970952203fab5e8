"""A reader who asks for one page of the arena's site over and over, and notes every answer."""

import threading
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

SECONDS_BETWEEN = 0.3
SECONDS_TO_ANSWER = 30


@dataclass(frozen=True, slots=True)
class Reading:
    """One request, when it began and ended (seconds since 1970); `status` is 0 where nobody answered."""

    began: float
    ended: float
    status: int


class Prober:
    """Used as a context; reads from the moment the site first answers."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.readings: list[Reading] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._read_on, daemon=True)

    def __enter__(self) -> "Prober":
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _read_on(self) -> None:
        while not self._is_over.wait(SECONDS_BETWEEN):
            reading = read_page(self.address)
            if self.readings or reading.status == 200:
                self.readings.append(reading)


def read_page(address: str) -> Reading:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=SECONDS_TO_ANSWER)
    began = time.time()
    try:
        connection.request("GET", parts.path)
        answer = connection.getresponse()
        answer.read()
        status = answer.status
    except (OSError, HTTPException):
        status = 0
    finally:
        connection.close()
    return Reading(began, time.time(), status)
