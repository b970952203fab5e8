"""House bots as players: one for each brain, made once."""

from django.db import transaction

from bots.brains import BRAINS, FALLBACK
from games.models import Player, PlayerKind
from games.services.agents import HOUSE_SLUG


@transaction.atomic
def ensure_house_players() -> list[Player]:
    """Make the players that are missing; all of them, the weakest first."""
    slugs = [f"{HOUSE_SLUG}{brain.name}" for brain in BRAINS]
    Player.objects.bulk_create(
        [
            Player(kind=PlayerKind.HOUSE, name=brain.title, slug=slug)
            for brain, slug in zip(BRAINS, slugs, strict=True)
        ],
        ignore_conflicts=True,
    )
    found = {player.slug: player for player in Player.objects.filter(kind=PlayerKind.HOUSE, slug__in=slugs)}
    return [found[slug] for slug in slugs if slug in found]


def ensure_filling_player() -> Player:
    """The house bot that takes a seat nobody else has."""
    slug = f"{HOUSE_SLUG}{FALLBACK}"
    return next(player for player in ensure_house_players() if player.slug == slug)
