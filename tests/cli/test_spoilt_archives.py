"""A tournament's archive with one value changed at a time: each is named, also where the site itself signed it."""

import hashlib
import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from aurum_league.cli import main
from aurum_league.cli.archive_check import TABLES, check_archive, check_tables, judge_records
from aurum_league.cli.archive_results import RecordFacts, gather_facts
from aurum_league.common.proofs import find_signature_fault, read_public_key, sign, sign_document
from games.models import Match, MatchResult, MatchState, Player, PlayerKind, RunnerNeed
from games.rules.errors import RecordFault
from games.rules.mixing import round_time
from games.rules.record import read_record
from games.services.by_hand import HandResult
from games.services.play import play_ready_matches
from games.services.players import ensure_person
from tests.pages.events import make_players, make_tournament, play_to_the_end
from tests.rules import league
from tests.services.ratings.test_tournament_ratings import make_teams
from tests.services.tournaments.test_fresh import begin, finish
from tournaments.models import Entrant, Tournament, TournamentState
from tournaments.pages.downloads import stream_archive
from tournaments.services.advance import advance_tournament, sweep_tournaments
from tournaments.services.chance import name_beacon
from tournaments.services.decisions import apply_rerun, enter_result, forfeit_match, rerun_matches, void_match
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import (
    disqualify_entrant,
    enter_late,
    enter_player,
    enter_players,
    replace_entrant,
    withdraw_entrant,
)
from tournaments.services.lifecycle import open_tournament
from tournaments.services.rebuild import refresh_ratings
from tournaments.services.release import start_tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
Files = dict[str, bytes]
Way = tuple[Any, ...]
OUR_WORD = {
    "manifest name": "what it is called",
    "manifest site_head": "binds the site against whoever kept another archive or looked at the fairness page",
    "manifest site_chain": "the same",
    "manifest site_events": "the same",
    "matches versions actor": "a name, which may change; the chain has the number of the account",
    "stages name": "what it is called",
}
"""What neither records nor the chain tell, so that the site's signature alone stands for it, and why that is so."""
OUR_WORD_OF = {
    "people": {"players address": "where a person's page is; that of a house bot names its brain"},
    "those who are left": {
        "players name": "of somebody who left before any match of theirs has a record",
        "players address": "the same",
    },
    "decided": {
        "players name": "of a team: records name those who sit for it",
        "players address": "where a team's page is",
    },
}
NAMED_TOO = {"matches versions actor"}
"""In a version that was played there is none, which is checked."""
BY_CHANCE = {"records rounds tricks bid_changes gold"}
"""Another gold of the same points, which nobody saw again, tells the same match."""


def play_blocks() -> Tournament:
    """Blocks of three, one result by hand."""
    tournament = make_tournament("finished", players=make_players(4))
    first = Match.objects.order_by("pk")[0]
    enter_result(match_id=first.pk, result=HandResult((1, 2, 3)), reason="misread")
    return tournament


def play_people() -> Tournament:
    """People who contribute beside a beacon; one leaves before the draw, one gives up; a match played anew, a rerun."""
    stage = {"format": "round_robin", "options": {"meetings": 1}, "block_deals": 0}
    spec: dict[str, Any] = {"entry_kind": "mixed", "clock": {"each": 172_800.0}, "stages": [stage]}
    tournament = make_tournament("draft", **spec)
    open_tournament(tournament_id=tournament.pk)
    for name in ("ada", "ben", "cleo"):
        player = ensure_person(User.objects.create_user(name))
        enter_player(tournament_id=tournament.pk, player=player, contribution=hashlib.sha256(name.encode()).hexdigest())
    enter_players(tournament_id=tournament.pk, players=make_players(1))
    withdraw_entrant(entrant_id=Entrant.objects.get(player__name="cleo").pk, reason="ill")
    number = name_beacon(tournament_id=tournament.pk, at=timezone.now() + timedelta(seconds=2)).beacon_round
    assert number is not None
    Path(settings.BEACON).write_text(json.dumps(league.tell_round(number)) + "\n")
    while timezone.now().timestamp() <= round_time(number):
        time.sleep(0.1)
    draw_tournament(tournament_id=tournament.pk)
    start_tournament(tournament_id=tournament.pk)
    match = finish(Match.objects.get())
    advance_tournament(tournament_id=tournament.pk)
    finish(begin(match))
    for _ in range(2):
        sweep_tournaments()
    tournament.refresh_from_db()
    return tournament


