"""Thinks for ever inside one call, where no Python code runs."""

import re

re.match(r"(a+)+$", "a" * 64 + "b")
