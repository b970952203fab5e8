"""Results from real tables: a player reports, another confirms or disputes, and the organiser decides what is disputed.

A report changes nothing by itself. What counts is entered by `decisions.enter_result`, as a version that stays; a
result that is disputed after it counts goes on counting until the organiser has decided.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from games.models import Match, MatchSeat, MatchState
from games.models.match import ENDED
from games.rules.ruleset import Ruleset
from games.rules.score_sheet import Reckoning, SheetLine, reckon_sheet
from games.selectors.matches import untouched_matches
from games.services.by_hand import HandResult
from games.services.create import REAL_CARDS
from tournaments.models import FixtureMatch, Role, ScoreSheet, SheetState, Tournament
from tournaments.rules.lifecycle import Step
from tournaments.selectors.desk import list_helpers
from tournaments.services.decisions import UNDECIDED, enter_result, find_link
from tournaments.services.lifecycle import record_event

BEGUN = {"sheet_written": 1}
"""The clocks of a match that was reported: it was begun, so nobody's leaving makes it void any more."""

MOST_TAKEN_BACK = 5
"""Of one table by one person: the others are told of every report."""
MOST_DISPUTES = 3
"""Of one result by one person: the organiser is told of each, and has decided the one before."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was written down: rounds, or places by side alone; `lots` as in `reckon_sheet`."""

    rounds: tuple[tuple[SheetLine, ...], ...] = ()
    lots: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


def read_rounds(rounds: Sequence[Sequence[Sequence[object]]]) -> tuple[tuple[SheetLine, ...], ...]:
    """Rounds as a row or a program holds them: of each side bid, tricks, and the ranks of its gold."""
    return tuple(tuple(SheetLine(bid, tricks, tuple(gold)) for bid, tricks, gold in lines) for lines in rounds)  # type: ignore[arg-type]


def write_rounds(rounds: Sequence[Sequence[SheetLine]]) -> list[list[list[object]]]:
    return [[[line.bid, line.tricks, list(line.gold)] for line in lines] for lines in rounds]


def reckon(ruleset: Ruleset, sheet: Sheet) -> tuple[HandResult, Reckoning | None]:
    """The result that a sheet gives; a coded error where it cannot be so, or where the match is not over."""
    if not sheet.rounds:
        return HandResult(sheet.places), None
    told = reckon_sheet(ruleset, sheet.rounds, sheet.lots)
    if told.result is None:
        raise LeagueError(
            "not_over",
            N_("After these rounds the match is not over."),
            N_("Write down the next round too."),
        )
    return HandResult.from_sheet(told), told


@transaction.atomic
def write_sheet(*, match_id: int, user: User, sheet: Sheet) -> ScoreSheet:
    """Write down the result of one's own table; it counts once somebody of another side confirms it."""
    link, tournament = find_link(match_id, Step.DECIDE)
    seat = _require_seat(match_id, user)
    _require_real_cards(link.match)
    _require_no_report(match_id)
    if ScoreSheet.objects.filter(match_id=match_id, by=user, state=SheetState.DROPPED).count() >= MOST_TAKEN_BACK:
        raise LeagueError(
            "too_many",
            N_("You have taken back %(number)s reports of this table."),
            N_("Ask another player or the organiser to write it down."),
            status=429,
            number=MOST_TAKEN_BACK,
        )
    if not untouched_matches().filter(pk=match_id).exists():
        raise LeagueError("match_not_open", N_("This match has its result."), status=409)
    result, _told = reckon(Ruleset.from_code(link.match.ruleset), sheet)
    report = _write(link, sheet, result, by=user, seat=seat.seat)
    Match.objects.filter(pk=match_id).update(clocks=BEGUN)
    record_event(tournament, "sheet_written", actor=user, detail=_tell_sheet(report))
    others = MatchSeat.objects.filter(match_id=match_id, owner__isnull=False).exclude(side=seat.side)
    people = [one.owner for one in others.select_related("owner") if one.owner and one.owner != user]
    tell(
        people or _list_deciders(tournament),
        kind="sheet",
        subject=N_("A result waits for you: %(tournament)s"),
        text=N_("%(name)s has reported the result of table %(table)s. It counts once it is confirmed."),
        url=reverse("table_sheet", args=[match_id]),
        tournament=tournament.name,
        name=user.username,
        table=link.fixture.table,
    )
    return report


