"""Becomes a shell."""

import os

os.execv("/bin/sh", ["sh", "-c", "sleep 600"])
