"""A bounded memory of this process: what was not asked for the longest is forgotten first."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class BoundedMemory(Generic[Value]):
    """Holds at most `most_bytes`, by the sizes it is told; what is larger than a sixteenth of that is not taken."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def find(self, key: Hashable) -> Value | None:
        with self._lock:
            found = self._held.get(key)
            if found is None:
                return None
            self._held.move_to_end(key)
            return found[0]

    def keep(self, key: Hashable, value: Value, size: int) -> None:
        if size > self._most // 16:
            return
        with self._lock:
            if (old := self._held.pop(key, None)) is not None:
                self._bytes -= old[1]
            self._held[key] = value, size
            self._bytes += size
            while self._bytes > self._most:
                self._bytes -= self._held.popitem(last=False)[1][1]

    def forget_all(self) -> None:
        with self._lock:
            self._held.clear()
            self._bytes = 0
