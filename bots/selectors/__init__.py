"""Everything that reads bots."""
