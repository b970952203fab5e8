"""Logs of one's own bots: every decision of every match, sealed and kept as promised, for nobody else's eyes."""

import re
import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

import bots.services.agents as agents_module
from bots.agents.decision_log import CUT, ROOM, DecisionLog, LoggedDecision, join_logs
from bots.models import Bot, SeatLog
from bots.services.agents import prune_logs
from games.models import Match, MatchKind, MatchState, PlayerKind, RunnerNeed
from games.models.player import Player
from games.play.agents import AgentKind, AgentRef
from games.rules.actions import action_text
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.matches import replay_match
from games.services.answer import answer_decision
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.play import play_ready_matches
from games.services.players import agent_of
from tests.bots.conftest import MakeBot, house_player
from tests.bots.test_uploaded import play_against_random

pytestmark = pytest.mark.django_db


def read_log(match: Match, seat: int = 0) -> DecisionLog:
    rows = SeatLog.objects.filter(match=match, seat=seat).order_by("counter")
    return join_logs([bytes(body) for body in rows.values_list("body", flat=True)])


def list_decided(match: Match, seat: int = 0) -> list[str]:
    """The actions of a seat as the record has them."""
    play = replay_match(Match.objects.select_related("result").get(pk=match.pk))
    return [
        action_text(0 if index < play.players else phase_of(entry), entry >> 2)
        for done in play.rounds
        for index, entry in enumerate(done.log)
        if entry & 3 == seat
    ]


def phase_of(entry: int) -> int:
    """Of an action after the bids: 59 is `keep` before a trick and `stop` in one, and no test here stops a round."""
    return 1 if entry >> 2 >= 59 else 2


@pytest.mark.parametrize("code", ["en3", "de4"])
def test_every_decision_of_a_match_is_logged_with_its_time_and_its_words(make_bot: MakeBot, code: str) -> None:
    (match,) = play_against_random(make_bot(source="talker"), code=code)
    log = read_log(match)
    own = [row.action.replace("stop", "keep") for row in log.decisions if row.action]
    assert own == [text.replace("stop", "keep") for text in list_decided(match)]
    assert [row.said for row in log.decisions] == [
        f"question {number}\n" if number else "I read main.py\nquestion 0\n" for number in range(len(own))
    ]
    assert log.last_words == "good bye\n"
    assert all(row.cpu_us >= 0 and row.wall_us and row.wall_us > 0 and row.fuel is None for row in log.decisions)
    assert {row.verdict for row in log.decisions} == {"ok"}


def test_a_failed_decision_stands_in_the_log_with_its_verdict_and_last_words(make_bot: MakeBot) -> None:
    (match,) = play_against_random(make_bot(source="crash_late"))
    failed = [row for row in read_log(match).decisions if row.action is None]
    assert len(failed) == 3 and {row.verdict for row in failed} == {"crash"}
    assert all("five is too many" in row.said and "/" not in row.said.split('"')[1] for row in failed)


def test_a_seat_has_room_for_a_quarter_of_a_million_signs() -> None:
    log = DecisionLog()
    said = [log.fit("x" * 100_000) for _ in range(4)]
    assert [len(text) for text in said] == [100_000, 100_000, ROOM - 200_000 + len(CUT), 0] and said[2].endswith(CUT)
    log.decisions.append(LoggedDecision(0, None, "crash", 1, None, 2, "\ud800 half a pair"))
    assert join_logs([log.pack(), log.pack()]).decisions[1].said == "? half a pair"


def play_on(match_id: int) -> Match:
    play_ready_matches(needs=RunnerNeed.SANDBOX)
    play_ready_matches(needs=RunnerNeed.SANDBOX, is_live=True)
    return Match.objects.select_related("result").get(pk=match_id)


@pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored")
@pytest.mark.django_db(transaction=True)
def test_a_match_with_a_person_is_logged_in_pieces(make_bot: MakeBot, author: User) -> None:
    bot = make_bot(source="talker")
    person = Player.objects.create(kind=PlayerKind.PERSON, name="Agnes", slug="agnes", owner=author)
    seats = (
        SeatPlan(bot.player, agent_of(bot.player)),
        SeatPlan(person, AgentRef(AgentKind.PERSON, str(author.pk))),
        SeatPlan(house_player(), agent_of(house_player())),
    )
    plan = MatchPlan(Ruleset.from_code("en3"), seats, new_seed(), uuid.uuid4())
    clock: dict[str, object] = {"each": 60.0}
    (match_id,) = create_matches(plans=[plan], kind=MatchKind.CASUAL, is_rated=False, clock=clock)
    while (match := play_on(match_id)).state != MatchState.FINISHED:
        play = replay(plan.ruleset, plan.seed, unpack_log(bytes(match.log)))
        seen = view(play, 1)
        answer_decision(match_id=match_id, seat=1, counter=seen.log_end, text=seen.legal_texts()[0])
    assert SeatLog.objects.filter(match=match).count() > 5
    own = [row.action for row in read_log(match).decisions if row.action]
    assert [text.replace("stop", "keep") for text in own] == [
        text.replace("stop", "keep") for text in list_decided(match)
    ]


class TestWhoReads:
    def test_the_author_alone_reads_it_and_beside_the_replay(
        self, make_bot: MakeBot, author: User, client: Client
    ) -> None:
        (match,) = play_against_random(make_bot(source="talker"))
        page, answer = f"/matches/{match.pk}/logs/", f"/api/v1/matches/{match.pk}/logs"
        assert client.get(page).status_code == 302 and client.get(answer).status_code == 401
        client.force_login(User.objects.create_user("stranger"))
        assert client.get(page).status_code == 404 and client.get(answer).status_code == 404
        client.force_login(author)
        (seat,) = client.get(answer).json()
        assert (seat["seat"], seat["bot"], seat["version"]) == (0, "alpha", 1)
        assert [row["action"] for row in seat["log"]["decisions"]] == [row.action for row in read_log(match).decisions]
        shown = client.get(page).content.decode()
        number = re.search(r'data-at="1-1-(\d+)"', shown)
        assert "question 3" in shown and number is not None
        there = client.get(page, {"round": 1, "trick": 1, "step": number[1]}).content.decode()
        assert f'data-at="1-1-{number[1]}" aria-current="step"' in there
        assert page in client.get(f"/matches/{match.pk}/").content.decode()
        assert page in client.get("/bots/alpha/matches/").content.decode()

    def test_it_is_sealed_until_every_match_on_the_deals_has_ended(
        self, make_bot: MakeBot, author: User, client: Client
    ) -> None:
        bot = make_bot(source="talker")
        (match,) = play_against_random(bot)
        seats = (SeatPlan(bot.player, agent_of(bot.player)), *[SeatPlan(house_player(), agent_of(house_player()))] * 2)
        plan = MatchPlan(Ruleset.from_code("en3"), seats, new_seed(), match.deals)
        create_matches(plans=[plan], kind=MatchKind.SCRIMMAGE, is_rated=False)
        client.force_login(author)
        assert client.get(f"/matches/{match.pk}/logs/").status_code == 403
        refused = client.get(f"/api/v1/matches/{match.pk}/logs")
        assert refused.status_code == 403 and refused.json()["code"] == "match_sealed"
        play_ready_matches(needs=RunnerNeed.SANDBOX)
        assert client.get(f"/api/v1/matches/{match.pk}/logs").status_code == 200


def test_old_logs_and_those_beyond_an_authors_share_are_forgotten(
    make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot: Bot = make_bot(source="talker")
    first, second, third = play_against_random(bot, count=3)
    SeatLog.objects.filter(match=first).update(created_at=timezone.now() - timedelta(days=30, minutes=1))
    prune_logs()
    assert set(SeatLog.objects.values_list("match", flat=True)) == {second.pk, third.pk}
    kept = SeatLog.objects.get(match=max(second.pk, third.pk))
    monkeypatch.setattr(agents_module, "MOST_LOGGED", kept.size)
    prune_logs()
    assert list(SeatLog.objects.values_list("match", flat=True)) == [kept.match_id]
