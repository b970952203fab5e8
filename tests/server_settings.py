"""What settings.server changes, for tests in this process: cookies of other names, TLS, and what it demands."""

import importlib
import sys
from typing import Any

import pytest

COMPLETE = {
    "SECRET_KEY": "abcdefghij" * 6,
    "ALLOWED_HOSTS": "aurum.example.org",
    "SITE_URL": "https://aurum.example.org",
    "DATABASE_URL": "postgres://aurum:secret@db:5432/aurum",
    "REDIS_URL": "redis://redis:6379",
}
"""All that a public server cannot start without."""

MODULE = "aurum_league.settings.server"


def read_server_settings(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings that the server's overlay writes itself; those of base are the tests' own already."""
    with monkeypatch.context() as patch:
        for name, value in COMPLETE.items():
            patch.setenv(name, value)
        sys.modules.pop(MODULE, None)
        overlay = vars(importlib.import_module(MODULE))
        sys.modules.pop(MODULE, None)
    base = vars(sys.modules["aurum_league.settings.base"])
    return {
        name: value
        for name, value in overlay.items()
        if name.isupper() and name != "SECRET_KEY" and (name not in base or base[name] is not value)
    }


def use_server_settings(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here to the end of the test."""
    for name, value in read_server_settings(monkeypatch).items():
        setattr(settings, name, value)
