"""Pages of bots: the public list, a bot's own page, and its author's dashboard."""
