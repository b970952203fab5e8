"""Writes lines without end."""

while True:
    print('{"action": "stop"}')
