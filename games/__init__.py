"""The game: its rules, its tables, its matches."""
