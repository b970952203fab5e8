"""Has its answer ready before there is a question."""

print('{"action": "stop"}')
while True:
    input()
    print('{"action": "stop"}')
