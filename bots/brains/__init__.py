"""House bots: pure logic that chooses from a view."""

from bots.brains.roster import ALIASES, BRAINS, FALLBACK, BrainEntry, make_brain
from bots.brains.search import explain

__all__ = ["ALIASES", "BRAINS", "FALLBACK", "BrainEntry", "explain", "make_brain"]
