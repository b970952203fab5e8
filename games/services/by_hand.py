"""Results by hand: for matches that could not be played to their end, and for results that were wrong."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from games.models import Match, MatchResult, MatchState, PlayerKind, ResultKind
from games.play.table import Summary
from games.rules.deal import draw_first_seat
from games.rules.ruleset import Ruleset
from games.rules.score_sheet import Reckoning
from games.selectors.archives import read_log
from games.signals import SettledMatch, SettledSeat, matches_settled

UNDER_A_WORKER = (MatchState.PLAYING,)


@dataclass(frozen=True, slots=True)
class HandResult:
    """What a person says about a match: places by side, and what is known beside them; forfeits are seats."""

    places: tuple[int, ...]
    nuggets: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    exact_bids: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()
    gold_points: tuple[int, ...] = ()
    rounds: int = 0
    lots: bool = False

    @staticmethod
    def from_sheet(told: Reckoning) -> "HandResult":
        """What a score sheet comes to, once its match is over."""
        assert told.result is not None
        return HandResult(
            places=told.places,
            nuggets=told.result.nuggets,
            totals=told.result.totals,
            exact_bids=told.add_up("is_exact"),
            bids=told.add_up("bid"),
            tricks=told.add_up("tricks"),
            gold_points=told.add_up("gold_points"),
            rounds=len(told.rounds),
            lots=told.result.lots,
        )


FROM_A_SHEET = ("exact_bids", "bids", "tricks", "gold_points")


def forfeit_result(ruleset: Ruleset, forfeits: Sequence[int]) -> HandResult:
    """The result where these seats forfeit: a side is last once all its seats do, the others share the first place."""
    out = {side for side in range(ruleset.sides) if set(range(side, ruleset.players, ruleset.sides)) <= set(forfeits)}
    staying = ruleset.sides - len(out)
    places = tuple(staying + 1 if side in out and staying else 1 for side in range(ruleset.sides))
    return HandResult(places, forfeits=tuple(sorted(forfeits)))


@dataclass(frozen=True, slots=True)
class ResultDecision:
    """Who decided on a result, why, and what kind of result that makes."""

    kind: ResultKind
    reason: str
    actor: User | None = None


@transaction.atomic
def settle_by_hand(*, match_id: int, result: HandResult, decision: ResultDecision) -> None:
    """End a match that no worker holds with a result that a person states; it is counted like any other."""
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if match.state in (*UNDER_A_WORKER, MatchState.FINISHED, MatchState.VOID):
        raise LeagueError(
            "match_not_open",
            N_("Match %(number)s is %(state)s."),
            N_("Try again later."),
            status=409,
            number=match_id,
            state=MatchState(match.state),
        )
    ruleset = Ruleset.from_code(match.ruleset)
    summary = _summarise(ruleset, bytes(match.seed), result)
    match.state = MatchState.FINISHED
    match.finished_at = timezone.now()
    match.awaited, match.deadline, match.trouble = [], None, ""
    match.save(update_fields=("state", "finished_at", "awaited", "deadline", "trouble"))
    about = {"kind": decision.kind, "reason": decision.reason[:400], "actor": decision.actor}
    MatchResult.objects.create(match=match, is_by_hand=True, **about, **_columns(summary))
    matches_settled.send(sender=None, matches=(_settled(match, summary),))


@transaction.atomic
def correct_result(*, match_id: int, result: HandResult, decision: ResultDecision) -> None:
    """Give a match that has a result a further version of it; whoever counted it must be told by the caller."""
    stored = _lock_results([match_id])[0]
    ruleset = Ruleset.from_code(stored.match.ruleset)
    _check(ruleset, result)
    stored.places = list(result.places)
    stored.nuggets = list(result.nuggets) or stored.nuggets
    stored.totals = list(result.totals) or stored.totals
    stored.forfeits = list(result.forfeits)
    stored.early = [seat for seat in stored.early if seat in result.forfeits]
    if result.rounds and not read_log(stored):
        for name in FROM_A_SHEET:
            setattr(stored, name, list(getattr(result, name)))
        stored.rounds, stored.lots = result.rounds, result.lots
    stored.is_by_hand = True
    _save_version(stored, decision)


@transaction.atomic
def take_result(*, match_id: int, from_match_id: int, decision: ResultDecision) -> None:
    """Let a match have, as a further version, the result of another one played by the same, log and all."""
    stored = _lock_results([match_id])[0]
    other = MatchResult.objects.select_related("match").get(pk=from_match_id)
    is_fresh = decision.kind == ResultKind.FRESH
    if stored.match.ruleset != other.match.ruleset or (not is_fresh and stored.match.seed != other.match.seed):
        raise ValueError(f"Matches {match_id} and {from_match_id} were not played on the same deals.")
    for name in Summary.__dataclass_fields__:
        setattr(stored, name, read_log(other) if name == "log" else getattr(other, name))
    stored.cpu_us = other.cpu_us
    stored.is_by_hand = other.is_by_hand
    stored.record_match = other.match if is_fresh else None
    _save_version(stored, decision)


@transaction.atomic
def void_results(*, match_ids: Sequence[int], decision: ResultDecision) -> None:
    """Note, as a further version of each, that these results count no more; who counts them is told by the caller."""
    for stored in _lock_results(match_ids):
        _save_version(stored, decision)


def _lock_results(match_ids: Sequence[int]) -> list[MatchResult]:
    """By the rows of their matches: the site's role may not lock what it may not change."""
    list(Match.objects.filter(pk__in=match_ids).order_by("pk").select_for_update(no_key=True).values_list("pk"))
    return list(MatchResult.objects.filter(pk__in=match_ids).select_related("match").order_by("pk"))


