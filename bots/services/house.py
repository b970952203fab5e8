"""House bots as players that the bots app itself needs opposite an author's bot."""

from bots.brains import ALIASES, BRAINS
from games.models import Player, PlayerKind
from games.services.agents import HOUSE_SLUG


def house_player(brain: str) -> Player:
    """The player of a house brain, made when it is first needed. KeyError where there is no such brain."""
    entries = {entry.name: entry for entry in BRAINS}
    entry = entries[ALIASES.get(brain, brain)]
    player, _ = Player.objects.get_or_create(
        slug=f"{HOUSE_SLUG}{entry.name}", defaults={"kind": PlayerKind.HOUSE, "name": entry.title}
    )
    return player


def ensure_house_players() -> None:
    """Make the players of all house brains that are missing, so that they can be chosen."""
    Player.objects.bulk_create(
        [Player(kind=PlayerKind.HOUSE, name=entry.title, slug=f"{HOUSE_SLUG}{entry.name}") for entry in BRAINS],
        ignore_conflicts=True,
    )
