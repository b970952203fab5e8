"""A site in full swing for races: tournaments in every state, open tables, bots, and ways to pick from them."""

from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet

from aurum_league.common.presence import SandboxReport, report_sandbox
from bots.models import BotMode, BotVersion, VersionState
from bots.services.qualify import start_qualification
from bots.services.registration import register_bot
from bots.services.versions import activate_version, add_version
from games.models import Match, MatchKind, MatchState, Player, RunnerNeed
from games.selectors.sitters import Sitter
from games.services.lobby import TableWish, open_lobby, play_now, take_seat
from games.services.play import play_ready_matches
from tests.leftovers import empty_tables
from tests.people import verify_address
from tournaments.models import Entrant, League, Tournament, TournamentState
from tournaments.services.advance import advance_tournament
from tournaments.services.decisions import rerun_matches
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_players
from tournaments.services.leagues import create_league, create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament
from tournaments.services.trials import start_trial

WISH = TableWish(ruleset="en3", strength="greedy", clock="live")
BRAINS = {"random": 4, "greedy": 10}
STATES = ("draft", "open", "drawn", "playing", "by hand", "finished")
FIELD = 6

Row = TypeVar("Row", bound=Model)


@dataclass
class World:
    rng: Random
    people: list[User]
    players: list[Player]

    def pick(self, rows: QuerySet[Row]) -> Row:
        """One of the newest rows: two jobs shall meet often."""
        found = list(rows.order_by("-pk")[:4])
        assert found, f"no {rows.model.__name__} to race for"
        return self.rng.choice(found)

    def pick_person(self) -> User:
        return self.rng.choice(self.people)

    def pick_tournament(self, *states: str) -> int:
        """One of these states, or now and then of any: a step at the wrong time must be refused, not break."""
        chosen = Tournament.objects.filter(state__in=states) if states else Tournament.objects.all()
        if not states or self.rng.random() < 0.2 or not chosen.exists():
            chosen = Tournament.objects.all()
        return self.pick(chosen).pk

    def pick_match(self, **given: Any) -> Match:
        chosen = Match.objects.filter(**given)
        return self.pick(chosen if chosen.exists() else Match.objects.all())

    def pick_entrant(self) -> int:
        return self.pick(Entrant.objects.all()).pk


def make_world(rng: Random) -> World:
    """In place of whatever there was: races use a world up."""
    empty_tables()
    report_sandbox(SandboxReport(is_safe=True, reason=""))
    people = [verify_address(User.objects.create_user(f"person{number}")) for number in range(3)]
    User.objects.filter(pk=people[0].pk).update(is_staff=True)
    people[0].refresh_from_db()
    world = World(rng, people, ensure_house_players(BRAINS))
    league = create_league(name="Race", organiser=people[0])
    for state in STATES:
        _make_tournament(world, state, league)
    for person in people:
        _seat(world, person)
    for owner in people[:2]:
        _make_bots(owner)
    start_trial(
        author=people[0],
        player=world.players[0],
        new_agent="house:greedy",
        old_agent="house:random",
        most_units=16,
    )
    quarantined = Match.objects.filter(kind=MatchKind.TOURNAMENT, state=MatchState.READY).order_by("pk")[:2]
    Match.objects.filter(pk__in=list(quarantined.values_list("pk", flat=True))).update(
        state=MatchState.QUARANTINED, trouble="planted"
    )
    return world


def _make_tournament(world: World, state: str, league: League) -> None:
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 1}
    if state == "by hand":
        stage["release"] = "by_hand"
    spec = {"name": state, "stages": [stage], "capacity": FIELD}
    tournament = create_tournament(spec=spec, organiser=world.people[0], league=league)
    if state == "draft":
        return
    open_tournament(tournament_id=tournament.pk)
    enter_players(tournament_id=tournament.pk, players=world.players[: FIELD + 1])
    if state == "open":
        return
    draw_tournament(tournament_id=tournament.pk)
    if state == "drawn":
        return
    start_tournament(tournament_id=tournament.pk)
    if state == "finished":
        _play_out(tournament)
        finished = Match.objects.filter(fixture_match__stage__tournament=tournament, state=MatchState.FINISHED)
        ids = list(finished.values_list("pk", flat=True)[:1])
        rerun_matches(tournament_id=tournament.pk, match_ids=ids, reason="race")
        play_ready_matches(needs=RunnerNeed.HOUSE)


def _play_out(tournament: Tournament) -> None:
    for _ in range(10):
        play_ready_matches(needs=RunnerNeed.HOUSE)
        advance_tournament(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.FINISHED


def _seat(world: World, person: User) -> None:
    """At a table that waits for the person, and in a lobby with a guest-to-be's seat free."""
    play_now(sitter=Sitter(user_id=person.pk), wish=WISH)
    lobby = open_lobby(sitter=Sitter(user_id=person.pk), wish=WISH)
    take_seat(invitation=lobby.invitation, sitter=Sitter(user_id=world.people[0].pk), seat=1)


def _make_bots(owner: User) -> None:
    """A connected bot that is asked to qualify, and an uploaded one with two versions."""
    connected = register_bot(owner=owner, name=f"Connected {owner.username}", mode=BotMode.CONNECTED)
    start_qualification(bot_id=connected.pk, owner=owner)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    uploaded = register_bot(owner=owner, name=f"Uploaded {owner.username}", mode=BotMode.UPLOADED)
    for copy in range(2):
        add_version(bot_id=uploaded.pk, owner=owner, upload=f"# {owner.pk} {copy}\n".encode())
    BotVersion.objects.filter(bot=uploaded).update(state=VersionState.QUALIFIED)
    activate_version(bot_id=uploaded.pk, owner=owner, number=1)
