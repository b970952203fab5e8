"""The balance certificate of a stage: how evenly its schedule treats everybody, beside what arithmetic allows."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from aurum_league.common.kept import keep, read_kept
from tournaments.models import Stage
from tournaments.pages.frame import find_shown, frame_context
from tournaments.pages.words import CERTIFICATE
from tournaments.rules.certificate import CertificateRow, certify
from tournaments.rules.pairing import TableKind
from tournaments.selectors.listing import is_in_charge
from tournaments.selectors.pace import read_version
from tournaments.selectors.schedule import PREVIEWS
from tournaments.selectors.seals import revealed_seed
from tournaments.selectors.situation import read_history

MOST_CERTIFIED = 300
"""The certificate counts every pair of entrants: beyond this a page would keep its reader waiting."""
KEPT_SECONDS = 3600


@require_safe
def show_balance(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    may_see = shown.tournament.state not in PREVIEWS or is_in_charge(request.user, shown.tournament)
    is_too_large = len(shown.stage.field) > MOST_CERTIFIED
    key = f"balance-{shown.stage.number}-{read_version(shown.tournament, shown.stages)}"
    rows = certify_stage(shown.stage, key) if may_see and not is_too_large else ()
    context = frame_context(request, shown, "tournament_balance") | {
        "rows": [(CERTIFICATE.get(row.name, row.name), row) for row in rows],
        "is_too_large": may_see and is_too_large,
        "most": MOST_CERTIFIED,
        "seed": revealed_seed(shown.tournament),
    }
    return render(request, "tournaments/balance.html", context)


def certify_stage(stage: Stage, key: str) -> tuple[CertificateRow, ...]:
    """The rows of a stage's certificate; none where nothing is drawn."""
    known: tuple[CertificateRow, ...] | None = read_kept(key)
    if known is None:
        kind = TableKind(stage.tournament.table_kind)
        days = [[table.pairing.seats for table in day.tables] for day in read_history(stage, kind)]
        known = certify(days, kind, stage.field).rows if days else ()
        keep(key, known, KEPT_SECONDS)
    return known
