"""Whether the bots of a match did what its record says: asked for by whoever sat there, and what came out."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import say_refusal
from bots.agents.conformance import Difference
from bots.pages.bots import author_of
from bots.services.proof import Proof, ProvenSeat, ask_proof, read_proof
from games.models import MatchSeat
from games.pages.matches import answer_sealed, require_match


@dataclass(frozen=True, slots=True)
class ProofRow:
    """`counted` is None for a seat that is not asked; `differences` are the first of those that were found."""

    held: MatchSeat
    counted: ProvenSeat | None
    differences: list[Difference]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_proof(request: HttpRequest, match_id: int) -> HttpResponse:
    match = require_match(request, match_id)
    if sealed := answer_sealed(request, match):
        return sealed
    refusal, status = "", 200
    if request.method == "POST":
        try:
            ask_proof(match=match, owner=author_of(request))
            return redirect("match_proof", match_id=match.pk)
        except LeagueError as error:
            refusal, status = say_refusal(error), error.status
    state, held = read_proof(match), list(match.seats.all())
    context = {
        "match": match,
        "refusal": refusal,
        "state": state,
        "rows": _list_rows(state.proof, held) if state.proof else [],
        "is_seated": any(seat.owner_id == request.user.pk for seat in held),
    }
    part = "bots/proof_part.html" if request.headers.get("HX-Request") else "bots/proof.html"
    return render(request, part, context, status=status)


def _list_rows(proof: Proof, held: list[MatchSeat]) -> list[ProofRow]:
    counted = {seat.seat: seat for seat in proof.seats}
    return [
        ProofRow(one, counted.get(one.seat), [found for found in proof.differences if found.seat == one.seat])
        for one in held
    ]
