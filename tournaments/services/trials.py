"""Trials: an author asks whether a new version is better; workers play units of matches until the answer is clear."""

import uuid
from collections.abc import Sequence
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from aurum_league.common.broker import publish
from aurum_league.common.errors import N_, LeagueError
from games.models import Match, MatchKind, MatchState, Player, PlayerKind
from games.play.agents import AgentRef
from games.rules.ruleset import Ruleset, RulesetError
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.signals import SettledMatch
from tournaments.models import Trial, TrialState, TrialUnit
from tournaments.rules.sequential import TrialRole, TrialVerdict, duel_seatings, estimate_effect, score_unit
from tournaments.rules.standings import Scoring, TableResult
from tournaments.rules.standings.results import UNITS, arrange_results, credit_seats
from tournaments.selectors.trials import TrialPath, find_trial, list_trial_versions, sequential_test_of, walk_units

TRIALS_A_DAY = 10
PLAYING_AT_ONCE = 2
FEWEST_UNITS, USUAL_UNITS, MOST_UNITS = 16, 2000, 5000
SMALLEST_EFFECT, USUAL_EFFECT, LARGEST_EFFECT = 0.02, 0.1, 1.0
UNITS_AHEAD = 16
"""Units that play at the same time: enough to keep workers busy, few enough to waste little when the test ends."""

PRIORITY = -10
ENDS = {
    TrialVerdict.ACCEPTED: TrialState.BETTER,
    TrialVerdict.REJECTED: TrialState.NOT_BETTER,
    TrialVerdict.UNDECIDED: TrialState.UNDECIDED,
}

_RESULTS = """
    SELECT link.trialunit_id, link.match_id, result.places, result.forfeits
    FROM tournaments_trialunit_matches AS link
    LEFT JOIN games_matchresult AS result ON result.match_id = link.match_id
    WHERE link.trialunit_id = ANY(%s) ORDER BY link.trialunit_id, link.match_id
"""


@transaction.atomic
def start_trial(
    *,
    author: User,
    player: Player,
    new_agent: str,
    old_agent: str,
    ruleset: str = "en3",
    effect: float = USUAL_EFFECT,
    most_units: int = USUAL_UNITS,
) -> Trial:
    """Begin a test of two versions of a bot; its first units can be played once this commits."""
    _require_valid(ruleset, effect, most_units)
    _require_agents(author, player, new_agent, old_agent)
    _require_room(author)
    try:
        with transaction.atomic():
            trial = Trial.objects.create(
                player=player,
                owner=author,
                new_agent=new_agent,
                old_agent=old_agent,
                ruleset=ruleset,
                effect=effect,
                most_units=most_units,
            )
    except IntegrityError:
        raise LeagueError(
            "trial_running",
            N_("A trial of %(name)s is running already."),
            N_("Wait for it, or stop it."),
            status=409,
            name=player.name,
        ) from None
    _draw_units(trial, counted=0, drawn=0)
    return trial


@transaction.atomic
def stop_trial(*, trial_id: int, author: User, reason: str = "") -> Trial:
    """End a trial before its answer; one that has ended stays as it is."""
    find_trial(trial_id, author)
    trial = Trial.objects.select_for_update(no_key=True).get(pk=trial_id)
    if trial.state == TrialState.PLAYING:
        trial.trouble = reason[:200]
        _end(trial, TrialState.STOPPED)
    return trial


def advance_trials(*, matches: Sequence[SettledMatch]) -> None:
    """Count matches for their trials, inside the transaction that settles them, and draw or end what follows."""
    ids = [match.id for match in matches if match.kind == MatchKind.TRIAL]
    if not ids:
        return
    links = TrialUnit.matches.through.objects.filter(match_id__in=ids)
    unit_ids = sorted(set(links.values_list("trialunit_id", flat=True)))
    playing = Trial.objects.filter(units__in=unit_ids, state=TrialState.PLAYING).values("id")
    trials = list(Trial.objects.filter(id__in=playing).order_by("id").select_for_update(no_key=True))
    _score_units(unit_ids)
    for trial in trials:
        _advance(trial)


