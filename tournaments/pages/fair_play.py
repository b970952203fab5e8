"""Fair play: reporting somebody, one's own reports and what was decided about oneself, and the moderators' desk."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from aurum_league.common.errors import LeagueError
from aurum_league.common.pages import Refused, say_refusal, shown_field
from games.models import Match, Player, PlayerKind
from games.pages.matches import require_match
from tournaments.api.fair_play import ReportFormSerializer
from tournaments.models import Case, CaseKind, Deed, RatingPool
from tournaments.pages.frame import cut_page
from tournaments.pages.players import name_pool, require_player
from tournaments.pages.words import describe_evidence, describe_gifts, say_deed
from tournaments.rules.cases import AGAINST_SOMEBODY, AppealStep, CaseState, DeedKind, find_next_state
from tournaments.selectors.cases import (
    expand_matches,
    list_cases,
    list_deeds_against,
    list_joint_matches,
    list_own_reports,
    require_appeal,
    require_case,
    require_moderator,
)
from tournaments.selectors.partners import list_pairs
from tournaments.services.cases import ReportWish, report_player
from tournaments.services.moderation import DeedWish, decide_appeal, do_deed, make_appeal
from tournaments.services.rebuild import preview_without

CASES_A_PAGE, MATCHES_SHOWN, SHIFTS_SHOWN, PAIRS_SHOWN = 30, 40, 50, 20
TERMS = (
    (7, gettext_lazy("a week")),
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("a year")),
    (36_500, gettext_lazy("for good")),
)


class ReportForm(forms.Form):
    player = forms.ChoiceField(label=gettext_lazy("Who"))
    kind = shown_field(ReportFormSerializer, "kind", label=gettext_lazy("What"), widget=forms.RadioSelect)
    round_number = shown_field(
        ReportFormSerializer, "round_number", label=gettext_lazy("Round, if it is about one decision"), required=False
    )
    trick = shown_field(
        ReportFormSerializer,
        "trick",
        label=gettext_lazy("Trick"),
        required=False,
        help_text=gettext_lazy("0 for the bids; the replay shows the numbers."),
    )
    text = shown_field(
        ReportFormSerializer,
        "text",
        label=gettext_lazy("What happened, in a sentence"),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, players: list[Player], has_match: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["player"]
        chosen.choices = [(player.slug, player.name) for player in players]
        if not has_match:
            del self.fields["round_number"], self.fields["trick"]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report_in_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Report somebody who sat at this table; the address may name the decision as a replay's does."""
    match = require_match(request, match_id)
    seated = [seat.player for seat in match.seats.all()]
    others = [one for one in seated if one.owner_id != request.user.pk and one.kind != PlayerKind.HOUSE]
    if not others:
        raise Http404(_("Nobody but bots of the house sat at this table."))
    return _report(request, others, match)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report_player_page(request: HttpRequest, slug: str) -> HttpResponse:
    player = require_player(slug)
    if player.owner_id == request.user.pk or player.kind in (PlayerKind.HOUSE, PlayerKind.TEAM):
        raise Http404(_("This player cannot be reported."))
    return _report(request, [player], None)


def _report(request: HttpRequest, players: list[Player], match: Match | None) -> HttpResponse:
    named = {"round_number": request.GET.get("round"), "trick": request.GET.get("trick")}
    form = ReportForm(request.POST or None, players=players, has_match=match is not None, initial=named)
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data
        player = next(one for one in players if one.slug == sent["player"])
        wish = ReportWish(sent["kind"], sent["text"], sent.get("round_number"), sent.get("trick"))
        try:
            report_player(user=_account(request), player=player, match=match, wish=wish)
            messages.success(request, _("Thank you. A moderator will look at it, and you will hear what came of it."))
            return redirect("own_fair_play")
        except LeagueError as error:
            form.add_error(None, say_refusal(error))
    status = 422 if form.errors else 200
    context = {"form": form, "match": match, "player": players[0]}
    return render(request, "fair_play/report.html", context, status=status)


@login_required
@never_cache
@require_safe
def show_own(request: HttpRequest) -> HttpResponse:
    """What one has reported and what came of it; what moderators decided about oneself, with the one appeal."""
    user = _account(request)
    by_case: dict[int, list[Deed]] = {}
    for deed in list_deeds_against(user):
        by_case.setdefault(deed.case_id, []).append(deed)
    cases = []
    for case in Case.objects.filter(pk__in=by_case).order_by("-id"):
        appeal = case.appeals.filter(player__owner=user).first()
        can_appeal = appeal is None and find_next_state(CaseState(case.state), AppealStep.APPEAL) is not None
        deeds = [(deed, say_deed(deed)) for deed in by_case[case.pk]]
        cases.append({"case": case, "deeds": deeds, "appeal": appeal, "can_appeal": can_appeal})
    return render(request, "fair_play/own.html", {"reports": list_own_reports(user)[:50], "cases": cases})


@login_required
@require_POST
def appeal(request: HttpRequest, case_id: int) -> HttpResponse:
    return _act(
        request,
        "own_fair_play",
        lambda: make_appeal(user=_account(request), case_id=case_id, text=request.POST.get("text", "")),
        _("Your appeal is made. Another moderator decides it."),
    )


@login_required
@never_cache
@require_safe
def show_cases(request: HttpRequest) -> HttpResponse:
    """Every case that this moderator may handle, those under way first."""
    with_refusals(lambda: require_moderator(request.user))
    page = cut_page(request, list_cases(_account(request)), CASES_A_PAGE)
    rows = [
        (case, CaseKind(case.kind).label, _(CaseState(case.state).label), case.reports.count())
        for case in page.object_list
    ]
    return render(request, "fair_play/cases.html", {"rows": rows, "page": page})


