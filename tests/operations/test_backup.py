"""A backup of a site that has played: restored it holds the same rows, and in between it opens no door."""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.db import connection
from psycopg import sql
from pytest_django import DjangoDbBlocker

from aurum_league.accounts.access import create_token
from aurum_league.common.errors import LeagueError
from aurum_league.operations.database import LEFT_OUT, find_program, make_backup, restore_backup
from aurum_league.settings.environment import CHECKOUT
from tests.security.site import PASSWORD, Site

pytestmark = pytest.mark.django_db
REBUILD_AND_VERIFY = """
from games.models import Match
from games.rules.record import read_record
from games.selectors.matches import record_of
from tournaments.models import RatingPool
from tournaments.services.rebuild import rebuild_pool
reports = [rebuild_pool(pool_id=pool.pk) for pool in RatingPool.objects.all()]
assert all(report.is_clean for report in reports), reports
played = Match.objects.filter(state="finished", result__is_by_hand=False).select_related("result")
for match in played:
    read_record(record_of(match))
print(len(reports), len(played))
"""
Database = dict[str, Any]


def connect(database: Database) -> psycopg.Connection:
    return psycopg.connect(
        host=database["HOST"], port=database["PORT"], user=database["USER"], dbname=database["NAME"], autocommit=True
    )


def read_rows(database: Database) -> dict[str, str | None]:
    """A digest of every table's rows, whatever their order."""
    with connect(database) as open_connection:
        found = open_connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        digests: dict[str, str | None] = {}
        for (name,) in found:
            query = sql.SQL("SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {} t")
            row = open_connection.execute(query.format(sql.Identifier(name))).fetchone()
            digests[name] = row[0] if row else None
    return digests


@pytest.fixture
def database(django_db_setup: None) -> Database:
    return dict(connection.settings_dict)


@pytest.fixture
def empty_database(database: Database) -> Iterator[Database]:
    name = f"{database['NAME']}_restored"
    with connect(database) as open_connection:
        open_connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    yield {**database, "NAME": name}
    with connect(database) as open_connection:
        open_connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_a_restored_database_is_the_same(
    made_site: Site, database: Database, empty_database: Database, tmp_path: Path
) -> None:
    file = tmp_path / "aurum.dump"
    make_backup(database, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    restore_backup(empty_database, file)
    before, after = read_rows(database), read_rows(empty_database)
    assert before.pop("aurum_league_session") and after.pop("aurum_league_session") is None
    assert before == after and before["games_matchresult"] and before["tournaments_ratingchange"]
    with pytest.raises(LeagueError, match="holds tables already"):
        restore_backup(empty_database, file)
    with pytest.raises(LeagueError, match="exists already"):
        make_backup(database, file)


def test_a_restored_site_is_whole(
    made_site: Site, database: Database, empty_database: Database, tmp_path: Path
) -> None:
    """Dump, restore, rebuild, verify: by the commands and services that an operator would use."""
    file = tmp_path / "aurum.dump"
    make_backup(database, file)
    restore_backup(empty_database, file)
    restored = f"postgres://{database['USER']}@{quote(database['HOST'], safe='')}/{empty_database['NAME']}"
    for arguments in (["migrate", "--check"], ["shell", "--no-imports", "-c", REBUILD_AND_VERIFY]):
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=CHECKOUT,
            env={"PATH": os.environ["PATH"], "AURUM_DATA": os.environ["AURUM_DATA"], "DATABASE_URL": restored},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
    pools, records = map(int, done.stdout.split())
    assert pools >= 1 and records >= 4


@pytest.fixture(scope="module")
def doors(made_site: Site, django_db_blocker: DjangoDbBlocker) -> list[str]:
    """A person's token, and a bot's that was asked for in a way that keeps the answer; both committed."""
    with django_db_blocker.unblock():
        _, token = create_token(user=made_site.users["player"], name="dump", scopes=["read"])
        path = f"/api/v1/bots/{made_site.subjects['connected']['slug']}/token"
        answer = made_site.client_of("author").post(
            path, "{}", content_type="application/json", headers={"Idempotency-Key": "dump"}
        )
    bot_token = re.search(r"aurbot_[\w-]+", answer.content.decode())
    assert bot_token
    return [token, bot_token.group(), PASSWORD, *made_site.sessions.values()]


def test_a_raw_dump_opens_no_door(doors: list[str], database: Database) -> None:
    """Made past our command, by Postgres's own program, with the rows of every table."""
    wanted = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGDATABASE": "NAME"}
    given = {name: str(database[key]) for name, key in wanted.items() if database[key]}
    text = subprocess.run(
        [find_program("pg_dump")], env={"LC_ALL": "C", **given}, capture_output=True, check=True
    ).stdout
    assert re.search(rb"COPY public\.aurum_league_session .*\n(?!\\\.)", text), "there are sessions in it"
    assert [door for door in doors if door.encode() in text] == []


def test_a_backup_opens_no_door(doors: list[str], database: Database, tmp_path: Path) -> None:
    """No token, session or password is in it as it would be sent."""
    file = tmp_path / "aurum.dump"
    make_backup(database, file)
    text = subprocess.run([find_program("pg_restore"), "--file=-", file], capture_output=True, check=True).stdout
    assert b"house-greedy_2" in text and b"COPY public.games_match " in text
    assert [door for door in doors if door.encode() in text] == []
    # The tables are there, and between COPY and its end nothing.
    for name in LEFT_OUT:
        assert f"CREATE TABLE public.{name} ".encode() in text
        assert not re.search(rb"COPY public\." + name.encode() + rb" .*\n(?!\\\.)", text)


def test_a_backup_that_fails_leaves_no_file(tmp_path: Path) -> None:
    file = tmp_path / "backup"
    with pytest.raises(LeagueError, match="pg_dump failed"):
        make_backup({**connection.settings_dict, "NAME": "no_such_database"}, file)
    assert not file.exists()


def test_a_database_that_does_not_run_is_a_sentence(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "aurum.dump"
    file.touch()
    with pytest.raises(LeagueError, match="services start"):
        restore_backup({**database, "HOST": str(tmp_path)}, file)