@transaction.atomic
def stop_troubled_trials(*, match_ids: Sequence[int]) -> None:
    """A match of a unit that cannot be played leaves its trial without an answer."""
    links = TrialUnit.matches.through.objects.filter(match_id__in=match_ids).values("trialunit__trial")
    for trial in Trial.objects.filter(id__in=links, state=TrialState.PLAYING).order_by("id").select_for_update():
        trial.trouble = "A match of it could not be played."
        _end(trial, TrialState.STOPPED)


@transaction.atomic
def stop_trials_of(*, players: Sequence[int]) -> None:
    """Players who are gone for good try nothing any more."""
    trials = Trial.objects.filter(player__in=players, state=TrialState.PLAYING)
    for trial in trials.order_by("id").select_for_update(no_key=True):
        trial.trouble = "The bot was retired."
        _end(trial, TrialState.STOPPED)


def _advance(trial: Trial) -> None:
    test = sequential_test_of(trial)
    units = list(TrialUnit.objects.filter(trial=trial).order_by("number").values_list("score", flat=True))
    path = walk_units(test, units)
    trial.llr = path.ratios[-1] if path.ratios else 0.0
    if path.scores.units:
        estimate = estimate_effect(test, path.scores)
        trial.estimate, trial.estimate_low, trial.estimate_high = estimate.value, estimate.low, estimate.high
    if path.verdict is not TrialVerdict.CONTINUES:
        _end(trial, ENDS[path.verdict])
        return
    trial.save(update_fields=("llr", "estimate", "estimate_low", "estimate_high"))
    _draw_units(trial, counted=path.scores.units, drawn=len(units))
    _tell(trial, path)


def _end(trial: Trial, state: TrialState) -> None:
    """Write the end of a locked trial; what was not begun is not played."""
    trial.state = state
    trial.finished_at = timezone.now()
    trial.save()
    links = TrialUnit.matches.through.objects.filter(trialunit__trial=trial).values("match_id")
    waiting = Match.objects.filter(id__in=links, state=MatchState.READY).order_by("id")
    found = [match.id for match in waiting.only("id").select_for_update(skip_locked=True, no_key=True)]
    Match.objects.filter(id__in=found).update(state=MatchState.VOID)
    _tell(trial)


def _tell(trial: Trial, path: TrialPath | None = None) -> None:
    note = {"state": trial.state, "llr": trial.llr, "units": path.scores.units if path else None}
    transaction.on_commit(lambda: publish(f"trial:{trial.id}", note))


