"""What moderators do in a case: each deed for a reason, told to those concerned, in the chain, open to one appeal."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.site_events import record_site_event
from aurum_league.common.telling import tell
from games.models import LobbySeat, Match, MatchSeat, MatchState, Player, ResultKind
from games.services.by_hand import ResultDecision, void_results
from tournaments.models import Appeal, Case, Deed, Entrant, FixtureMatch, Seeker, Tournament, TournamentState
from tournaments.rules.cases import AGAINST_SOMEBODY, AppealStep, CaseState, DeedKind, find_next_state
from tournaments.selectors.cases import expand_matches, list_moderators, read_terms, require_appeal, require_case
from tournaments.services.decisions import require_reason, results_corrected, void_match

LONGEST_TERM = 36_500
"""Days; for good is a hundred years."""

APPEAL_DAYS = 30


@dataclass(frozen=True, slots=True)
class DeedWish:
    """What a moderator means to do: to whom, why, for how many days (hold, suspend), to which matches (void)."""

    kind: DeedKind
    reason: str
    player: int | None = None
    days: int | None = None
    matches: tuple[int, ...] = ()


@transaction.atomic
def do_deed(*, case_id: int, actor: User, wish: DeedWish) -> Deed:
    """Do it, note it in the site's chain, and tell those concerned; a coded error where it cannot be done now."""
    require_reason(wish.reason)
    require_case(case_id, actor)
    case = Case.objects.select_for_update(no_key=True).get(pk=case_id)
    state = _require_step(case, wish.kind)
    player = _require_accused(case, wish)
    until = timezone.now() + timedelta(days=_require_days(wish)) if wish.kind in TIMED else None
    matches = expand_matches(_require_matches(wish, player)) if wish.kind == DeedKind.VOID else []
    deed = Deed.objects.create(
        case=case,
        kind=wish.kind.value,
        player=player,
        actor=actor,
        reason=wish.reason.strip()[:400],
        until=until,
        matches=matches,
    )
    if matches:
        _void(matches, deed)
    _record(deed, f"case_{wish.kind}")
    if player is not None:
        _bring_terms(player)
        _tell_deed(deed, player)
    _move(case, state)
    return deed


TIMED = (DeedKind.HOLD, DeedKind.SUSPEND)


def _require_step(case: Case, step: DeedKind | AppealStep) -> CaseState:
    state = find_next_state(CaseState(case.state), step)
    if state is None:
        raise LeagueError(
            "case_not_open",
            N_("This case is %(state)s."),
            N_("Look at it again."),
            status=409,
            state=CaseState(case.state),
        )
    return state


def _require_accused(case: Case, wish: DeedWish) -> Player | None:
    if wish.kind == DeedKind.CLOSE:
        return None
    player = case.players.filter(pk=wish.player or 0).select_related("owner").first()
    if player is None:
        raise LeagueError("not_in_case", N_("Name a player whom the case is about."), status=422)
    return player


def _require_days(wish: DeedWish) -> int:
    if wish.days is None or not 1 <= wish.days <= LONGEST_TERM:
        raise LeagueError(
            "bad_term", N_("Say for how many days, from 1 to %(most)s."), status=422, most=LONGEST_TERM
        )
    return wish.days


def _require_matches(wish: DeedWish, player: Player | None) -> list[int]:
    """Finished matches of this player that count, all of them casual or all of one event."""
    found = Match.objects.filter(pk__in=wish.matches, state=MatchState.FINISHED, seats__player=player)
    rows = dict(found.exclude(result__kind=ResultKind.VOID).values_list("pk", "fixture_match__stage__tournament"))
    if not rows or set(rows) != set(wish.matches):
        raise LeagueError(
            "bad_matches",
            N_("Name finished matches of this player that are not void yet."),
            N_("A match that has begun is played to its end first."),
            status=422,
        )
    if len(set(rows.values())) > 1:
        raise LeagueError(
            "mixed_matches",
            N_("These matches belong to different events."),
            N_("Make those of one event void, then the others."),
            status=422,
        )
    return sorted(rows)


def _void(match_ids: Sequence[int], deed: Deed) -> None:
    """Casual matches count no more for ratings; those of an event with their whole table, as its desk would do it."""
    in_event = set(FixtureMatch.objects.filter(match__in=match_ids).values_list("match_id", flat=True))
    for match_id in sorted(in_event):
        void_match(match_id=match_id, reason=deed.reason, actor=deed.actor)
    _tell_host(
        in_event,
        "event_void",
        N_("A moderator made matches of %(event)s void"),
        N_("Matches of %(event)s that count no more: %(number)s. %(reason)s Standings are made again without them."),
        deed.reason,
    )
    if casual := [match_id for match_id in match_ids if match_id not in in_event]:
        void_results(match_ids=casual, decision=ResultDecision(ResultKind.VOID, deed.reason, deed.actor))
        results_corrected.send(sender=None, match_ids=casual)
    _tell_sitters(
        match_ids,
        "matches_void",
        N_("Matches of yours count no more"),
        N_("A moderator made %(number)s of your matches void: %(reason)s Ratings are computed again without them."),
        deed.reason,
    )


