"""Imports what is not offered."""

import importlib

importlib.import_module("numpy")
