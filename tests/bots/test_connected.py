"""Connected bots: messages written once, streams that resume, decisions that count once, and qualification."""

import json
import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from bots.contract import Message
from bots.models import Bot, BotMessage, BotMode, BotState, VersionState
from bots.services.connected import KEPT, decide, open_stream, prune_messages, write_messages
from bots.services.qualify import start_qualification
from bots.services.registration import digest_token, register_bot, renew_token
from games.models import Match, MatchKind, MatchState, RunnerNeed
from games.play.agents import AgentRef
from games.rules.ruleset import Ruleset
from games.services.answer import flag_late_seats
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.play import play_ready_matches
from tests.bots.conftest import house_player

pytestmark = pytest.mark.django_db
CLOCK: dict[str, object] = {"bank": 60.0, "increment": 0.0}


@pytest.fixture
def bot(author: User) -> Bot:
    return register_bot(owner=author, name="Remote", mode=BotMode.CONNECTED)


@pytest.fixture
def token(bot: Bot, author: User) -> str:
    return renew_token(bot_id=bot.pk, owner=author)


def sit_down(bot: Bot, others: tuple[str, ...] = ("house:random", "house:random"), code: str = "en3") -> Match:
    """A match of the bot at seat 0 that waits for it."""
    seats = [SeatPlan(bot.player, AgentRef.parse(f"connected:{bot.pk}"))]
    seats += [SeatPlan(house_player(number=seat), AgentRef.parse(agent)) for seat, agent in enumerate(others)]
    plan = MatchPlan(Ruleset.from_code(code), tuple(seats), new_seed(), uuid.uuid4())
    (match_id,) = create_matches(plans=[plan], kind=MatchKind.CASUAL, is_rated=False, clock=CLOCK)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    write_messages(match_id=match_id)
    return Match.objects.get(pk=match_id)


def send(
    client: Client, token: str, question: Message, action: str | None = None, key: str = ""
) -> tuple[int, Message]:
    body = {"counter": question["counter"], "seat": question["seat"], "action": action or question["legal"][0]}
    answer = client.post(
        f"/api/v1/bot/matches/{question['match']}/decisions",
        json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}", "Idempotency-Key": key or uuid.uuid4().hex},
    )
    return answer.status_code, answer.json()


def play_on(bot: Bot, match: Match) -> list[Message]:
    """Answer every question until the match is over; all that the bot was told."""
    stream, first = open_stream(bot_id=bot.pk)
    told = list(first)
    done = 0
    for _ in range(400):
        for message in told[done:]:
            if message["type"] == "decide":
                asked = {key: message[key] for key in ("seat", "counter")}
                decide(bot=bot, match_id=message["match"], action=message["legal"][0], **asked)
        done = len(told)
        write_messages(match_id=match.pk)
        told += stream.take_messages()[0]
        if told[-1]["type"] == "match_end":
            return told
    raise AssertionError("the match does not end")


@pytest.mark.parametrize(("code", "others"), [("en3", 2), ("de4-nozero", 3)])
def test_a_connected_bot_plays_a_match_by_its_stream(bot: Bot, code: str, others: int) -> None:
    match = sit_down(bot, ("house:random",) * others, code)
    told = play_on(bot, match)
    kinds = [message["type"] for message in told]
    assert kinds[:2] == ["hello", "match_start"] and kinds.count("ready") == kinds.count("match_end") == 1
    events = [event["counter"] for message in told if message["type"] == "happened" for event in message["events"]]
    match.refresh_from_db()
    assert sorted(set(events)) == list(range(len(bytes(match.result.log)) // 2))
    assert told[-1]["result"]["nuggets"] == match.result.nuggets and match.result.forfeits == []
    numbers = [message["seq"] for message in told if "seq" in message]
    assert numbers == sorted(set(numbers))


def test_the_full_state_comes_first_and_a_stream_resumes_after_a_number(client: Client, bot: Bot, token: str) -> None:
    match = sit_down(bot)
    stream, first = open_stream(bot_id=bot.pk)
    assert [message["type"] for message in first] == ["hello", "match_start", "decide", "ready"]
    assert 55 < first[2]["time"]["decision"] <= 60
    send(client, token, first[2])
    write_messages(match_id=match.pk)
    told, _ = stream.take_messages()
    assert [message["type"] for message in told] == ["happened", "decide"]
    again, lines = open_stream(bot_id=bot.pk, after=first[-1]["seq"])
    assert [message["type"] for message in lines] == ["hello"]
    assert [message["seq"] for message in again.take_messages()[0]] == [message["seq"] for message in told]


@pytest.mark.parametrize("after", [pytest.param(10_000, id="never given"), pytest.param(0, id="no longer kept")])
def test_a_number_that_cannot_be_resumed_gets_the_full_state(bot: Bot, token: str, after: int) -> None:
    sit_down(bot)
    BotMessage.objects.filter(seq=1).update(seq=1000)
    _, lines = open_stream(bot_id=bot.pk, after=after)
    assert lines[-1]["type"] == "ready"


def test_the_newest_stream_wins(bot: Bot) -> None:
    old, _ = open_stream(bot_id=bot.pk)
    new, _ = open_stream(bot_id=bot.pk)
    assert old.take_messages() == ([{"type": "closed", "reason": "replaced"}], False)
    assert new.take_messages() == ([], True)


def test_a_message_is_written_once_and_a_lost_one_by_the_next_stream(bot: Bot) -> None:
    match = sit_down(bot)
    count = BotMessage.objects.count()
    write_messages(match_id=match.pk)
    assert BotMessage.objects.count() == count
    BotMessage.objects.all().delete()
    _, first = open_stream(bot_id=bot.pk)
    assert [message["type"] for message in first] == ["hello", "match_start", "decide", "ready"]


def test_a_question_that_the_clock_took_away_is_not_asked_again(bot: Bot) -> None:
    match = sit_down(bot)
    stream, _ = open_stream(bot_id=bot.pk, after=0)
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    flag_late_seats(match_id=match.pk)
    write_messages(match_id=match.pk)
    told, _ = stream.take_messages()
    assert [message["type"] for message in told] == ["match_start", "happened", "decide"]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        pytest.param({"counter": 99}, 409, "stale_state", id="an old question"),
        pytest.param({"action": "play G3"}, 422, "wrong_phase", id="an illegal action"),
        pytest.param({"seat": 1}, 404, "match_unknown", id="somebody else's seat"),
        pytest.param({"match": 10**9}, 404, "match_unknown", id="no such match"),
    ],
)
def test_a_decision_that_cannot_be_is_refused(
    client: Client, bot: Bot, token: str, change: Message, status: int, code: str
) -> None:
    sit_down(bot)
    question = open_stream(bot_id=bot.pk)[1][2]
    given, answer = send(client, token, {**question, **change}, change.get("action"))
    assert (given, answer["code"]) == (status, code)
    if status == 422:
        assert answer["details"]["legal"] == question["legal"], "what is legal is there as data, not only in a sentence"


