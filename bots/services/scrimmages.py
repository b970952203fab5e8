"""Scrimmages: unrated matches that an author asks for, on rotated deals where everybody forgets them."""

import uuid
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import N_, LeagueError
from bots.models import Bot, BotState, Scrimmage
from bots.services.registration import SCRIMMAGES_A_DAY, count_scrimmages_left, lock_own_bot
from games.models import MatchKind, Player, PlayerKind
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.players import agent_of

MOST_AT_ONCE = 60
OPPONENTS = 2
CLOCK: dict[str, object] = {"bank": 300.0, "increment": 0.0}


@transaction.atomic
def ask_scrimmages(*, bot_id: int, owner: User, ruleset: Ruleset, others: Sequence[Player], matches: int) -> list[int]:
    """Create matches against house bots or bots that allow it; with four players the bot is its own partner.

    Rounded up to whole blocks in which the bot sits at every seat of a deal, unless somebody at the table answers in
    their own time and so would see the deal twice.
    """
    User.objects.select_for_update().get(pk=owner.pk)
    bot = lock_own_bot(bot_id, owner)
    if bot.state in (BotState.PAUSED, BotState.RETIRED):
        fix = N_("Activate a version first.") if bot.state == BotState.PAUSED else ""
        raise LeagueError(
            "bot_state",
            N_("A bot that is %(state)s asks for no scrimmages."),
            fix,
            status=409,
            state=BotState(bot.state),
        )
    if len(others) != OPPONENTS:
        raise LeagueError("opponents", N_("A scrimmage has two opponents."), status=422)
    if not 1 <= matches <= MOST_AT_ONCE:
        raise LeagueError("matches", N_("Ask for 1 to %(most)s matches at a time."), status=422, most=MOST_AT_ONCE)
    for other in others:
        _require_willing(other, owner)
    plans = _plan(bot, ruleset, others, matches)
    left = count_scrimmages_left(owner)
    if len(plans) > left:
        raise LeagueError(
            "quota_exceeded",
            N_("An author may ask for %(number)s scrimmages a day."),
            N_("You have %(left)s left in these 24 hours."),
            status=429,
            number=SCRIMMAGES_A_DAY,
            left=left,
        )
    ids = create_matches(
        plans=plans, kind=MatchKind.SCRIMMAGE, is_rated=False, priority=-1, clock=CLOCK, account=owner.pk
    )
    Scrimmage.objects.bulk_create([Scrimmage(match_id=match_id, bot=bot, asked_by=owner) for match_id in ids])
    return ids


def _require_willing(other: Player, owner: User) -> None:
    if other.kind == PlayerKind.HOUSE:
        return
    bot = Bot.objects.filter(player=other, state=BotState.ACTIVE).first()
    if bot is None or not (bot.allows_scrimmages or other.owner_id == owner.pk):
        raise LeagueError(
            "not_willing", N_("%(name)s takes no scrimmages."), N_("Choose another."), status=409, name=other.name
        )


def _plan(bot: Bot, ruleset: Ruleset, others: Sequence[Player], matches: int) -> list[MatchPlan]:
    own = SeatPlan(bot.player, agent_of(bot.player))
    first, second = (SeatPlan(other, agent_of(other)) for other in others)
    order = [own, first, second] if ruleset.players == 3 else [own, first, own, second]
    if not all(seat.agent.remembers_nothing for seat in order):
        return [MatchPlan(ruleset, tuple(order), new_seed(), uuid.uuid4()) for _ in range(matches)]
    plans = []
    for _ in range(-(-matches // ruleset.sides)):
        seed, deals = new_seed(), uuid.uuid4()
        for turn in range(ruleset.sides):
            seats = tuple(order[(seat - turn) % len(order)] for seat in range(len(order)))
            plans.append(MatchPlan(ruleset, seats, seed, deals))
    return plans
