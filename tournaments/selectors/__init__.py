"""Everything that reads tournaments: querysets and frozen rows."""
