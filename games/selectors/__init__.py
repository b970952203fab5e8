"""Everything that reads matches."""
