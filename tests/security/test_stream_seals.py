"""What is hidden changes no byte of any stream: the site's events for pages, the API's lines, a bot's own messages."""

import uuid
from dataclasses import dataclass
from functools import partial

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from aurum_league.common.broker import publish
from bots.models import Bot, BotMessage
from bots.services.registration import renew_token
from games.models import MatchKind, Player, PlayerKind
from games.play.agents import AgentRef
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.signals import match_moved
from tests.security.secret_bids import PAIRS_A_DEAL, RULESET, SEEDS, find_differences, lay, list_bids, without_clock
from tests.security.site import Site
from tests.security.streams import read_stream, run_committed
from tournaments.models import FixtureMatch

pytestmark = pytest.mark.django_db
SHOWING_BIDS = {"table of a person", "table of a tournament", "bot"}


@dataclass(frozen=True)
class Scene:
    """Three tables with the same cards, a person's, a tournament's and a connected bot's, and who follows them."""

    matches: dict[str, int]
    tournament_id: int
    slug: str
    token: str

    def lay(self, seed: bytes, bid: str, *, is_face_up: bool = False) -> None:
        """At every table seat 1 has made this bid; it is face up once the others have bid too."""
        others = [(seat, list_bids(seed, seat)[0]) for seat in (0, 2)] if is_face_up else []
        for match_id in self.matches.values():
            lay(match_id, seed, bid, also=others)

    def tell(self) -> dict[str, bytes]:
        """The first messages of every stream, and the table that a watcher asks for at each of them."""
        told = {**self._tell_matches(), **self._tell_tournament(), "bot": self._tell_bot()}
        return {name: without_clock(messages) for name, messages in told.items()}

    def _tell_matches(self) -> dict[str, bytes]:
        told = {}
        for whose in ("person", "tournament"):
            number = self.matches[whose]
            move = partial(match_moved.send, sender=None, match_id=number, agents=(), version=1)
            told[f"notes of a {whose}"] = read_stream(f"/live/matches/{number}/", 2, nudge=move)
            told[f"table of a {whose}"] = Client().get(reverse("match_table", args=[number])).content
        return told

    def _tell_tournament(self) -> dict[str, bytes]:
        result = partial(publish, f"tournament:{self.tournament_id}", {"kind": "results", "version": 3})
        page, events = f"/live/tournaments/{self.tournament_id}/", f"/live/api/v1/tournaments/{self.slug}/events"
        return {
            "home": read_stream("/live/home/", 2, nudge=result),
            "tournament's notes": read_stream(page, 2, nudge=result),
            "tournament": read_stream(f"{page}{self.slug}/", 2, nudge=result),
            "state": read_stream(events, 1),
            "events": read_stream(f"{events}?after=0", 3),
        }

    def _tell_bot(self) -> bytes:
        """Who it is, its match, what happened there or what it is asked, as at its first look."""
        BotMessage.objects.all().delete()
        Bot.objects.update(last_seq=0)
        # So many streams in a minute are too many.
        cache.clear()
        return read_stream("/live/bot/stream", 4, token=self.token)


@pytest.fixture(scope="module")
def scene(made_site: Site, django_db_blocker: DjangoDbBlocker) -> Scene:
    """Committed, because a stream looks by a connection of its own; all of it goes with the module."""
    with django_db_blocker.unblock(), transaction.atomic():
        slug = str(made_site.subjects["bracket"]["slug"])
        drawn = FixtureMatch.objects.filter(stage__tournament__slug=slug, match__ruleset="en3").select_related("stage")
        fixture = drawn.earliest("pk")
        bot = Bot.objects.select_related("player__owner").get(player__slug=made_site.subjects["connected"]["slug"])
        assert bot.player.owner
        person = int(str(made_site.subjects["running"]["match_id"]))
        table = sit_down(bot)
        # No worker is there to be nudged.
        connection.run_on_commit.clear()
        return Scene(
            matches={"person": person, "tournament": fixture.match_id, "bot": table},
            tournament_id=fixture.stage.tournament_id,
            slug=slug,
            token=renew_token(bot_id=bot.pk, owner=bot.player.owner),
        )


def sit_down(bot: Bot) -> int:
    house = Player.objects.filter(kind=PlayerKind.HOUSE).order_by("pk")[:2]
    seats = (
        SeatPlan(bot.player, AgentRef.parse(f"connected:{bot.pk}")),
        *(SeatPlan(player, AgentRef.parse("house:greedy")) for player in house),
    )
    plan = MatchPlan(RULESET, seats, new_seed(), uuid.uuid4())
    return create_matches(plans=[plan], kind=MatchKind.CASUAL, is_rated=False, clock={"bank": 600})[0]


def test_a_secret_bid_changes_no_stream(scene: Scene) -> None:
    def tell(seed: bytes, bid: str) -> dict[str, bytes]:
        scene.lay(seed, bid)
        return scene.tell()

    compared = run_committed(lambda: find_differences(SEEDS[:1], tell))
    assert compared == (PAIRS_A_DEAL, set())


def test_the_streams_show_what_lies_face_up(scene: Scene) -> None:
    """So the comparison would see a bid that is shown too early."""

    def tell(bid: str) -> dict[str, bytes]:
        scene.lay(SEEDS[0], bid, is_face_up=True)
        return scene.tell()

    first, second = run_committed(lambda: [tell(bid) for bid in list_bids(SEEDS[0])[:2]])
    assert {name for name in first if first[name] != second[name]} == SHOWING_BIDS