def _tell_sitters(match_ids: Sequence[int], kind: str, subject: str, text: str, reason: str) -> None:
    by_owner: dict[int, list[int]] = {}
    held = MatchSeat.objects.filter(match__in=match_ids, owner__isnull=False).order_by("match_id", "seat")
    for owner, match_id in held.values_list("owner_id", "match_id"):
        by_owner.setdefault(owner or 0, []).append(match_id)
    for user in User.objects.filter(pk__in=by_owner):
        own = sorted(set(by_owner[user.pk]))
        tell([user], kind=kind, subject=subject, text=text, url=reverse("match", args=[own[-1]]),
             number=len(own), reason=_end(reason))  # fmt: skip


def _tell_host(match_ids: Collection[int], kind: str, subject: str, text: str, reason: str) -> None:
    """Tell whoever runs the event that these matches are of: all of one, or of none."""
    link = FixtureMatch.objects.filter(match__in=match_ids).select_related("stage__tournament__organiser").first()
    event = link.stage.tournament if link else None
    if event is not None and event.organiser is not None:
        tell([event.organiser], kind=kind, subject=subject, text=text, url=reverse("desk_matches", args=[event.slug]),
             event=event.name, number=len(match_ids), reason=_end(reason))  # fmt: skip


def _bring_terms(player: Player) -> None:
    """Bring what the player may do in line with what stands against them; begun matches are played to their end."""
    terms = read_terms(player)
    Player.objects.filter(pk=player.pk).update(held_until=terms.held_until, suspended_until=terms.suspended_until)
    waiting = Seeker.objects.filter(user=player.owner_id, match=None)
    if terms.suspended_until:
        waiting.delete()
        LobbySeat.objects.filter(user=player.owner_id, lobby__match=None).delete()
        _tell_organisers(player)
    elif terms.held_until:
        waiting.filter(is_rated=True).delete()


def _tell_organisers(player: Player) -> None:
    over = (TournamentState.FINISHED, TournamentState.CANCELLED)
    entered = Entrant.objects.filter(player=player).exclude(tournament__state__in=over)
    for tournament in Tournament.objects.filter(pk__in=entered.values("tournament")).select_related("organiser"):
        if tournament.organiser is not None:
            tell(
                [tournament.organiser],
                kind="entrant_suspended",
                subject=N_("%(name)s is suspended"),
                text=N_("%(name)s is entered in %(event)s. Whether they play on there is yours to decide."),
                url=reverse("desk_entries", args=[tournament.slug]),
                name=player.name,
                event=tournament.name,
            )


TOLD: dict[DeedKind, tuple[str, str]] = {
    DeedKind.WARN: (N_("A moderator warns you"), N_("%(reason)s You can appeal once.")),
    DeedKind.HOLD: (
        N_("You are held from rated play"),
        N_("%(reason)s This holds until %(until)s (UTC). You can play unrated, and appeal once."),
    ),
    DeedKind.SUSPEND: (
        N_("Your account is suspended"),
        N_("%(reason)s This holds until %(until)s (UTC). Matches you have begun are played to their end. "
           "You can appeal once."),
    ),
    DeedKind.VOID: (N_("Matches of yours were made void"), N_("%(reason)s You can appeal once.")),
}  # fmt: skip


def _tell_deed(deed: Deed, player: Player) -> None:
    if player.owner is None:
        return
    subject, text = TOLD[DeedKind(deed.kind)]
    until = f"{deed.until:%Y-%m-%d %H:%M}" if deed.until else ""
    tell([player.owner], kind=f"case_{deed.kind}", subject=subject, text=text, url=reverse("own_fair_play"),
         reason=_end(deed.reason), until=until)  # fmt: skip


def _end(reason: str) -> str:
    """A reason as a sentence, since another follows."""
    return reason if reason[-1:] in ".!?…" else f"{reason}."


def _record(deed: Deed, kind: str) -> None:
    about = {"case": deed.case_id, "player": deed.player_id, "matches": deed.matches}
    until = deed.until.isoformat() if deed.until else None
    record_site_event(kind, actor=deed.actor, reason=deed.reason, **about, until=until)


def _move(case: Case, state: CaseState) -> None:
    """Into its next state; with the first close the reporters hear what came of it."""
    case.state = state.value
    if state == CaseState.CLOSED and case.closed_at is None:
        case.closed_at = timezone.now()
        _tell_reporters(case)
    case.save(update_fields=("state", "closed_at"))


