"""Whatever players do, and whatever is done to them: a match that was begun ends with its result, and counts."""

import importlib
import inspect
import pkgutil
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

import aurum_league.accounts
import bots.services
import games.services
import tournaments.services
from aurum_league.common.errors import LeagueError
from bots.models import Bot, BotMode, BotState, BotVersion, VersionState
from bots.services.registration import register_bot, retire_bot
from games.models import Match, MatchState, RunnerNeed
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.tables import find_table
from games.services.answer import answer_decision, resign_seat
from games.services.clocks import sweep_matches
from games.services.play import play_ready_matches
from games.services.players import ensure_person
from tests.services.tournaments.conftest import Make, make_bots
from tests.services.tournaments.test_people import DAYS, let_pass, start_event
from tournaments.models import CaseKind, Entrant, Fixture, FixtureState, Tournament, TournamentState
from tournaments.rules.cases import DeedKind
from tournaments.selectors.timetable import Timetable
from tournaments.services.advance import advance_tournament, finish_tournament
from tournaments.services.cases import ReportWish, open_case
from tournaments.services.decisions import play_again, void_match
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import disqualify_entrant, enter_players, replace_entrant, withdraw_entrant
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import cancel_tournament, open_tournament, pause_tournament, resume_tournament
from tournaments.services.moderation import DeedWish, do_deed
from tournaments.services.release import start_tournament
from tournaments.services.sheets import Sheet

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
SPECS: dict[str, dict[str, Any]] = {
    "several matches a table": {"format": "round_robin", "options": {"meetings": 1}, "matches_each": 2},
    "one match a table": {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 0},
    "ladder": {"format": "ladder"},
}


ABOUT = {"tournament_id", "stage_id", "entrant_id", "player", "players", "player_id", "user", "user_id", "person"}
ABOUT |= {"account", "owner", "bot", "bot_id"}
BESIDE_THE_POINT = (
    *("tournaments.trials", "tournaments.leagues.create", "tournaments.self_entry", "tournaments.steps"),
    *("tournaments.field.ensure", "tournaments.field.seed", "tournaments.field.keep", "tournaments.field.allow"),
    *("tournaments.entries.enter", "tournaments.draw", "tournaments.release", "tournaments.fresh"),
    *("tournaments.decisions", "tournaments.leagues.edit", "bots.versions", "bots.connected", "bots.scrimmages"),
    *("bots.registration.register", "bots.registration.edit", "bots.qualify", "games.lobby", "games.notices"),
    *("tournaments.entries.replace_entrant", "games.players", "bots.agents", "games.create", "games.lease"),
    "bots.registration.change_bot",
)
"""Services that make something new, let somebody in, or decide about one match with a reason and a version of its
result; and those that have a rule of their own above."""


def list_services_to_people() -> dict[str, Callable[..., object]]:
    """Every service that asks for a person, a player, an entrant, a bot or a tournament, found by looking."""
    found: dict[str, Callable[..., object]] = {}
    for package in (games.services, bots.services, tournaments.services, aurum_league.accounts):
        for entry in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{entry.name}")
            for name, function in inspect.getmembers(module, inspect.isfunction):
                parameters = inspect.signature(function).parameters.values()
                is_service = function.__module__ == module.__name__ and not name.startswith("_")
                is_service &= all(one.kind is one.KEYWORD_ONLY for one in parameters)
                full = f"{package.__name__.partition('.')[0]}.{entry.name}.{name}"
                if is_service and ABOUT & {one.name for one in parameters} and not full.startswith(BESIDE_THE_POINT):
                    found[full] = function
    return found


TO_PEOPLE = list_services_to_people()


def make_connected_bot(name: str) -> Bot:
    owner = User.objects.create_user(f"author-of-{name}".lower())
    bot = register_bot(owner=owner, name=name, mode=BotMode.CONNECTED)
    version = BotVersion.objects.get(bot=bot)
    BotVersion.objects.filter(pk=version.pk).update(state=VersionState.QUALIFIED)
    Bot.objects.filter(pk=bot.pk).update(state=BotState.ACTIVE, active_version=version)
    return Bot.objects.select_related("player__owner").get(pk=bot.pk)


