"""Marks a text of the pure layers for the catalogues; pages translate it when they show it."""


def _(text: str) -> str:
    return text
