"""The child's half: everything that runs inside a bot's process before the bot does, on the standard library alone."""
