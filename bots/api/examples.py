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
FAILURE = {
    "id": 7,
    "match": 4801,
    "seat": 1,
    "step": 14,
    "verdict": "illegal",
    "detail": "This card is not in the hand.",
    "asked": '{"type":"decide"}',
    "answered": '{"action":"play B7"}',
    "stderr": "",
    "created_at": "2026-11-16T08:00:02Z",
}
RATE = {"players": 3, "matches": 60, "deals": 20, "forfeits": 0, "mean": 0.4, "low": 0.3, "high": 0.5, "even": 1 / 3}
PERFORMANCE = {"version": 2, "rates": [RATE], "cpu": {"decisions": 2000, "p50": 0.2, "p99": 1.5}}
JUDGEMENT = {
    "match": 4711,
    "seat": 0,
    "round": 1,
    "rounds": 3,
    "champion": "search-3",
    "opinions": [{"applied": 3, "trick": 1, "played": "play B7", "best": "play Z2", "cost": 0.04}],
    "done": 0,
    "total": 0,
}
