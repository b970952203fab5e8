"""Examples for the schema of the tournaments' part."""

LEAGUE = {
    "slug": "sunday-league",
    "name": "Sunday League",
    "description": "Every Sunday.",
    "is_unlisted": False,
    "organiser": "agnes",
    "created_at": "2026-11-01T08:00:00Z",
}
SPEC = {
    "name": "Autumn Cup",
    "ruleset": "en3",
    "entry_kind": "bots",
    "stages": [{"format": "round_robin", "name": "Main"}],
}
FULL_SPEC = {
    **SPEC,
    "description": "",
    "table_kind": "solo3",
    "is_rated": True,
    "capacity": None,
    "needs_check_in": False,
    "clock": None,
    "contact": "",
    "links": [],
}
PRESET = {
    "code": "knockout_cup",
    "title": "Knockout cup",
    "description": "Lose and you are out; long sets on the same deals, because one match is a lottery.",
    "spec": {"ruleset": "en3-golden", "stages": [{"format": "knockout", "block_deals": 4}]},
}
TROUBLE = {"match": 4711, "stage": 1, "matchday": 2, "table": 1, "trouble": "Its worker died three times."}
TOURNAMENT = {
    "slug": "autumn-cup",
    "name": "Autumn Cup",
    "description": "",
    "contact": "desk@example.org",
    "links": [["Rules of the club", "https://club.example.org/rules"]],
    "league": None,
    "season": None,
    "organiser": "agnes",
    "state": "playing",
    "ruleset": "en3",
    "table_kind": "solo3",
    "entry_kind": "bots",
    "is_rated": True,
    "capacity": None,
    "needs_check_in": False,
    "time_zone": "Europe/Berlin",
    "entries_open_at": None,
    "entries_close_at": None,
    "check_in_opens_at": None,
    "check_in_ends_at": None,
    "draws_at": None,
    "starts_at": "2026-11-21T18:00:00Z",
    "runs_itself": False,
    "is_unlisted": False,
    "clock": None,
    "commitment": "9f2b1c0d5e4a38276150f1e2d3c4b5a697887766554433221100ffeeddccbbaa",
    "seed": None,
    "created_at": "2026-11-16T08:00:00Z",
    "started_at": "2026-11-16T09:00:00Z",
    "finished_at": None,
}
STAGE = {
    "number": 1,
    "name": "Main",
    "format": "round_robin",
    "options": {},
    "state": "playing",
    "points": [2, 1, 0],
    "tiebreaks": ["match_points", "wins"],
    "block_deals": 0,
    "matches_each": 1,
    "release": "all",
    "groups": 0,
    "cut": None,
    "results_version": 12,
    "finished_at": None,
}
ENTRANT = {
    "id": 31,
    "player": "house-counting",
    "name": "Counting",
    "state": "entered",
    "seed_number": 1,
    "division": "",
    "entered_on": 1,
    "left_on": None,
    "entered_at": "2026-11-16T08:10:00Z",
    "contribution": "",
}
CHANCE = {
    "mixing": "aurum/mix/v1",
    "commitment": TOURNAMENT["commitment"],
    "secret": None,
    "contributions": [{"entrant": 32, "contribution": "5c" * 32}],
    "beacon_round": 31_900_000,
    "beacon": None,
    "seed": None,
}
TEAM = {
    "slug": "team-base-metals",
    "name": "Base Metals",
    "members": ["agnes", "alchemist"],
    "created_by": "agnes",
    "created_at": "2026-11-16T08:05:00Z",
}
MATCHDAY = {
    "number": 1,
    "state": "released",
    "tables": 3,
    "settled": 1,
    "window_ends_at": None,
}
FIXTURE = {
    "table": 1,
    "state": "settled",
    "slot": "",
    "is_edited": False,
    "seats": [
        {"name": "Counting", "player": "house-counting", "place": 1},
        {"name": "Greedy", "player": "house-greedy", "place": 2},
        {"name": "Random", "player": "house-random", "place": 3},
    ],
    "matches": 1,
    "why": [{"code": "lap", "numbers": [1, 1]}],
}
EVENT = {
    "number": 7,
    "kind": "released",
    "reason": "",
    "actor": None,
    "detail": {"stage": 1, "matchday": 1, "matches": 3},
    "at": "2026-11-16T09:00:00Z",
}
STANDINGS = {
    "version": 12,
    "is_current": True,
    "chain": ["match_points", "wins"],
    "lines": [
        {
            "place": 1,
            "entrant": 31,
            "player": "house-counting",
            "name": "Counting",
            "is_house": True,
            "state": "entered",
            "division": "",
            "values": {"match_points": 8.0, "wins": 4.0},
            "decided_by": None,
            "tally": {"played": 4},
        }
    ],
}
CROSSTABLE = {
    "version": 12,
    "cells": [
        {
            "own": 31,
            "other": 32,
            "meetings": 6,
            "blocks": 6,
            "share_ahead": 0.75,
            "mean_difference": 0.6,
            "low": 0.1,
            "high": 1.1,
            "p_value": 0.03,
            "mark": "+",
        }
    ],
}
RESULT_LINE = '{"match":4711,"stage":"Main","matchday":1,"table":1,"side":0,"entrants":"Counting","place":1}\n'
RESULT_TABLE = "match,stage,matchday,table,number,side,entrants,place\n4711,Main,1,1,1,0,Counting,1\n"
RECORD_LINE = '{"format":"aurum-record","version":1,"match":4711,"rounds":[]}\n'
POOL = {"code": "bots-3", "players": 3, "entry_kind": "bots", "is_teams": False, "sequence": 120, "fitted_at": None}
RATING = {
    "pool": "bots-3",
    "player": "house-counting",
    "name": "Counting",
    "kind": "house",
    "rank": 1,
    "rank_best": 1,
    "rank_worst": 3,
    "number": 1630.5,
    "low": 1580.0,
    "high": 1681.0,
    "lower_bound": 1580.0,
    "is_provisional": False,
    "is_official": True,
    "matches": 40,
}
HISTORY = {"sequence": 120, "at": "2026-11-16T09:30:00Z", "number": 1630.5, "low": 1580.0, "high": 1681.0}
TRIAL = {
    "id": 3,
    "bot": "alchemist",
    "new": 2,
    "old": 1,
    "ruleset": "en3",
    "effect": 0.1,
    "most_units": 2000,
    "state": "playing",
    "trouble": "",
    "llr": 0.4,
    "estimate": 0.12,
    "estimate_low": -0.05,
    "estimate_high": 0.29,
    "created_at": "2026-11-16T08:00:00Z",
    "finished_at": None,
}
TRIAL_PROGRESS = {
    "trial": TRIAL,
    "lower": -2.94,
    "upper": 2.94,
    "units": 2,
    "drawn": 16,
    "matches": 14,
    "ratios": [0.1, 0.4],
}
RERUN = {"id": 5, "state": "playing", "reason": "a fault of the server", "created_at": "2026-11-16T10:00:00Z"}
RERUN_PREVIEW = {
    "rerun": RERUN,
    "waiting": 0,
    "results": [
        {
            "match": 4711,
            "before": {"places": [1, 2, 3], "nuggets": [2, 1, 0], "totals": [31, 24, 12], "forfeits": [2]},
            "after": {"places": [2, 1, 3], "nuggets": [1, 2, 0], "totals": [24, 31, 12], "forfeits": []},
        }
    ],
    "places": [{"entrant": 31, "before": 1, "after": 2}],
}
HELPER = {"id": 4, "user": "agnes", "role": "results", "for_league": False}
INVITATION = {"invitation": "eyJ0b3VybmFtZW50Ijo3fQ:1vLq:Wk3"}
ENTRY_LINE = {"number": 1, "text": "Anna", "deed": "guest", "player": None, "why": ""}
ENTRY_LIST = {"number": 12, "entrants": [ENTRANT]}
CHECK_IN = {
    **{"done": 3, "expected": 7, "opens_at": None, "ends_at": "2026-11-16T09:00:00Z"},
    **{"is_open": True},
}
CONFLICT = {"first": 31, "second": 32, "reason": "siblings"}
FORECAST = {
    "entrants": 27,
    "known": 0,
    "spread": 61,
    "problem": None,
    "choices": [
        {"code": "this", "best_wins": 0.76, "gap": 134.1, "matches": 2808, "seconds": 280.8, "worlds": 2564},
        {"code": "twice", "best_wins": 0.83, "gap": 94.8, "matches": 5616, "seconds": 561.6, "worlds": 320},
    ],
}
PREVIEW = {
    "entrants": 12,
    "problem": None,
    "matchdays": 5,
    "meetings": [0.9, 0.9],
    "matches": [5, 5],
    "rests": [0, 0],
    "forecast": {"code": "this", "best_wins": 0.41, "gap": 520.0, "matches": 20, "seconds": None, "worlds": 3000},
}
SEASON_PLAN = {"divisions": [[{"entrant": ENTRANT, "move": "up"}]], "left_out": []}
BRACKET_LINE = {"slot": "A1", "wave": 1, "table": FIXTURE, "sources": ["", "", ""]}
CERTIFICATE_ROW = {
    "name": "byes",
    "least": 0,
    "most": 1,
    "spread": 1,
    "lower_bound": 1,
    "is_at_bound": True,
    "why": None,
}
BIAS = {"shares": [{"mean": 0.34, "low": 0.3, "high": 0.38}], "p_value": 0.4, "matches": 60}
STATISTICS = {
    "matches": 60,
    "rounds": 150,
    "ends": {"no_lead": 100, "no_play": 40, "declined_gold": 10},
    "entrants": [
        {
            "entrant": 31,
            "matches": 24,
            "rounds": 60,
            "bids": 210,
            "tricks": 215,
            "gold_points": 90,
            "total": 400,
            "nuggets": 25,
            "exact_share": 0.4,
            "exact_low": 0.3,
            "exact_high": 0.5,
        }
    ],
    "by_seat": BIAS,
    "by_first_player": BIAS,
}
OPPONENT = {"player": "house-greedy", "name": "Greedy", "meetings": 12, "ahead": 0.6, "difference": 2.5}
HEAD_TO_HEAD = {
    "players": 3,
    "meetings": 12,
    "share_ahead": 0.6,
    "mean_difference": 2.5,
    "low": -1.0,
    "high": 6.0,
    "p_value": 0.2,
}
FOUND = {
    "leagues": [LEAGUE],
    "tournaments": [{"slug": "autumn-cup", "name": "Autumn Cup", "state": "playing"}],
    "players": [],
}
WAITING = {
    "ruleset": "en3",
    "clock": "live",
    "is_rated": False,
    "since": "2026-11-16T08:00:00Z",
    "commitment": "4b" * 32,
    "match": None,
}
OPEN_SEATS = {
    "ruleset": "en3",
    "clock": "live",
    "is_rated": True,
    "players": 3,
    "free": 1,
    "sitting": ["agnes", "boris"],
    "share": 1.0,
    "commitment": "4b" * 32,
}

