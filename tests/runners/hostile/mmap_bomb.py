"""Maps memory past its limit."""

import mmap

maps = []
while True:
    maps.append(mmap.mmap(-1, 1 << 26))
