"""Casual tables: house bots of a chosen strength beside people, dealt and ready to be played."""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from aurum_league.common.errors import LeagueError
from games.models import Lobby, LobbySeat, MatchKind, Player, PlayerKind
from games.rules.ruleset import Ruleset
from games.selectors.sitters import GUEST_AGENT
from games.services.agents import HOUSE_SLUG, agent_of
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.people import ensure_guest, ensure_person


@dataclass(frozen=True, slots=True)
class Strength:
    """A house bot to play against: `brain` is its name among the house's agents, `title` its player's name."""

    brain: str
    title: str
    name: str | Promise


STRENGTHS = {
    strength.brain: strength
    for strength in (
        Strength("random", "Random", _("Plays anything")),
        Strength("greedy", "Greedy", _("Easy")),
        Strength("counting", "Counting", _("Medium")),
        Strength("search-1", "Search 1", _("Strong")),
        Strength("search-2", "Search 2", _("Very strong")),
    )
}
DEFAULT_STRENGTH = "greedy"
CLOCKS: dict[str, dict[str, float]] = {
    "calm": {"each": 86_400.0},
    "live": {"bank": 600.0, "increment": 10.0},
    "days": {"each": 3 * 86_400.0},
}
"""A day for each decision; ten minutes and ten seconds a decision; three days for each decision."""


@transaction.atomic
def deal_table(*, lobby: Lobby, seats: list[LobbySeat]) -> int:
    """Create the match of a lobby whose row the caller has locked: people in their seats, house bots in the others."""
    sitting = {seat.seat: _seat_person(seat) for seat in seats}
    free = [seat for seat in range(lobby.players) if seat not in sitting]
    bots = _house_players(STRENGTHS[lobby.strength], len(free))
    house = {seat: SeatPlan(player, agent_of(player)) for seat, player in zip(free, bots, strict=True)}
    plan = MatchPlan(
        Ruleset.from_code(lobby.ruleset),
        tuple((sitting | house)[seat] for seat in range(lobby.players)),
        new_seed(),
        uuid.uuid4(),
    )
    (match_id,) = create_matches(plans=[plan], kind=MatchKind.CASUAL, is_rated=lobby.is_rated, clock=lobby.clock)
    lobby.match_id = match_id
    lobby.save(update_fields=("match",))
    return match_id


def require_strength(name: str) -> Strength:
    try:
        return STRENGTHS[name]
    except KeyError:
        known = ", ".join(STRENGTHS)
        raise LeagueError("unknown_brain", f"There is no house bot {name[:40]!r}.", f"There are: {known}.") from None


def _seat_person(seat: LobbySeat) -> SeatPlan:
    if isinstance(seat.user, User):
        player = ensure_person(seat.user)
        return SeatPlan(player, agent_of(player))
    return SeatPlan(ensure_guest(seat.seat), GUEST_AGENT)


def _house_players(strength: Strength, count: int) -> list[Player]:
    """So many players of one brain, each a player of its own: ratings tell apart who sat where."""
    found = []
    for number in range(1, count + 1):
        suffix, title = (f"_{number}", f"{strength.title} {number}") if number > 1 else ("", strength.title)
        player, _is_new = Player.objects.get_or_create(
            slug=f"{HOUSE_SLUG}{strength.brain}{suffix}", defaults={"kind": PlayerKind.HOUSE, "name": title}
        )
        found.append(player)
    return found
