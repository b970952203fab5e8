"""A deed for every service: what it is called with, chosen from the world before anybody starts to run."""

from collections.abc import Callable

from tests.races import deeds_of_bots, deeds_of_fair_play, deeds_of_games, deeds_of_people, deeds_of_tournaments
from tests.races.services import Job
from tests.races.world import World

Deed = Callable[[World], Job]

DEEDS: dict[str, Deed] = {
    **deeds_of_games.DEEDS,
    **deeds_of_bots.DEEDS,
    **deeds_of_tournaments.DEEDS,
    **deeds_of_people.DEEDS,
    **deeds_of_fair_play.DEEDS,
}
"""Services that are part of another, such as what follows a settled match, run within that one's deed."""