def play_cup() -> Tournament:
    """A cup of sides in which some rest, after a stage that some go on from."""
    stages = [{"format": "round_robin", "options": {"meetings": 1}, "cut": 3}, {"format": "knockout", "name": "Final"}]
    sides: dict[str, Any] = {"ruleset": "en4-golden", "table_kind": "teams4"}
    return make_tournament("finished", players=make_players(4), stages=stages, **sides)


def make_newcomer() -> Player:
    return Player.objects.create(kind=PlayerKind.HOUSE, name="Newcomer", slug="house-greedy_99")


def play_on_alone() -> Tournament:
    """So many leave a field of partners who rotate that some matchdays have no table; another takes a place over."""
    stage = {"format": "round_robin", "options": {"meetings": 1}, "matches_each": 2}
    sides: dict[str, Any] = {"ruleset": "en4", "table_kind": "solo4", "stages": [stage]}
    tournament = make_tournament("playing", players=make_players(8), **sides)
    first, second, third, *_ = tournament.entrants.order_by("id")
    withdraw_entrant(entrant_id=first.pk, reason="ill")
    disqualify_entrant(entrant_id=second.pk, reason="cheated")
    replace_entrant(entrant_id=third.pk, player=make_newcomer())
    play_to_the_end(tournament)
    return tournament


def play_decided() -> Tournament:
    """Teams of two in divisions: a forfeit by decision, a result by hand, a rerun, a void table; one came late."""
    organiser, _ = User.objects.get_or_create(username="organiser-of-tests")
    teams = make_teams(7, organiser)
    for number, member in enumerate(Player.objects.filter(kind=PlayerKind.HOUSE), start=51):
        # Of brains that draw no luck a rerun would give the same results.
        Player.objects.filter(pk=member.pk).update(slug=f"house-random_{number}")
    stage = {"format": "league_season", "options": {}, "block_deals": 0, "groups": 2}
    tournament = make_tournament(
        "playing", players=teams[:6], ruleset="de4", table_kind="teams4", entry_kind="mixed", stages=[stage]
    )
    stuck = Match.objects.order_by("pk")[0]
    Match.objects.filter(pk=stuck.pk).update(state=MatchState.QUARANTINED, attempt=3, trouble="it broke")
    forfeit_match(match_id=stuck.pk, seats=[0, 2], reason="the bot broke")
    enter_late(tournament_id=tournament.pk, player=teams[6])
    play_to_the_end(tournament)
    second, third, *others = Match.objects.filter(result__kind="played").order_by("pk").values_list("pk", flat=True)
    enter_result(match_id=second, result=HandResult((1, 2)), reason="misread")
    rerun = rerun_matches(tournament_id=tournament.pk, match_ids=others, reason="the wrong version")
    play_ready_matches(needs=RunnerNeed.HOUSE)
    apply_rerun(rerun_id=rerun.pk)
    assert MatchResult.objects.filter(kind="rerun").exists()
    void_match(match_id=third, reason="the wrong room")
    tournament.refresh_from_db()
    return tournament


SCENES: dict[str, Callable[[], Tournament]] = {
    "blocks": play_blocks,
    "people": play_people,
    "cup": play_cup,
    "those who are left": play_on_alone,
    "decided": play_decided,
}


@pytest.fixture
def own_league(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any) -> None:
    monkeypatch.setattr(league.WHERE, league.PUBLIC_KEY)
    settings.BEACON = str(tmp_path / "rounds.jsonl")


