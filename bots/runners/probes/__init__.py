"""The bot that tries to get out, and to leave word for the next: run through the launcher that runs all bots."""
