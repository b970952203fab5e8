"""Examples for the schema of the games' part."""

PLAYER = {
    "slug": "house-counting",
    "name": "Counting",
    "kind": "house",
    "owner": None,
    "is_active": True,
    "created_at": "2026-11-16T08:00:00Z",
}
RULESET = {
    "code": "en3",
    "edition": "en",
    "players": 3,
    "zero_gold": True,
    "scoring": "nuggets",
    "decider": "shared",
}
MATCH = {
    "id": 4711,
    "kind": "tournament",
    "ruleset": "en3",
    "players": 3,
    "is_rated": True,
    "state": "finished",
    "commitment": "9f2b1c0d5e4a38276150f1e2d3c4b5a697887766554433221100ffeeddccbbaa",
    "deals": "1f0d6a0e-5a3c-4b43-8d37-2f2f0b8a6d11",
    "is_sealed": False,
    "created_at": "2026-11-16T08:00:00Z",
    "started_at": "2026-11-16T08:00:01Z",
    "finished_at": "2026-11-16T08:00:02Z",
    "seats": [
        {"seat": 0, "side": 0, "player": "house-counting", "name": "Counting", "kind": "house"},
        {"seat": 1, "side": 1, "player": "house-greedy", "name": "Greedy", "kind": "house"},
        {"seat": 2, "side": 2, "player": "house-random", "name": "Random", "kind": "house"},
    ],
    "result": {
        "places": [1, 2, 3],
        "forfeits": [],
        "is_by_hand": False,
        "nuggets": [2, 1, 0],
        "totals": [31, 24, 12],
        "rounds": 3,
        "lots": False,
    },
}
RECORD = {
    "format": "aurum-record",
    "version": 1,
    "ruleset": {key: value for key, value in RULESET.items() if key != "code"},
    "match": 4711,
    "rounds": [],
    "result": {"places": [[0], [1], [2]], "nuggets": [2, 1, 0], "totals": [31, 24, 12], "lots": False},
}
TRANSCRIPT = "aurum en3\nround 1, first seat 2\nhand 0: B1 B3 …\n…\nplaces: 0 | 1 | 2\n"
TABLE = {
    "match": 4712,
    "state": "waiting",
    "ruleset": "en3",
    "commitment": MATCH["commitment"],
    "seats": [],
    "awaited": [0],
    "deadline": "2026-11-16T08:10:00Z",
    "clock": {"bank": 600},
    "banks": {},
    "forfeits": [],
    "counter": 3,
    "view": {"seat": 0, "legal": ["keep", "swap G0 0 B3"]},
}
LOBBY = {
    "invitation": "Zk3vQ0n8rT2aLw1B",
    "ruleset": "en4",
    "players": 4,
    "strength": "greedy",
    "clock": {"bank": 600.0, "increment": 10.0},
    "is_rated": False,
    "is_guided": False,
    "match": None,
    "created_at": "2026-11-16T08:00:00Z",
    "seats": [{"seat": 0, "user": "agnes", "is_host": True}],
}
OPEN_TABLE = {
    "match": 4712,
    "ruleset": "en3",
    "state": "waiting",
    "deadline": "2026-11-16T08:10:00Z",
    "seat": 0,
    "is_awaited": True,
}