@pytest.fixture
def files(request: pytest.FixtureRequest, own_league: None) -> Files:
    """A finished tournament's archive, ratings and the official fit brought up to date."""
    tournament = SCENES[getattr(request, "param", "blocks")]()
    assert tournament.state == TournamentState.FINISHED
    refresh_ratings()
    return unpack(b"".join(stream_archive(tournament)))


def unpack(content: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist()}


def check(folder: Path, files: Files) -> list[str]:
    path = folder / "cup.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"cup/{name}", content)
    return list(check_archive(str(path)))


def walk(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """The way to every value within, lists and objects of none among them."""
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from walk(value[key], (*way, key))
    else:
        yield way, value


def spoil(rows: list[Any]) -> Iterator[tuple[Way, Any]]:
    """Every field of any row, wherever it first and last has a value of its kind, and another value in its place."""
    found: dict[tuple[str, type], list[tuple[Way, Any]]] = {}
    for way, value in walk(rows):
        found.setdefault((name_way("", way), type(value)), []).append((way, value))
    for places in found.values():
        for way, value in (places[0], places[-1])[: len(places)]:
            yield way, change(value)


def change(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return "1" * 64
    return {"1": 7} if isinstance(value, dict) else [7] if isinstance(value, list) else 7


def name_way(name: str, way: Way) -> str:
    """The field that a way leads to, whatever row or place in a list."""
    return " ".join([name, *(key for key in way if isinstance(key, str))])


def put(rows: list[Any], way: Way, value: Any) -> list[Any]:
    changed: list[Any] = json.loads(json.dumps(rows))
    inner: Any = changed
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = value
    return changed


def write_rows(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows).encode()


def read_rows(content: bytes) -> list[Any]:
    return [json.loads(line) for line in content.splitlines()]


def sign_again(files: Files) -> Files:
    """As a site would that lies: every digest right, and its own signature under them."""
    manifest = json.loads(files["manifest"])
    manifest["files"] = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in files.items()
        if name not in ("manifest", "signature")
    }
    content = (json.dumps(manifest, ensure_ascii=False, sort_keys=True) + "\n").encode()
    return files | {"manifest": content, "signature": sign(content).encode()}


def list_spoilt(name: str, rows: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Each field of a file spoilt in turn."""
    for way, value in spoil(rows):
        yield name_way(name, way), put(rows, way, value)


def judge(field: str, record: Any) -> list[RecordFacts]:
    """What a record gives that the site signed anew, but where the signature itself was spoilt."""
    if field not in ("records signature", "records public_key"):
        record = sign_document({name: value for name, value in record.items() if name != "signature"})
    try:
        play = read_record(record)
    except RecordFault:
        return []
    return [] if find_signature_fault(record) else [gather_facts(record, play)]


def test_a_record_by_itself_is_signed(files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, record = tmp_path / "one.jsonl", read_rows(files["records.jsonl"])[0]
    path.write_bytes(write_rows([record]))
    assert main(["verify", "--key", read_public_key(), str(path)]) == 0
    assert main(["verify", "--key", "1" * 64, str(path)]) == 1
    unsigned = {name: value for name, value in record.items() if name not in ("signature", "public_key")}
    path.write_bytes(write_rows([unsigned]))
    assert main(["verify", str(path)]) == 0
    assert main(["verify", "--key", read_public_key(), str(path)]) == 1
    spoilt = [rows[0] for _, rows in list_spoilt("records", [record])]
    assert len(spoilt) > 50
    path.write_bytes(write_rows(spoilt))
    assert main(["verify", str(path)]) == 1
    assert capsys.readouterr().out.endswith(f"0 of {len(spoilt)} records hold.\n")


@pytest.mark.parametrize("files", SCENES, indirect=True)
def test_the_archive_holds(files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, files) == []
    assert check(tmp_path, sign_again(files)) == []
    path = str(tmp_path / "cup.zip")
    assert main(["verify", "--key", read_public_key(), path]) == 0
    assert main(["verify", "--key", "1" * 64, path]) == 1
    assert "another key" in capsys.readouterr().out


def test_every_value_changed_is_named(files: Files, tmp_path: Path) -> None:
    for name in (*(f"{table}.ndjson" for table in TABLES), "records.jsonl", "manifest"):
        rows = read_rows(files[name])
        way, value = next(spoil(rows))
        content = write_rows(put(rows, way, value))
        found = check(tmp_path, files | {name: content})
        wanted = f"the file {name} is not the one that was signed" if name != "manifest" else "the signature is not"
        assert any(wanted in sentence for sentence in found), f"{name} {way} changed to {value!r} and nobody noticed"


@pytest.mark.parametrize("name", ["README.txt", "standings.csv", "schedule.csv", "results.csv", "signature"])
def test_every_file_changed_or_missing_is_named(files: Files, tmp_path: Path, name: str) -> None:
    assert check(tmp_path, files | {name: files[name].replace(b"1", b"2", 1) + b"x"})
    assert check(tmp_path, {other: content for other, content in files.items() if other != name})


@pytest.mark.parametrize("files", SCENES, indirect=True)
def test_a_lie_that_the_site_signs_is_named(files: Files, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Every field in turn: what follows from seeds, logs and the chain holds against the site itself."""
    assert check(tmp_path, files) == []
    facts = list(judge_records(str(tmp_path / "cup.zip")))
    told = {name: read_rows(files[f"{name}.ndjson"]) for name in TABLES}
    manifest = json.loads(files["manifest"])
    silent, tried = set(), set()
    for name in told:
        for field, spoilt in list_spoilt(name, told[name]):
            tried.add(field)
            if next(check_tables(manifest, told | {name: spoilt}, facts), None) is None:
                silent.add(field)
    for field, (spoilt,) in list_spoilt("manifest", [manifest]):
        lie = files | {"manifest": write_rows([spoilt])}
        tried.add(field)
        if "files" not in field and not check(tmp_path, sign_again(lie)):
            silent.add(field)
    records = read_rows(files["records.jsonl"])
    for field, spoilt in list_spoilt("records", records):
        tried.add(field)
        number = next(number for number, record in enumerate(records) if spoilt[number] != record)
        lies = [*facts[:number], *judge(field, spoilt[number]), *facts[number + 1 :]]
        if next(check_tables(manifest, told, lies), None) is None:
            silent.add(field)
    allowed = OUR_WORD.keys() | OUR_WORD_OF.get(request.node.callspec.params["files"], {}).keys()
    assert silent - BY_CHANCE <= allowed
    assert allowed & tried <= silent | NAMED_TOO, "what is named needs no excuse"


@pytest.mark.parametrize("files", SCENES, indirect=True)
def test_what_is_left_out_or_told_twice_is_named(files: Files, tmp_path: Path) -> None:
    """A whole row of any file, the first and the last: a lie by silence, which the site signs."""
    assert check(tmp_path, files) == []
    facts = list(judge_records(str(tmp_path / "cup.zip")))
    told = {name: read_rows(files[f"{name}.ndjson"]) for name in TABLES}
    manifest = json.loads(files["manifest"])
    silent = []
    for name, rows in told.items():
        ways = {"first left out": rows[1:], "last left out": rows[:-1], "last twice": [*rows, *rows[-1:]]}
        for way, lie in ways.items():
            if lie != rows and next(check_tables(manifest, told | {name: lie}, facts), None) is None:
                silent.append(f"{name}: {way}")
    for way, fewer in {"first left out": facts[1:], "last twice": [*facts, facts[-1]]}.items():
        if next(check_tables(manifest, told, fewer), None) is None:
            silent.append(f"records: {way}")
    assert not silent, ", ".join(silent)