def test_the_same_key_counts_once_and_cannot_be_used_for_another_decision(client: Client, bot: Bot, token: str) -> None:
    match = sit_down(bot)
    question = open_stream(bot_id=bot.pk)[1][2]
    assert send(client, token, question, "play G8", key="k")[0] == 422
    assert send(client, token, question, key="k")[0] == 200
    log = bytes(Match.objects.get(pk=match.pk).log)
    assert send(client, token, question, key="k")[0] == 200
    assert bytes(Match.objects.get(pk=match.pk).log) == log
    status, answer = send(client, token, question, question["legal"][1], key="k")
    assert (status, answer["code"]) == (422, "idempotency_key_reused")
    assert send(client, token, question, key="other")[0] == 409


@pytest.mark.parametrize("wrong", ["", "aurbot_wrong", "aur_knox"])
def test_without_the_bots_token_nothing_is_told_or_taken(client: Client, bot: Bot, token: str, wrong: str) -> None:
    sit_down(bot)
    question = open_stream(bot_id=bot.pk)[1][2]
    assert send(client, wrong, question)[0] == 401


def test_a_new_token_voids_the_old_one_and_none_is_stored(client: Client, bot: Bot, token: str, author: User) -> None:
    fresh = renew_token(bot_id=bot.pk, owner=author)
    bot.refresh_from_db()
    assert bot.token_digest == digest_token(fresh) != fresh
    sit_down(bot)
    question = open_stream(bot_id=bot.pk)[1][2]
    assert send(client, token, question)[0] == 401
    assert send(client, fresh, question)[0] == 200


def test_too_many_decisions_are_told_when_to_come_back(
    client: Client, bot: Bot, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.api.connected.BotThrottle.rate", 2)
    sit_down(bot)
    question = open_stream(bot_id=bot.pk)[1][2]
    for _ in range(2):
        send(client, token, question, "keep")
    body = json.dumps({"counter": 0, "action": "keep"})
    address = f"/api/v1/bot/matches/{question['match']}/decisions"
    headers = {"Authorization": f"Bearer {token}"}
    answer = client.post(address, body, content_type="application/json", headers=headers)
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 0


def test_a_connected_bot_qualifies_by_two_clean_matches(bot: Bot, author: User) -> None:
    ids = start_qualification(bot_id=bot.pk, owner=author)
    with pytest.raises(LeagueError):
        start_qualification(bot_id=bot.pk, owner=author)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    for match in Match.objects.filter(pk__in=ids):
        assert bot.versions.get().state == VersionState.CHECKING
        play_on(bot, match)
    bot.refresh_from_db()
    assert bot.versions.get().state == VersionState.QUALIFIED and bot.state == BotState.ACTIVE


def test_a_connected_bot_that_is_late_fails_its_qualification(bot: Bot, author: User) -> None:
    ids = start_qualification(bot_id=bot.pk, owner=author)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    for _ in range(3):
        for match_id in ids:
            Match.objects.filter(pk=match_id).update(deadline=timezone.now() - timedelta(seconds=1))
            flag_late_seats(match_id=match_id)
    version = bot.versions.get()
    assert (version.state, version.report["fault"]["verdict"]) == (VersionState.REJECTED, "timeout_wall")


def test_messages_of_open_matches_are_kept_and_others_forgotten(client: Client, bot: Bot, token: str) -> None:
    done, still = sit_down(bot), sit_down(bot)
    Match.objects.filter(pk=done.pk).update(state=MatchState.VOID)
    BotMessage.objects.update(created_at=timezone.now() - KEPT - timedelta(minutes=1))
    prune_messages()
    assert set(BotMessage.objects.values_list("match_id", flat=True)) == {still.pk}