def decide_anything(match: Match) -> None:
    """The first awaited seat takes its first legal action."""
    match.refresh_from_db()
    play = replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.log)))
    seen = view(play, match.awaited[0])
    answer_decision(match_id=match.pk, seat=seen.seat, counter=seen.log_end, text=seen.legal_texts()[0])


class BegunMatches(RuleBasedStateMachine):
    """`begun` holds who sat at every match of which an action was taken, when it was first seen."""

    stage: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        made = User.objects.count()
        organiser = User.objects.create_user(f"organiser-{made}")
        spec = {"name": "No way out", "entry_kind": "mixed", "clock": DAYS, "stages": [self.stage]}
        self.tournament = create_tournament(spec=spec, organiser=organiser)
        self.bot = make_connected_bot(f"Wire {made}")
        people = [ensure_person(User.objects.create_user(f"person-{made}-{number}")) for number in range(2)]
        open_tournament(tournament_id=self.tournament.id)
        enter_players(tournament_id=self.tournament.id, players=[*people, self.bot.player, *make_bots(1)])
        draw_tournament(tournament_id=self.tournament.id)
        start_tournament(tournament_id=self.tournament.id)
        self.other = create_tournament(spec=spec | {"name": "Another way"}, organiser=organiser)
        open_tournament(tournament_id=self.other.id)
        self.begun: dict[int, list[int]] = {}

    @property
    def matches(self) -> Any:
        return Match.objects.filter(fixture_match__stage__tournament=self.tournament).order_by("id")

    def attempt(self, service: Any, **arguments: Any) -> None:
        with suppress(LeagueError):
            service(**arguments)

    def pick_entrant(self, chosen: int) -> int:
        entrants = list(Entrant.objects.filter(tournament=self.tournament).order_by("id"))
        return entrants[chosen % len(entrants)].id

    def pick_match(self, chosen: int) -> int:
        matches = list(self.matches.values_list("pk", flat=True))
        return int(matches[chosen % len(matches)])

    @rule()
    def play(self) -> None:
        play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)

    @rule(chosen=st.integers(0, 9))
    def decide(self, chosen: int) -> None:
        waiting = list(self.matches.filter(state=MatchState.WAITING))
        if waiting:
            self.attempt(decide_anything, match=waiting[chosen % len(waiting)])

    @rule(chosen=st.integers(0, 9))
    def resign(self, chosen: int) -> None:
        waiting = list(self.matches.filter(state=MatchState.WAITING))
        if waiting:
            match = waiting[chosen % len(waiting)]
            self.attempt(resign_seat, match_id=match.pk, seat=match.awaited[0])

    @rule(chosen=st.integers(0, 9))
    def let_time_pass(self, chosen: int) -> None:
        waiting = list(self.matches.filter(state=MatchState.WAITING))
        if waiting:
            let_pass(waiting[chosen % len(waiting)], timedelta(days=9))
            sweep_matches()

    @rule(chosen=st.integers(0, 9), service=st.sampled_from([withdraw_entrant, disqualify_entrant]))
    def leave(self, chosen: int, service: Any) -> None:
        self.attempt(service, entrant_id=self.pick_entrant(chosen), reason="behind")

    @rule(chosen=st.integers(0, 9))
    def replace(self, chosen: int) -> None:
        self.attempt(replace_entrant, entrant_id=self.pick_entrant(chosen), player=make_bots(1)[0])

    @rule(service=st.sampled_from([pause_tournament, resume_tournament, cancel_tournament, finish_tournament]))
    def take_step(self, service: Any) -> None:
        self.attempt(service, tournament_id=self.tournament.id)

    @rule()
    def retire(self) -> None:
        self.attempt(retire_bot, bot_id=self.bot.pk, owner=self.bot.player.owner)

    @rule(chosen=st.integers(0, 9))
    def void(self, chosen: int) -> None:
        """An organiser who states a reason makes a settled match void, never one that is under way."""
        open_matches = list(self.matches.exclude(state__in=(MatchState.FINISHED, MatchState.VOID)))
        if open_matches:
            match = open_matches[chosen % len(open_matches)]
            table = match.fixture_match.fixture.fixture_matches.values_list("match_id", flat=True)
            if not set(table) & set(self.matches.filter(state=MatchState.FINISHED).values_list("pk", flat=True)):
                self.attempt(void_match, match_id=match.pk, reason="behind")

    @rule(chosen=st.integers(0, 9), kind=st.sampled_from([DeedKind.HOLD, DeedKind.SUSPEND, DeedKind.VOID]))
    def moderate(self, chosen: int, kind: DeedKind) -> None:
        """A moderator holds or suspends an entrant, or tries to make what is under way void."""
        player = Entrant.objects.get(pk=self.pick_entrant(chosen)).player
        case = open_case(kind=CaseKind.REPORT, key=f"report:{player.pk}", players=[player], evidence={})
        moderator, _is_new = User.objects.get_or_create(username="moderator")
        moderator.groups.add(Group.objects.get(name="moderator"))
        begun = self.matches.filter(seats__player=player).exclude(state=MatchState.FINISHED)
        wish = DeedWish(kind, "behind", player.pk, 7, tuple(begun.values_list("pk", flat=True)))
        self.attempt(do_deed, case_id=case.pk, actor=moderator, wish=wish)

    @rule(chosen=st.integers(0, 9), name=st.sampled_from(sorted(TO_PEOPLE)))
    def do_anything(self, chosen: int, name: str) -> None:
        """Every service there is about a person, a player, an entrant, a bot or a whole tournament, by its name."""
        service = TO_PEOPLE[name]
        wanted = inspect.signature(service).parameters.values()
        given = {one.name: self.fill(one.name, chosen) for one in wanted if one.default is one.empty}
        # What it asks for may be wrong for it: only what it does is looked at.
        with suppress(LeagueError, Bot.DoesNotExist, Entrant.DoesNotExist), transaction.atomic():
            service(**given)

    def fill(self, name: str, chosen: int) -> Any:
        """Something for a parameter of this name, chosen among those of this tournament."""
        entrant = Entrant.objects.get(pk=self.pick_entrant(chosen))
        owner = entrant.player.owner or self.tournament.organiser
        soon = timezone.now() + timedelta(hours=1)
        known: dict[str, Any] = {
            **{"tournament_id": self.tournament.id, "entrant_id": entrant.id, "reason": "behind"},
            **{"player": entrant.player, "players": [entrant.player_id], "player_id": entrant.player_id},
            **{"user": owner, "person": owner, "owner": owner, "account": owner, "actor": owner, "by": owner},
            **{"user_id": owner.pk, "bot_id": self.bot.pk, "bot": self.bot, "password": "", "confirmation": ""},
            **{"stage_id": self.tournament.stages.order_by("number")[0].pk, "tournament": self.tournament},
            **{"at": soon, "ends_at": soon, "first_at": soon, "every_minutes": 60, "is_timed": True},
            **{"timetable": Timetable(starts_at=soon, runs_itself=True), "time_zone": "UTC"},
            **{"text": "Guest One\nGuest Two", "name": "Somebody", "username": owner.username, "scopes": ["read"]},
            **{"is_unlisted": True, "is_blocked": True, "helper_id": 1, "invitation": "none", "digest": "none"},
            **{"handle": uuid.uuid4(), "kind": CaseKind.JUMP, "key": "jump", "evidence": {}, "match": None},
            **{"wish": ReportWish("throwing", "Lost on purpose."), "case_id": 1},
            **{"texts": {"en": {"title": "a", "text": "b"}}, "announcement_id": 1, "until": soon, "note": "not so"},
            **{"match_id": self.pick_match(chosen), "sheet": Sheet(places=(1, 2, 3)), "sheet_id": 1, "number": 1},
            **{"other_id": self.other.id, "matchday": 1, "first": 1, "second": 2, "count": 3},
            **{"device": "some device", "address": "192.0.2.1"},
        }
        return known[name]

    @rule()
    def advance(self) -> None:
        advance_tournament(tournament_id=self.tournament.id)

    @invariant()
    def begun_matches_are_never_undone(self) -> None:
        now = {match.pk: match for match in self.matches}
        for match in now.values():
            if match.log or match.state in (MatchState.WAITING, MatchState.FINISHED):
                seats = list(match.seats.order_by("seat").values_list("player_id", flat=True))
                assert self.begun.setdefault(match.pk, seats) == seats
        for match_id in self.begun:
            assert now[match_id].state != MatchState.VOID, f"match {match_id} was begun"
        undone = Fixture.objects.filter(fixture_matches__match__in=self.begun, state=FixtureState.VOID)
        assert not undone.exists(), "a begun match counts for nothing"


