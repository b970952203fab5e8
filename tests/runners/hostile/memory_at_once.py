"""Takes a gigabyte at once."""

block = bytearray(1 << 30)
