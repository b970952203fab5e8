"""A small site with one of everything, and names that try to be markup wherever people choose one."""

import uuid
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.test import Client

from aurum_league.accounts.access import create_token
from aurum_league.common.presence import SandboxReport, report_sandbox
from bots.models import Bot, BotMode, VersionState
from bots.services.registration import register_bot
from bots.services.versions import activate_version, add_version
from games.models import Match, MatchKind, MatchState, Player, PlayerKind, RunnerNeed, SeatFailure
from games.play.agents import AgentRef
from games.rules.ruleset import Ruleset
from games.selectors.sitters import Sitter
from games.services.create import MatchPlan, SeatPlan, create_matches
from games.services.lobby import TableWish, open_lobby, play_now
from games.services.play import play_ready_matches
from tournaments.models import Matchday, Rerun, Tournament, TournamentState, Trial
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_player, enter_players
from tournaments.services.leagues import create_league, create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

ROLES = ("anonymous", "player", "author", "other-author", "organiser", "other-organiser", "staff")
HOSTILE = "<svg onload=alert(1)>"
PASSWORD = "five-metals-and-gold"
WISH = TableWish(ruleset="en3", strength="greedy", clock="live")


@dataclass(frozen=True)
class Site:
    """`values` fill in the parameters of addresses; a row of the table may name a subject that replaces some."""

    users: dict[str, User]
    sessions: dict[str, str]
    values: dict[str, object]
    subjects: dict[str, dict[str, object]]

    def client_of(self, role: str, *, enforce_csrf_checks: bool = False) -> Client:
        client = Client(raise_request_exception=False, enforce_csrf_checks=enforce_csrf_checks)
        if role in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return client


def make_site() -> Site:
    report_sandbox(SandboxReport(is_safe=True, reason=""))
    users = {role: _make_user(role) for role in ROLES[1:]}
    cup, table = _play_cup(users["organiser"])
    bracket = _draw_bracket(users["organiser"])
    coming, draft = (_make_tournament(name, users["organiser"]) for name in ("coming", "draft"))
    open_tournament(tournament_id=coming.id)
    person = _make_player(PlayerKind.PERSON, "person-one", users["player"])
    entrant = enter_player(tournament_id=coming.id, player=person)
    sitter = Sitter(user_id=users["player"].pk)
    running = play_now(sitter=sitter, wish=WISH)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    lobby = open_lobby(sitter=sitter, wish=WISH)
    uploaded, connected = (_make_bot(users["author"], mode) for mode in (BotMode.UPLOADED, BotMode.CONNECTED))
    _make_bot(users["other-author"], BotMode.UPLOADED)
    tried, failure = _fail(uploaded)
    token, _text = create_token(user=users["player"], name=HOSTILE, scopes=["read"])
    values: dict[str, object] = {
        "slug": cup.slug,
        "other": "house-greedy_3",
        "match_id": table,
        "stage": 1,
        "day": 1,
        "table": 1,
        "matchday": 1,
        "number": 1,
        "entrant_id": entrant.pk,
        "failure_id": failure,
        "invitation": lobby.invitation,
        "handle": token.handle,
        "trial_id": _make_trial(uploaded).pk,
        "code": "en3",
        "pk": 0,
        "pool": "bots-3",
        "name": "results",
        "form": "csv",
        "key": "no-such-key",
        "uidb36": "1",
        "step": "pause",
        "deed": "withdraw",
        "decision": "void",
        "matchday_id": Matchday.objects.filter(stage__tournament=cup).values_list("pk", flat=True)[0],
        "conflict_id": 1,
        "fixture_id": 0,
        "case_id": 1,
        "appeal_id": 1,
        "helper_id": 1,
        "sheet_id": 1,
        "announcement_id": 1,
        "rerun_id": Rerun.objects.create(tournament=cup, reason=HOSTILE).pk,
    }
    subjects: dict[str, dict[str, object]] = {
        "-": {},
        "draft": {"slug": draft.slug},
        "coming": {"slug": coming.slug},
        "bracket": {"slug": bracket.slug},
        "league": {"slug": cup.league.slug if cup.league else ""},
        "player": {"slug": person.slug},
        "house": {"slug": "house-greedy_2"},
        "bot": {"slug": uploaded.player.slug},
        "connected": {"slug": connected.player.slug},
        "running": {"match_id": running, "number": running},
        "tried": {"match_id": tried},
    }
    return Site(users, {role: _sign_in(user) for role, user in users.items()}, values, subjects)