def test_every_service_about_people_is_tried() -> None:
    """A new one is tried as soon as it is there; one that asks for more than a name must be told what to give it."""
    filled = inspect.getsource(BegunMatches.fill)
    for name, service in TO_PEOPLE.items():
        for one in inspect.signature(service).parameters.values():
            is_known = one.default is not one.empty or f'"{one.name}"' in filled
            assert is_known, f"tell BegunMatches.fill what {name} gets as {one.name}, or why it is beside the point"
    leaving = {"entries.withdraw_entrant", "entries.disqualify_entrant", "lifecycle.cancel_tournament"}
    leaving = {f"tournaments.{name}" for name in (*leaving, "closing.close_account")}
    assert leaving | {"bots.registration.retire_bot"} <= set(TO_PEOPLE)


@pytest.mark.parametrize("name", SPECS)
def test_a_begun_match_ends_with_its_result_whatever_happens(name: str) -> None:
    machine = type("Begun", (BegunMatches,), {"stage": SPECS[name]})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=8,
            phases=(Phase.generate,),
            stateful_step_count=20,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


def begin(make: Make, people: int = 2) -> tuple[Tournament, Match]:
    tournament, match = start_event(make, DAYS, people=people)
    play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    decide_anything(match)
    match.refresh_from_db()
    assert match.state == MatchState.WAITING
    return tournament, match


