"""A finished tournament put away: its records in signed files alone, every page and check as before, killed or not."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client

from aurum_league.cli import main
from aurum_league.cli.archive_check import check_archive
from aurum_league.common.errors import LeagueError
from aurum_league.common.parquet import ParquetFile, write_parquet
from games.models import Archive, Match, MatchResult
from games.selectors import archives
from games.selectors.matches import load_match, record_of
from games.services.by_hand import HandResult
from tests.services.tournaments.conftest import Make, play_on
from tournaments.models import Tournament
from tournaments.pages.downloads import stream_archive
from tournaments.selectors.archive import list_archive_tables
from tournaments.services import archive
from tournaments.services.archive import list_due_tournaments, put_away
from tournaments.services.audit import audit_all, audit_results
from tournaments.services.decisions import enter_result, void_match
from tournaments.services.results import refresh_standings

pytestmark = pytest.mark.django_db
ROUND_ROBIN = {"format": "round_robin", "options": {"meetings": 1}}


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> Iterator[Path]:
    settings.ARCHIVE_ROOT = tmp_path / "archives"
    archives._open_records.cache_clear()
    yield settings.ARCHIVE_ROOT
    archives._open_records.cache_clear()


@pytest.fixture
def season(make_tournament: Make) -> Tournament:
    tournament = play_on(make_tournament(ROUND_ROBIN, 6))
    for stage in tournament.stages.all():
        refresh_standings(stage_id=stage.pk)
    return tournament


def read_logs() -> dict[int, bytes]:
    return {result.pk: bytes(result.log) for result in MatchResult.objects.order_by("pk")}


def _read_record(match_id: int) -> Any:
    match = load_match(match_id)
    assert match is not None
    return record_of(match)


def read_records() -> list[Any]:
    return [_read_record(pk) for pk in Match.objects.order_by("pk").values_list("pk", flat=True)]


def find_folder(own_folder: Path) -> Path:
    (folder,) = own_folder.iterdir()
    return folder


def test_everything_is_as_before_without_a_log_in_the_database(
    season: Tournament, own_folder: Path, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    records, match = read_records(), Match.objects.order_by("pk")[0]
    addresses = [
        *(f"/matches/{match.pk}/", f"/api/v1/matches/{match.pk}/record", f"/tournaments/{season.slug}/"),
        *(f"/tournaments/{season.slug}/schedule/", f"/tournaments/{season.slug}/statistics/"),
        f"/players/{match.seats.all()[0].player.slug}/",
    ]
    pages = [client.get(address).status_code for address in addresses]
    assert put_away(season, check_archive) == len(records) > 5
    assert set(read_logs().values()) == {b""}
    assert read_records() == records
    assert [client.get(address).status_code for address in addresses] == pages == [200] * len(addresses)
    assert list(audit_all()) == []
    folder = find_folder(own_folder)
    assert main(["verify", str(folder)]) == 0
    assert capsys.readouterr().out == f"{len(records)} records hold.\n"
    file = own_folder.parent / "whole.zip"
    file.write_bytes(b"".join(stream_archive(season)))
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out == f"{len(records)} records hold.\n"


def test_a_second_run_changes_nothing(season: Tournament, own_folder: Path) -> None:
    assert list(list_due_tournaments(0)) == [season]
    assert list(list_due_tournaments(1)) == []
    put_away(season, check_archive)
    events = season.events.count()
    files = {file.name: file.read_bytes() for file in find_folder(own_folder).iterdir()}
    assert list(list_due_tournaments(0)) == []
    assert put_away(season, check_archive) == 0
    assert (season.events.count(), Archive.objects.count()) == (events, 1)
    assert {file.name: file.read_bytes() for file in find_folder(own_folder).iterdir()} == files


class Killed(BaseException):
    pass


STEPS = ("_write_table", "_sync", "_digest", "note_archive", "free_logs", "record_event")


@pytest.mark.parametrize("step", [pytest.param(step, id=step.strip("_")) for step in STEPS])
@pytest.mark.parametrize("is_done", [pytest.param(False, id="before"), pytest.param(True, id="after")])
def test_whoever_is_killed_loses_nothing(
    step: str, is_done: bool, season: Tournament, monkeypatch: pytest.MonkeyPatch, own_folder: Path
) -> None:
    records = read_records()
    real: Callable[..., Any] = getattr(archive, step)

    def kill(*args: Any, **options: Any) -> None:
        if is_done:
            real(*args, **options)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(archive, step, kill)
        with pytest.raises(Killed):
            put_away(season, check_archive)
    assert read_records() == records
    put_away(season, check_archive)
    assert read_records() == records
    assert set(read_logs().values()) == {b""}
    assert season.events.filter(kind="archived").count() == Archive.objects.count() == 1
    assert [one.name for one in own_folder.iterdir()] == [Archive.objects.get().name]


def test_half_of_the_logs_freed_is_gone_on_with(
    season: Tournament, monkeypatch: pytest.MonkeyPatch, own_folder: Path
) -> None:
    records = read_records()
    monkeypatch.setattr(archive, "LOGS_AT_ONCE", 2)
    real = ParquetFile.read_rows

    def stop(file: ParquetFile) -> Iterator[dict[str, Any]]:
        for number, row in enumerate(real(file)):
            if number == 5:
                raise Killed
            yield row

    with monkeypatch.context() as patched:
        patched.setattr(ParquetFile, "read_rows", stop)
        with pytest.raises(Killed):
            put_away(season, lambda folder: ())
    assert sum(not log for log in read_logs().values()) == 4
    assert read_records() == records
    assert put_away(season, check_archive) == len(records) - 4
    assert read_records() == records


def spoil_a_log(folder: Path) -> None:
    with ParquetFile.open(folder / "records.parquet") as file:
        rows, columns = list(file.read_rows()), file.columns
    rows[1]["log"] = rows[0]["log"]
    (folder / "records.parquet").write_bytes(b"".join(write_parquet(rows, columns)))


def cut_a_table(folder: Path) -> None:
    (folder / "matches.parquet").write_bytes((folder / "matches.parquet").read_bytes()[:-9])


@pytest.mark.parametrize("spoil", [spoil_a_log, cut_a_table])
def test_nothing_is_freed_that_the_files_do_not_hold(
    spoil: Callable[[Path], None], season: Tournament, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, real = read_logs(), archive.write_archive

    def write(tournament: Tournament, folder: Path) -> None:
        real(tournament, folder)
        spoil(folder)

    monkeypatch.setattr(archive, "write_archive", write)
    with pytest.raises(LeagueError, match="Nothing was freed"):
        put_away(season, check_archive)
    assert read_logs() == logs
    # Even unchecked, no log goes for which the file has another.
    if spoil is spoil_a_log:
        assert put_away(season, lambda folder: ()) == len(logs) - 1


def test_an_archive_that_is_away_is_told_and_the_page_stays(
    season: Tournament, own_folder: Path, client: Client
) -> None:
    put_away(season, check_archive)
    folder, match = find_folder(own_folder), Match.objects.order_by("pk")[0]
    folder.rename(own_folder / "elsewhere")
    told = f"lies in the archive {folder.name}, which cannot be read here"
    assert told in client.get(f"/matches/{match.pk}/").content.decode()
    answer = client.get(f"/api/v1/matches/{match.pk}/record")
    assert (answer.status_code, answer.json()["code"]) == (503, "archive_missing")
    for address in (f"/matches/{match.pk}/step/", f"/matches/{match.pk}/record.json"):
        assert client.get(address).status_code == 404
    assert client.get(f"/tournaments/{season.slug}/statistics/").status_code == 200
    assert told in next(audit_results())
    (own_folder / "elsewhere").rename(folder)
    assert list(audit_results()) == []


def test_a_changed_file_is_not_believed(season: Tournament, own_folder: Path) -> None:
    put_away(season, check_archive)
    spoil_a_log(find_folder(own_folder))
    assert "cannot be read here" in next(audit_results())
    with pytest.raises(LeagueError, match="does not hold"):
        put_away(season, check_archive)


def test_what_is_decided_later_keeps_the_record(season: Tournament, organiser: Any, client: Client) -> None:
    put_away(season, check_archive)
    match = Match.objects.order_by("pk")[0]
    before = _read_record(match.pk)
    void_match(match_id=match.pk, reason="both cheated", actor=organiser)
    after = _read_record(match.pk)
    assert after["rounds"] == before["rounds"]
    turned = tuple(4 - place for place in before["places"])
    enter_result(match_id=match.pk, result=HandResult(turned), reason="misread", actor=organiser)
    for stage in season.stages.all():
        refresh_standings(stage_id=stage.pk)
    assert list(audit_results()) == []
    names = b"".join(stream_archive(season))
    assert names


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"log": b"", "archive": None}, id="a log without an archive"),
        pytest.param({"log": b"", "archive": 999}, id="an archive that is not there"),
        pytest.param({"log": b"", "places": [3, 2, 1]}, id="places with it"),
    ],
)
def test_the_database_lets_nothing_else_change(change: dict[str, Any], season: Tournament) -> None:
    made = Archive.objects.create(name="made-up", digest="0" * 64, matches=1)
    values = {"archive_id": made.pk} | {{"archive": "archive_id"}.get(name, name): one for name, one in change.items()}
    with pytest.raises(DatabaseError, match="only for a reason"), transaction.atomic():
        MatchResult.objects.update(**values)
    with pytest.raises(DatabaseError, match="keeps what was written"), transaction.atomic():
        made.delete()


def test_tables_come_out_as_they_went_in(season: Tournament, own_folder: Path) -> None:
    told = {name: json.loads(json.dumps(list(rows), default=str)) for name, rows in list_archive_tables(season)}
    put_away(season, check_archive)
    for name, rows in told.items():
        with ParquetFile.open(find_folder(own_folder) / f"{name}.parquet") as file:
            assert list(file.read_rows()) == rows, name


def test_the_command(make_tournament: Make, own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    season = play_on(make_tournament(ROUND_ROBIN, 3))
    call_command("archive")
    assert capsys.readouterr().out == "Nothing is due.\n"
    call_command("archive", "--days=0", "--dry-run")
    assert capsys.readouterr().out.startswith(f"{season.slug}: ended 20")
    assert not own_folder.exists()
    call_command("archive", "--days=0")
    assert capsys.readouterr().out.startswith(f"{season.slug}: 1 records are in ")
    call_command("archive", "--days=0")
    assert capsys.readouterr().out == "Nothing is due.\n"
