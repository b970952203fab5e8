"""Cases come to be: somebody reports a player, or the numbers say that somebody should look."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from aurum_league.common.api.access import is_within_rate
from aurum_league.common.errors import N_, LeagueError
from games.models import Match, Player, PlayerKind
from tournaments.models import Case, CaseKind, Report, ReportKind
from tournaments.rules.cases import CaseState
from tournaments.selectors.suspicions import list_jumps, list_links, list_partners

REPORTS_A_MINUTE = 5
QUIET = timedelta(days=90)
"""What a moderator has closed, numbers do not bring up again for so long; a new report does."""


@dataclass(frozen=True, slots=True)
class ReportWish:
    """What somebody says: of which kind, in a sentence, and at which decision, where they name one."""

    kind: str
    text: str
    round_number: int | None = None
    trick: int | None = None


@transaction.atomic
def report_player(*, user: User, player: Player, match: Match | None, wish: ReportWish) -> Report:
    """Report a player, in a match of theirs or as such; the report joins the case about them that is under way."""
    text = " ".join(wish.text.split())[:400]
    if wish.kind not in ReportKind.values or not text:
        raise LeagueError("empty_report", N_("Say what is wrong, in a sentence."), status=422)
    if player.owner_id == user.pk or player.kind in (PlayerKind.HOUSE, PlayerKind.TEAM):
        raise LeagueError(
            "not_reportable", N_("This player cannot be reported."), N_("Report one of the others."), status=409
        )
    if match is not None and not match.seats.filter(player=player).exists():
        raise LeagueError("not_at_table", N_("%(name)s did not sit there."), status=422, name=player.name)
    if not is_within_rate(f"user-{user.pk}", "reports", REPORTS_A_MINUTE):
        raise LeagueError("reports_too_fast", N_("That was much in a short time."), N_("Wait a minute."), status=429)
    # Two forms sent at once must not both find that there is none.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    _require_first(user, player, match)
    case = open_case(kind=CaseKind.REPORT, key=f"report:{player.pk}", players=[player], evidence={})
    return Report.objects.create(
        case=case,
        reporter=user,
        player=player,
        match=match,
        kind=wish.kind,
        text=text,
        round_number=wish.round_number if match else None,
        trick=wish.trick if match and wish.round_number else None,
    )


def _require_first(user: User, player: Player, match: Match | None) -> None:
    own = Report.objects.filter(reporter=user)
    if match is not None and own.filter(match=match).exists():
        raise LeagueError(
            "reported_already", N_("You have reported this match."), N_("You will hear what comes of it."), status=409
        )
    under_way = own.filter(match=None, player=player).exclude(case__state=CaseState.CLOSED.value)
    if match is None and under_way.exists():
        raise LeagueError(
            "reported_already", N_("You have reported this player."), N_("You will hear what comes of it."), status=409
        )


@transaction.atomic
def open_case(*, kind: CaseKind, key: str, players: Sequence[Player], evidence: dict[str, Any]) -> Case:
    """The case of this key that is under way, with what is known now, or a new one."""
    under_way = Case.objects.select_for_update(no_key=True).filter(key=key).exclude(state=CaseState.CLOSED.value)
    case = under_way.first()
    if case is None:
        Case.objects.bulk_create([Case(kind=kind, key=key)], ignore_conflicts=True)
        case = under_way.get()
        case.players.set(players)
    if evidence:
        case.evidence = {**case.evidence, **evidence}
        case.save(update_fields=("evidence",))
    return case


def look_for_cases() -> int:
    """Open a case for whatever the numbers say somebody should look at; how many are under way by it."""
    found = [*_find_pairs(), *_find_links(), *_find_jumps()]
    for kind, key, players, evidence in found:
        open_case(kind=kind, key=key, players=players, evidence=evidence)
    return len(found)


Found = tuple[CaseKind, str, list[Player], dict[str, Any]]


def _find_pairs() -> Iterator[Found]:
    for pair in list_partners():
        low, high = sorted((pair.helped, pair.helper))
        key = f"pair:{low}-{high}"
        if not _is_quiet(key):
            names = ("helped", "helper", "matches", "helped_gain", "helper_gain", "third_gain", "p_value")
            evidence = {name: getattr(pair, name) for name in names}
            yield CaseKind.PAIR, key, list(Player.objects.filter(pk__in=(low, high))), evidence


LINK_NUMBERS = ("devices", "addresses", "rated_matches", "is_suspended")


def _find_links() -> Iterator[Found]:
    for link in list_links():
        key = f"linked:{link.first}-{link.second}"
        people = Player.objects.filter(owner__in=(link.first, link.second), kind=PlayerKind.PERSON)
        if not _is_quiet(key):
            evidence = {name: int(getattr(link, name)) for name in LINK_NUMBERS}
            yield CaseKind.LINKED, key, list(people), evidence


def _find_jumps() -> Iterator[Found]:
    for player, rise in list_jumps():
        key = f"jump:{player}"
        if not _is_quiet(key):
            evidence = {"before": rise.before, "after": rise.after, "error": rise.error, "rated": rise.matches}
            yield CaseKind.JUMP, key, list(Player.objects.filter(pk=player)), evidence


def _is_quiet(key: str) -> bool:
    """Whether a case of this key was closed so lately that numbers alone do not open it again."""
    return Case.objects.filter(key=key, closed_at__gt=timezone.now() - QUIET).exists()
