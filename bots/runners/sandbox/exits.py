"""The signs a bot process gives of itself to the referee, apart from the bot's own lines."""

# The first line of every bot process, written after the sandbox holds and before any byte of the bot runs.
READY = b"confined\n"

EXIT_CRASH = 1
EXIT_MEMORY = 97
EXIT_UNCONFINED = 98
