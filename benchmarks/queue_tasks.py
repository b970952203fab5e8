"""What the benchmark of the queue plays: a rated tournament of `random` and `greedy`, and the plain way beside it."""

import time
import uuid
from collections.abc import Callable
from typing import Any

import django

from aurum_league.settings.environment import use_default_settings

use_default_settings()
django.setup()

from django.db import transaction  # noqa: E402
from django.db.models import Sum  # noqa: E402

from aurum_league.celery import app  # noqa: E402
from aurum_league.cli.main import CommandError  # noqa: E402
from benchmarks.site import FIELD, SEATINGS, TABLES, start_house_tournament  # noqa: E402
from bots.brains import GreedyBrain, RandomBrain  # noqa: E402
from games.models import Match, MatchKind, MatchResult, MatchState, RunnerNeed  # noqa: E402
from games.play.agents import AgentRef  # noqa: E402
from games.rules.ruleset import Ruleset  # noqa: E402
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed  # noqa: E402
from games.services.lease import claim_matches  # noqa: E402
from games.services.play import Batch  # noqa: E402
from tournaments.models import FixtureMatch, Tournament, TournamentState  # noqa: E402
from tournaments.services.field import ensure_house_players  # noqa: E402

SECONDS_AT_MOST = 900
TASKS_A_CONNECTION = 10_000


def __getattr__(name: str) -> Any:
    """The same application, `app_kept` for workers that keep their connection, which Celery otherwise closes, and
    `app_by_views` for workers whose house bots all have a view made for each decision."""
    if name == "app_kept":
        app.conf.CELERY_DB_REUSE_MAX = TASKS_A_CONNECTION
    elif name == "app_by_views":
        RandomBrain.reflex = GreedyBrain.reflex = 0
    else:
        raise AttributeError(name)
    return app


def prepare_players() -> None:
    ensure_house_players(FIELD)


@app.task(name="bench.play_one")
def play_one() -> None:
    """The plain way: a message for every match, which is taken, played, stored and rated in one transaction."""
    token = uuid.uuid4()
    with transaction.atomic():
        claimed = claim_matches(token=token, limit=1, needs=RunnerNeed.HOUSE)
        if claimed:
            Batch(claimed, token).play()


def play_plainly(matches: int) -> tuple[int, float]:
    first, second, third = ensure_house_players(FIELD)[:3]
    seats = (
        SeatPlan(first, AgentRef.parse("house:random")),
        SeatPlan(second, AgentRef.parse("house:greedy")),
        SeatPlan(third, AgentRef.parse("house:random")),
    )
    plans = [MatchPlan(Ruleset(), seats, new_seed(), uuid.uuid4()) for _ in range(matches)]
    ids = create_matches(plans=plans, kind=MatchKind.CASUAL, is_rated=True)
    for _ in ids:
        app.send_task("bench.play_one", queue="bench")
    _wait(lambda: Match.objects.filter(pk__in=ids, state=MatchState.FINISHED).count() == len(ids))
    return len(ids), _game_seconds(ids)


def play_tournament(matches: int) -> tuple[int, float]:
    """A round robin of nine, every table a block of deals, ratings and standings kept."""
    deals = max(1, round(matches / (TABLES * SEATINGS)))
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": deals}
    tournament = start_house_tournament(f"Bench {uuid.uuid4().hex[:8]}", [stage])
    finished = Tournament.objects.filter(pk=tournament.pk, state=TournamentState.FINISHED)
    _wait(finished.exists)
    ids = list(FixtureMatch.objects.filter(stage__tournament=tournament).values_list("match_id", flat=True))
    return len(ids), _game_seconds(ids)


def _game_seconds(ids: list[int]) -> float:
    return (MatchResult.objects.filter(match__in=ids).aggregate(total=Sum("cpu_us"))["total"] or 0) / 1e6


def _wait(is_done: Callable[[], bool]) -> None:
    ends_at = time.monotonic() + SECONDS_AT_MOST
    while not is_done():
        if time.monotonic() > ends_at:
            raise CommandError("The matches were not played in time: look at the workers.")
        time.sleep(0.25)