@transaction.atomic
def confirm_sheet(*, sheet_id: int, user: User) -> ScoreSheet:
    """Say, from another side of the table, that it was so: the result counts from now on."""
    report, _tournament = _lock(sheet_id)
    if report.state == SheetState.COUNTED:
        return report
    seat = _require_seat(report.match_id, user)
    _require_state(report, (SheetState.OPEN,))
    reporter = MatchSeat.objects.filter(match_id=report.match_id, seat=report.seat or 0)
    own = reporter.values_list("side", flat=True).first()
    if own == seat.side or report.by_id == user.pk:
        raise LeagueError(
            "own_sheet", N_("Nobody confirms what their own side reported."), N_("Ask another player."), status=403
        )
    reason = f"reported by {report.by}, confirmed by {user.username}"
    return _count(report, actor=user, reason=reason)


@transaction.atomic
def dispute_sheet(*, sheet_id: int, user: User, note: str) -> ScoreSheet:
    """Say that it was not so; from then on the organiser decides. What counts already goes on counting until then."""
    report, tournament = _lock(sheet_id)
    if report.state == SheetState.COUNTED:
        return dispute_result(match_id=report.match_id, user=user, note=note)
    _require_seat(report.match_id, user)
    if report.state == SheetState.DISPUTED:
        return report
    _require_state(report, (SheetState.OPEN,))
    report.state, report.answered_by, report.note = SheetState.DISPUTED, user, _require_note(note)
    report.save(update_fields=("state", "answered_by", "note"))
    _tell_dispute(report, tournament, user)
    return report


@transaction.atomic
def dispute_result(*, match_id: int, user: User, note: str) -> ScoreSheet:
    """Say of a result that counts that it was otherwise: it counts on, and the organiser decides.

    The same person saying it twice changes nothing before that.
    """
    link, tournament = find_link(match_id, Step.CORRECT)
    seat = _require_seat(match_id, user)
    _require_real_cards(link.match)
    if link.match.state != MatchState.FINISHED:
        raise LeagueError("no_result_yet", N_("This match has no result yet."), N_("Report it."), status=409)
    waiting = ScoreSheet.objects.filter(match_id=match_id, state=SheetState.DISPUTED).first()
    if waiting is not None and waiting.by_id == user.pk:
        return waiting
    if waiting is not None:
        raise LeagueError(
            "sheet_waits",
            N_("Another player has disputed this result already."),
            N_("The organiser decides."),
            status=409,
        )
    if ScoreSheet.objects.filter(match_id=match_id, by=user).exclude(note="").count() >= MOST_DISPUTES:
        raise LeagueError(
            "too_many",
            N_("You have disputed this result %(number)s times, and the organiser has decided."),
            N_("Speak with the organiser."),
            status=429,
            number=MOST_DISPUTES,
        )
    report = ScoreSheet.objects.create(
        match=link.match,
        by=user,
        seat=seat.seat,
        state=SheetState.DISPUTED,
        places=link.match.result.counted_places,
        answered_by=user,
        note=_require_note(note),
    )
    _tell_dispute(report, tournament, user)
    return report


def _require_note(note: str) -> str:
    if not note.strip():
        raise LeagueError("needs_reason", N_("Say what was otherwise."))
    return note.strip()[:400]


def _tell_dispute(report: ScoreSheet, tournament: Tournament, user: User) -> None:
    detail = {"match": report.match_id, "report": report.pk}
    record_event(tournament, "sheet_disputed", actor=user, reason=report.note, detail=detail)
    tell(
        _list_deciders(tournament),
        kind="dispute",
        subject=N_("A result is disputed: %(tournament)s"),
        text=N_("%(name)s says about match %(number)s: %(note)s"),
        url=reverse("desk_match", args=[tournament.slug, report.match_id]),
        tournament=tournament.name,
        name=user.username,
        number=report.match_id,
        note=report.note,
    )


@transaction.atomic
def take_back_sheet(*, sheet_id: int, user: User) -> ScoreSheet:
    """Take back what one has reported oneself, as long as nobody has answered."""
    report, tournament = _lock(sheet_id)
    if report.by_id != user.pk:
        raise LeagueError("own_sheet", N_("This is somebody else's report."), status=403)
    if report.state == SheetState.DROPPED:
        return report
    _require_state(report, (SheetState.OPEN,))
    ScoreSheet.objects.filter(pk=report.pk).update(state=SheetState.DROPPED)
    Match.objects.filter(pk=report.match_id, clocks=BEGUN).exclude(state__in=ENDED).update(clocks={})
    record_event(tournament, "sheet_dropped", actor=user, detail={"match": report.match_id, "report": report.pk})
    return ScoreSheet.objects.get(pk=report.pk)


@transaction.atomic
def accept_sheet(*, sheet_id: int, actor: User | None, reason: str = "") -> ScoreSheet:
    """Let a report count by the organiser's word, disputed or not; a result that counts already stays as it is."""
    report, tournament = _lock(sheet_id)
    if report.state == SheetState.COUNTED:
        return report
    _require_state(report, UNDECIDED)
    if report.match.state == MatchState.FINISHED:
        return _keep_result(report, tournament, actor, reason)
    return _count(report, actor=actor, reason=reason.strip() or f"reported by {report.by}, accepted at the desk")


