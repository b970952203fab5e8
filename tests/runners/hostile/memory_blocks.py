"""Takes memory in blocks until there is none."""

blocks = []
while True:
    blocks.append(bytearray(1 << 20))