@login_required
@never_cache
@require_safe
def show_pairs(request: HttpRequest) -> HttpResponse:
    """Who plays for whom, in every pool of three: the pairs least likely by luck, but for the moderator's own."""
    with_refusals(lambda: require_moderator(request.user))
    own = _account(request).pk
    pools = []
    for pool in RatingPool.objects.filter(players=3, sequence__gt=0).order_by("id"):
        pairs = [pair for pair in list_pairs(pool, limit=PAIRS_SHOWN) if own not in pair.owners]
        pools.append((name_pool(pool), pairs))
    return render(request, "fair_play/pairs.html", {"pools": pools})


class DeedForm(forms.Form):
    """One form for all deeds: the button says which."""

    player = forms.TypedChoiceField(label=gettext_lazy("Whom"), coerce=int)
    days = forms.TypedChoiceField(label=gettext_lazy("For how long"), coerce=int, choices=TERMS, initial=7)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Those concerned read it, and it stays in the chain of events."),
    )

    def __init__(self, *args: Any, case: Case, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["player"]
        chosen.choices = [(player.pk, player.name) for player in case.players.all()]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_case(request: HttpRequest, case_id: int) -> HttpResponse:
    """All that is known, and what can be done now; sent, it is done and the page shown again."""
    case: Case = with_refusals(lambda: require_case(case_id, request.user))
    form = DeedForm(request.POST or None, case=case)
    wanted = request.POST.get("do", "")
    if request.method == "POST" and form.is_valid() and wanted in {kind.value for kind in DeedKind}:
        if wanted == DeedKind.VOID:
            return _preview(request, case, form)
        return _do(request, case, _wish(form, DeedKind(wanted)))
    return render(request, "fair_play/case.html", _describe(case, form), status=422 if form.errors else 200)


def _wish(form: DeedForm, kind: DeedKind, matches: tuple[int, ...] = ()) -> DeedWish:
    sent = form.cleaned_data
    return DeedWish(kind, sent["reason"], sent["player"], sent["days"], matches)


def _do(request: HttpRequest, case: Case, wish: DeedWish) -> HttpResponse:
    deed = lambda: do_deed(case_id=case.pk, actor=_account(request), wish=wish)  # noqa: E731
    return _act(request, "moderation_case", deed, _("Done, and told to those concerned."), case.pk)


def _preview(request: HttpRequest, case: Case, form: DeedForm) -> HttpResponse:
    """Whose ratings would change by how much; the same form with `sure` does it."""
    asked = tuple(int(text) for text in request.POST.getlist("match") if text.isdigit() and len(text) < 16)
    if request.POST.get("sure") == "1":
        return _do(request, case, _wish(form, DeedKind.VOID, asked))
    if not asked:
        messages.error(request, _("Choose the matches that are to be void."))
        return redirect("moderation_case", case.pk)
    matches = expand_matches(asked)
    shifts = preview_without(match_ids=matches)[:SHIFTS_SHOWN]
    names = dict(Player.objects.filter(pk__in=[shift.player for shift in shifts]).values_list("pk", "name"))
    rows = [(names[shift.player], name_pool(shift.pool), shift, shift.after - shift.before) for shift in shifts]
    context = {"case": case, "form": form, "asked": asked, "matches": matches, "rows": rows}
    return render(request, "fair_play/void.html", context)


@login_required
@require_POST
def answer_appeal(request: HttpRequest, appeal_id: int) -> HttpResponse:
    asked = with_refusals(lambda: require_appeal(appeal_id, request.user))
    is_granted, answer = request.POST.get("do") == "grant", request.POST.get("answer", "")
    deed = lambda: decide_appeal(  # noqa: E731
        appeal_id=appeal_id, actor=_account(request), is_granted=is_granted, answer=answer
    )
    return _act(request, "moderation_case", deed, _("The appeal is decided."), asked.case_id)


def _describe(case: Case, form: DeedForm) -> dict[str, Any]:
    players = list(case.players.select_related("owner"))
    deeds = case.deeds.select_related("player", "actor")
    state = CaseState(case.state)
    possible = {kind.value for kind in DeedKind if find_next_state(state, kind) is not None}
    return {
        "case": case,
        "kind": CaseKind(case.kind).label,
        "state": _(state.label),
        "players": players,
        "reports": case.reports.select_related("reporter", "player", "match"),
        "evidence": describe_evidence(case),
        "gifts": describe_gifts(case),
        "deeds": [(deed, say_deed(deed)) for deed in deeds],
        "appeals": case.appeals.select_related("player", "decided_by"),
        "matches": list_joint_matches(players, MATCHES_SHOWN),
        "form": form,
        "can_act": any(kind.value in possible for kind in AGAINST_SOMEBODY),
        "can_close": DeedKind.CLOSE.value in possible,
    }


def with_refusals(ask: Any) -> Any:
    """What was asked for, or the page that says why not."""
    try:
        return ask()
    except LeagueError as error:
        if error.status == 403:
            raise Refused(say_refusal(error)) from None
        raise Http404(say_refusal(error)) from None


def _act(request: HttpRequest, back: str, deed: Any, said: str, *args: Any) -> HttpResponse:
    try:
        deed()
        messages.success(request, said)
    except LeagueError as error:
        messages.error(request, say_refusal(error))
    return redirect(back, *args)


def _account(request: HttpRequest) -> Any:
    return request.user
