"""Fair play: reports become cases, moderators act for a reason, those concerned hear it, another decides appeals."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.common.site_events import find_site_breaks
from aurum_league.models import Notice, SiteEvent
from games.models import Match, MatchKind, MatchState, Player, ResultKind
from games.play.agents import AgentRef
from games.rules.ruleset import Ruleset
from games.selectors.sitters import Sitter
from games.services.by_hand import HandResult, ResultDecision, settle_by_hand
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.lobby import TableWish, open_lobby
from games.services.players import ensure_person
from tests.people import verify_address
from tournaments.models import (
    Appeal,
    Case,
    CaseKind,
    Deed,
    FixtureState,
    Rating,
    RatingChange,
    Seeker,
    StageStandings,
)
from tournaments.rules.cases import CaseState, DeedKind
from tournaments.rules.ratings.values import LiveRating, show_live
from tournaments.selectors.cases import list_cases
from tournaments.services.advance import advance_tournament
from tournaments.services.audit import audit_all
from tournaments.services.cases import ReportWish, open_case, report_player
from tournaments.services.decisions import enter_result
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.moderation import DeedWish, decide_appeal, do_deed, make_appeal
from tournaments.services.quick_pairing import SeekWish, start_waiting
from tournaments.services.rebuild import preview_without, refresh_ratings
from tournaments.services.release import start_tournament

pytestmark = pytest.mark.django_db


class Club:
    """Ann, bob and cyd play; mod and max are moderators."""

    def __init__(self) -> None:
        self.people = {name: verify_address(User.objects.create_user(name)) for name in ("ann", "bob", "cyd")}
        self.players = {name: ensure_person(user) for name, user in self.people.items()}
        self.mods = {name: User.objects.create_user(name) for name in ("mod", "max")}
        for user in self.mods.values():
            user.groups.add(Group.objects.get(name="moderator"))

    def play(self, *order: str, is_rated: bool = True) -> Match:
        """A match that ended in this order."""
        seats = tuple(SeatPlan(self.players[name], AgentRef("person", str(self.players[name].pk))) for name in order)
        plan = MatchPlan(Ruleset.from_code("en3"), seats, new_seed(), uuid.uuid4(), 1.0)
        decision, clock = ResultDecision(ResultKind.BY_HAND, "played elsewhere"), {"each": 86_400.0}
        # At once, so that no worker of a running site takes it meanwhile.
        with transaction.atomic():
            (match_id,) = create_matches(plans=[plan], kind=MatchKind.CASUAL, is_rated=is_rated, clock=clock)
            settle_by_hand(match_id=match_id, result=HandResult((1, 2, 3)), decision=decision)
        return Match.objects.get(pk=match_id)

    def report(self, reporter: str, about: str, match: Match | None = None) -> Case:
        wish = ReportWish("throwing", "Lost on purpose.", 1 if match else None, 2 if match else None)
        player = self.players[about]
        return report_player(user=self.people[reporter], player=player, match=match, wish=wish).case

    def act(self, case: Case, kind: DeedKind, about: str = "", mod: str = "mod", **given: Any) -> Deed:
        player = self.players[about].pk if about else None
        wish = DeedWish(kind, given.pop("reason", "Thrown matches"), player, **given)
        return do_deed(case_id=case.pk, actor=self.mods[mod], wish=wish)

    def told(self, name: str) -> list[str]:
        user = self.people.get(name) or self.mods[name]
        return list(Notice.objects.filter(user=user).order_by("id").values_list("kind", flat=True))


@pytest.fixture
def club(db: None) -> Club:
    return Club()


def refusal(deed: Callable[[], object]) -> str:
    with pytest.raises(LeagueError) as error:
        deed()
    return error.value.code


class TestReports:
    def test_reports_about_one_player_are_one_case(self, club: Club) -> None:
        match = club.play("ann", "bob", "cyd")
        first, second = club.report("ann", "cyd", match), club.report("bob", "cyd", match)
        assert first == second and list(first.players.all()) == [club.players["cyd"]]
        assert club.report("ann", "bob") != first

    def test_one_report_a_match_and_reporter(self, club: Club) -> None:
        match = club.play("ann", "bob", "cyd")
        club.report("ann", "cyd", match)
        assert refusal(lambda: club.report("ann", "bob", match)) == "reported_already"
        club.report("ann", "cyd")
        assert refusal(lambda: club.report("ann", "cyd")) == "reported_already"

    def test_nobody_reports_themselves_or_who_was_not_there(self, club: Club) -> None:
        match = club.play("ann", "bob", "cyd")
        assert refusal(lambda: club.report("ann", "ann", match)) == "not_reportable"
        club.players["dot"] = ensure_person(User.objects.create_user("dot"))
        assert refusal(lambda: club.report("ann", "dot", match)) == "not_at_table"
        wish = ReportWish("throwing", "  \n ")
        empty = lambda: report_player(user=club.people["ann"], player=club.players["bob"], match=None, wish=wish)  # noqa: E731
        assert refusal(empty) == "empty_report"

    def test_a_new_report_after_a_close_opens_a_new_case(self, club: Club) -> None:
        case = club.report("ann", "cyd")
        club.act(case, DeedKind.CLOSE, reason="Nothing in it.")
        assert club.report("bob", "cyd") != case

    def test_the_reporter_hears_what_came_of_it(self, club: Club) -> None:
        case = club.report("ann", "cyd")
        club.act(case, DeedKind.CLOSE, reason="Bad luck only.")
        (notice,) = Notice.objects.filter(user=club.people["ann"])
        assert "found nothing" in notice.text and notice.values["word"] == "Bad luck only."
        assert club.told("cyd") == [], "and nobody who is not concerned"


class TestDeeds:
    def test_a_hold_keeps_from_rated_play_alone(self, club: Club) -> None:
        sitter = Sitter(user_id=club.people["cyd"].pk)
        start_waiting(sitter=sitter, wish=SeekWish("en3"))
        club.act(club.report("ann", "cyd"), DeedKind.HOLD, "cyd", days=7)
        assert not Seeker.objects.exists(), "and out of the queue"
        assert refusal(lambda: start_waiting(sitter=sitter, wish=SeekWish("en3"))) == "held_from_rated"
        open_lobby(sitter=sitter, wish=TableWish("en3", "greedy"))
        assert club.told("cyd") == ["case_hold"]

    def test_a_suspension_keeps_from_every_table_that_has_not_begun(self, club: Club) -> None:
        sitter = Sitter(user_id=club.people["cyd"].pk)
        lobby = open_lobby(sitter=sitter, wish=TableWish("en3", "greedy"))
        club.act(club.report("ann", "cyd"), DeedKind.SUSPEND, "cyd", days=7)
        assert not lobby.seats.exists()
        assert refusal(lambda: open_lobby(sitter=sitter, wish=TableWish("en3", "greedy"))) == "suspended"
        Player.objects.update(suspended_until=timezone.now() - timedelta(seconds=1))
        open_lobby(sitter=sitter, wish=TableWish("en3", "greedy"))

    def test_every_deed_is_in_the_chain_with_its_reason(self, club: Club) -> None:
        case, match = club.report("ann", "cyd"), club.play("ann", "bob", "cyd")
        club.act(case, DeedKind.WARN, "cyd")
        club.act(case, DeedKind.HOLD, "cyd", days=7)
        club.act(case, DeedKind.VOID, "cyd", matches=(match.pk,))
        club.act(case, DeedKind.SUSPEND, "cyd", days=30)
        club.act(case, DeedKind.CLOSE)
        events = SiteEvent.objects.filter(kind__startswith="case_").order_by("number")
        kinds = ["case_warn", "case_hold", "case_void", "case_suspend", "case_close"]
        assert [event.kind for event in events] == kinds
        assert {event.reason for event in events} == {"Thrown matches"} and find_site_breaks() == []
        assert {event.detail["case"] for event in events} == {case.pk}

    @pytest.mark.parametrize(
        ("kind", "given", "code"),
        [
            pytest.param(DeedKind.WARN, {"reason": " "}, "needs_reason", id="no reason"),
            pytest.param(DeedKind.HOLD, {}, "bad_term", id="no term"),
            pytest.param(DeedKind.HOLD, {"days": 0}, "bad_term", id="no days"),
            pytest.param(DeedKind.VOID, {}, "bad_matches", id="no matches"),
            pytest.param(DeedKind.VOID, {"matches": (10**9,)}, "bad_matches", id="matches of nobody"),
        ],
    )
    def test_what_cannot_be_done_is_refused(
        self, club: Club, kind: DeedKind, given: dict[str, Any], code: str
    ) -> None:
        case = club.report("ann", "cyd")
        assert refusal(lambda: club.act(case, kind, "cyd", **given)) == code
        assert not Deed.objects.exists() and not SiteEvent.objects.filter(kind__startswith="case_").exists()

    def test_who_is_not_accused_is_left_alone(self, club: Club) -> None:
        case = club.report("ann", "cyd")
        assert refusal(lambda: club.act(case, DeedKind.WARN, "bob")) == "not_in_case"

    def test_a_closed_case_is_left_alone(self, club: Club) -> None:
        case = club.report("ann", "cyd")
        club.act(case, DeedKind.CLOSE)
        assert refusal(lambda: club.act(case, DeedKind.WARN, "cyd")) == "case_not_open"

    def test_a_begun_match_cannot_be_made_void(self, club: Club) -> None:
        match = club.play("ann", "bob", "cyd")
        Match.objects.filter(pk=match.pk).update(state=MatchState.WAITING)
        case = club.report("ann", "cyd")
        assert refusal(lambda: club.act(case, DeedKind.VOID, "cyd", matches=(match.pk,))) == "bad_matches"


class TestRefund:
    def test_void_matches_count_as_if_they_had_never_been(self, club: Club) -> None:
        """The ratings afterwards are, bit for bit, those of a pool that only saw the other matches."""
        kept = [club.play("ann", "cyd", "bob")]
        thrown = [club.play("bob", "ann", "cyd") for _ in range(3)]
        kept.append(club.play("cyd", "bob", "ann"))
        before = dict(Rating.objects.values_list("player_id", "mu"))
        shifts = preview_without(match_ids=[match.pk for match in thrown])
        assert dict(Rating.objects.values_list("player_id", "mu")) == before, "a preview changes nothing"
        club.act(club.report("ann", "cyd"), DeedKind.VOID, "cyd", matches=tuple(match.pk for match in thrown))
        refresh_ratings()
        assert sorted(set(RatingChange.objects.values_list("match_id", flat=True))) == [one.pk for one in kept]
        after = dict(Rating.objects.values_list("player_id", "mu", named=False))
        assert {shift.player for shift in shifts} == set(after) == set(before)
        assert before != after
        assert dict(Rating.objects.values_list("player_id", "matches")) == dict.fromkeys(after, 2)
        rows = Rating.objects.values_list("player_id", "mu", "sigma")
        shown = {player: show_live(LiveRating(mu, sigma)).number for player, mu, sigma in rows}
        assert shown == {shift.player: shift.after for shift in shifts}, "and what came is what was previewed"
        gain = {shift.player: shift.after - shift.before for shift in shifts}
        assert gain[club.players["cyd"].pk] > 0 > gain[club.players["bob"].pk]
        assert preview_without(match_ids=[match.pk for match in thrown]) == []
        for name in ("ann", "bob"):
            assert "matches_void" in club.told(name)
        thrown[0].result.refresh_from_db()
        assert (thrown[0].result.kind, thrown[0].result.version) == (ResultKind.VOID, 2)

    def test_a_granted_appeal_gives_everything_back(self, club: Club) -> None:
        matches = tuple(club.play("bob", "ann", "cyd").pk for _ in range(2))
        before = dict(Rating.objects.values_list("player_id", "mu"))
        case = club.report("ann", "cyd")
        club.act(case, DeedKind.VOID, "cyd", matches=matches)
        club.act(case, DeedKind.HOLD, "cyd", days=30)
        club.act(case, DeedKind.SUSPEND, "cyd", days=7)
        refresh_ratings()
        assert not Rating.objects.exists()
        appeal = make_appeal(user=club.people["cyd"], case_id=case.pk, text="I was ill.")
        decide_appeal(appeal_id=appeal.pk, actor=club.mods["max"], is_granted=True, answer="True.")
        refresh_ratings()
        assert dict(Rating.objects.values_list("player_id", "mu")) == before
        player = Player.objects.get(pk=club.players["cyd"].pk)
        assert (player.held_until, player.suspended_until) == (None, None)
        assert club.told("cyd")[-1] == "appeal_decided" and "matches_count" in club.told("ann")
        case.refresh_from_db()
        assert case.state == CaseState.CLOSED.value
        assert find_site_breaks() == []


class TestEvents:
    def start(self, club: Club, name: str) -> list[Match]:
        """An event of the three with a table of two matches, both ended in the order of their names."""
        host = User.objects.create_user(f"host of {name}")
        stage = {"format": "round_robin", "options": {"meetings": 1}, "matches_each": 2, "block_deals": 0}
        spec = {"name": name, "entry_kind": "people", "clock": {"each": 86_400.0}, "stages": [stage]}
        event = create_tournament(spec=spec, organiser=host)
        open_tournament(tournament_id=event.pk)
        enter_players(tournament_id=event.pk, players=list(club.players.values()))
        draw_tournament(tournament_id=event.pk)
        start_tournament(tournament_id=event.pk)
        matches = list(Match.objects.filter(fixture_match__stage__tournament=event).order_by("pk"))
        for match in matches:
            order = [club.players[one].pk for one in ("ann", "bob", "cyd")]
            seats = match.seats.order_by("seat").values_list("player_id", flat=True)
            places = tuple(1 + order.index(player) for player in seats)
            enter_result(match_id=match.pk, result=HandResult(places), reason="played elsewhere")
        advance_tournament(tournament_id=event.pk)
        return matches

    def test_a_table_becomes_void_as_a_whole_with_refund(self, club: Club) -> None:
        first, second = self.start(club, "Cup")
        fixture = first.fixture_match.fixture
        rows = fixture.matchday.stage.standings.rows
        assert Rating.objects.count() == 3 and [row["tally"]["played"] for row in rows] == [2, 2, 2]
        case = club.report("ann", "cyd", first)
        page = {"do": "void", "player": club.players["cyd"].pk, "days": 7, "reason": "Thrown.", "match": [first.pk]}
        mod = Client()
        mod.force_login(club.mods["mod"])
        preview = mod.post(reverse("moderation_case", args=[case.pk]), page).content.decode()
        assert all(name in preview for name in ("ann", "bob", "cyd")) and not Deed.objects.exists()
        mod.post(reverse("moderation_case", args=[case.pk]), {**page, "sure": "1"})
        assert Deed.objects.get().matches == [first.pk, second.pk], "a table counts as a whole"
        fixture.refresh_from_db()
        assert fixture.state == FixtureState.VOID
        assert {one.result.kind for one in Match.objects.select_related("result")} == {ResultKind.VOID}
        refresh_ratings()
        assert not Rating.objects.exists(), "refunded"
        rows = StageStandings.objects.get(stage=fixture.matchday.stage).rows
        assert [row["tally"]["played"] for row in rows] == [0, 0, 0]
        event = fixture.matchday.stage.tournament
        told = event.events.get(kind="voided")
        assert (told.actor, told.reason) == (club.mods["mod"], "Thrown."), "in the event's own chain too"
        assert "matches_void" in club.told("ann")
        notice = Notice.objects.get(user=event.organiser, kind="event_void")
        assert notice.values["number"] == 2 and notice.url == reverse("desk_matches", args=[event.slug])
        assert list(audit_all()) == []
        appeal = make_appeal(user=club.people["cyd"], case_id=case.pk, text="I was ill.")
        decide_appeal(appeal_id=appeal.pk, actor=club.mods["max"], is_granted=True, answer="True.")
        fixture.refresh_from_db()
        assert fixture.state == FixtureState.VOID, "its organiser decides"
        assert Notice.objects.filter(user=event.organiser, kind="event_appeal").exists()

    def test_matches_of_one_event_at_a_time(self, club: Club) -> None:
        first, other = self.start(club, "Cup")[0], self.start(club, "League")[0]
        casual, case = club.play("ann", "bob", "cyd"), club.report("ann", "cyd")
        for matches in ((first.pk, other.pk), (first.pk, casual.pk)):
            assert refusal(lambda: club.act(case, DeedKind.VOID, "cyd", matches=matches)) == "mixed_matches"  # noqa: B023


class TestAppeals:
    def test_one_appeal_that_another_moderator_decides(self, club: Club) -> None:
        case, cyd = club.report("ann", "cyd"), club.people["cyd"]
        assert refusal(lambda: make_appeal(user=cyd, case_id=case.pk, text="Why?")) == "nothing_to_appeal"
        club.act(case, DeedKind.WARN, "cyd")
        appeal = make_appeal(user=cyd, case_id=case.pk, text="Why?")
        assert club.told("max") == ["case_appealed"] and club.told("mod") == []
        assert refusal(lambda: make_appeal(user=cyd, case_id=case.pk, text="Again")) == "appealed_already"
        assert refusal(lambda: club.act(case, DeedKind.HOLD, "cyd", mod="max", days=7)) == "case_not_open"
        decided: dict[str, Any] = {"appeal_id": appeal.pk, "is_granted": False, "answer": "The replay is plain."}
        assert refusal(lambda: decide_appeal(actor=club.mods["mod"], **decided)) == "own_decision"
        decide_appeal(actor=club.mods["max"], **decided)
        assert refusal(lambda: decide_appeal(actor=club.mods["max"], **decided)) in ("appeal_decided",)
        assert Appeal.objects.get().is_granted is False
        assert "report_closed" in club.told("ann"), "the case is closed with it"

    def test_an_appeal_comes_within_thirty_days(self, club: Club) -> None:
        case = club.report("ann", "cyd")
        club.act(case, DeedKind.WARN, "cyd")
        Deed.objects.update(done_at=timezone.now() - timedelta(days=31))
        late = lambda: make_appeal(user=club.people["cyd"], case_id=case.pk, text="Why?")  # noqa: E731
        assert refusal(late) == "nothing_to_appeal"

    def test_what_another_case_holds_stands(self, club: Club) -> None:
        first = club.report("ann", "cyd")
        club.act(first, DeedKind.HOLD, "cyd", days=30)
        second = open_case(kind=CaseKind.JUMP, key="jump", players=[club.players["cyd"]], evidence={})
        club.act(second, DeedKind.HOLD, "cyd", days=7)
        appeal = make_appeal(user=club.people["cyd"], case_id=first.pk, text="Why?")
        decide_appeal(appeal_id=appeal.pk, actor=club.mods["max"], is_granted=True, answer="True.")
        until = Player.objects.get(pk=club.players["cyd"].pk).held_until
        assert until is not None and until < timezone.now() + timedelta(days=8)


class TestWhoMayHandle:
    @pytest.mark.parametrize("part", ["accused", "reporter", "sat there"])
    def test_nobody_handles_a_case_of_their_own(self, club: Club, part: str) -> None:
        match = club.play("ann", "bob", "cyd")
        case = club.report("ann", "cyd", match)
        own = club.people[{"accused": "cyd", "reporter": "ann", "sat there": "bob"}[part]]
        own.groups.add(Group.objects.get(name="moderator"))
        wish = DeedWish(DeedKind.CLOSE, "Nothing in it.")
        assert refusal(lambda: do_deed(case_id=case.pk, actor=own, wish=wish)) == "own_case"
        assert case not in list_cases(own), "nor sees it"
        assert case in list_cases(club.mods["mod"])

    @pytest.mark.parametrize("role", ["", "staff", "organiser", "superuser"])
    def test_nobody_else_handles_any(self, club: Club, role: str) -> None:
        case = club.report("ann", "cyd")
        other = User.objects.create_user("other", is_superuser=role == "superuser", is_staff=role == "superuser")
        if role in ("staff", "organiser"):
            other.groups.add(Group.objects.get(name=role))
        wish = DeedWish(DeedKind.CLOSE, "Nothing in it.")
        assert refusal(lambda: do_deed(case_id=case.pk, actor=other, wish=wish)) == "not_a_moderator"
