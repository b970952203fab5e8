"""Presets: tournaments that are good as they are, for an organiser to start from."""

from dataclasses import dataclass
from typing import Any

from aurum_league.common.errors import N_, LeagueError


@dataclass(frozen=True, slots=True)
class Preset:
    """`spec` lacks only what every organiser chooses: the name. Texts are marked for the catalogues."""

    title: str
    description: str
    spec: dict[str, Any]


GROUPS = {"meetings": 2, "laps": 1}
"""Two meetings are exact for a group of any size, and left and right cancel; one would leave small groups uneven."""

PRESETS: dict[str, Preset] = {
    "bot_league": Preset(
        N_("Bot league, three players"),
        N_("Everybody meets everybody twice, on deals that all three play from every seat."),
        {"stages": [{"format": "round_robin", "options": {"meetings": 2}, "block_deals": 4}]},
    ),
    "swiss_weekend": Preset(
        N_("Swiss weekend"),
        N_("Equals meet equals; a house bot fills the seat that is missing."),
        {
            "entry_kind": "mixed",
            "needs_check_in": True,
            "stages": [{"format": "swiss", "options": {"house_fills": True}}],
        },
    ),
    "whist_evening": Preset(
        N_("Whist evening"),
        N_("Four at a table, and everybody is everybody's partner once."),
        {
            "ruleset": "en4",
            "table_kind": "solo4",
            "entry_kind": "people",
            "stages": [{"format": "round_robin", "options": {"meetings": 1}}],
        },
    ),
    "knockout_cup": Preset(
        N_("Knockout cup"),
        N_("Lose and you are out; long sets on the same deals, because one match is a lottery."),
        {"ruleset": "en3-golden", "stages": [{"format": "knockout", "block_deals": 4}]},
    ),
    "team_league": Preset(
        N_("Team league"),
        N_("Fixed sides of two, home and return."),
        {
            "ruleset": "en4",
            "table_kind": "teams4",
            "entry_kind": "mixed",
            "stages": [{"format": "round_robin", "options": {"meetings": 1, "laps": 2}}],
        },
    ),
    "groups_then_knockout": Preset(
        N_("Groups, then knockout"),
        N_("Three groups; the first three of each go on to tables of three."),
        {
            "ruleset": "en3-golden",
            "stages": [
                {"format": "league_season", "name": "Groups", "groups": 3, "options": GROUPS, "cut": 9},
                {"format": "knockout", "name": "Finals", "block_deals": 4},
            ],
        },
    ),
    "ladder": Preset(
        N_("Ladder"),
        N_("Runs on; whose rating is least certain plays next, against those rated near."),
        {"stages": [{"format": "ladder"}]},
    ),
}


def spec_from_preset(preset: str, **changes: Any) -> dict[str, Any]:
    """A preset's spec with an organiser's changes laid over it."""
    if preset not in PRESETS:
        raise LeagueError(
            "unknown_preset",
            N_("There is no preset %(name)s."),
            N_("There are: %(names)s."),
            name=repr(preset),
            names=list(PRESETS),
        )
    return {**PRESETS[preset].spec, **changes}