def _sign_in(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _make_user(role: str) -> User:
    user = User.objects.create_user(
        role, f"{role}@example.org", PASSWORD, first_name=HOSTILE, last_name=HOSTILE, is_staff=role == "staff"
    )
    if role.endswith("organiser"):
        user.groups.add(Group.objects.get(name="organiser"))
    return user


def _make_player(kind: PlayerKind, slug: str, owner: User | None = None) -> Player:
    return Player.objects.create(kind=kind, name=f"{HOSTILE} {slug}"[:40], slug=slug, owner=owner)


def _make_trial(bot: Bot) -> Trial:
    """A trial of its author's whose units are still to be drawn."""
    agents = {"new_agent": "version:2", "old_agent": "version:1"}
    assert bot.player.owner
    return Trial.objects.create(player=bot.player, owner=bot.player.owner, ruleset="en3", effect=0.1, **agents)


def _make_tournament(name: str, organiser: User, **given: object) -> Tournament:
    spec = {
        "name": f"{HOSTILE} {name}",
        "description": HOSTILE,
        "entry_kind": "mixed",
        "clock": {"bank": 600},
        "stages": [{"format": "round_robin", "name": HOSTILE, "options": {"matchdays": 2}}],
    }
    return create_tournament(spec=spec, organiser=organiser, **given)  # type: ignore[arg-type]


def _play_cup(organiser: User) -> tuple[Tournament, int]:
    """A tournament that has ended, and one of its matches."""
    league = create_league(name=f"{HOSTILE} league", organiser=organiser, description=HOSTILE)
    cup = _make_tournament("cup", organiser, league=league)
    open_tournament(tournament_id=cup.id)
    house = [_make_player(PlayerKind.HOUSE, f"house-greedy_{number}") for number in range(2, 8)]
    enter_players(tournament_id=cup.id, players=house)
    draw_tournament(tournament_id=cup.id)
    start_tournament(tournament_id=cup.id)
    for _ in range(9):
        advance_tournament(tournament_id=cup.id)
        play_ready_matches(needs=RunnerNeed.HOUSE)
    cup.refresh_from_db()
    assert cup.state == TournamentState.FINISHED
    return cup, Match.objects.filter(state=MatchState.FINISHED).values_list("pk", flat=True)[0]


def _draw_bracket(organiser: User) -> Tournament:
    """A knockout in its first round, so that names stand in its drawing."""
    spec = {"name": f"{HOSTILE} bracket", "stages": [{"format": "knockout", "name": HOSTILE}]}
    bracket = create_tournament(spec=spec, organiser=organiser)
    open_tournament(tournament_id=bracket.id)
    players = Player.objects.filter(kind=PlayerKind.HOUSE).order_by("pk")
    enter_players(tournament_id=bracket.id, players=players)
    draw_tournament(tournament_id=bracket.id)
    return start_tournament(tournament_id=bracket.id)


def _make_bot(owner: User, mode: BotMode) -> Bot:
    bot = register_bot(owner=owner, name=f"{mode} of {owner.username}"[:24], mode=mode, description=HOSTILE)
    if mode == BotMode.UPLOADED:
        add_version(bot_id=bot.pk, owner=owner, upload=f"# {owner.pk}\n".encode(), note=HOSTILE)
        bot.versions.update(state=VersionState.QUALIFIED)
        activate_version(bot_id=bot.pk, owner=owner, number=1)
    bot.refresh_from_db()
    return bot


def _fail(bot: Bot) -> tuple[int, int]:
    """A scrimmage of the bot in which it failed: match and failure."""
    house = Player.objects.filter(kind=PlayerKind.HOUSE).order_by("pk")[:2]
    seats = tuple(SeatPlan(player, AgentRef.parse("house:greedy")) for player in (bot.player, *house))
    plan = MatchPlan(Ruleset.from_code("en3"), seats, bytes(32), uuid.uuid4())
    (match_id,) = create_matches(plans=[plan], kind=MatchKind.SCRIMMAGE, is_rated=False)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    told = {"detail": HOSTILE, "asked": HOSTILE, "answered": HOSTILE, "stderr": HOSTILE}
    return match_id, SeatFailure.objects.create(match_id=match_id, seat=0, step=1, verdict="crash", **told).pk