SCORE_SHEET = {
    "id": 7,
    "match": 4711,
    "by": "agnes",
    "seat": 0,
    "state": "open",
    "places": [1, 2, 3],
    "note": "",
    "created_at": "2026-11-14T19:40:00Z",
}

LEAGUE_HISTORY = {
    "seasons": 2,
    "lines": [
        {
            "player": "house-greedy",
            "name": "Greedy",
            "seasons": 2,
            "titles": 1,
            "best": 1,
            "matches": 24,
            "wins": 11.0,
            "points": 30.5,
        }
    ],
    "records": [
        {
            "code": "score_in_a_match",
            "value": 61.0,
            "player": "house-greedy",
            "tournament": "sunday-league-2",
            "match": 4711,
        }
    ],
    "champions": [["house-greedy", "sunday-league-2"], ["house-counting", "sunday-league-1"]],
    "meetings": [{"player": "house-greedy", "other": "house-counting", "meetings": 12, "ahead": 7.5}],
}
ENTRY_RULES = {
    "code": "gold",
    "least": None,
    "most": None,
    "is_by_invitation": False,
    "questions": ["Do you bring cards?"],
    "invited": 0,
}
ENTRY_ANSWERS = {"entrant": 31, "name": "Agnes", "answers": [["Do you bring cards?", "Two packs"]]}
CHANGES = {
    "name": "Agnes",
    "state_before": "entered",
    "state_after": "entered",
    "days": [{"matchday": 2, "before": 1, "after": 3}, {"matchday": 3, "before": 3, "after": 1}],
}

ANNOUNCEMENT = {
    "id": 3,
    "title": "Break",
    "text": "We go on at eight.",
    "audience": "entrants",
    "table": None,
    "due_at": "2026-11-14T19:40:00Z",
    "told_at": "2026-11-14T19:40:00Z",
    "people": 14,
}
