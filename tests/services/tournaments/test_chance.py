"""A tournament's chance against those who would choose it: site, organiser, the last entrant, a forged beacon."""

import hashlib
import io
import json
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pgtrigger
import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from aurum_league.cli.archive_check import check_archive
from aurum_league.common.errors import LeagueError
from games.rules.deal import commitment, derive_seed
from games.rules.mixing import mix_seed, round_time
from games.services.players import ensure_person
from tests.rules import league
from tests.services.tournaments.conftest import Make, play_on
from tournaments.models import Entrant, FixtureMatch, Tournament, TournamentEvent
from tournaments.pages.downloads import stream_archive
from tournaments.rules.seed_parts import check_seed_parts
from tournaments.selectors.chance import find_seed_faults, read_contributions, read_parts, revealed_parts
from tournaments.selectors.exports import read_chain
from tournaments.services.audit import audit_tournament
from tournaments.services.chance import drop_beacon, name_beacon
from tournaments.services.draw import draw_tournament, reopen_tournament
from tournaments.services.entries import enter_player, enter_players, withdraw_entrant
from tournaments.services.lifecycle import record_event
from tournaments.services.release import start_tournament

ROUND_ROBIN = {"name": "Main", "format": "round_robin"}
PEOPLE = {"entry_kind": "mixed", "is_rated": False}


def person(name: str) -> Any:
    return ensure_person(User.objects.create_user(name))


def hexed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def opened(make_tournament: Make) -> Tournament:
    """Open, with six bots and two people who contribute."""
    tournament = make_tournament(ROUND_ROBIN, entrants=6, state="open", **PEOPLE)
    for name in ("ada", "ben"):
        enter_player(tournament_id=tournament.pk, player=person(name), contribution=hexed(name))
    return tournament


