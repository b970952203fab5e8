"""Doubles a list until memory ends."""

numbers = [0]
while True:
    numbers = numbers + numbers
