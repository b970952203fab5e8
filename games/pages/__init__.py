"""Pages of the games app: matches and the rules."""
