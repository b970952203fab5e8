"""Examples for the schema of the bots' part."""

BOT = {
    "slug": "alchemist",
    "name": "Alchemist",
    "author": "agnes",
    "mode": "uploaded",
    "state": "active",
    "description": "Counts cards.",
    "allows_scrimmages": True,
    "active_version": 2,
    "created_at": "2026-11-16T08:00:00Z",
}
VERSION = {
    "number": 2,
    "state": "qualified",
    "size": 2048,
    "content_hash": "5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592",
    "files": ["main.py"],
    "contract": 1,
    "rules": 1,
    "note": "bids lower",
    "report": {"matches": [4801, 4802]},
    "created_at": "2026-11-16T08:00:00Z",
    "checked_at": "2026-11-16T08:01:00Z",
}
MATCH_NUMBERS = {"matches": [4801, 4802]}
