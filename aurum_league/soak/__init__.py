"""Soak: the site plays and is read for half an hour, and everything that could grow is watched."""