@transaction.atomic
def enter_sheet(*, match_id: int, sheet: Sheet, reason: str, actor: User | None = None) -> ScoreSheet:
    """Enter a score sheet at the desk: it counts at once, and what was reported before it is dropped."""
    link, _tournament = find_link(match_id, Step.CORRECT)
    result, _told = reckon(Ruleset.from_code(link.match.ruleset), sheet)
    enter_result(match_id=match_id, result=result, reason=reason, actor=actor)
    return _write(link, sheet, result, by=actor, seat=None, state=SheetState.COUNTED)


def _keep_result(report: ScoreSheet, tournament: Tournament, actor: User | None, reason: str) -> ScoreSheet:
    """Answer a late dispute: what counts goes on counting, and whoever disputed it is told."""
    report.state, report.answered_by = SheetState.DROPPED, actor
    report.save(update_fields=("state", "answered_by"))
    detail = {"match": report.match_id, "report": report.pk}
    record_event(tournament, "dispute_dropped", actor=actor, reason=reason.strip(), detail=detail)
    if report.by is not None:
        tell(
            [report.by],
            kind="dispute",
            subject=N_("The organiser has decided: %(tournament)s"),
            text=N_("The result of match %(number)s that you disputed stays as it is."),
            url=reverse("table_sheet", args=[report.match_id]),
            tournament=tournament.name,
            number=report.match_id,
        )
    return report


def _count(report: ScoreSheet, *, actor: User | None, reason: str) -> ScoreSheet:
    """By the service that every result by hand goes through; it drops reports that are undecided, so this one first."""
    report.state, report.answered_by = SheetState.COUNTED, actor
    report.save(update_fields=("state", "answered_by"))
    sheet = Sheet(read_rounds(report.rounds), tuple(report.lots), tuple(report.places))
    result, _told = reckon(Ruleset.from_code(report.match.ruleset), sheet)
    enter_result(match_id=report.match_id, result=result, reason=reason, actor=actor)
    return report


def _write(
    link: FixtureMatch,
    sheet: Sheet,
    result: HandResult,
    *,
    by: User | None,
    seat: int | None,
    state: SheetState = SheetState.OPEN,
) -> ScoreSheet:
    return ScoreSheet.objects.create(
        match=link.match,
        by=by,
        seat=seat,
        state=state,
        rounds=write_rounds(sheet.rounds),
        lots=list(sheet.lots),
        places=list(result.places),
    )


def _tell_sheet(report: ScoreSheet) -> dict[str, object]:
    """For the chain of events; with real cards nothing of it is secret."""
    return {"match": report.match_id, "report": report.pk, "after": report.places, "rounds": report.rounds}


def _lock(sheet_id: int) -> tuple[ScoreSheet, Tournament]:
    sheets = ScoreSheet.objects.select_related("match", "by").defer("match__seed", "match__log")
    found = sheets.filter(pk=sheet_id).first()
    if found is None:
        raise LeagueError("no_sheet", N_("There is no report %(number)s."), status=404, number=sheet_id)
    # A result is corrected, and so disputed, after the end of the event too.
    step = Step.CORRECT if found.match.state == MatchState.FINISHED else Step.DECIDE
    _link, tournament = find_link(found.match_id, step)
    return sheets.get(pk=sheet_id), tournament


def _require_seat(match_id: int, user: User) -> MatchSeat:
    seat = MatchSeat.objects.filter(match_id=match_id, owner=user).order_by("seat").first()
    if seat is None:
        raise LeagueError("not_your_table", N_("You do not sit at this table."), status=403)
    return seat


def _require_real_cards(match: Match) -> None:
    if REAL_CARDS not in (match.clock or {}):
        raise LeagueError("played_here", N_("This match is played here: its result comes of itself."), status=409)


def _require_no_report(match_id: int) -> None:
    if ScoreSheet.objects.filter(match_id=match_id, state__in=UNDECIDED).exists():
        raise LeagueError(
            "sheet_waits",
            N_("The result of this table is reported already."),
            N_("Confirm it, or say what was otherwise."),
            status=409,
        )


def _require_state(report: ScoreSheet, states: Sequence[SheetState]) -> None:
    if report.state not in states:
        raise LeagueError(
            "sheet_closed",
            N_("This report is closed: %(state)s."),
            status=409,
            state=SheetState(report.state),
        )


def _list_deciders(tournament: Tournament) -> list[User]:
    """Who decides on results: the organiser, and helpers who may."""
    helpers = [one.user for one in list_helpers(tournament) if one.role in (Role.ALL, Role.RESULTS)]
    return [tournament.organiser, *helpers]