def fresh(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def numbers_of(tournament: Tournament) -> dict[str, int]:
    return dict(Entrant.objects.filter(tournament=tournament).values_list("player__name", "id"))


def test_the_seed_is_mixed_at_the_first_draw_from_what_was_committed_to(opened: Tournament) -> None:
    committed = opened.commitment
    assert opened.seed is None
    assert commitment(bytes(opened.secret or b"")) == committed
    drawn = draw_tournament(tournament_id=opened.pk)
    numbers = numbers_of(drawn)
    given = {numbers["ada"]: hexed("ada"), numbers["ben"]: hexed("ben")}
    assert bytes(drawn.seed or b"") == mix_seed(bytes(drawn.secret or b""), given)
    assert drawn.commitment == committed
    mixed = drawn.events.get(kind="seed_mixed")
    assert mixed.detail["contributions"] == 2
    assert mixed.detail["commitment"] == commitment(bytes(drawn.seed or b""))
    assert not list(find_seed_faults(drawn, read_chain(drawn)))


def test_nobody_is_told_the_secret_before_the_end(opened: Tournament) -> None:
    draw_tournament(tournament_id=opened.pk)
    start_tournament(tournament_id=opened.pk)
    parts = revealed_parts(fresh(opened))
    assert parts is not None and parts["secret"] is None
    told = json.dumps(list(read_chain(fresh(opened))))
    assert bytes(fresh(opened).secret or b"").hex() not in told
    assert bytes(fresh(opened).seed or b"").hex() not in told


def test_a_draw_made_again_uses_the_same_seed_and_is_counted(opened: Tournament) -> None:
    seed = bytes(draw_tournament(tournament_id=opened.pk).seed or b"")
    for _ in range(2):
        reopen_tournament(tournament_id=opened.pk)
        assert bytes(draw_tournament(tournament_id=opened.pk).seed or b"") == seed
    draws = opened.events.filter(kind="drawn").order_by("number").values_list("detail__draw", flat=True)
    assert list(draws) == [1, 2, 3]
    assert opened.events.filter(kind="seed_mixed").count() == 1


def test_who_enters_after_the_first_draw_contributes_nothing(opened: Tournament) -> None:
    seed = bytes(draw_tournament(tournament_id=opened.pk).seed or b"")
    reopen_tournament(tournament_id=opened.pk)
    late = enter_player(tournament_id=opened.pk, player=person("late"), contribution=hexed("late"))
    assert late.contribution == ""
    assert opened.events.filter(kind="entered").last().detail["contribution"] is None  # type: ignore[union-attr]
    again = draw_tournament(tournament_id=opened.pk)
    assert bytes(again.seed or b"") == seed
    assert not list(find_seed_faults(again, read_chain(again)))


def test_withdrawing_takes_no_contribution_along(opened: Tournament) -> None:
    numbers = numbers_of(opened)
    withdraw_entrant(entrant_id=numbers["ben"])
    drawn = draw_tournament(tournament_id=opened.pk)
    assert read_contributions(drawn)[numbers["ben"]] == hexed("ben")
    assert not list(find_seed_faults(drawn, read_chain(drawn)))


def test_one_contribution_each_that_stays(opened: Tournament) -> None:
    ada = Entrant.objects.get(tournament=opened, player__name="ada")
    enter_player(tournament_id=opened.pk, player=ada.player, contribution=hexed("better"))
    withdraw_entrant(entrant_id=ada.pk)
    enter_player(tournament_id=opened.pk, player=ada.player, contribution=hexed("better still"))
    assert read_contributions(opened)[ada.pk] == hexed("ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        Entrant.objects.filter(pk=ada.pk).update(contribution=hexed("in the database"))


def test_who_was_entered_by_another_can_still_contribute(opened: Tournament) -> None:
    guest = person("guest")
    enter_players(tournament_id=opened.pk, players=[guest])
    assert numbers_of(opened)["guest"] not in read_contributions(opened)
    entrant = enter_player(tournament_id=opened.pk, player=guest, contribution=hexed("guest"))
    assert entrant.contribution == hexed("guest")
    drawn = draw_tournament(tournament_id=opened.pk)
    assert not list(find_seed_faults(drawn, read_chain(drawn)))


@pytest.mark.parametrize("text", ["00", "AB" * 32, "zz" * 32, "ab" * 33])
def test_a_contribution_is_64_digits(opened: Tournament, text: str) -> None:
    with pytest.raises(LeagueError) as caught:
        enter_player(tournament_id=opened.pk, player=person("odd"), contribution=text)
    assert caught.value.code == "bad_contribution"


def forge(change: Callable[[dict[str, Any], list[dict[str, Any]]], None], tournament: Tournament) -> list[str]:
    """The sentences for parts and events that somebody changed, the seed mixed to fit."""
    parts = json.loads(json.dumps(read_parts(tournament, with_secret=True)))
    events = json.loads(json.dumps(list(read_chain(tournament))))
    change(parts, events)
    seed = mix_seed(bytes.fromhex(parts["secret"]), dict(parts["contributions"])).hex()
    return list(check_seed_parts(parts, seed, events, tournament.commitment))


def test_a_seed_ground_by_the_site_is_named(opened: Tournament) -> None:
    """Whoever holds the database cannot try secrets, drop, exchange or add a contribution until the deals suit."""
    drawn = draw_tournament(tournament_id=opened.pk)

    def choose_secret(parts: dict[str, Any], events: list[Any]) -> None:
        parts["secret"] = hexed("ground")
        parts["commitment"] = commitment(bytes.fromhex(parts["secret"]))

    def drop(parts: dict[str, Any], events: list[Any]) -> None:
        parts["contributions"].pop()

    def exchange(parts: dict[str, Any], events: list[Any]) -> None:
        parts["contributions"][0][1] = hexed("ground")

    def add(parts: dict[str, Any], events: list[Any]) -> None:
        parts["contributions"].append([10**6, hexed("ground")])

    def mix_twice(parts: dict[str, Any], events: list[Any]) -> None:
        events.append({**next(event for event in events if event["kind"] == "seed_mixed"), "number": len(events) + 1})

    assert forge(lambda parts, events: None, drawn) == []
    assert any("another commitment" in fault for fault in forge(choose_secret, drawn))
    assert any("left out" in fault for fault in forge(drop, drawn))
    assert any("exchanged" in fault for fault in forge(exchange, drawn))
    assert any("nothing that could count" in fault for fault in forge(add, drawn))
    assert any("second time" in fault for fault in forge(mix_twice, drawn))


def test_the_database_keeps_secret_and_seed(opened: Tournament) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=opened.pk).update(secret=bytes(32))
    draw_tournament(tournament_id=opened.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=opened.pk).update(seed=bytes(32))


def save_archive(tournament: Tournament, folder: Path) -> str:
    path = folder / "archive.zip"
    path.write_bytes(io.BytesIO(b"".join(stream_archive(tournament))).getvalue())
    return str(path)


def test_archive_and_audit_follow_the_seed_to_every_match(make_tournament: Make, tmp_path: Path) -> None:
    tournament = make_tournament(ROUND_ROBIN, entrants=3, state="open", **PEOPLE)
    giver = person("giver")
    enter_player(tournament_id=tournament.pk, player=giver, contribution=hexed("giver"))
    withdraw_entrant(entrant_id=numbers_of(tournament)["giver"])
    draw_tournament(tournament_id=tournament.pk)
    start_tournament(tournament_id=tournament.pk)
    over = play_on(fresh(tournament))
    assert over.state == "finished"
    link = FixtureMatch.objects.filter(stage__tournament=over).select_related("match", "fixture__matchday").first()
    assert link is not None
    label = f"match 1 {link.fixture.matchday.number} {link.fixture.table} {link.number}"
    assert derive_seed(bytes(over.seed or b""), label) == bytes(link.match.seed)
    assert list(check_archive(save_archive(over, tmp_path))) == []
    assert list(audit_tournament(over)) == []


def test_a_tournament_without_parts_still_verifies(make_tournament: Make, tmp_path: Path) -> None:
    tournament = make_tournament(ROUND_ROBIN, entrants=3, state="open")
    old = bytes(range(32))
    with pgtrigger.ignore("tournaments.Tournament:chance_stays", "tournaments.TournamentEvent:event_stays"):
        Tournament.objects.filter(pk=tournament.pk).update(secret=None, seed=old, commitment=commitment(old))
        story = list(TournamentEvent.objects.filter(tournament=tournament).order_by("number"))
        TournamentEvent.objects.filter(tournament=tournament).delete()
    for event in story:
        record_event(fresh(tournament), event.kind, actor=event.actor, reason=event.reason, detail=event.detail)
    draw_tournament(tournament_id=tournament.pk)
    start_tournament(tournament_id=tournament.pk)
    over = play_on(fresh(tournament))
    assert bytes(over.seed or b"") == old
    assert list(check_archive(save_archive(over, tmp_path))) == []
    assert list(audit_tournament(over)) == []


def tell_round(number: int) -> str:
    return json.dumps(league.tell_round(number)) + "\n"


@pytest.fixture
def rounds(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(league.WHERE, league.PUBLIC_KEY)
    path = tmp_path / "rounds.jsonl"
    path.write_text(tell_round(1))
    settings.BEACON = str(path)
    return path


def soon() -> datetime:
    return timezone.now() + timedelta(hours=1)


def let_pass(tournament: Tournament, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the round's time be over, as the clock of the site tells it."""
    later = datetime.fromtimestamp(round_time(number), UTC) + timedelta(seconds=2)
    monkeypatch.setattr("tournaments.services.chance.timezone.now", lambda: later)


def test_a_round_of_the_beacon_goes_in(
    opened: Tournament, rounds: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    number = name_beacon(tournament_id=opened.pk, at=soon()).beacon_round
    assert number is not None
    with pytest.raises(LeagueError) as caught:
        draw_tournament(tournament_id=opened.pk)
    assert caught.value.code == "beacon_waits"
    let_pass(opened, number, monkeypatch)
    with pytest.raises(LeagueError) as caught:
        draw_tournament(tournament_id=opened.pk)
    assert caught.value.code == "beacon_waits", "the file does not have it yet"
    rounds.write_text(tell_round(number - 1) + tell_round(number))
    late = enter_player(tournament_id=opened.pk, player=person("last"), contribution=hexed("last"))
    assert late.contribution == "", "who knows the beacon contributes no more"
    drawn = draw_tournament(tournament_id=opened.pk)
    assert drawn.beacon is not None and drawn.beacon["round"] == number
    assert bytes(drawn.seed or b"") != mix_seed(bytes(drawn.secret or b""), read_contributions(drawn))
    assert not list(find_seed_faults(drawn, read_chain(drawn)))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(
            lambda number: json.dumps(league.tell_round(number - 1) | {"round": number}),
            "beacon_bad",
            id="forged signature",
        ),
        pytest.param(
            lambda number: json.dumps(league.tell_round(number) | {"randomness": "00" * 32}),
            "beacon_bad",
            id="forged value",
        ),
        pytest.param(lambda number: "not JSON", "beacon_bad", id="no JSON"),
        pytest.param(lambda number: tell_round(number - 1), "beacon_waits", id="another round"),
    ],
)
def test_a_forged_file_of_rounds_is_refused(
    opened: Tournament, rounds: Path, monkeypatch: pytest.MonkeyPatch, content: Callable[[int], str], code: str
) -> None:
    number = name_beacon(tournament_id=opened.pk, at=soon()).beacon_round
    assert number is not None
    let_pass(opened, number, monkeypatch)
    rounds.write_text(content(number))
    with pytest.raises(LeagueError) as caught:
        draw_tournament(tournament_id=opened.pk)
    assert caught.value.code == code
    assert fresh(opened).seed is None


def test_without_network_the_draw_waits_and_says_so(
    opened: Tournament, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.BEACON = f"http://127.0.0.1:{free.getsockname()[1]}"
    number = name_beacon(tournament_id=opened.pk, at=soon()).beacon_round
    assert number is not None
    let_pass(opened, number, monkeypatch)
    with pytest.raises(LeagueError) as caught:
        draw_tournament(tournament_id=opened.pk)
    assert str(caught.value.message) == f"Round {number} of the beacon is missing: the beacon does not answer."
    drop_beacon(tournament_id=opened.pk, reason="no network in the hall")
    drawn = draw_tournament(tournament_id=opened.pk)
    dropped = drawn.events.get(kind="beacon_dropped")
    assert (dropped.reason, dropped.detail) == ("no network in the hall", {"round": number})
    assert not list(find_seed_faults(drawn, read_chain(drawn)))


@pytest.mark.parametrize(
    ("at", "code"),
    [
        pytest.param(lambda: timezone.now() - timedelta(days=1), "beacon_past", id="yesterday"),
        pytest.param(lambda: datetime(1970, 1, 2, tzinfo=UTC), "beacon_past", id="before the chain began"),
    ],
)
def test_a_round_in_the_past_is_refused(
    opened: Tournament, rounds: Path, at: Callable[[], datetime], code: str
) -> None:
    with pytest.raises(LeagueError) as caught:
        name_beacon(tournament_id=opened.pk, at=at())
    assert caught.value.code == code


def test_a_round_is_named_once_and_dropped_only_for_a_reason(opened: Tournament, rounds: Path) -> None:
    name_beacon(tournament_id=opened.pk, at=soon())
    with pytest.raises(LeagueError) as caught:
        name_beacon(tournament_id=opened.pk, at=soon() + timedelta(hours=1))
    assert caught.value.code == "beacon_named"
    with pytest.raises(LeagueError) as caught:
        drop_beacon(tournament_id=opened.pk, reason=" ")
    assert caught.value.code == "needs_reason"
    drop_beacon(tournament_id=opened.pk, reason="the wrong day")
    with pytest.raises(LeagueError) as caught:
        name_beacon(tournament_id=opened.pk, at=soon())
    assert caught.value.code == "beacon_named"
    draw_tournament(tournament_id=opened.pk)
    with pytest.raises(LeagueError) as caught:
        name_beacon(tournament_id=opened.pk, at=soon())
    assert caught.value.code == "wrong_state"


def test_a_beacon_named_too_late_is_named_in_the_check(
    opened: Tournament, rounds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody with the database names a round that is out; the time of the event tells."""
    number = name_beacon(tournament_id=opened.pk, at=soon()).beacon_round
    assert number is not None
    rounds.write_text(tell_round(number))
    let_pass(opened, number, monkeypatch)
    drawn = draw_tournament(tournament_id=opened.pk)
    parts, events = read_parts(drawn, with_secret=True), list(read_chain(drawn))
    for event in events:
        if event["kind"] == "beacon_named":
            event["at"] = datetime.fromtimestamp(round_time(number) + 1, UTC).isoformat()
    found = list(check_seed_parts(parts, bytes(drawn.seed or b"").hex(), events, drawn.commitment))
    assert found == [f"event {event_number(events)} names a round of the beacon that was out by then"]


def event_number(events: list[dict[str, Any]]) -> int:
    return next(int(event["number"]) for event in events if event["kind"] == "beacon_named")


def test_a_site_without_a_beacon_says_so(opened: Tournament, settings: Any) -> None:
    settings.BEACON = ""
    with pytest.raises(LeagueError) as caught:
        name_beacon(tournament_id=opened.pk, at=soon())
    assert caught.value.code == "no_beacon"
