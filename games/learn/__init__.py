"""Aurum to learn from: many tables at once, and the interfaces of PettingZoo, Gymnasium and OpenSpiel.

Needs no Django. `Tables` needs numpy alone; the interfaces need the extra `[learn]` and are imported by their module.
"""

from games.learn.spaces import ACTIONS, BITS, PLANES, Change, list_actions, observe_view, to_rules, to_text, unpack
from games.learn.tables import Tables

__all__ = [
    "ACTIONS", "BITS", "PLANES", "Change", "Tables", "list_actions", "observe_view", "to_rules", "to_text", "unpack",
]  # fmt: skip