def _draw_units(trial: Trial, *, counted: int, drawn: int) -> None:
    """Hand out matches until enough units are under way; all matches of a unit are on one deal."""
    numbers = range(drawn + 1, min(counted + UNITS_AHEAD, trial.most_units) + 1)
    if not numbers:
        return
    units = TrialUnit.objects.bulk_create(TrialUnit(trial=trial, number=number) for number in numbers)
    plans = [plan for _ in units for plan in _plan_unit(trial)]
    ids = create_matches(plans=plans, kind=MatchKind.TRIAL, is_rated=False, priority=PRIORITY, account=trial.owner_id)
    size = len(plans) // len(units)
    through = TrialUnit.matches.through
    through.objects.bulk_create(
        through(trialunit_id=units[position // size].id, match_id=match_id) for position, match_id in enumerate(ids)
    )


def _plan_unit(trial: Trial) -> list[MatchPlan]:
    ruleset = Ruleset.from_code(trial.ruleset)
    agents = {TrialRole.CANDIDATE: AgentRef.parse(trial.new_agent), TrialRole.BASELINE: AgentRef.parse(trial.old_agent)}
    seed, deals = new_seed(), uuid.uuid4()
    return [
        MatchPlan(ruleset, tuple(SeatPlan(trial.player, agents[role]) for role in seating), seed, deals)
        for seating in duel_seatings(ruleset.players)
    ]


def _score_units(unit_ids: Sequence[int]) -> None:
    """Score the units whose matches have all ended; the trials are locked."""
    results: dict[int, list[TableResult | None]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS, [list(unit_ids)])
        for unit_id, _, places, forfeits in cursor.fetchall():
            results.setdefault(unit_id, []).append(_seat_result(places, forfeits))
    whole = []
    for unit in TrialUnit.objects.filter(id__in=unit_ids, score__isnull=True).order_by("id"):
        played = [result for result in results[unit.id] if result is not None]
        if len(played) == len(results[unit.id]):
            unit.score = _score(played)
            whole.append(unit)
    TrialUnit.objects.bulk_update(whole, ["score"])


def _seat_result(places: list[int] | None, forfeits: list[int] | None) -> TableResult | None:
    if places is None:
        return None
    seats = 4 if len(places) == 2 else 3
    return TableResult(tuple(range(seats)), tuple(places), forfeits=tuple(forfeits or ()))


def _score(results: list[TableResult]) -> float:
    sides, seats = len(results[0].places), len(results[0].entrants)
    (arrays,) = arrange_results(results)
    points = credit_seats(arrays, Scoring(tuple(range(sides - 1, -1, -1))))[1] / UNITS
    return score_unit(duel_seatings(seats), points.tolist())


def _require_valid(ruleset: str, effect: float, most_units: int) -> None:
    try:
        Ruleset.from_code(ruleset)
    except RulesetError:
        raise LeagueError("bad_ruleset", N_("There is no ruleset %(ruleset)s."), ruleset=repr(ruleset)) from None
    if not SMALLEST_EFFECT <= effect <= LARGEST_EFFECT:
        raise LeagueError(
            "bad_effect",
            N_("The effect lies between %(least)s and %(most)s points."),
            least=SMALLEST_EFFECT,
            most=LARGEST_EFFECT,
        )
    if not FEWEST_UNITS <= most_units <= MOST_UNITS:
        raise LeagueError(
            "bad_limit", N_("A trial takes %(least)s to %(most)s units."), least=FEWEST_UNITS, most=MOST_UNITS
        )


def _require_agents(author: User, player: Player, new_agent: str, old_agent: str) -> None:
    """Two qualified versions of a bot of the author's; house bots are tried by staff."""
    is_own = player.owner_id == author.pk if player.kind == PlayerKind.BOT else author.is_staff
    if not is_own:
        raise LeagueError("not_yours", N_("%(name)s is not your bot."), status=403, name=player.name)
    if new_agent == old_agent:
        raise LeagueError("same_version", N_("A version cannot be tried against itself."))
    if player.kind == PlayerKind.HOUSE:
        known = all(AgentRef.parse(agent).is_house for agent in (new_agent, old_agent))
    else:
        known = {new_agent, old_agent} <= set(list_trial_versions(player))
    if not known:
        raise LeagueError("unknown_version", N_("Both must be qualified versions of %(name)s."), name=player.name)


def _require_room(author: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=author.pk)
    mine = Trial.objects.filter(owner=author)
    if mine.filter(state=TrialState.PLAYING).count() >= PLAYING_AT_ONCE:
        raise _exceeded(N_("You have %(number)s trials running."), N_("Wait for one."), number=PLAYING_AT_ONCE)
    if mine.filter(created_at__gt=timezone.now() - timedelta(days=1)).count() >= TRIALS_A_DAY:
        raise _exceeded(N_("You have begun %(number)s trials in 24 hours."), N_("Go on tomorrow."), number=TRIALS_A_DAY)


def _exceeded(message: str, fix: str, **values: object) -> LeagueError:
    return LeagueError("quota_exceeded", message, fix, status=429, **values)