def _tell_reporters(case: Case) -> None:
    acted = case.deeds.filter(kind__in=[kind.value for kind in AGAINST_SOMEBODY], lifted_at=None).exists()
    last = case.deeds.filter(kind=DeedKind.CLOSE.value).last()
    text = (
        N_("A moderator looked at what you reported and acted on it. %(word)s")
        if acted
        else N_("A moderator looked at what you reported and found nothing to act on. %(word)s")
    )
    for report in case.reports.filter(reporter__isnull=False).select_related("reporter", "player"):
        tell(
            [report.reporter] if report.reporter else [],
            kind="report_closed",
            subject=N_("What came of your report about %(name)s"),
            text=text,
            url=reverse("own_fair_play"),
            name=report.player.name,
            word=last.reason if last else "",
        )


@transaction.atomic
def make_appeal(*, user: User, case_id: int, text: str) -> Appeal:
    """The one appeal of somebody in a case, against all that stands against them there."""
    if not text.strip():
        raise LeagueError("needs_reason", N_("Say why you appeal."), status=422)
    case = Case.objects.select_for_update(no_key=True).filter(pk=case_id).first()
    earliest = timezone.now() - timedelta(days=APPEAL_DAYS)
    standing = Deed.objects.filter(case=case, player__owner=user, lifted_at=None, done_at__gt=earliest)
    deed = standing.select_related("player").order_by("id").first() if case else None
    if case is None or deed is None or deed.player is None:
        raise LeagueError(
            "nothing_to_appeal",
            N_("Nothing stands against you there that can be appealed."),
            N_("An appeal is possible for %(days)s days."),
            status=404,
            days=APPEAL_DAYS,
        )
    if case.appeals.filter(player__owner=user).exists():
        raise LeagueError("appealed_already", N_("You have appealed already."), N_("Wait for the answer."), status=409)
    state = _require_step(case, AppealStep.APPEAL)
    appeal = Appeal.objects.create(case=case, player=deed.player, text=text.strip()[:1000])
    record_site_event("case_appeal", actor=user, case=case.pk, player=deed.player_id)
    deciders = list_moderators().exclude(pk__in=case.deeds.values("actor")).exclude(pk=user.pk)
    tell(deciders, kind="case_appealed", subject=N_("An appeal waits for a moderator"),
         text=N_("Somebody appealed in case %(number)s. Whoever decided there does not decide the appeal."),
         url=reverse("moderation"), number=case.pk)  # fmt: skip
    _move(case, state)
    return appeal


@transaction.atomic
def decide_appeal(*, appeal_id: int, actor: User, is_granted: bool, answer: str) -> Appeal:
    """Another moderator decides; where it is granted, all that was done to the player in the case is undone."""
    require_reason(answer)
    asked = require_appeal(appeal_id, actor)
    case = Case.objects.select_for_update(no_key=True).get(pk=asked.case_id)
    appeal = Appeal.objects.select_related("player__owner").get(pk=appeal_id)
    if appeal.is_granted is not None:
        raise LeagueError("appeal_decided", N_("This appeal is decided."), status=409)
    _require_step(case, AppealStep.DECIDE)
    appeal.is_granted, appeal.answer = is_granted, answer.strip()[:400]
    appeal.decided_by, appeal.decided_at = actor, timezone.now()
    appeal.save()
    about = {"case": case.pk, "player": appeal.player_id, "is_granted": is_granted}
    record_site_event("case_appeal_decided", actor=actor, reason=appeal.answer, **about)
    if is_granted:
        _lift(appeal)
    _tell_appeal(appeal)
    if not case.appeals.filter(is_granted=None).exists():
        _move(case, _require_step(case, AppealStep.DECIDE))
    return appeal


def _lift(appeal: Appeal) -> None:
    standing = appeal.case.deeds.filter(player=appeal.player, lifted_at=None)
    void = [match_id for deed in standing.filter(kind=DeedKind.VOID.value) for match_id in deed.matches]
    standing.update(lifted_at=timezone.now())
    in_event = set(FixtureMatch.objects.filter(match__in=void).values_list("match_id", flat=True))
    _tell_host(
        in_event,
        "event_appeal",
        N_("An appeal about matches of %(event)s is granted"),
        N_("Matches of %(event)s that a moderator made void were right after all: %(reason)s "
           "Whether they are played anew is yours to decide."),
        appeal.answer,
    )  # fmt: skip
    if casual := sorted(set(void) - in_event):
        reason = appeal.answer
        void_results(match_ids=casual, decision=ResultDecision(ResultKind.PLAYED, reason, appeal.decided_by))
        results_corrected.send(sender=None, match_ids=casual)
        _tell_sitters(
            casual, "matches_count", N_("Matches of yours count again"),
            N_("An appeal was granted, and %(number)s of your matches count again: %(reason)s"), reason,
        )  # fmt: skip
    _bring_terms(appeal.player)


def _tell_appeal(appeal: Appeal) -> None:
    if appeal.player.owner is None:
        return
    subject = N_("Your appeal is granted") if appeal.is_granted else N_("Your appeal is not granted")
    tell([appeal.player.owner], kind="appeal_decided", subject=subject, text="%(answer)s",
         url=reverse("own_fair_play"), answer=appeal.answer)  # fmt: skip