def _save_version(stored: MatchResult, decision: ResultDecision) -> None:
    """By a function of the owner's; a trigger numbers the version, notes its time, and keeps the one before."""
    stored.kind, stored.reason, stored.actor = decision.kind, decision.reason[:400], decision.actor
    columns = (field.attname for field in MatchResult._meta.concrete_fields)
    content = {name: getattr(stored, name) for name in columns} | {"log": "\\x" + bytes(stored.log).hex()}
    del content["settled_at"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT games_add_result_version(%s, %s)", [stored.pk, json.dumps(content)])
    stored.refresh_from_db(fields=("version", "settled_at"))


def _check(ruleset: Ruleset, result: HandResult) -> None:
    lists = (result.places, result.nuggets or result.places, result.totals or result.places)
    fits = all(len(one) == ruleset.sides for one in lists)
    expected = [1 + sum(other < place for other in result.places) for place in result.places]
    if not fits or list(result.places) != expected or not set(result.forfeits) <= set(range(ruleset.players)):
        raise LeagueError(
            "bad_result",
            N_("These places do not describe a table of %(number)s sides."),
            N_("Give a place for each side: 1 is best, and those who share a place leave the next ones out."),
            number=ruleset.sides,
        )


def _summarise(ruleset: Ruleset, seed: bytes, result: HandResult) -> Summary:
    _check(ruleset, result)
    nothing = [0] * ruleset.sides
    return Summary(
        places=list(result.places),
        nuggets=list(result.nuggets) or nothing,
        totals=list(result.totals) or nothing,
        **{name: list(getattr(result, name)) or nothing for name in FROM_A_SHEET},
        forfeits=list(result.forfeits),
        rounds=result.rounds,
        ends=[0, 0, 0],
        first_seat=draw_first_seat(seed, ruleset.players),
        lots=result.lots,
        log=b"",
    )


def _columns(summary: Summary) -> dict[str, object]:
    return {name: getattr(summary, name) for name in Summary.__dataclass_fields__}


def _settled(match: Match, summary: Summary) -> SettledMatch:
    seats = match.seats.select_related("player").order_by("seat")
    return SettledMatch(
        id=match.pk,
        kind=match.kind,
        ruleset=match.ruleset,
        players=match.players,
        is_rated=match.is_rated,
        deals=str(match.deals),
        seats=tuple(
            SettledSeat(seat.seat, seat.side, seat.player_id, seat.ref, seat.player.kind == PlayerKind.PERSON)
            for seat in seats
        ),
        summary=summary,
    )