@pytest.mark.parametrize("leave", [withdraw_entrant, disqualify_entrant])
def test_who_leaves_behind_a_begun_match_is_played_for(make_tournament: Make, leave: Any) -> None:
    tournament, match = begin(make_tournament)
    seat = match.seats.filter(agent__startswith="person:").first()
    assert seat is not None
    leave(entrant_id=tournament.entrants.get(player=seat.player_id).id, reason="a nugget behind")
    for _ in range(2):
        let_pass(match, timedelta(days=9))
        sweep_matches()
        play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    assert seat.seat in match.result.forfeits
    assert match.fixture_match.fixture.state == FixtureState.SETTLED


def test_a_begun_match_of_a_cancelled_tournament_counts(make_tournament: Make) -> None:
    tournament, match = begin(make_tournament)
    pause_tournament(tournament_id=tournament.id)
    cancel_tournament(tournament_id=tournament.id)
    for _ in range(2):
        let_pass(match, timedelta(days=9))
        sweep_matches()
        play_ready_matches(needs=RunnerNeed.HOUSE, is_live=True)
    advance_tournament(tournament_id=tournament.id)
    tournament.refresh_from_db()
    stage = tournament.stages.get()
    assert (tournament.state, match.fixture_match.fixture.state) == (TournamentState.CANCELLED, FixtureState.SETTLED)
    assert [row["tally"]["played"] for row in stage.standings.rows] == [1, 1, 1]


def test_a_match_under_way_is_not_made_void(make_tournament: Make) -> None:
    _, match = begin(make_tournament)
    with pytest.raises(LeagueError) as refused:
        void_match(match_id=match.pk, reason="I do not like it")
    assert refused.value.code == "match_under_way"


def test_a_table_tried_again_goes_on_from_where_it_stood(make_tournament: Make) -> None:
    """Its people have seen their cards and taken actions: dealing the same ones anew would let them choose better."""
    _, match = begin(make_tournament)
    log = bytes(match.log)
    Match.objects.filter(pk=match.pk).update(state=MatchState.QUARANTINED)
    play_again(match_id=match.pk, reason="the worker was broken")
    match.refresh_from_db()
    assert bytes(match.log) == log
    assert find_table(match.pk).view is not None
